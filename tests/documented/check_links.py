#!/usr/bin/env python3
"""Follows every link between the pages of the repository, and looks for the sources that pages of docs name: files and
headings that are not there, and pages that docs/README.md does not list. check_links.py SOURCE_FOLDER
"""
import pathlib
import re
import sys


def pages(root):
    yield from (root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))
    for folder in ("docs", "samples", "frontend", "tests"):
        yield from sorted((root / folder).glob("**/*.md"))


def without_code(text):
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    """As GitHub names headings."""
    found = set()
    for heading in re.findall(r"^#{1,6} (.*)$", without_code(page.read_text()), flags=re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        found.add(next(each for each in (name, *(f"{name}-{i}" for i in range(1, 100))) if each not in found))
    return found


def links(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
        if not re.match(r"\w+:", link):
            name, _, heading = link.partition("#")
            yield link, (page.parent / name).resolve() if name else page, heading


def sources(page, folders):
    """Paths in code, such as `timing/costs/cost.cpp:function`; no patterns, nor names that stand for others."""
    for path in re.findall(rf"`((?:{'|'.join(folders)})/[\w/.-]+)(?::[^`]*)?`", page.read_text()):
        if not re.search("NAME|NN", path):
            yield path


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    failures, count = [], 0
    for page in pages(root):
        for link, target, heading in links(page):
            count += 1
            if not target.exists():
                failures.append(f"{page.relative_to(root)}: no file: {link}")
            elif heading and target.suffix == ".md" and heading not in anchors(target):
                failures.append(f"{page.relative_to(root)}: no heading: {link}")
    folders = [each.name for each in root.iterdir() if each.is_dir() and not each.name.startswith((".", "build"))]
    for page in sorted((root / "docs").glob("**/*.md")):
        for path in sources(page, folders):
            count += 1
            if not (root / path).exists() and not list(root.glob(path + ".*")):
                failures.append(f"{page.relative_to(root)}: no file: {path}")
    index = root / "docs" / "README.md"
    listed = {target for _, target, _ in links(index)} | {index}
    failures += [f"docs/README.md does not list {page.relative_to(root)}" for page in pages(root)
                 if page.is_relative_to(root / "docs") and page not in listed]
    print("\n".join([*failures, f"{count} links, {len(failures)} failures"]))
    sys.exit(1 if failures or count < 100 else 0)


main()
