#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands for Nsight Compute and the launcher where there is no GPU: each launch takes what was expected of it.

usage: pretend_profiler.py EXPECTED... -- OPTIONS --log-file TABLE OPTIONS LAUNCHER PLAN FROM TO

EXPECTED are plans with their numbers of cycles beside them: new.plan and new.expected. A launch whose number is missing
faults, which ends the program; one that has 'hangs' instead never ends.
"""
import pathlib
import sys
import time


def main():
    split = sys.argv.index("--")
    expected = {}
    for plan in map(pathlib.Path, sys.argv[1:split]):
        numbers = plan.with_suffix(".expected").read_text().splitlines()
        expected |= dict(zip(plan.read_text().splitlines(), numbers, strict=True))
    words = sys.argv[split + 1:]
    table, (plan, begin, end) = words[words.index("--log-file") + 1], words[-3:]
    with open(table, "w") as file:
        print("==PROF== pretended\n" + '"ID","Kernel Name","Block Size","Grid Size","sm__cycles_active.max"', file=file)
        print('"","","","","cycle"', file=file)
        for number, line in list(enumerate(pathlib.Path(plan).read_text().splitlines()))[int(begin):int(end)]:
            _, kernel, grid, block = line.split("\t")[:4]
            print(f"{number} begin", flush=True)
            if not expected[line]:
                print(f"{number} failed run CUDA_ERROR_PRETENDED")
                return 3
            if expected[line] == "hangs":
                time.sleep(3600)
            print(f"{number} ok 5000", flush=True)
            cycles = f"{int(expected[line]):,}"
            print(f'"{number}","{kernel}","({block})","({grid})","{cycles}"', file=file)
    return 0


sys.exit(main())
