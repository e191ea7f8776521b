#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds how the memory of check and merge grows with the number of kernels: memory.py WARPSPAN SOURCE_FOLDER.

Of 200 kernels and of 2,000, the largest resident set of any of the processes, in each way of a run; what the 1,800 more take, each, is
below MOST_KIB of that way. A run that keeps all that it found of each kernel takes 10 KiB and more, and its report besides.
"""
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import tempfile

FEW, MANY, KERNELS = 40, 400, 5
# A way: its words, and the most KiB for each kernel.
WAYS = {
    "cold, one job": (["--jobs", "1", "--format", "json"], 5),
    "cold, two jobs, keeping": (["--jobs", "2", "--cache", "cache", "--format", "json"], 6),
    "all kept, JSON": (["--jobs", "1", "--cache", "cache", "--format", "json"], 4),
    "all kept, text": (["--jobs", "1", "--cache", "cache"], 5),
    "all kept, two jobs, JUnit": (["--jobs", "2", "--cache", "cache", "--format", "junit"], 6),
    "all kept, SARIF": (["--jobs", "1", "--cache", "cache", "--format", "sarif"], 5),
    "all kept, CSV": (["--jobs", "1", "--cache", "cache", "--format", "csv"], 5),
}


def bench_of(root):
    loader = importlib.machinery.SourceFileLoader("bench_fleet", str(root / "bench" / "fleet"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_fleet", loader))
    loader.exec_module(module)
    return module


def main():
    program, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    bench = bench_of(root)
    failed = False
    with tempfile.TemporaryDirectory(prefix="warpspan-memory-") as temporary:
        folders = {}
        for files in (FEW, MANY):
            folders[files] = os.path.join(temporary, str(files))
            os.mkdir(folders[files])
            bench.write_works(folders[files], files, KERNELS)
        for way, (words, most) in WAYS.items():
            kib = {files: bench.run(program, folder, ["check", "--budgets", "budgets.toml", *words])[2] * 1024
                   for files, folder in folders.items()}
            each = (kib[MANY] - kib[FEW]) / ((MANY - FEW) * KERNELS)
            print(f"{way}: {kib[FEW]:.0f} KiB, {kib[MANY]:.0f} KiB, {each:.2f} KiB a kernel, at most {most}", flush=True)
            failed = failed or each > most
    if failed:
        sys.exit("memory grows with the number of kernels")


if __name__ == "__main__":
    main()
