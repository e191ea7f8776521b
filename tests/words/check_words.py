#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private words in names, comments, messages and pages: check_words.py [ROOT] [--count]. Rules: private_words.tsv."""
import collections
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CODE = ("app", "bench", "frontend", "fuzz", "ir", "solver", "support", "timing")


class Rule:
    def __init__(self, row):
        pattern, where, folders, write, unless = (row.rstrip("\n").split("\t") + [""])[:5]
        self.pattern = re.compile(r"\b(?:%s)\b" % pattern)
        self.where = set(where.split())
        self.folders = folders.split()
        self.write = write
        self.unless = re.compile(unless) if unless else None

    def finds(self, kind, path, words):
        if kind not in self.where or (self.unless and self.unless.search(words)):
            return None
        if kind != "docs" and "*" not in self.folders and not path.startswith(tuple(f + "/" for f in self.folders)):
            return None
        return self.pattern.search(words)


def read_rules():
    rows = (HERE / "private_words.tsv").read_text().splitlines()
    return [Rule(row) for row in rows if row and not row.startswith("#")]


def as_words(text):
    """exitsOfTurn and exits_of_turn are 'exits of turn'."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).replace("_", " ").lower()


STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def parts_of_code(line):
    """Names, comment and strings of a line of C++. An include names a file."""
    if line.startswith("#include"):
        return {"names": line}
    strings = []
    bare = STRING.sub(lambda m: strings.append(m.group()) or '""', line)
    names, _, comment = bare.partition("//")
    return {"names": names, "comments": comment, "strings": " ".join(strings)}


def parts(path, line):
    return {"docs": line} if path.endswith(".md") else parts_of_code(line)


def is_read(path):
    if path.endswith(".md"):
        return path.startswith("docs/") or "/" not in path
    return path.startswith(CODE) and path.endswith((".cpp", ".hpp", ".def"))


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1][0] != "-" else HERE.parent.parent
    listed = subprocess.run(["git", "-C", root, "ls-files", "-c", "-o", "--exclude-standard"], capture_output=True, text=True)
    paths = listed.stdout.split() or [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()]
    rules = read_rules()
    found = collections.Counter()
    read = 0
    for path in filter(is_read, paths):
        read += 1
        for number, line in enumerate((root / path).read_text().splitlines(), 1):
            for kind, text in parts(path, line).items():
                words = as_words(text)
                for rule in rules:
                    hit = rule.finds(kind, path, words)
                    if hit:
                        found[(rule.pattern.pattern, path.split("/")[0])] += 1
                        if "--count" not in sys.argv:
                            print(f"{path}:{number}: '{hit.group()}' in {kind}: write {rule.write}")
    for (pattern, folder), count in sorted(found.items()) if "--count" in sys.argv else ():
        print(f"{count:6} {folder:10} {pattern}")
    print(f"{sum(found.values())} private words in {read} files")
    return 1 if found or read < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
