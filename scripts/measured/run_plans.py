#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs plans of launches in the time that there is, and writes what each launch took: OUT/PLAN.csv.

usage: run_plans.py OUT PLAN... --ncu FILE --launcher FILE [--seconds N] [--chunk N] [--silent N]

A plan is a file of lines for launch.cpp. All are run once, in their order, and then again as far as there is time, without
those that failed. The table has a row for each line: its number, kernel, cycles, those of the second run, how they were
found, and why there are none. If the profiler cannot read counters, times between events stand for them, in cycles of
1.98 GHz: 'events', with what a launch takes to begin and to end. A launch that says nothing for --silent (12) seconds is
ended, and those before it in its process run again. Tables are written after every --chunk (100) launches; the program ends
by itself after --seconds (180). The status is 1 if of some plan nothing was measured.
"""
import argparse
import csv
import pathlib
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import profiling

CLOCK = 1.98  # cycles of a nanosecond
FIRST, FIRST_SILENT = 4, 60  # launches of the first process, and how long it may load what it needs
MOST_DUMB = 4
LOST = "was not profiled"
BEGUN = time.monotonic()


def tell(*words):
    print(f"{time.monotonic() - BEGUN:6.1f} s", *words, flush=True)


class Plan:
    def __init__(self, path, out):
        self.path, self.out = path, out
        self.lines = path.read_text().splitlines()
        self.found = [dict(line=number, kernel=line.split("\t")[1], cycles="", again="", method="", why="")
                      for number, line in enumerate(self.lines)]

    def write(self):
        with open(self.out / f"{self.path.stem}.csv", "w", newline="") as file:
            table = csv.DictWriter(file, list(self.found[0]), lineterminator="\n")
            table.writeheader()
            table.writerows(self.found)


class Runner:
    def __init__(self, asked):
        self.asked, self.events, self.probed = asked, not asked.ncu, False
        self.dumb = 0  # processes one after another that launched nothing
        self.folder = tempfile.TemporaryDirectory()

    def left(self):
        return self.asked.seconds - (time.monotonic() - BEGUN)

    def launch(self, lines):
        """Number of one of these lines -> its cycles, or why there are none; not of those behind one that ended all."""
        plan, table = (pathlib.Path(self.folder.name) / name for name in ("plan", "profile.csv"))
        plan.write_text("\n".join(lines) + "\n")
        table.unlink(missing_ok=True)
        words = (self.asked.launcher, plan, 0, len(lines))
        silent = self.asked.silent if self.probed else FIRST_SILENT
        if self.events:
            said = profiling.output_of(words, self.left(), silent)
            self.probed = True
            return {number: round(float(what.split()[1]) * CLOCK) if what.startswith("ok") else what
                    for number, what in profiling.told(said).items()}
        said, profiled = profiling.profile(self.asked.ncu, *words, table, self.left(), silent)
        found = profiling.measured(said, profiled, lines)
        if not self.probed and not any(isinstance(what, int) for what in found.values()):
            tell("no counters: the profiler said\n", said, table.read_text() if table.exists() else "")
            self.events = True
            return self.launch(lines)
        self.probed = True
        return found

    def run(self, plan, column):
        """All lines of a plan that did not fail before."""
        todo = [row["line"] for row in plan.found if row["why"] in ("", LOST)]
        while todo and self.left() > 8 and self.dumb < MOST_DUMB:
            some = todo[:self.asked.chunk if self.probed else FIRST]
            found = self.launch([plan.lines[number] for number in some])
            self.dumb = 0 if found else self.dumb + 1
            again = []
            for place, number in enumerate(some):
                what, row = found.get(place), plan.found[number]
                if isinstance(what, int):
                    to = column if row["cycles"] else "cycles"
                    row |= {to: what, "method": "events" if self.events else "counter", "why": ""}
                elif what is not None:
                    again += [number] if (what, row["why"]) == (LOST, "") else []
                    row["why"] = what
            todo = again + todo[max(found, default=0) + 1:]
            plan.write()
            tell(f"{plan.path.stem}, {column}: {sum(row[column] != '' for row in plan.found)} of {len(plan.lines)}")


def main():
    parser = argparse.ArgumentParser(usage=argparse.SUPPRESS, description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("plans", type=pathlib.Path, nargs="+")
    parser.add_argument("--ncu", default="")
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--chunk", type=int, default=100)
    parser.add_argument("--silent", type=float, default=12)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    plans, runner = [Plan(path, asked.out) for path in asked.plans], Runner(asked)
    for column in ("cycles", "again"):
        for plan in plans:
            runner.run(plan, column)
    for plan in plans:
        plan.write()
        tell(f"{plan.path.stem}: {sum(row['cycles'] != '' for row in plan.found)} of {len(plan.lines)} measured")
    return 0 if all(any(row["cycles"] != "" for row in plan.found) for plan in plans) else 1


if __name__ == "__main__":
    sys.exit(main())
