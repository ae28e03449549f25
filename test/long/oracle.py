"""The second oracle: an independent reader of YAML judges edits. Standard input: a line of JSON for each edit
{"id", "language", "before", "after", "op"}; standard output: a line for each that it disagrees with, and one for the counts.

Files are read as events (by parsers that share nothing with ours, without a schema), so that aliases stay aliases and nothing is lost:
tags, anchors, spellings, plain or quoted. The operation is carried out on the old tree here, and the result
must be the new tree; only what the operation brings in may have another quoting, as long as a reader of
YAML 1.1 gives it the same type. What PyYAML cannot read before the edit is counted and skipped.
"""

import copy
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from functools import lru_cache

import yaml

try:
    import ruamel.yaml as ruamel
except ImportError:
    ruamel = None

RESOLVER = yaml.SafeLoader("")
SCALAR_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "null", "bool", "int", "float", "timestamp", "binary")}


class Skip(Exception):
    """PyYAML sees another file than we do, or none: there is nothing to judge."""


class Scalar:
    def __init__(self, value, plain, tag, anchor):
        self.value, self.plain, self.tag, self.anchor = value, plain, tag, anchor

    def type(self):
        if self.tag is not None:
            return self.tag
        return RESOLVER.resolve(yaml.ScalarNode, self.value, (self.plain, not self.plain))

    def same(self, other, softly):
        if isinstance(other, JsonNull):
            return other.same(self, softly)
        if not isinstance(other, Scalar) or self.value != other.value or self.tag != other.tag:
            return False
        if self.anchor != other.anchor:
            return False
        return self.plain == other.plain or (softly and self.type() == other.type())


class JsonNull(Scalar):
    """A null of `json`, which is written as those beside it: null, ~, or nothing."""

    def __init__(self):
        super().__init__("null", True, None, None)

    def same(self, other, softly):
        if not isinstance(other, Scalar) or other.tag is not None or self.anchor != other.anchor:
            return False
        return other.plain and other.type() == self.type()


class Alias:
    def __init__(self, name):
        self.name, self.anchor = name, None

    def same(self, other, softly):
        return isinstance(other, Alias) and self.name == other.name


class Collection:
    """`parts`: values of a list, or [key, value] pairs of a mapping."""

    def __init__(self, kind, tag, anchor, parts):
        self.kind, self.tag, self.anchor, self.parts = kind, tag, anchor, parts

    def same(self, other, softly):
        if not isinstance(other, Collection) or self.kind != other.kind or self.tag != other.tag:
            return False
        if self.anchor != other.anchor or len(self.parts) != len(other.parts):
            return False
        for mine, theirs in zip(self.parts, other.parts):
            if self.kind == "list":
                if not mine.same(theirs, softly or id(mine) in NEW):
                    return False
            else:
                for a, b in zip(mine, theirs):
                    if not a.same(b, softly or id(a) in NEW):
                        return False
        return True


# What the operation brought in.
NEW = set()
# The pairs of the mapping in which it made a key that was not there.
CREATED = []


class Unreadable(Exception):
    """A text that the reader refuses."""


@lru_cache(maxsize=64)
def events_of(text):
    """By libyaml where PyYAML has it."""
    return list(yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)))


@lru_cache(maxsize=64)
def ruamel_events_of(text):
    return list(ruamel.YAML(typ="safe", pure=True).parse(text))


class PyYaml:
    """As events, not composed: PyYAML's composer refuses anchors that are defined twice."""

    def read(self, text):
        try:
            return documents_of(iter(events_of(text)), yaml)
        except yaml.YAMLError as error:
            raise Unreadable(str(error)[:200])


class Ruamel:
    """The reader of YAML 1.2 of ruamel.yaml."""

    def read(self, text):
        try:
            return documents_of(iter(ruamel_events_of(text)), ruamel.events)
        except ruamel.error.YAMLError as error:
            raise Unreadable(str(error)[:200])


class Toml:
    """Python's own reader. Its mappings have no order."""

    def read(self, text):
        try:
            return [self.tree(tomllib.loads(text.removeprefix("\ufeff")))]
        except tomllib.TOMLDecodeError as error:
            raise Unreadable(str(error)[:200])

    def tree(self, data):
        if isinstance(data, dict):
            return Collection("mapping", None, None, [[Scalar(k, False, None, None), self.tree(v)] for k, v in data.items()])
        if isinstance(data, list):
            return Collection("list", None, None, [self.tree(v) for v in data])
        return Scalar(f"{type(data).__name__} {data}", True, None, None)

    def value(self, op):
        return self.tree(op["json"] if "json" in op else tomllib.loads(f"v = {op['value']}")["v"])


class Json:
    """Python's own reader, behind one that takes comments and last commas away."""

    TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*(?:(?!\*/).)*\*/|,(?=(?:\s|//[^\n]*|/\*(?:(?!\*/).)*\*/)*[}\]])', re.DOTALL)

    def read(self, text):
        bare = self.TOKEN.sub(lambda found: found[0] if found[0][0] == '"' else " ", text.removeprefix("\ufeff"))
        try:
            return [self.value({"value": bare})]
        except ValueError as error:
            raise Unreadable(str(error)[:200])

    def value(self, op):
        text = json.dumps(op["json"], ensure_ascii=False) if "json" in op else op["value"]
        pairs = lambda found: Collection("mapping", None, None, [[Scalar(k, False, None, None), v] for k, v in found])
        number = lambda spelling: Scalar(spelling, True, None, None)
        return self.tree(json.loads(text, object_pairs_hook=pairs, parse_int=number, parse_float=number))

    def tree(self, data):
        if isinstance(data, Collection):
            data.parts = [[key, self.tree(value)] for key, value in data.parts]
            return data
        if isinstance(data, list):
            return Collection("list", None, None, [self.tree(value) for value in data])
        return data if isinstance(data, Scalar) else Scalar(json.dumps(data), not isinstance(data, str), None, None)


def sorted_tree(tree):
    """With the keys of each mapping in order."""
    if isinstance(tree, Collection):
        parts = tree.parts if tree.kind == "list" else [part for pair in tree.parts for part in pair]
        for part in parts:
            sorted_tree(part)
        if tree.kind == "mapping":
            tree.parts.sort(key=lambda pair: name_of(pair[0]))
    return tree


class Go:
    """Go's yaml.v3: the program readers/main.go, which answers each line."""

    def __init__(self, binary):
        self.process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def read(self, text):
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        if "error" in reply:
            raise Unreadable(reply["error"])
        return [go_node(tree) for tree in reply["documents"]]


def go_node(tree):
    kind, parts = tree["kind"], [go_node(part) for part in tree["parts"]]
    tag = tree["tag"] and re.sub("^!!", "tag:yaml.org,2002:", tree["tag"])
    if kind == "alias":
        return Alias(tree["value"])
    if kind == "scalar":
        return Scalar(tree["value"], tree["plain"], tag, tree["anchor"])
    pairs = [list(pair) for pair in zip(parts[::2], parts[1::2])]
    return Collection(kind, tag, tree["anchor"], parts if kind == "list" else pairs)


READER = PyYaml()


def read(text):
    """The documents of a text. Throws Unreadable."""
    return READER.read(text)


def documents_of(events, library):
    documents = []
    for event in events:
        if isinstance(event, library.DocumentStartEvent):
            documents.append(node(next(events), events, library))
    return documents


def node(event, events, library):
    if isinstance(event, library.AliasEvent):
        return Alias(event.anchor)
    tag = None if event.tag is None else str(event.tag)
    if isinstance(event, library.ScalarEvent):
        return Scalar(event.value, event.style in (None, ""), tag, event.anchor)
    if isinstance(event, library.SequenceStartEvent):
        parts = []
        while not isinstance(inner := next(events), library.SequenceEndEvent):
            parts.append(node(inner, events, library))
        return Collection("list", tag, event.anchor, parts)
    pairs = []
    while not isinstance(inner := next(events), library.MappingEndEvent):
        pairs.append([node(inner, events, library), node(next(events), events, library)])
    return Collection("mapping", tag, event.anchor, pairs)


def fragment(op, handles):
    if isinstance(READER, (Toml, Json)):
        try:
            return READER.value(op)
        except ValueError:
            raise Skip("fragment unreadable")
    if "json" in op:
        return from_json(op["json"])
    try:
        # In brackets, where this reader may take the colon of a key without a value for a part of the key.
        value = re.sub(r":(?=[,}\]])", ": ", op["value"]) if op["value"][:1] in "[{" else op["value"]
        documents = read("".join(f"{line}\n" for line in handles + ["---"]) + value)
    except Unreadable:
        raise Skip("fragment unreadable")
    return documents[0] if documents else Scalar("", True, None, None)


def from_json(value):
    if isinstance(value, dict):
        return Collection("mapping", None, None, [[from_json(k), from_json(v)] for k, v in value.items()])
    if isinstance(value, list):
        return Collection("list", None, None, [from_json(v) for v in value])
    if isinstance(value, str):
        return Scalar(value, False, None, None)
    if value is None:
        return JsonNull()
    return Scalar(json.dumps(value), True, None, None)


def children(tree):
    yield tree
    if isinstance(tree, Collection):
        for part in tree.parts:
            for child in part if isinstance(part, list) else [part]:
                yield from children(child)


def targets(documents):
    """Which node each alias means, by the alias."""
    found = {}
    for document in documents:
        anchors = {}
        for tree in children(document):
            if isinstance(tree, Alias):
                found[tree] = anchors.get(tree.name)
            elif tree.anchor is not None:
                anchors[tree.anchor] = tree
    return found


def is_retargeted(old, documents):
    """Whether an alias that was there means another node now, other than what took its node's place."""
    there = {id(tree) for document in documents for tree in children(document)}
    for alias, target in targets(documents).items():
        if target is None and old.get(alias, alias) is not None:
            return True
        was = old.get(alias, target)
        if was is not target and (id(was) in there or id(target) not in NEW):
            return True
    return False


def is_empty(tree):
    return isinstance(tree, JsonNull) or (isinstance(tree, Scalar) and tree.plain and tree.value == "")


def index_of(mapping, key):
    found = [i for i, (k, _) in enumerate(mapping.parts) if name_of(k) == key]
    if len(found) != 1:
        raise Skip("path")
    return found[0]


def name_of(key):
    if isinstance(key, Alias):
        return "*" + key.name
    return key.value if isinstance(key, Scalar) else None


class Place:
    """Where a node stands: the list that holds it, and the index there."""

    def __init__(self, holder, index):
        self.holder, self.index = holder, index

    @property
    def node(self):
        return self.holder[self.index]

    @node.setter
    def node(self, value):
        self.holder[self.index] = value

    def step(self, segment):
        tree = self.node
        if not isinstance(tree, Collection):
            return None
        if tree.kind == "list":
            if not isinstance(segment, int) or segment >= len(tree.parts):
                raise Skip("path")
            return Place(tree.parts, segment)
        if not any(name_of(k) == segment for k, _ in tree.parts):
            return None
        return Place(tree.parts[index_of(tree, segment)], 1)


def carry_out(documents, op, handles):
    """The operation on the old tree."""
    doc = op.get("doc", 0)
    if doc == 0 and not documents:
        documents.append(Scalar("", True, None, None))
    if doc >= len(documents):
        raise Skip("document")
    place, above, missing = Place(documents, doc), None, []
    for i, segment in enumerate(op["path"]):
        step = place.step(segment)
        if step is None:
            missing = op["path"][i:]
            break
        above, place = place, step
    # Only these keys are ever created: what else is missing, the two readers see differently.
    if missing and (op["op"] != "set" or missing not in (["new", "er"], ["er"])):
        raise Skip("path")
    if op["op"] in ("move", "copy"):
        do_transfer(place, above, documents, op)
        return
    {"set": do_set, "delete": do_delete, "append": do_add, "insert": do_add, "rename": do_rename}.get(
        op["op"], lambda *_: None
    )(place, above, missing, op, handles)


def bring(tree):
    NEW.update(id(child) for child in children(tree))
    return tree


def keep_anchor(old, new):
    if new.anchor is None and not isinstance(new, Alias):
        new.anchor = old.anchor
    return new


def do_set(place, above, missing, op, handles):
    value = bring(fragment(op, handles))
    for segment in reversed(missing[1:]):
        value = bring(Collection("mapping", None, None, [[Scalar(segment, False, None, None), value]]))
    if not missing:
        place.node = keep_anchor(place.node, value)
        return
    pairs = grow(place, "mapping").parts
    pairs.append([bring(Scalar(missing[0], False, None, None)), value])
    CREATED.append(pairs)


def orders(documents):
    """The documents with what was brought in; a created key, which stands last, also where keys are sorted: between the two
    names that are around it."""
    yield documents
    for pairs in CREATED:
        pair = pairs.pop()
        for order in (str, str.lower):
            names = [order(name_of(key) or "") for key, _ in pairs]
            name = order(pair[0].value)
            for at, after in enumerate(names):
                if name < after and (at == 0 or names[at - 1] < name):
                    pairs.insert(at, pair)
                    yield documents
                    del pairs[at]
        pairs.append(pair)


def grow(place, kind):
    tree = place.node
    if isinstance(tree, Collection) and tree.kind == kind:
        return tree
    if not is_empty(tree):
        raise Skip("path")
    # The tag of a scalar goes with the scalar, which the reply says.
    grown = Collection(kind, None if tree.tag in SCALAR_TAGS else tree.tag, tree.anchor, [])
    NEW.add(id(grown))
    place.node = grown
    return grown


def do_delete(place, above, missing, op, handles):
    holder = above.node
    if holder.kind == "list":
        del holder.parts[place.index]
    else:
        del holder.parts[index_of(holder, op["path"][-1])]


def do_add(place, above, missing, op, handles):
    value = bring(fragment(op, handles))
    if "key" not in op:
        items = grow(place, "list").parts
        items.insert(op.get("index", len(items)), value)
        return
    mapping = grow(place, "mapping")
    at = len(mapping.parts)
    if "before" in op:
        at = index_of(mapping, op["before"])
    elif "after" in op:
        at = index_of(mapping, op["after"]) + 1
    mapping.parts.insert(at, [bring(Scalar(op["key"], False, None, None)), value])
    if "before" not in op and "after" not in op:
        CREATED.append(mapping.parts)


def do_transfer(place, above, documents, op):
    """To a place that does not lie below the part. What moves is the same node; a copy is a new one that reads the same, without
    the anchors, which only aliases outside of it use."""
    target = Place(documents, op.get("doc", 0))
    for segment in op["to"]:
        target = target.step(segment)
        if target is None:
            raise Skip("path")
    goal, source, moves = target.node, above.node, op["op"] == "move"
    if not isinstance(goal, Collection):
        raise Skip("path")
    key = op.get("key")
    name = op["path"][-1] if source.kind == "mapping" and key is None else key
    if moves and goal is source and goal.kind == "mapping" and "index" not in op:
        return
    old = source.parts[place.index if source.kind == "list" else index_of(source, op["path"][-1])]
    tree = place.node if moves else copy.deepcopy(place.node)
    for child in children(tree) if not moves else []:
        child.anchor = None
    NEW.update(id(child) for child in children(tree))
    at = op.get("index", len(goal.parts) - (1 if moves and goal is source else 0))
    if moves:
        source.parts[:] = [part for part in source.parts if part is not old]
    if goal.kind == "list":
        goal.parts.insert(at, tree)
        return
    pair = [bring(Scalar(name, False, None, None)) if source.kind == "list" or key else old[0], tree]
    NEW.add(id(pair[0]))
    goal.parts.append(pair)
    CREATED.append(goal.parts)


def do_rename(place, above, missing, op, handles):
    pair = above.node.parts[index_of(above.node, op["path"][-1])]
    old = pair[0]
    if not isinstance(old, Scalar):
        raise Skip("path")
    if old.value != op["new_key"]:
        pair[0] = bring(Scalar(op["new_key"], False, old.tag, old.anchor))


def judge(line, counts):
    """A complaint, or None."""
    NEW.clear()
    CREATED.clear()
    op = line["op"]
    if re.search(r"[&*][\w-]*:\w", line["before"]):
        counts["skipped: an anchor with a colon, which YAML 1.1 does not know"] += 1
        return None
    try:
        before = read(line["before"])
    except Unreadable:
        counts["skipped: unreadable before"] += 1
        return None
    if "\n%TAG" in line["before"]:
        counts["skipped: documents with handles of their own"] += 1
        return None
    if READER.__class__ is Go and "\t\n" in line["before"]:
        counts["skipped: a blank line with a tab, which Go refuses behind some values"] += 1
        return None
    handles = [text for text in line["before"].split("\n") if text.startswith("%TAG")]
    meant = targets(before)
    try:
        carry_out(before, op, handles)
    except Skip as reason:
        counts[f"skipped: {reason}"] += 1
        return None
    counts["judged " + op["op"]] += 1
    if is_retargeted(meant, before):
        return "an alias means another node"
    try:
        after = read(line["after"])
    except Unreadable as error:
        return f"unreadable after: {error}"
    if len(after) < len(before) and all(is_empty(tree) for tree in before[len(after) :]):
        before = before[: len(after)]
    if len(before) != len(after):
        return f"{len(after)} documents instead of {len(before)}"
    if isinstance(READER, Toml):
        before, after = [sorted_tree(tree) for tree in before], [sorted_tree(tree) for tree in after]
        CREATED.clear()
    if any(all(a.same(b, id(a) in NEW) for a, b in zip(order, after)) for order in orders(before)):
        return None
    different = next(i for i, (a, b) in enumerate(zip(before, after)) if not a.same(b, id(a) in NEW))
    return f"document {different} reads differently"


def readers():
    """PyYAML, and what else is installed: ruamel.yaml, and Go's yaml.v3 where its program is named; with what each can read."""
    yield "tomllib", Toml(), ("toml",)
    yield "json", Json(), ("json", "jsonc")
    yield "PyYAML", PyYaml(), ("yaml", "json")
    if ruamel is not None:
        yield "ruamel", Ruamel(), ("yaml", "json")
    if "GO_READER" in os.environ:
        yield "go", Go(os.environ["GO_READER"]), ("yaml", "json")


def main():
    global READER
    counts = Counter()
    lines = [json.loads(text) for text in sys.stdin]
    for name, READER, languages in readers():
        for line in lines:
            if line["language"] not in languages:
                continue
            complaint = judge(line, counts)
            if complaint is not None:
                counts["disagreements"] += 1
                print(json.dumps({"reader": name, "complaint": complaint, **line}))
    print(json.dumps({"counts": dict(sorted(counts.items()))}))


if __name__ == "__main__":
    main()
