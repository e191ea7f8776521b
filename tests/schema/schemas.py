# SPDX-License-Identifier: GPL-3.0-or-later
"""The schemas of the program's JSON, and documents changed so that the schemas have to refuse them."""
import copy
import json
import pathlib

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted(ROOT.glob("docs/schema/*.schema.json")) + sorted(ROOT.glob("tests/schema/*.schema.json"))


def load():
    """The validators, by the name that a document calls its schema."""
    validators = {}
    for file in FILES:
        schema = json.loads(file.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[schema["title"]] = jsonschema.Draft202012Validator(schema)
    return validators


def name_of(document):
    """What a document calls its schema."""
    if isinstance(document, dict):
        for key in ("schema", "$schema"):
            if isinstance(document.get(key), str):
                return document[key]
    return None


def unequal_definitions():
    """Definitions of one name that differ between the files of docs/schema: each file stands by itself."""
    seen, different = {}, []
    for file in FILES:
        for name, definition in json.loads(file.read_text()).get("$defs", {}).items():
            if file.parent.name == "schema" and file.parent.parent.name == "docs":
                if seen.setdefault(name, definition) != definition:
                    different.append(f"{file.name}: '{name}' differs from that of another file")
    return different


def complaints(validator, document):
    """What is wrong with a document, one line each."""
    found = []
    for error in sorted(validator.iter_errors(document), key=lambda one: list(map(str, one.absolute_path))):
        place = "/".join(map(str, error.absolute_path)) or "(all)"
        found.append(f"{place}: {error.message[:300]}")
    return found


def pruned(value):
    """The same with at most two elements of each array of objects: all the others look alike."""
    if isinstance(value, list):
        return [pruned(one) for one in (value[:2] if value and isinstance(value[0], dict) else value)]
    if isinstance(value, dict):
        return {key: pruned(one) for key, one in value.items()}
    return value


def places(value, path=()):
    yield path, value
    if isinstance(value, dict):
        for key, one in value.items():
            yield from places(one, path + (key,))
    if isinstance(value, list):
        for index, one in enumerate(value):
            yield from places(one, path + (index,))


def changed(document, path, change):
    copied = copy.deepcopy(document)
    parent = copied
    for step in path[:-1]:
        parent = parent[step]
    if path:
        change(parent, path[-1])
        return copied
    top = {"top": copied}
    change(top, "top")
    return top["top"]


def mutants(document):
    """(what was changed, document): a key more, a key less, a value of another type; each kind of place once."""
    document = pruned(document)
    seen = set()
    for path, value in places(document):
        shape = "/".join("*" if isinstance(step, int) else step for step in path)
        if (shape, type(value)) in seen:
            continue
        seen.add((shape, type(value)))

        def more(parent, key):
            parent[key]["undocumented"] = [{}]

        def less(parent, key):
            del parent[key]

        def other(parent, key):
            parent[key] = {"wrong": [1]} if not isinstance(parent[key], str) else 1.5

        if isinstance(value, dict):
            yield f"{shape}: one key more", changed(document, path, more)
        if path and isinstance(path[-1], str):
            yield f"{shape}: taken away", changed(document, path, less)
        yield f"{shape}: of another type", changed(document, path, other)
