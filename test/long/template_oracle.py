"""Judges edits of templates. Standard input: a line of JSON for each edit {"id", "before", "after", "op"}; standard output: a
line for each that it disagrees with, and one for the counts.

Both texts are written out without values by branches/main.go (GO_BRANCHES), in which an action is a word for what it means, and
where all conditions hold, none, or every second. Each is read by PyYAML. What differs between them has to be what the
operation says, at the node that its path names; conditions and loops leave some nodes out and make others one.
"""

import difflib
import json
import os
import re
import subprocess
import sys
from collections import Counter

from oracle import Alias, Collection, PyYaml, Scalar, Unreadable, children, from_json, is_empty, name_of

READER = PyYaml()
WORD = re.compile("\u0001a([a-z0-9]+)\u0002")


class Go:
    def __init__(self):
        self.process = subprocess.Popen([os.environ["GO_BRANCHES"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def variants(self, text, salts=()):
        self.process.stdin.write(json.dumps({"text": text, "salts": salts}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        if "error" in reply:
            raise Unreadable(reply["error"])
        return reply["variants"] or []


def is_shown(line, go):
    """Whether the same is true with many other choices of conditions."""
    return is_somewhere(go.variants(line["before"], SALTS), go.variants(line["after"], SALTS))


SALTS = [f"salt {number}" for number in range(400)]


def is_somewhere(before, after):
    """Whether what a copy brought into one variant stood anywhere in one of them."""
    there, come = set(), []
    for one, other in zip(before, after):
        try:
            forms = {}
            old, new = read(one, forms), read(other, forms)
        except Unreadable:
            continue
        there.update(key_of(tree) for root in old for tree in children(root))
        for a, b in zip(old, new):
            come += [now for _, was, now in differences(a, b, ()) if was is None]
    return all(key_of(tree) in there for tree in come)


def spelled(text, forms):
    """Each word as YAML: alone on its line it is an entry or an item, as those beside it; elsewhere text. `forms`: what was chosen."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        alone = re.fullmatch("( *)\u0001a([a-z0-9]+)\u0002( *| +#.*)", line)
        if alone:
            pad = len(alone[1])
            told = any(re.match(" {%d}- " % pad, other) for other in beside(lines, at, pad)) or is_bare_key(lines, at, pad)
            is_item = forms.setdefault(alone[2], told)
            own = f"- w{alone[2]}" if is_item else f"w{alone[2]}: v"
            lines[at] = alone[1] + own + alone[3]
    return WORD.sub(r"w\1", "\n".join(lines))


def items_in(texts):
    """The words that are items beside others in one of the texts, or alone where another text has items: so they are in all of them."""
    told, words, lists = {}, [], set()
    for text in texts:
        lines = text.split("\n")
        for at, line in enumerate(lines):
            alone = re.fullmatch(" *\u0001a([a-z0-9]+)\u0002( *| +#.*)", line)
            above = keys_above(lines, at) if alone or line.lstrip().startswith("- ") else None
            if above and alone:
                words.append((alone[1], above))
            elif above:
                lists.add(above)
    told.update({word: True for word, above in words if above in lists})
    for text in texts:
        forms = {}
        spelled(text, forms)
        told.update({word: True for word, is_item in forms.items() if is_item})
    return told


def read(text, forms):
    """What a define writes, goes on where it is included: it ends with a line break. Nothing at all is one empty document."""
    return READER.read(spelled(text, forms) + ("" if text.endswith("\n") else "\n")) or [Scalar("", True, None, None)]


def is_bare_key(lines, at, pad):
    """Whether the line above is a key in this column without a value: what stands below it in its column is a list."""
    above = next((line for line in lines[:at][::-1] if line.strip() and not line.lstrip().startswith("#")), "")
    return re.match(" {%d}[^\\s#-][^#]*:\\s*(#.*)?$" % pad, above) is not None


def keys_above(lines, at):
    """The lines that lead to this one, if the one above it is a key without a value."""
    found, pad = [], len(lines[at]) - len(lines[at].lstrip(" ")) + 1
    for line in lines[:at][::-1]:
        own = len(line) - len(line.lstrip(" "))
        if not line.strip() or line.lstrip().startswith("#") or own >= pad:
            if not found and line.strip() and not line.lstrip().startswith("#"):
                return None
            continue
        if not found and re.match(r"\s*[^\s#-][^#]*:\s*(#.*)?$", line) is None:
            return None
        found.append(line)
        pad = own
    return tuple(found)


def beside(lines, at, pad):
    for step in (-1, 1):
        other = at + step
        while 0 <= other < len(lines):
            own = lines[other]
            depth = len(own) - len(own.lstrip(" "))
            if own.strip() and not own.lstrip().startswith("#") and depth <= pad:
                if depth == pad and "\u0001" not in own[: pad + 1] and not own.startswith("---"):
                    yield own
                break
            other += step


def key_of(tree):
    """Two trees with the same one read the same."""
    if isinstance(tree, Alias):
        return f"*{tree.name}"
    head = f"{tree.tag}&{tree.anchor}"
    if isinstance(tree, Scalar):
        return f"{head}{int(tree.plain)}{tree.value!r}"
    if tree.kind == "list":
        return f"{head}[{','.join(key_of(part) for part in tree.parts)}]"
    return f"{head}{{{','.join(f'{key_of(k)}:{key_of(v)}' for k, v in tree.parts)}}}"


def differences(old, new, path):
    """(path, old or None, new or None) of the highest nodes that differ."""
    if key_of(old) == key_of(new):
        return
    both = isinstance(old, Collection) and isinstance(new, Collection)
    if not both or old.kind != new.kind or old.tag != new.tag or old.anchor != new.anchor:
        yield path, old, new
        return
    is_list = old.kind == "list"
    names = [[key_of(p) if is_list else key_of(p[0]) for p in tree.parts] for tree in (old, new)]
    value = (lambda part: part) if is_list else (lambda part: part[1])
    label = (lambda part, at: at) if is_list else (lambda part, at: name_of(part[0]))
    for kind, a, b, c, d in difflib.SequenceMatcher(None, *names, autojunk=False).get_opcodes():
        if kind == "equal" or (kind == "replace" and is_list and b - a == d - c):
            for i, j in zip(range(a, b), range(c, d)):
                yield from differences(value(old.parts[i]), value(new.parts[j]), path + (label(old.parts[i], i),))
            continue
        for i in range(a, b):
            yield path + (label(old.parts[i], i),), value(old.parts[i]), None
        for j in range(c, d):
            yield path + (label(new.parts[j], j),), None, value(new.parts[j])


def fits(path, pattern):
    return len(path) == len(pattern) and all(map(fits_one, path, pattern))


def fits_one(one, named):
    if isinstance(named, int) or isinstance(one, int):
        return isinstance(named, int) and isinstance(one, int)
    # What an action before it writes stands on the line of the key.
    return "{{" in named or "{%" in named or re.fullmatch("(w[0-9a-z]+)*" + re.escape(named), one) is not None


def begins(path, pattern):
    return len(path) >= len(pattern) and fits(path[: len(pattern)], pattern)


def is_other_name(at, pattern):
    """Whether it is the same place under another key: a branch may give the key alone, to what stands behind it."""
    differing = [a for a, b in zip(at, pattern) if not fits_one(a, b)]
    return len(at) == len(pattern) and len(differing) == 1 and isinstance(differing[0], str)


def nodes_at(tree, pattern):
    found = [tree]
    for named in pattern:
        found = [
            child
            for one in found
            if isinstance(one, Collection)
            for child in (
                one.parts if one.kind == "list" and isinstance(named, int)
                else [v for k, v in one.parts if fits_one(name_of(k) or "", named)] if one.kind == "mapping" and not isinstance(named, int)
                else []
            )
        ]
    return found


def emptied(tree):
    is_null = isinstance(tree, Scalar) and tree.plain and tree.value in ("null", "~")
    return tree is None or is_null or is_empty(tree) or (isinstance(tree, Collection) and not tree.parts)


def value_of(op, go):
    if "json" in op:
        return from_json(op["json"])
    try:
        texts = go.variants(op["value"]) if "{{" in op["value"] else [op["value"]]
        read = READER.read(spelled(texts[0], {}))
    except Unreadable:
        return None
    return read[0] if read else Scalar("", True, None, None)


def same_value(value, tree):
    return value is None or (tree is not None and value.same(tree, True)) or (is_empty(value) and is_empty(tree))


def wrong(op, value, old, new, found):
    """What is wrong with these differences between two documents, or None."""
    path, name = tuple(op["path"]), op["op"]
    if name == "comment":
        return f"changed {found[0][0]}" if found else None
    if name == "set":
        outside = [one for one in found if not begins(one[0], path) and not (begins(path, one[0]) and emptied(one[1]))]
        outside = [one for one in outside if not (one[1] is None and fits(one[0], path[: len(one[0])]))]
        if outside and all(is_other_name(one[0][: len(path)], path) for one in outside):
            raise Untold()
        if outside:
            return f"changed {outside[0][0]}"
        return None if not found or any(same_value(value, one) for one in nodes_at(new, path)) else "another value"
    if name == "delete":
        for at, was, now in found:
            gone = now is None and fits(at, path)
            if not gone and not (fits(at, path[:-1]) and emptied(now)):
                return f"changed {at}"
        return None
    if name == "rename":
        for at, was, now in found:
            old_name = now is None and fits(at, path)
            new_name = was is None and fits(at, path[:-1] + (op["new_key"],))
            if not old_name and not new_name:
                return f"changed {at}"
        if len(found) == 2 and key_of(found[0][1] or found[0][2]) != key_of(found[1][1] or found[1][2]):
            return "another value"
        return None if len(found) % 2 == 0 else "renamed once"
    if name in ("append", "insert"):
        goal = path + ((op["key"],) if "key" in op else (0,))
        for at, was, now in found:
            if fits(at, goal) and was is None:
                if not same_value(value, now):
                    return "another value"
            elif not (fits(at, path) and emptied(was)):
                return f"changed {at}"
        return None
    return wrong_transfer(op, old, new, found)


def wrong_transfer(op, old, new, found):
    path, to = tuple(op["path"]), tuple(op["to"])
    key = op.get("key") or path[-1]
    gone, come = [], []
    for at, was, now in found:
        if now is None and fits(at, path):
            gone.append(was)
        elif was is None and (fits(at, to + (key,)) or fits(at, to + (0,))):
            come.append(now)
        elif fits(at, path[:-1]) and emptied(now):
            gone.append(None)
        elif fits(at, to) and emptied(was):
            come.append(None)
        elif begins(to, at) or begins(path, at) or begins(at, to) or is_other_name(at, path) or is_other_name(at, to + (key,)):
            raise Untold()
        else:
            return f"changed {at}"
    if op["op"] == "copy" and gone:
        return "a copy takes away"
    # What is copied stands there still, and what moves may be left out by a condition at one of its places.
    source = gone if op["op"] == "move" else nodes_at(old, path)
    if None not in come and None not in source and source and come:
        keys = {key_of(one) for one in source}
        if all(key_of(one) in keys or is_written_alike(one, source) for one in come):
            return ""
        return "another value"
    return None


def is_written_alike(come, source):
    """An action that wrote a line of a mapping, or an item, may write it elsewhere as all of a value."""
    words = [key_of(part if one.kind == "list" else part[0]) for one in source if isinstance(one, Collection) for part in one.parts]
    return isinstance(come, Scalar) and key_of(come) in words


class Untold(Exception):
    """Items of a list that went and came cannot be told from each other."""


def is_broken(texts):
    """A marker of a document with other text right behind it, which an action brought there."""
    return any(re.search(r"^---[^\s-]", text, re.M) for text in texts)


def judge(line, go, counts):
    """What is wrong with an edit, or None. What its actions write may be told only where other conditions hold."""
    own = Counter()
    complaint = judged(line, go, own, [])
    if complaint is not None and not complaint.startswith("Go refuses"):
        own = Counter()
        complaint = judged(line, go, own, go.variants(line["before"], SALTS))
    counts.update(own)
    return complaint


def judged(line, go, counts, others):
    op = line["op"]
    try:
        before = go.variants(line["before"])
    except Unreadable as error:
        counts["skipped: Go refuses it before"] += 1
        return None
    if is_broken(before):
        counts["skipped: a document begins on the line of its marker"] += 1
        return None
    try:
        after = go.variants(line["after"])
    except Unreadable as error:
        return f"Go refuses it: {error}"
    if op["op"] == "set" and not op["path"] and line["after"].count("{{") == op.get("value", "").count("{{"):
        counts["skipped: all of the file is another"] += 1
        return None
    if len(before) != len(after):
        return "other definitions"
    value = value_of(op, go) if op["op"] in ("set", "append", "insert") else None
    seen = judged = carried = False
    doubt = None
    items = items_in(before + others)
    for one, other in zip(before, after):
        try:
            forms = dict(items)
            old = read(one, forms)
        except Unreadable:
            continue
        judged = True
        try:
            new = read(other, forms)
        except Unreadable as error:
            return f"unreadable after: {error}"
        if len(old) != len(new):
            return f"{len(new)} documents instead of {len(old)}"
        for a, b in zip(old, new):
            found = list(differences(a, b, ()))
            seen = seen or bool(found)
            try:
                complaint = wrong(op, value, a, b, found)
            except Untold:
                counts["untold " + op["op"]] += 1
                continue
            if complaint == "":
                carried = True
            elif complaint == "another value" and op["op"] in ("move", "copy"):
                # A condition may have left its source out here, and shown another of the same name.
                doubt = f"{complaint}\n--- {spelled(one, forms)}\n+++ {spelled(other, forms)}"
            elif complaint is not None:
                return f"{complaint}\n--- {spelled(one, forms)}\n+++ {spelled(other, forms)}"
    if doubt is not None and not carried and not (op["op"] == "copy" and is_shown(line, go)):
        return doubt
    counts[("judged " if judged else "skipped: reads in no variant ") + op["op"]] += 1
    if judged and not seen and op["op"] != "comment":
        counts["unseen " + op["op"]] += 1
    return None


def main():
    counts, go = Counter(), Go()
    for text in sys.stdin:
        line = json.loads(text)
        complaint = judge(line, go, counts)
        if complaint is not None:
            counts["disagreements"] += 1
            print(json.dumps({"reader": "text/template", "complaint": complaint, **line}))
    print(json.dumps({"counts": dict(sorted(counts.items()))}))


main()
