#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts/measure-expansions reads of the table of expansions is what it writes again."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts/expansions"))
sys.dont_write_bytecode = True
import table

MADE_UP = """\
# made up
#
# by hand
opcode	types	modifiers	vector	75	80	86
add	s32	-	1	1 2 4/0/0/3	=	3 - -
mov	u64	global,variable	1	.	5/0/0/0/2/0/1 - -	=
mov	u64	special	1	.	0 - -	.
"""


class Table(unittest.TestCase):

    def test_each_architecture_has_its_counts(self):
        comments, architectures, figures = table.read(MADE_UP)
        self.assertEqual(comments, ["made up", "", "by hand"])
        self.assertEqual(architectures, [75, 80, 86])
        add, move = ("add", "s32", "-", "1"), ("mov", "u64", "global,variable", "1")
        self.assertEqual(figures[75][add, "guarded"], (4, 0, 0, 3, 0, 0, 0, 0))
        self.assertEqual(figures[80][add, "guarded"], figures[75][add, "guarded"])
        self.assertEqual(figures[86][add, "registers"], (3, 0, 0, 0, 0, 0, 0, 0))
        self.assertNotIn((add, "guarded"), figures[86])
        self.assertEqual(figures[86][move, "registers"], (5, 0, 0, 0, 2, 0, 1, 0))
        self.assertNotIn((move, "registers"), figures[75])

    def test_what_is_read_is_written_again(self):
        for text in (MADE_UP, (ROOT / "timing/machine/data/expansions/ptx.tsv").read_text()):
            self.assertEqual(table.text_of(*table.read(text)), text)


if __name__ == "__main__":
    unittest.main()
