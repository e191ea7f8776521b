#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of words on lines that it must refuse, and on lines that it must let pass."""
import unittest

import check_words

RULES = check_words.read_rules()


def found(path, line):
    """The words that the rules refuse in a line of a file."""
    hits = []
    for kind, text in check_words.parts(path, line).items():
        words = check_words.as_words(text)
        hits += [hit.group() for hit in (rule.finds(kind, path, words) for rule in RULES) if hit]
    return hits


class Words(unittest.TestCase):
    def test_names_are_read_as_words(self):
        self.assertEqual(found("ir/a.cpp", "int exits_of_every_turn(int n);"), ["turn"])
        self.assertEqual(found("ir/a.cpp", "struct WaysOfIteration;"), ["ways"])
        self.assertEqual(found("timing/costs/a.cpp", '#include "timing/warp/together.hpp"'), ["together"])
        self.assertEqual(found("ir/a.cpp", "return returned;"), [])

    def test_comments_messages_and_pages_are_read(self):
        self.assertEqual(found("app/a.cpp", "f();  // each turn of the loop"), ["turn"])
        self.assertEqual(found("app/a.cpp", 'message = "the loop has 3 turns";'), ["turns"])
        self.assertEqual(found("docs/model.md", "Follow the followed warp."), ["followed warp"])
        self.assertEqual(found("README.md", "the dearest line"), ["dearest"])

    def test_a_word_may_stand_where_it_is_the_fields(self):
        self.assertEqual(found("timing/costs/a.cpp", "int cache_ways = 4;  // on the way to memory"), [])
        self.assertEqual(found("app/a.cpp", 'f("it turns out");'), [])
        self.assertEqual(found("solver/strings/a.cpp", "int followed = 0;"), [])  # of the format of certificates
        self.assertEqual(found("timing/bounds/a.cpp", "int followed = 0;"), ["followed"])

    def test_each_rule_says_what_to_write(self):
        for rule in RULES:
            self.assertTrue(rule.write)
            self.assertTrue(rule.where <= {"names", "comments", "strings", "docs"})


if __name__ == "__main__":
    unittest.main()
