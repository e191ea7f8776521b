#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of scripts/check-measured, measure-runs, predict-runs and bound-over-slowest that need neither the program nor a GPU: that
tables, kernels and what launches them belong together."""
import contextlib
import csv
import importlib.machinery
import importlib.util
import io
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True


def script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


check, measure = script("check-measured"), script("measure-runs")
launches, profiling = measure.launches, measure.profiling
import predicted
ROWS = check.rows()
SCRIPTS = ROOT / "scripts/measured"


class Table(unittest.TestCase):
    def test_each_row_is_a_launch_that_is_made_again(self):
        made = set(map(launches.key, launches.rows()))
        for row in ROWS:
            self.assertIn(launches.key(row), made)
            self.assertGreater(row["cycles"], 0)

    def test_no_launch_stands_twice(self):
        self.assertEqual(len({(*check.launch_of(row), row["kernel"]) for row in ROWS}), len(ROWS))

    def test_every_operation_is_in_it(self):
        for file, module in launches.OPERATIONS.items():
            entries = re.findall(r"\.entry (\w+)\(", launches.text_of(file))
            made = [kernel.name for kernel in module.kernels()]
            self.assertEqual(sorted(entries), sorted(made))
            self.assertEqual({row["kernel"] for row in ROWS if row["file"] == file}, set(made))


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


# Says and does for each line of a plan what a launcher does that runs kernels that end, fault and hang.
LAUNCHER = """#!/usr/bin/env python3
import sys, time
lines = open(sys.argv[1]).read().split("\\n")
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    print(number, "begin", flush=True)
    if "hangs" in lines[number]: time.sleep(60)
    if "faults" in lines[number]: sys.exit(print(number, "failed run CUDA_ERROR_ILLEGAL_ADDRESS", flush=True) or 3)
    print(number, "ok 1200", flush=True)
"""
# Runs it, and tells cycles of all that ended when it ends.
PROFILER = """#!/usr/bin/env python3
import re, subprocess, sys
table, plan = sys.argv[sys.argv.index("--log-file") + 1], sys.argv[-3]
said = ""
for line in subprocess.Popen(sys.argv[-4:], stdout=subprocess.PIPE, text=True).stdout:
    print(line, end="", flush=True)
    said += line
with open(table, "w") as out:
    out.write('"Kernel Name","Grid Size","Block Size","sm__cycles_active.max"\\n')
    for number in re.findall(r"(\\d+) ok", said):
        out.write('"k","(4, 1, 1)","(32, 1, 1)","1,00' + number + '"\\n')
"""


class Measurement(unittest.TestCase):
    def measured(self, kinds, profiled, chunk=40, until=None):
        lines = [f"{kind}.cubin\tk\t4,1,1\t32,1,1\t0" for kind in kinds]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file, text in (("launch", LAUNCHER), ("ncu", PROFILER)):
                (folder / file).write_text(text)
                (folder / file).chmod(0o755)
            runner = profiling.Runner(folder / "launch", folder / "ncu" if profiled else None, folder, chunk, 10)
            with contextlib.redirect_stderr(io.StringIO()):
                return profiling.measure(runner, lines, until)

    def test_a_process_ends_at_a_fault_and_the_next_begins_behind_it(self):
        found = self.measured(["ends", "faults", "ends", "ends"], True, chunk=3)
        self.assertEqual(found, {0: 1000, 1: "failed run CUDA_ERROR_ILLEGAL_ADDRESS", 2: 1002, 3: 1003})

    def test_what_a_profiler_did_not_tell_because_it_was_ended_is_measured_again(self):
        self.assertEqual(self.measured(["ends", "ends", "hangs", "ends"], True), {0: 1000, 1: 1001, 2: "did not end", 3: 1003})

    def test_without_a_profiler_it_is_told_what_ended(self):
        self.assertEqual(self.measured(["ends", "hangs", "ends"], False), {0: "ok", 1: "did not end", 2: "ok"})

    def test_what_the_time_is_not_enough_for_is_left_out(self):
        self.assertEqual(self.measured(["ends"] * 3, True, until=time.monotonic() - 1), {})


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
                held = list(map(launches.key, csv.DictReader(file)))
            self.assertEqual(held, list(map(launches.key, rows())))


LAUNCH = "reduce.clang-19-sm_62.ptx _Z18reduce_interleaved"
# Tells of this launch what the program tells, if it is asked for the right one.
PROGRAM = """#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
asked = words[0] == "simulate" and "worst" in words and "2=1048576" in words and pathlib.Path(words[1]).exists()
kernel = {"slowest": {"bound": 600, "cycles": CYCLES, "usual": 150, "order": "greedy"}, "expected": {"cycles": 100},
          "depends_on_data": False}
errors = [{"message": "it ran longer"}] if CYCLES > 600 else []
print(json.dumps({"kernels": [kernel] * asked, "errors": errors}))
sys.exit(4 if errors else 0)
"""


class Slowest(unittest.TestCase):
    """scripts/bound-over-slowest with a program and an assembler that are pretended."""

    def run_one(self, cycles):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name, text in (("warpspan", PROGRAM.replace("CYCLES", str(cycles))),
                               ("ptxas", '#!/bin/sh\nfor last; do :; done; : > "$last"\n')):
                (folder / name).write_text(text)
                (folder / name).chmod(0o755)
            words = ["--program", "warpspan", "--ptxas", "./ptxas", "--cubins", "made/cubins", "--only", LAUNCH]
            return subprocess.run([sys.executable, ROOT / "scripts/bound-over-slowest", *words], cwd=folder, capture_output=True,
                                  text=True)

    def test_a_launch_has_its_bound_and_three_factors(self):
        run = self.run_one(300)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"\n +6\.0 +2\.00 +2\.00 +1\.50  greedy, ")

    def test_a_run_beyond_its_bound_is_wrong(self):
        run = self.run_one(700)
        self.assertEqual(run.returncode, 1)
        self.assertIn("it ran longer", run.stderr)


class Usual(unittest.TestCase):
    def test_what_the_machine_file_says_of_launches_is_in_the_document(self):
        text = (ROOT / "timing/machine/data/boards/hopper.toml").read_text()
        usual = text.split("[usual]")[1].split("[board]")[0]
        document = check.DOCUMENT.read_text()
        for name, evidence in re.findall(r'^([\w-]+) = "(.*)"$', usual, re.MULTILINE):
            ptx = re.match(r"([\d,]+) launches from PTX", evidence).group(1)
            code = re.search(r"and ([\d,]+) of machine code", evidence)
            count = r"(0(?= \|  \|)|[\d,]+(?= \| [\d.,]+ \|)) \| [\d.,]*"  # no launches have no least ratio
            row = re.search(rf"^\| `{name}` \| {count} \| {count} \|", document, re.MULTILINE)
            self.assertEqual((ptx, code.group(1) if code else "0"), row.groups(), name)


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
