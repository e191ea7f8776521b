"""Runs lines of launch.cpp under Nsight Compute, which empties the caches before each launch and leaves the clock alone, and
tells how many cycles each took: sm__cycles_active.max, the most cycles of a multiprocessor in which it had a warp.

A launch that faults, or that is not over when its process has run for so many seconds, ends its process; the next one begins
behind it.
"""
import csv
import os
import re
import select
import signal
import subprocess
import time

CYCLES = "sm__cycles_active.max"


class Failure(Exception):
    """A tool that is missing, or that ended with an error."""


def run(*words):
    try:
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"{words[0]}: {error.strerror}")
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")


def output_of(words, seconds, silent=None):
    """Standard output of a command and of its children, ended by force after so many seconds, or when it is silent for so
    many."""
    environment = {**os.environ, "CUDA_MODULE_LOADING": "EAGER"}
    try:
        process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, env=environment, start_new_session=True)
    except OSError as error:
        raise Failure(f"{words[0]}: {error.strerror}")
    end, said = time.monotonic() + seconds, b""
    while True:
        left = max(end - time.monotonic(), 0)
        if not select.select([process.stdout], [], [], min(left, silent or left))[0]:
            os.killpg(process.pid, signal.SIGKILL)  # the launcher is a child of the profiler
            break
        some = os.read(process.stdout.fileno(), 1 << 16)
        if not some:
            break
        said += some
    process.wait()
    return said.decode(errors="replace")


def profile(ncu, launcher, plan, begin, end, table, seconds, silent=None):
    """What the launcher says of these lines, and the table of the profiler."""
    said = output_of([ncu, "--metrics", CYCLES, "--clock-control", "none", "--cache-control", "all", "--csv", "--page", "raw",
                      "--print-kernel-base", "mangled", "--log-file", table, "-f", launcher, plan, begin, end],
                     seconds, silent)
    lines = table.read_text().splitlines() if table.exists() else []
    return said, list(csv.DictReader(line for line in lines if line.startswith('"')))


def told(said):
    """Number of a line of the plan -> what came of it."""
    results = {}
    for number, what in re.findall(r"(?m)^(\d+) (begin|ok .*|failed .*)$", said):
        results[int(number)] = "did not end" if what == "begin" else what
    return results


def numbers(text):
    return ",".join(re.findall(r"\d+", text))


def cycles(profiled, line):
    """Of the launch of a line; profiled is an iterator of rows, which may have others of launches that failed."""
    _, *wanted = line.split("\t")[:4]
    for row in profiled:
        if [row["Kernel Name"].split("(")[0], numbers(row["Grid Size"]), numbers(row["Block Size"])] == wanted:
            value = row[CYCLES].replace(",", "")
            return round(float(value)) if re.fullmatch(r"[\d.]+", value) else None
    return None


def measured(said, profiled, lines):
    """Number of a line -> its cycles, or why there are none."""
    rest = iter(profiled)
    return {number: cycles(rest, lines[number]) or "was not profiled" if what.startswith("ok") else what
            for number, what in told(said).items()}
