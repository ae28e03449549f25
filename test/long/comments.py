"""An independent counter of comments: what was there and is not named as removed is there; what came was given."""
import json, re, sys
from collections import Counter
import yaml


def words(text):
    out = []
    for line in text.split("\n"):
        line = re.sub(r"^[\s#/*]+", "", line).rstrip(" \t\r*/")
        if line: out.append(line)
    return out

def yaml_comments(text):
    spans = []
    try:
        for token in yaml.scan(text, Loader=yaml.BaseLoader):
            if isinstance(token, yaml.ScalarToken):
                spans.append((token.start_mark.index, token.end_mark.index, token.style))
    except yaml.YAMLError:
        return None
    found, at = [], 0
    def gap(a, b):
        for m in re.finditer(r"(?:^|(?<=\s))#[^\n]*", text[a:b]):
            # at the beginning of a gap a # directly behind a token is no comment
            i = a + m.start()
            if i == 0 or text[i-1] in " \t\n\r\ufeff": found.append(text[i:a + m.end()])
    for s, e, style in spans:
        gap(at, s)
        if style in ("|", ">"):
            line = text[s:text.find("\n", s) if "\n" in text[s:] else len(text)]
            m = re.search(r"[ \t]#.*$", line)
            if m: found.append(m.group(0))
        at = e
    gap(at, len(text))
    return found

def toml_comments(text):
    out, i = [], 0
    while i < len(text):
        c = text[i]
        if c == "#":
            e = text.find("\n", i); e = len(text) if e < 0 else e
            out.append(text[i:e]); i = e
        elif text.startswith('"""', i) or text.startswith("'''", i):
            q = text[i:i+3]; j = i + 3
            while j < len(text) and not text.startswith(q, j):
                j += 2 if text[j] == "\\" and q == '"""' else 1
            i = j + 3
            while i < len(text) and text[i] == q[0]: i += 1
        elif c in "\"'":
            j = i + 1
            while j < len(text) and text[j] != c and text[j] != "\n":
                j += 2 if text[j] == "\\" and c == '"' else 1
            i = j + 1
        else: i += 1
    return out

def json_comments(text):
    out, i = [], 0
    while i < len(text):
        c = text[i]
        if c == '"':
            j = i + 1
            while j < len(text) and text[j] != '"': j += 2 if text[j] == "\\" else 1
            i = j + 1
        elif text.startswith("//", i):
            e = text.find("\n", i); e = len(text) if e < 0 else e
            out.append(text[i:e]); i = e
        elif text.startswith("/*", i):
            e = text.find("*/", i + 2) + 2; out.append(text[i:e]); i = e
        else: i += 1
    return out

def filled_in(text):
    return re.sub(r"\{\{.*?\}\}", lambda m: re.sub(r"[^\n]", "x", m.group(0)), text, flags=re.S)

def template_comments(text):
    """Not within block scalars, whose lines are text. Actions are filled in first."""
    text = filled_in(text)
    found, column = [], None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        # A line of actions alone is no line of what comes out.
        if column is not None and (line.strip("x \t") == "" or indent > column): continue
        column = None
        mark = re.search(r"(?:^|(?<=[ \t]))#.*$", line)
        if mark: found.append(mark.group(0))
        code = line[:mark.start()] if mark else line
        if re.search(r"(?:^|[:-])[ \t]+[|>][-+0-9]*[ \t]*$", code):
            column = len(re.match(r" *(?:- +)*", line).group(0)) if ":" in code else indent
    return found

READ = {"yaml": yaml_comments, "toml": toml_comments, "json": json_comments, "jsonc": json_comments, "template": template_comments}
cache = {}
def counted(language, text):
    key = (language, text)
    if key not in cache:
        if len(cache) > 64: cache.clear()
        found = READ[language](text)
        cache[key] = None if found is None else Counter(w for c in found for w in words(c))
    return cache[key]

counts = Counter()
for raw in sys.stdin:
    line = json.loads(raw); op = line["op"]; language = line["language"]
    before, after = counted(language, line["before"]), counted(language, line["after"])
    if before is None or after is None: counts["unreadable"] += 1; continue
    counts["counted " + op["op"]] += 1
    lost, came = before - after, after - before
    named = Counter(w for c in line.get("removed", []) for w in words(filled_in(c) if language == "template" else c))
    given = Counter()
    if op["op"] == "comment": given = Counter(words(op["comment"]))
    elif isinstance(op.get("value"), str):
        kind = "yaml" if language == "template" else language
        given = Counter(w for c in (READ[kind](op["value"]) or []) for w in words(c))
    elif op["op"] == "copy": given = before
    # Where a line ends with a comment already, a given one is written behind it.
    for whole in list(came):
        for old in [old for old in lost if whole.startswith(old + "; ")]:
            own = whole[len(old) + 2:]
            if own not in given: continue
            lost, came, after = lost - Counter([old]), came - Counter([whole]) + Counter([own]), after + Counter([own])
            break
    bad = []
    replaced = Counter(lost) if op["op"] == "comment" else Counter()
    if op["op"] == "move" and (lost or came): bad.append(f"move: lost {dict(lost)} came {dict(came)}")
    unnamed = lost - named - replaced
    if unnamed and op["op"] != "move": bad.append(f"lost and not named: {dict(unnamed)} (named {dict(named)})")
    if came - given: bad.append(f"came: {dict(came - given)}")
    if op["op"] in ("set", "append", "insert", "merge") and given - after: bad.append(f"given and not there: {dict(given - after)}")
    if bad: print(json.dumps([line["id"], language, op, bad]))
print(json.dumps({"counts": counts}))
