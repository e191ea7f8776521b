#!/usr/bin/env python3
"""Tests of samples/suite: suite_test.py WARPSPAN [NVCC]. Files that are made are what the program finds now, the table fits
the kernels, commands of the README do what it says, and measure.cu launches what is bounded. That needs NVCC, but no GPU: a driver of
our own takes its place."""
import csv
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("suite", str(ROOT / "scripts/suite"))
suite = importlib.util.module_from_spec(importlib.util.spec_from_loader("suite", LOADER))
LOADER.exec_module(suite)
PROGRAM, NVCC = "", ""
ARCHITECTURES = [75, 80, 86, 87, 89, 90, 100, 120]

BUDGETS = tomllib.loads((suite.FOLDER / "suite.toml").read_text())
ROWS = suite.rows_of(BUDGETS)
INPUTS = tomllib.loads((suite.FOLDER / "inputs.toml").read_text())
ENTRIES = json.loads((suite.FOLDER / "bounds.json").read_text())["kernels"]
BOUNDS = list(csv.DictReader((suite.FOLDER / "bounds.csv").read_text().splitlines()))


def run(words, folder=ROOT, **environment):
    return subprocess.run(words, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600)


class Table(unittest.TestCase):
    def test_it_is_a_budgets_file_and_its_limits_are_the_bounds(self):
        limits = {(row["kernel"], row["machine"]): row["max"] for row in ROWS}
        for row in BOUNDS:
            if row["rung"] == "nothing":
                self.assertEqual(limits.pop((row["kernel"], row["machine"])), f"{row['cycles']} cycles")
        self.assertEqual(limits, {})

    def test_every_kernel_of_the_suite_is_in_it(self):
        of_folder = {str(file.relative_to(suite.FOLDER)) for file in suite.FOLDER.glob("*/*.ptx")}
        self.assertEqual(of_folder - {row["file"] for row in ROWS}, set())
        self.assertEqual({file for file in of_folder if not (suite.FOLDER / re.sub(r"(\.nvcc-sm_80)?\.ptx", ".cu", file)).exists()}, set())
        entries = {(file, name) for file in of_folder
                   for name in re.findall(r"\.entry (\w+)\(", (suite.FOLDER / file).read_text())}
        self.assertEqual(entries - {(row["file"], row["kernel"]) for row in ROWS}, set())
        self.assertGreaterEqual(len({name for _, name in entries}), 40)

    def test_every_sample_with_a_source_is_in_it(self):
        samples = {file.stem for file in (ROOT / "samples").glob("*.cu")}
        used = {row["file"].removeprefix("../").partition(".")[0] for row in ROWS if row["file"].startswith("../")}
        self.assertEqual(samples - used, set())

    def test_arguments_are_of_the_type_of_the_parameters(self):
        for entry in ENTRIES:
            text = (suite.FOLDER / entry["file"]).read_text()
            parameters = re.search(rf"\.entry {re.escape(entry['symbol'])}\((.*?)\)", text, re.DOTALL).group(1)
            types = re.findall(r"\.param \.(\w+)", parameters)
            inputs = INPUTS[entry["kernel"]]
            self.assertEqual(len(types), len(inputs), entry["file"])
            for number, (found, words) in enumerate(zip(types, inputs)):
                expected = (["u64", "b64"] if str(number) in entry["buffers"] else
                            ["f32", "b32"] if words.startswith("value") else ["u32", "s32", "b32"])
                self.assertIn(found, expected, f"{entry['file']}: parameter {number}")

    def test_loop_bounds_have_a_reason(self):
        for line in (suite.FOLDER / "suite.toml").read_text().splitlines():
            if line.startswith("loop_bounds"):
                self.assertRegex(line, r"}  # .{20}")


class Wrong(unittest.TestCase):
    """What scripts/suite says of a table that makes no sense."""

    ROW = {"kernel": "k", "machine": "ampere", "file": "k.ptx", "block": 32, "grid": 1, "args": {"1": 8},
           "buffers": {"0": 64}}
    ENTRY = {"kernel": "k", "machine": "ampere", "loop_bounds": {}, "launch_only": {"status": "bounded"},
             "rungs": [{"rung": "nothing", "cycles": 9, "launch_only_cycles": 9},
                       {"rung": "spread", "cycles": 5, "launch_only_cycles": 3}]}

    def complaints(self, *changed):
        entries = [{**self.ENTRY, **change.get("entry", {})} for change in changed]
        return list(suite.complaints(entries, [{**self.ROW, **change.get("row", {})} for change in changed]))

    def test_nothing_is_said_of_a_good_one(self):
        self.assertEqual(self.complaints({}), [])
        self.assertEqual(self.complaints({}, {"entry": {"machine": "tx2"}}), [])

    def test_launches_machines_loop_bounds_and_rungs(self):
        self.assertEqual(self.complaints({}, {"entry": {"machine": "tx2"}, "row": {"grid": 2}}),
                         ["k: its entries have different launches"])
        self.assertEqual(self.complaints({}, {}), ["k: two entries for ampere"])
        self.assertEqual(self.complaints({"entry": {"loop_bounds": {"$a": 1}}}),
                         ["k on ampere: its loop bounds are not needed"])
        up = [{"rung": "nothing", "cycles": 5, "launch_only_cycles": 9}, {"rung": "spread", "cycles": 6, "launch_only_cycles": 9}]
        self.assertEqual(self.complaints({"entry": {"rungs": up}}), ["k on ampere: a rung is larger than the one before"])
        more = [{"rung": "aligned", "cycles": 9, "launch_only_cycles": 8}]
        self.assertEqual(self.complaints({"entry": {"rungs": more}}),
                         ["k on ampere: with 'aligned', sizes and loop bounds make the bound larger"])

    def test_inputs(self):
        self.assertEqual(suite.arguments_of(self.ROW, {"k": ["int 0 9", ""]}), ["int_array(64, 0, 9)", "int_scalar(8)"])
        for inputs, message in (({}, "there is no 'k'"), ({"k": ["int 0 9"]}, "nothing for parameter 1"),
                                ({"k": ["int 0", ""]}, "'int 0' is none of its forms"),
                                ({"k": ["what 0", ""]}, "none of its forms"),
                                ({"k": ["int 0 9", "value 2"]}, "integers are in suite.toml"),
                                ({"k": ["int 0 9", "", "zero"]}, "an array whose size is not in suite.toml"),
                                ({"k": ["", ""]}, "integers are in suite.toml")):
            with self.assertRaisesRegex(suite.Failure, message):
                suite.arguments_of(self.ROW, inputs)

    def test_a_kernel_that_is_refused_has_a_row_with_the_reason(self):
        row = {"kernel": "search", "machine": "ampere", "file": "../search.ptx", "block": 128, "grid": 64}
        entry = suite.entry_of(PROGRAM, row, ["spread"])
        self.assertEqual((entry["status"], entry["rungs"]), ("refused", []))
        self.assertIn("no bound for the loop", entry["reason"])
        lines = list(csv.DictReader(suite.csv_of([entry]).splitlines()))
        self.assertEqual([(line["status"], line["cycles"]) for line in lines], [("refused", "")])


class Readme(unittest.TestCase):
    def test_its_commands_do_what_it_says(self):
        """scripts/suite --check among them; tests/documented runs those of warpspan."""
        text = (suite.FOLDER / "README.md").read_text()
        commands = re.findall(r"^    ((?:scripts/|nvcc |\./measure ).*)$", text, re.MULTILINE)
        self.assertIn("scripts/suite --check", [" ".join(command.split()[:2]) for command in commands])
        ran = []
        for command in commands:
            words = command.partition("#")[0].split()
            if words[0] == "scripts/suite":
                result = run([*words, "--program", PROGRAM])
            elif words[0] == "scripts/bound-over-measured":
                result = run(words)
            else:
                continue  # Measure, below
            ran.append(words[0])
            status = re.search(r"exit status (\d)", command)
            self.assertEqual(result.returncode, int(status.group(1)) if status else 0, command + result.stderr)
        self.assertEqual(set(ran), {"scripts/suite", "scripts/bound-over-measured"})


    def test_it_says_how_many_kernels_need_what(self):
        text = " ".join((suite.FOLDER / "README.md").read_text().split())
        kernels = {entry["kernel"] for entry in ENTRIES}
        need = {entry["kernel"] for entry in ENTRIES if entry["launch_only"]["status"] == "refused"}
        self.assertEqual({entry["status"] for entry in ENTRIES}, {"bounded"})
        self.assertIn(f"Of {len(kernels)} kernels {len(kernels - need)} are bounded from launch and arguments alone on all "
                      f"machines. {len(need)} need loop bounds", text)


class Measure(unittest.TestCase):
    def setUp(self):
        if not NVCC:
            self.skipTest("there is no nvcc")

    def test_it_compiles_for_every_architecture(self):
        with tempfile.TemporaryDirectory() as folder:
            known = run([NVCC, "--list-gpu-code"]).stdout.split()
            numbers = [number for number in ARCHITECTURES if f"sm_{number}" in known]
            codes = [word for number in numbers for word in ("-gencode", f"arch=compute_{number},code=sm_{number}")]
            made = run([NVCC, "-std=c++14", *codes, "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Werror", "-c",
                        suite.FOLDER / "measure.cu", "-o", f"{folder}/measure.o"])
            self.assertEqual(made.returncode, 0, made.stderr)

    def test_it_launches_what_is_bounded(self):
        with tempfile.TemporaryDirectory() as folder:
            for words in (["-shared", "-Xcompiler", "-fPIC", HERE / "fake_driver.cpp", "-o", f"{folder}/libcuda.so"],
                          ["-std=c++14", "-O2", suite.FOLDER / "measure.cu", "-o", f"{folder}/measure", f"-L{folder}", "-lcuda"]):
                made = run([NVCC, *words])
                self.assertEqual(made.returncode, 0, made.stderr)
            (pathlib.Path(folder) / "libcuda.so.1").symlink_to("libcuda.so")
            self.launched_on_every_machine(folder)
            self.wrong_words(folder)

    def launched_on_every_machine(self, folder):
        for machine in sorted({entry["machine"] for entry in ENTRIES}):
            log = pathlib.Path(folder) / f"{machine}.log"
            measured = pathlib.Path(folder) / f"{machine}.csv"
            ended = run([f"{folder}/measure", machine, suite.FOLDER, "2"], LD_LIBRARY_PATH=folder, FAKE_DRIVER_LOG=str(log),
                        FAKE_DRIVER_MILLISECONDS="0.002")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            measured.write_text(ended.stdout)
            expected = [f"{e['symbol']} {'x'.join(map(str, e['block']))} {'x'.join(map(str, e['grid']))} 0 1"
                        for e in ENTRIES if e["machine"] == machine for _ in range(2)]
            self.assertEqual(log.read_text().splitlines(), expected)
            held = run([ROOT / "scripts/bound-over-measured", suite.FOLDER / "bounds.csv", measured])
            self.assertEqual((held.returncode, held.stderr), (0, ""))
            self.assertEqual(len(held.stdout.splitlines()), 2 + len(expected) // 2 + 1)

    def wrong_words(self, folder):
        for words, status in (([], 2), (["fermi"], 2), (["ampere", "nowhere"], 2), (["ampere", suite.FOLDER, "0"], 2)):
            ended = run([f"{folder}/measure", *words], LD_LIBRARY_PATH=folder, FAKE_DRIVER_LOG=f"{folder}/log")
            self.assertEqual(ended.returncode, status, words)
        without_gpu = run([f"{folder}/measure", "ampere"], LD_LIBRARY_PATH=folder)
        self.assertEqual((without_gpu.returncode, without_gpu.stderr), (1, "measure: cuDeviceGet: an error of the fake driver\n"))
        spilled = run([f"{folder}/measure", "ampere", suite.FOLDER, "1"], LD_LIBRARY_PATH=folder, FAKE_DRIVER_LOG=f"{folder}/log",
                      FAKE_DRIVER_MILLISECONDS="1", FAKE_DRIVER_SPILLED="sobel")
        self.assertIn("measure: sobel spills registers, left out\n", spilled.stderr)
        self.assertNotIn("sobel", spilled.stdout)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
    NVCC = sys.argv[2] if len(sys.argv) > 2 else ""
    unittest.main(argv=sys.argv[:1])
