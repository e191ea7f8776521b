#!/usr/bin/env python3
"""Tests of scripts/try-ways and scripts/make-summaries: that they find what is wrong."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True


def script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


ways, summaries = script("try-ways"), script("make-summaries")

PAGE = """# A way

You need `sh` and `cat`.

## 1. A file

This is `folder/a.txt`:

```
one
two
```

```
$ cat folder/a.txt
one
...
$ cat \\
    folder/none    # exit status 1
...
```

## What next

nothing to do
"""


class Ways(unittest.TestCase):
    def go(self, text):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            ways.ROOT = pathlib.Path(folder)
            (ways.ROOT / "way").mkdir()
            return ways.go(page, ways.ROOT, ways.ROOT / "way")

    def test_a_page_is_files_and_commands(self):
        self.assertEqual(ways.steps(PAGE), [("1. A file", [
            ("file", "folder/a.txt", "one\ntwo\n"), ("run", "cat folder/a.txt", ["one", "..."]),
            ("run", "cat folder/none    # exit status 1", ["..."])])])
        self.assertEqual(ways.needs(PAGE), ["sh", "cat"])
        self.assertEqual(len(self.go(PAGE)), 1)

    def test_another_output_or_status_is_a_failure(self):
        for old, new in (("one\n...", "two\n..."), ("one\n...", "one"), ("exit status 1", "exit status 0"),
                         ("folder/none    # exit status 1", "folder/none"), ("$ cat folder/a.txt", "$ false")):
            self.assertIn(old, PAGE)
            with self.assertRaises(ways.Failure, msg=new):
                self.go(PAGE.replace(old, new))

    def test_a_program_that_is_missing_needs_something_instead(self):
        with self.assertRaises(ways.Failure):
            self.go(PAGE.replace("$ cat folder/a.txt", "$ no-such-program folder/a.txt"))

    def test_what_is_printed(self):
        for shown, output, same in ((["a", "..."], "a\nb\n", True), (["...", "b"], "a\nb\n", True), (["a"], "a\nb\n", False),
                                    (["a … c"], "a b c\n", True), (["a … c"], "a b d\n", False), ([], "anything\n", True)):
            self.assertEqual(ways.is_printed(shown, output), same, (shown, output))

    def test_the_table_is_compared_without_times(self):
        row = "| a | 5 | 11 | 1,763 | 3.8 | {} |\n"
        self.assertEqual(ways.without_times(row.format(21)), ways.without_times(row.format("-").replace("3.8", "12.0")))
        self.assertNotEqual(ways.without_times(row.format(21)), ways.without_times(row.format(21).replace("11", "12")))


class Summaries(unittest.TestCase):
    def with_docs(self, page, old, new):
        with tempfile.TemporaryDirectory() as folder:
            summaries.DOCS = pathlib.Path(folder)
            for each in (ROOT / "docs").glob("*.md"):
                os.symlink(each, summaries.DOCS / each.name)
            text, count = re.subn(old, new, (ROOT / "docs" / page).read_text())
            self.assertGreater(count, 0, old)
            (summaries.DOCS / page).unlink()
            (summaries.DOCS / page).write_text(text)
            return summaries.written((ROOT / "docs/how-far.md").read_text()), summaries.check_identifiers()

    def test_pages_have_the_figures_of_others(self):
        text = (ROOT / "docs/how-far.md").read_text()
        self.assertEqual(self.with_docs("measured.md", "bound", "bound")[0], text)
        self.assertNotEqual(self.with_docs("simulated.md", r"\| all \| \d+ ", "| all | 7 ")[0], text)

    def test_what_is_no_longer_there_is_a_failure(self):
        for page, old, new in (("measured.md", "No bound is below", "One bound is below"),
                               ("measured.md", "None ran longer", "One ran longer"),
                               ("simulated.md", "## As a gate", "## A gate"), ("safety.md", "A-27", "A-26"),
                               ("predicted.md", r"(machine code, all assumed \| [\d,]+ \| )[\d.]+", r"\g<1>0.98"),
                               ("predicted.md", r"(machine code, usual assumed, since \| [\d,]+ \| )[\d.]+", r"\g<1>0.98")):
            with self.assertRaises(summaries.Failure, msg=new):
                self.with_docs(page, old, new)


if __name__ == "__main__":
    unittest.main()
