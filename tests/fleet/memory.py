#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds how the memory of check, analyze and merge grows with the number of kernels: memory.py WARPSPAN SOURCE_FOLDER.

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
CHECK = ["check", "--budgets", "budgets.toml"]
ANALYZE = ["analyze", "k", "--block", "256", "--grid", "64"]
ALONE = ["--jobs", "1", "--cache", "cache"]
SHARDS = 4
# A way: its words, and the most KiB for each kernel. Later ones find what earlier ones have kept, and their shards.
WAYS = {
    "check, cold, one job": ([*CHECK, "--jobs", "1", "--format", "json"], 5),
    "check, cold, two jobs, keeping": ([*CHECK, "--jobs", "2", "--cache", "cache", "--format", "json"], 6),
    "check, all kept, JSON": ([*CHECK, *ALONE, "--format", "json"], 4),
    "check, all kept, text": ([*CHECK, *ALONE], 5),
    "check, all kept, two jobs, JUnit": ([*CHECK, "--jobs", "2", "--cache", "cache", "--format", "junit"], 6),
    "check, all kept, SARIF": ([*CHECK, *ALONE, "--format", "sarif"], 5),
    "check, all kept, CSV": ([*CHECK, *ALONE, "--format", "csv"], 5),
    "check, shards, merged, JSON": (["merge", "--format", "json"], 7),
    "check, shards, merged, SARIF": (["merge", "--format", "sarif"], 7),
    "analyze, cold, two jobs, keeping": ([*ANALYZE, "--jobs", "2", "--cache", "cache", "--format", "json"], 4),
    "analyze, all kept, JSON": ([*ANALYZE, *ALONE, "--format", "json"], 3),
    "analyze, all kept, text": ([*ANALYZE, *ALONE], 3),
    "analyze, all kept, CSV": ([*ANALYZE, *ALONE, "--format", "csv"], 3),
    "analyze, cold, in full": ([*ANALYZE, *ALONE, "--format", "json", "--explain"], 4),
    "analyze, shards, merged, JSON": (["merge", "--format", "json"], 7),
    "analyze, shards, merged, text": (["merge"], 7),
}


def bench_of(root):
    loader = importlib.machinery.SourceFileLoader("bench_fleet", str(root / "bench" / "fleet"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_fleet", loader))
    loader.exec_module(module)
    return module


def needed(bench, program, folder, way, words):
    """The KiB of a way; one that is merged is made in shards first."""
    if words[0] != "merge":
        return bench.run(program, folder, words)[2] * 1024
    names = [f"shard-{i}" for i in range(1, SHARDS + 1)]
    command = CHECK if way.startswith("check") else ANALYZE
    for i, name in enumerate(names, 1):
        bench.run(program, folder, [*command, *ALONE, "--shard", f"{i}/{SHARDS}"], name)
    return bench.run(program, folder, [*words, *names])[2] * 1024


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
            kib = {files: needed(bench, program, folder, way, words) for files, folder in folders.items()}
            each = (kib[MANY] - kib[FEW]) / ((MANY - FEW) * KERNELS)
            print(f"{way}: {kib[FEW]:.0f} KiB, {kib[MANY]:.0f} KiB, {each:.2f} KiB a kernel, at most {most}", flush=True)
            failed = failed or each > most
    if failed:
        sys.exit("memory grows with the number of kernels")


if __name__ == "__main__":
    main()
