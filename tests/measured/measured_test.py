#!/usr/bin/env python3
"""Tests of scripts/check-measured, measure-runs and predict-runs that need neither the program nor a GPU: that tables,
kernels and what launches them belong together."""
import csv
import importlib.machinery
import importlib.util
import pathlib
import re
import subprocess
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


check, measure = script("check-measured"), script("measure-runs")
launches, operations, profiling = measure.launches, measure.operations, measure.profiling
import predicted
ROWS = check.rows()
SCRIPTS = ROOT / "scripts/measured"


class Table(unittest.TestCase):
    def test_each_row_is_a_launch_that_is_made_again(self):
        made = {tuple(map(str, row.values())) for row in launches.rows()}
        for row in ROWS:
            self.assertIn(tuple(str(row[name]) for name in launches.COLUMNS if name != "cycles"), made)
            self.assertGreater(row["cycles"], 0)

    def test_no_launch_stands_twice(self):
        self.assertEqual(len({(*check.launch_of(row), row["kernel"]) for row in ROWS}), len(ROWS))

    def test_every_operation_is_in_it(self):
        entries = re.findall(r"\.entry (\w+)\(", launches.text_of(launches.OPERATIONS))
        made = [kernel.name for kernel in operations.kernels()]
        self.assertEqual(sorted(entries), sorted(made))
        self.assertEqual({row["kernel"] for row in ROWS if check.of_operations(row)}, set(made))


class Plan(unittest.TestCase):
    def line(self, kernel, file="operations"):
        row = next(row for row in ROWS if row["kernel"] == kernel and file in row["file"])
        return launches.plan_line(row, "a.cubin").split("\t")

    def test_words_are_cubin_kernel_launch_and_arguments(self):
        self.assertEqual(self.line("h_lds"), ["a.cubin", "h_lds", "1,1,1", "32,1,1", "8192", "array", "bytes:00020000"])

    def test_objects_are_of_the_kind_that_the_kernel_takes(self):
        self.assertEqual(self.line("h_tld4")[-1], "texture")
        self.assertEqual(self.line("h_sust")[-1], "surface")

    def test_structs_and_variables_have_their_numbers(self):
        walls = self.line("_Z18heartwall_convolve4WallPKfS1_PKiS3_PfS4_S4_", "rodinia")
        self.assertEqual(walls[5][:14], "bytes:61020000")
        self.assertEqual(walls[6:], ["array"] * 7)
        self.assertEqual(self.line("_Z14constant_limitPKfPf", "control")[5:], ["array", "array", "global:c_taps:64"])


class Profile(unittest.TestCase):
    def test_what_was_begun_and_not_told_did_not_end(self):
        said = "0 begin\n0 ok 1200\n1 begin\n1 failed launch CUDA_ERROR_INVALID_VALUE\n2 begin\n==ERROR== LaunchFailed\n"
        self.assertEqual(profiling.told(said), {0: "ok 1200", 1: "failed launch CUDA_ERROR_INVALID_VALUE", 2: "did not end"})

    def test_rows_of_other_launches_are_passed_over(self):
        def row(kernel, cycles):
            return {"Kernel Name": kernel, "Grid Size": "(4, 1, 1)", "Block Size": "(32, 1, 1)", profiling.CYCLES: cycles}

        profiled = iter([row("other", "1"), row("k", "12,345.00"), row("k", "nan")])
        line = "a.cubin\tk\t4,1,1\t32,1,1\t0"
        self.assertEqual([profiling.cycles(profiled, line) for _ in range(3)], [12345, None, None])


class Plans(unittest.TestCase):
    """scripts/measured/run_plans.py with a profiler that is pretended."""

    def run_plan(self, expected):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            lines = [f"a.cubin\tk{number}\t4,1,1\t32,1,1\t0" for number in range(len(expected))]
            (folder / "a.plan").write_text("\n".join(lines) + "\n")
            (folder / "a.expected").write_text("\n".join(expected) + "\n")
            profiler = folder / "profiler"
            profiler.write_text(f"#!/bin/sh\nexec {sys.executable} {SCRIPTS}/pretend_profiler.py {folder}/a.plan -- \"$@\"\n")
            profiler.chmod(0o755)
            subprocess.run([sys.executable, SCRIPTS / "run_plans.py", folder / "out", folder / "a.plan", "--ncu", profiler,
                            "--launcher", "launch", "--silent", "10"], check=True, stdout=subprocess.DEVNULL)
            with open(folder / "out/a.csv", newline="") as file:
                return [(row["cycles"], row["again"], row["why"]) for row in csv.DictReader(file)]

    def test_all_run_twice(self):
        self.assertEqual(self.run_plan(["10", "20", "3000", "40", "50"]), [(n, n, "") for n in ("10", "20", "3000", "40", "50")])

    def test_a_fault_and_a_launch_that_hangs_cost_no_other_launch(self):
        found = self.run_plan(["10", "20", "", "40", "50", "60", "70", "hangs", "90"])
        self.assertEqual([found.pop(7), found.pop(2)], [("", "", "did not end"), ("", "", "failed run CUDA_ERROR_PRETENDED")])
        self.assertEqual(found, [(n, n, "") for n in ("10", "20", "40", "50", "60", "70", "90")])


class Predicted(unittest.TestCase):
    def test_arguments_and_contents_are_those_of_the_options(self):
        row = next(row for row in predicted.rows_of_new() if row["kernel"] == "lu_update")
        self.assertEqual(row["options"], "--buffer 0=16384 --contents 0=reals:1 --arg 1=64 --arg 2=40")
        self.assertEqual(launches.plan_line(row, "a.cubin").split("\t")[5:],
                         ["array:16384:reals:1", "bytes:40000000", "bytes:28000000"])
        self.assertEqual(" ".join(launches.simulated(row)), row["options"])

    def test_the_tables_are_of_these_launches(self):
        for name, rows in (("new", predicted.rows_of_new), ("corpus", predicted.rows_of_corpus), ("second", predicted.rows_of_second),
                           ("others", predicted.rows_of_others)):
            with open(ROOT / predicted.FOLDER / f"{name}.csv", newline="") as file:
                held = [{column: row[column] for column in predicted.COLUMNS} for row in csv.DictReader(file)]
            self.assertEqual(held, [{column: str(row[column]) for column in predicted.COLUMNS} for row in rows()])


class Results(unittest.TestCase):
    def test_causes_have_names(self):
        self.assertEqual(check.cause("machine 'hopper' has no figures for 'TEX' (texture: texture fetches)"),
                         "no figures for texture")
        self.assertEqual(check.cause("no bound for the loop '.L_x_1' of kernel 'k': why"), "a loop without a bound")

    def test_a_bound_below_the_cycles_is_told(self):
        row = {**ROWS[0], "cycles": 100}
        low = check.Outcome(row, "PTX", {"nothing": 100, "keeps": 99}, [])
        self.assertEqual(len(list(check.failures([low]))), 1)
        self.assertEqual(list(check.failures([low._replace(rungs={"nothing": 100, "keeps": 100})])), [])


if __name__ == "__main__":
    unittest.main()
