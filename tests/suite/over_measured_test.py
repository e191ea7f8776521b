#!/usr/bin/env python3
"""Tests of scripts/bound-over-measured with measured files that are made up."""
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUITE = ROOT / "samples/suite/bounds.csv"
# Two kernels on two machines, one of them refused; 1 GHz, so that a cycle is a nanosecond.
BOUNDS = """kernel,machine,block,grid,rung,status,cycles,nanoseconds
add,ampere,256,64,nothing,bounded,9000,9000
add,ampere,256,64,spread,bounded,300,300
add,turing,256,64,nothing,bounded,8000,8000
add,turing,256,64,spread,bounded,200,200
walk,ampere,32x8,4x4,,refused,,
"""
HEAD = "kernel,machine,block,grid,nanoseconds\n"


class OverMeasured(unittest.TestCase):
    def run_on(self, measured, bounds=BOUNDS):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / name for name in ("bounds.csv", "measured.csv")]
            for file, text in zip(files, (bounds, measured)):
                file.write_bytes(text if isinstance(text, bytes) else text.encode())
            run = subprocess.run([ROOT / "scripts/bound-over-measured", *files], capture_output=True, text=True, timeout=60)
            return run.returncode, run.stdout, run.stderr.replace(folder + "/", "")

    def refused(self, measured, message, bounds=BOUNDS):
        status, out, error = self.run_on(measured, bounds)
        self.assertEqual((status, out, error), (2, "", f"bound-over-measured: {message}\n"))

    def test_ratios_and_medians(self):
        status, out, error = self.run_on(HEAD + "add,ampere,256,64,100\nadd,ampere,256,64,150.5\nadd,turing,256x1x1,64,200\n"
                                         "walk,ampere,32x8,4x4,77\n")
        self.assertEqual((status, error), (0, ""))
        self.assertEqual(out, """bound / measured
kernel  machine  measured, us or cycles  nothing  spread
add     ampere                  0.15 us     59.8    1.99
add     turing                  0.20 us     40.0    1.00
walk    ampere                  0.08 us        -       -
median  of 3                                40.0    1.00
1 of 3 have no bound
""")

    def test_a_time_above_a_bound_is_named(self):
        status, out, error = self.run_on(HEAD + "add,ampere,256,64,299\nadd,ampere,256,64,301\nadd,turing,256,64,199\n")
        self.assertEqual(status, 1)
        self.assertIn("add     ampere", out)
        self.assertEqual(error, "bound-over-measured: measured.csv:3: add on ampere took 301 nanoseconds, more than the bound 300 "
                                "with 'spread'\n")

    def test_by_however_little(self):
        self.assertEqual(self.run_on(HEAD + "add,ampere,256,64,300.0000000000000000000000\n")[0], 0)
        self.assertEqual(self.run_on(HEAD + "add,ampere,256,64,300.0000000000000000000001\n")[0], 1)

    def test_cycles(self):
        head = HEAD.replace("nanoseconds", "cycles")
        self.assertEqual(self.run_on(head + "add,ampere,256,64,250\n")[0], 0)
        self.assertEqual(self.run_on(head + "add,ampere,256,64,301\n")[0], 1)
        both = HEAD.replace("nanoseconds", "cycles,nanoseconds")
        self.assertEqual(self.run_on(both + "add,ampere,256,64,250,\nadd,turing,256,64,,199\n")[0], 0)
        self.refused(both + "add,ampere,256,64,250,250\n", "measured.csv:2: one of nanoseconds and cycles is expected")
        self.refused(both + "add,ampere,256,64,250,\nadd,ampere,256,64,,250\n",
                     "measured.csv:3: add on ampere was measured in cycles in another row")

    def test_numbers(self):
        for text in ("-1", "nan", "NaN", "inf", "0", "0.0", "1e", "0x10", "1,5", " 5", "five", "1e999", "\u0663"):
            quoted = f'"{text}"'
            self.refused(HEAD + f"add,ampere,256,64,{quoted}\n",
                         f"measured.csv:2: '{text}' is no number of nanoseconds: a decimal number above 0 is expected")
        self.refused(HEAD + "add,ampere,256,64,\n",
                     "measured.csv:2: '' is no number of nanoseconds: a decimal number above 0 is expected")

    def test_kernels_machines_and_launches(self):
        self.refused(HEAD + "sub,ampere,256,64,5\n", "measured.csv:2: no bound is for a kernel 'sub'")
        self.refused(HEAD + "add,volta,256,64,5\n", "measured.csv:2: no bound is for a machine 'volta': ampere, turing")
        self.refused(HEAD + "walk,turing,32x8,4x4,5\n", "measured.csv:2: no bound is for walk on turing")
        self.refused(HEAD + "add,ampere,256,64,5\nadd,ampere,128,64,5\n",
                     "measured.csv:3: add was measured with block 128, grid 64, and is bounded with block 256, grid 64")
        for text in ("", "0", "-4", "4x", "1x2x3x4", "four"):
            self.refused(HEAD + f"add,ampere,{text},64,5\n", f"measured.csv:2: '{text}' is no block: as in 256 or 32x8")

    def test_columns_and_fields(self):
        self.refused("", "measured.csv:1: there is no column 'nanoseconds' or 'cycles'")
        self.refused(HEAD, "measured.csv: nothing was measured in it")
        self.refused("kernel,machine,block,nanoseconds\n", "measured.csv:1: there is no column 'grid'")
        self.refused(HEAD.replace("grid", "grid,kernel"), "measured.csv:1: there are two columns 'kernel'")
        self.refused(HEAD + "add,ampere,256,64\n", "measured.csv:2: fewer fields than columns")
        self.refused(HEAD + "add,ampere,256,64,5,6\n", "measured.csv:2: more fields than columns")
        status, _, error = self.run_on(HEAD.encode() + b"add,ampere,256,64,\xff\n")
        self.assertEqual((status, error[:22]), (2, "bound-over-measured: '"))
        self.assertEqual(self.run_on(HEAD + 'add,ampere,256,64,"5\n')[0], 2)

    def test_bounds(self):
        fine = HEAD + "add,ampere,256,64,5\n"
        self.refused(fine, "bounds.csv: there is no bound in it", BOUNDS.splitlines()[0] + "\n")
        self.refused(fine, "bounds.csv:1: there is no column 'rung'", BOUNDS.replace("rung", "wrong"))
        self.refused(fine, "bounds.csv:3: add on ampere has two rows of rung 'nothing'", BOUNDS.replace("spread", "nothing"))
        self.refused(fine, "bounds.csv:3: add on ampere has another launch in another row",
                     BOUNDS.replace("256,64,spread", "256,65,spread"))
        self.refused(fine, "bounds.csv:6: 'unknown' is no status: bounded or refused", BOUNDS.replace("refused", "unknown"))
        self.refused(fine, "bounds.csv:2: '-9' is no number of nanoseconds: a decimal number above 0 is expected",
                     BOUNDS.replace("9000,9000", "9000,-9"))

    def test_words(self):
        script = ROOT / "scripts/bound-over-measured"
        self.assertEqual(subprocess.run([script, SUITE], capture_output=True).returncode, 2)
        self.assertEqual(subprocess.run([script, SUITE, "nowhere.csv"], capture_output=True).returncode, 2)
        self.assertEqual(subprocess.run([script, "--help"], capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
