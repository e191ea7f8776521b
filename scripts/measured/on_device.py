#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what scripts/attack-device prepared, on a machine with the GPU: on_device.py FOLDER [SECONDS [EXPERIMENT ...]] writes
figures.csv, random.csv, a table of each experiment of rates.cu and log into FOLDER, and ends after SECONDS (235). It stands in a
folder with the launcher, rates, plans and cubins."""
import csv
import glob
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

sys.dont_write_bytecode = True
import profiling

HERE = pathlib.Path(__file__).resolve().parent
BEGIN = time.monotonic()
EXPERIMENTS = {"lines": 12, "l2": 10, "l1": 6, "pages": 15, "bulk": 8, "sleep": 8}  # seconds at most
# Shares of the time after which the figures and the experiments are over.
FIGURES, RATES = 0.42, 0.60


def say(log, text):
    line = f"{time.monotonic() - BEGIN:6.1f} s  {text}"
    print(line, flush=True)
    print(line, file=log, flush=True)


def said(*words, seconds=20):
    try:
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=seconds)
        return done.stdout + done.stderr
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)


def find(name, *places):
    """The newest of a tool."""
    found = sorted(path for place in places for path in glob.glob(place))
    return shutil.which(name) or (found[-1] if found else None)


def built(folder, name, source, log):
    """The program that was carried, or where it does not start, compiled again."""
    carried = HERE / name
    carried.chmod(0o755)
    text = said(carried)
    if "usage" in text:
        return carried
    say(log, f"{name} does not start, is compiled: {text.strip()[:200]}")
    nvcc = find("nvcc", "/usr/local/cuda*/bin/nvcc")
    made = folder / name
    say(log, said(nvcc, "-std=c++17", "-O2", "-arch=sm_90a", "-x", "cu", HERE / source, "-o", made, "-lcuda", seconds=60)[-500:])
    return made


class Table:
    """Rows of a plan with what came of them, written as they come."""

    def __init__(self, rows, file):
        self.rows, self.file = rows, open(file, "w", newline="")
        self.writer = csv.DictWriter(self.file, [*rows[0], "cycles"], lineterminator="\n")
        self.writer.writeheader()

    def add(self, number, what):
        self.writer.writerow({**self.rows[number], "cycles": what})
        self.file.flush()


def measure(name, launcher, ncu, folder, out, until, log):
    """A plan: each launch alone first, to see which do not end, then the others under the profiler."""
    with open(HERE / f"{name}.rows.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        return
    with zipfile.ZipFile(HERE / f"{name}.zip") as cubins:
        cubins.extractall(folder)
    lines = [line.replace("@/", f"{folder}/") for line in (HERE / f"{name}.plan").read_text().splitlines()]
    table = Table(rows, out / f"{name}.csv")
    alone = profiling.measure(profiling.Runner(launcher, None, folder, len(lines), 12), lines, min(until, time.monotonic() + 40))
    say(log, f"{name}: {len(alone)} of {len(lines)} launched")
    for number, what in alone.items():
        if what != "ok":
            say(log, f"{name}: {lines[number][:150]!r}: {what}")
            table.add(number, what)
    good = [number for number, what in sorted(alone.items()) if what == "ok"]
    results = profiling.measure(profiling.Runner(launcher, ncu, folder, 150, 25), [lines[number] for number in good], until,
                               lambda number, what: table.add(good[number], what))
    say(log, f"{name}: {sum(isinstance(what, int) for what in results.values())} of {len(good)} measured")


def rates(program, experiments, out, until, log):
    for experiment in experiments:
        seconds = min(EXPERIMENTS[experiment], until - time.monotonic())
        if seconds < 1:
            return say(log, f"{experiment}: no time")
        with open(out / f"{experiment}.csv", "w") as file:
            try:
                status = subprocess.run([program, experiment], stdout=file, stderr=subprocess.STDOUT, timeout=seconds).returncode
            except subprocess.TimeoutExpired:
                status = "did not end"
        say(log, f"{experiment}: status {status}")


def main():
    out = pathlib.Path(sys.argv[1]).resolve()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 235
    experiments = sys.argv[3:] or EXPERIMENTS
    out.mkdir(parents=True, exist_ok=True)
    with open(out / "log", "w") as log, tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        ncu = find("ncu", "/opt/nvidia/nsight-compute/*/ncu", "/usr/local/cuda*/bin/ncu", "/usr/local/NVIDIA-Nsight-Compute*/ncu")
        say(log, f"ncu {ncu}: {said(ncu, '--version').strip().splitlines()[-1:]}" if ncu else "no ncu")
        say(log, said("nvidia-smi", "--query-gpu=name,driver_version,clocks.sm,clocks.mem,memory.used", "--format=csv,noheader").strip())
        launcher, program = built(folder, "launch", "launch.cpp", log), built(folder, "rates", "rates.cu", log)
        steps = [lambda: measure("figures", launcher, ncu, folder, out, BEGIN + FIGURES * seconds, log),
                 lambda: rates(program, experiments, out, BEGIN + RATES * seconds, log),
                 lambda: measure("random", launcher, ncu, folder, out, BEGIN + seconds, log)]
        for step in steps:
            try:
                step()
            except (profiling.Failure, OSError) as failure:  # the others may do
                say(log, f"failed: {str(failure)[-2000:]}")
        say(log, "done")


if __name__ == "__main__":
    main()
