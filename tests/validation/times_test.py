#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of scripts/validate that need no program: what a published time says, and what the rows of times.csv hold."""
import fractions
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("validate", str(ROOT / "scripts/validate"))
validate = importlib.util.module_from_spec(importlib.util.spec_from_loader("validate", LOADER))
LOADER.exec_module(validate)
ROWS = [*validate.rows("times.csv"), *validate.rows("peak.csv")]


class Times(unittest.TestCase):
    def test_a_time_is_a_product_of_numbers_with_units(self):
        self.assertEqual(validate.seconds("0.25 ms"), fractions.Fraction(1, 4000))
        self.assertEqual(validate.seconds("30 ms / 10"), fractions.Fraction(3, 1000))
        self.assertEqual(validate.seconds("2 * 500 B / 4 GB/s"), fractions.Fraction(1, 4 * 10**6))
        self.assertEqual(validate.seconds("1073741824 B / 2 GiB/s"), fractions.Fraction(1, 2))

    def test_anything_else_is_refused(self):
        for text in ("", "ms", "3 furlongs", "2 *", "2 * * 3 s", "0 ms", "-1 ms", "1 s / 0", "2 ms ms", "1e3 ms"):
            with self.assertRaises(validate.Failure, msg=text):
                validate.seconds(text)

    def test_rungs_that_a_ladder_leaves_out_have_the_bound_of_the_one_before(self):
        report = {"ladder": [{"assumption": None, "makespan": 9}, {"assumption": "b", "makespan": 5}]}
        self.assertEqual(validate.rungs_of("", {}, ["a", "b", "c"], report), {"nothing": 9, "a": 9, "b": 5, "c": 5})


class Rows(unittest.TestCase):
    def test_each_has_its_files_a_time_and_a_source(self):
        for row in ROWS:
            self.assertGreater(validate.seconds(row["time"]), 0)
            self.assertIn(f".entry {row['kernel']}(", (validate.FOLDER / row["file"]).read_text())
            if row["machine"].endswith(".toml"):
                self.assertIn(f'description = "{row["board"]}"', (validate.FOLDER / row["machine"]).read_text())
            self.assertTrue(row["source"])
            self.assertIn("--registers ", row["launch"])

    def test_no_launch_on_a_board_stands_twice(self):
        launches = [(row["file"], row["kernel"], row["board"], row["launch"]) for row in ROWS]
        self.assertEqual(len(launches), len(set(launches)))

    def test_every_board_file_is_used(self):
        used = {row["machine"] for row in ROWS}
        for file in (validate.FOLDER / "boards").iterdir():
            self.assertIn(f"boards/{file.name}", used)


if __name__ == "__main__":
    unittest.main()
