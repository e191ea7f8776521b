#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Kills runs at random moments, and looks at what they leave: kills.py WARPSPAN SOURCE_FOLDER [--kills N] [--seed N].

Each run has a cache and writes a report; what was killed leaves no report, or all of it, and of its cache nothing that a
later run would trip over: that run says nothing and makes, byte for byte, the report of one run without any cache. So do two
runs at the same time with one cache, of which one is killed or none, and the shards of a cache that others were killed on.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from memory import bench_of

FILES, KERNELS = 24, 5
FORMS = {"json": "report.json", "text": "report.txt", "junit": "report.xml"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    own = parser.parse_args()
    rng = random.Random(own.seed)
    with tempfile.TemporaryDirectory(prefix="warpspan-kills-") as folder:
        bench_of(own.root).write_works(folder, FILES, KERNELS)
        path = lambda name: os.path.join(folder, name)

        def read(name):
            with open(path(name), "rb") as file:
                return file.read()

        def words(form, output, *more):
            return [own.program, "check", "--budgets", "budgets.toml", "--format", form, "--output", output, *more]

        def start(form, output, *more):
            return subprocess.Popen(words(form, output, *more), cwd=folder, stderr=subprocess.PIPE)

        def end(process, what):
            _, errors = process.communicate(timeout=600)
            if process.returncode != 0 or errors:
                sys.exit(f"{what}: status {process.returncode}: {errors.decode()}")

        def same(name, form, what):
            if read(name) != whole[form]:
                sys.exit(f"{what}: the {form} report is not that of one run")

        whole, seconds = {}, 0.0
        for form in FORMS:
            begin = time.monotonic()
            end(start(form, "whole", "--jobs", "1"), "without a cache")
            seconds = max(seconds, time.monotonic() - begin)
            whole[form] = read("whole")
        ended = half = 0
        for i in range(own.kills):
            if i % 4 == 0:
                shutil.rmtree(path("cache"), ignore_errors=True)
            form, jobs = rng.choice(list(FORMS)), rng.choice("12")
            output = FORMS[form]
            if os.path.exists(path(output)):
                os.unlink(path(output))
            process = start(form, output, "--jobs", jobs, "--cache", "cache")
            other = start(form, "other", "--jobs", "1", "--cache", "cache") if rng.random() < 0.5 else None
            # As often early as late; what is kept makes a run shorter.
            time.sleep(seconds * 0.9 * rng.random() ** 2)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            what = f"kill {i + 1}, --jobs {jobs}, --format {form}"
            ended += process.returncode == 0
            if os.path.exists(path(output)):
                half += process.returncode != 0
                same(output, form, what)
            if other:
                end(other, what + ", beside it")
                same("other", form, what + ", beside it")
            end(start(form, "after", "--jobs", rng.choice("12"), "--cache", "cache"), what + ", after it")
            same("after", form, what + ", after it")
        two = [start("json", f"two{i}", "--jobs", "2", "--cache", "fresh") for i in range(2)]
        for i, process in enumerate(two):
            end(process, "two runs with one cache")
            same(f"two{i}", "json", "two runs with one cache")
        for i in range(1, 4):
            end(start("json", f"shard{i}", "--shard", f"{i}/3", "--cache", "cache"), "a shard")
        for form in FORMS:
            merged = [own.program, "merge", *(f"shard{i}" for i in range(1, 4)), "--format", form, "--output", "merged"]
            end(subprocess.Popen(merged, cwd=folder, stderr=subprocess.PIPE), "merge")
            same("merged", form, "merge")
        left = [name for name in os.listdir(folder) if ".warpspan-" in name]
        print(f"{own.kills} kills, seed {own.seed}: {ended} runs had ended before, {half} had their report by then, "
              f"{len(left)} files without their name are left; each report is whole, and each cache good")


if __name__ == "__main__":
    main()
