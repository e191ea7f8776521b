# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs lines of launch.cpp under Nsight Compute, which empties the caches before each launch and leaves the clock alone, and
tells how many cycles each took: sm__cycles_active.max, the most cycles of a multiprocessor in which it had a warp.

A launch that faults, or that is not over when its process has run for so many seconds, ends its process; the next one begins
behind it.
"""
import collections
import csv
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import time

CYCLES = "sm__cycles_active.max"
ANY_TIME = 3600  # seconds

# launcher: launch.cpp, compiled; ncu: nothing to run lines alone; folder: what is made on the way; chunk: lines of a process;
# silence: seconds without a launch that ends.
Runner = collections.namedtuple("Runner", "launcher ncu folder chunk silence", defaults=(40, 60))


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
    return output_and_end(words, seconds, silent)[0]


def output_and_end(words, seconds, silent=None):
    """The same, and whether it was ended by force."""
    environment = {**os.environ, "CUDA_MODULE_LOADING": "EAGER"}
    try:
        process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, env=environment, start_new_session=True)
    except OSError as error:
        raise Failure(f"{words[0]}: {error.strerror}")
    end, said, ended = time.monotonic() + seconds, b"", False
    while True:
        left = max(end - time.monotonic(), 0)
        if not select.select([process.stdout], [], [], min(left, silent or left))[0]:
            os.killpg(process.pid, signal.SIGKILL)  # the launcher is a child of the profiler
            ended = True
            break
        some = os.read(process.stdout.fileno(), 1 << 16)
        if not some:
            break
        said += some
    process.wait()
    return said.decode(errors="replace"), ended


def profiler_words(ncu, table):
    return [ncu, "--metrics", CYCLES, "--clock-control", "none", "--cache-control", "all", "--csv", "--page", "raw",
            "--print-kernel-base", "mangled", "--log-file", table, "-f"]


def table_rows(table):
    lines = table.read_text().splitlines() if table.exists() else []
    return list(csv.DictReader(line for line in lines if line.startswith('"')))


def profile(ncu, launcher, plan, begin, end, table, seconds, silent=None):
    """What the launcher says of these lines, and the table of the profiler."""
    said = output_of([*profiler_words(ncu, table), launcher, plan, begin, end], seconds, silent)
    return said, table_rows(table)


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


def run_lines(runner, plan, begin, end, until):
    """What the launcher says of these lines, rows of the profiler, and whether they were ended by force."""
    table = pathlib.Path(runner.folder) / f"profile.{begin}.csv"
    table.unlink(missing_ok=True)
    left = ANY_TIME if until is None else until - time.monotonic()
    of_profiler = [] if runner.ncu is None else profiler_words(runner.ncu, table)
    said, ended = output_and_end([*of_profiler, runner.launcher, plan, begin, end], left, runner.silence)
    return said, table_rows(table), ended


def measure(runner, lines, until=None, each=None):
    """Cycles of each line ("ok" without a profiler), or why there are none; those that the time, until when of
    time.monotonic(), is not enough for are left out. each: is called with number and result as soon as they are known."""
    plan = pathlib.Path(runner.folder) / "plan"
    plan.write_text("\n".join(lines) + "\n")
    results, work, pace = {}, [(0, len(lines))], None
    while work:
        begin, rest = work.pop()
        end = min(rest, begin + most_lines(runner, pace, until))
        if end <= begin:
            break
        started = time.monotonic()
        said, profiled, ended = run_lines(runner, plan, begin, end, until)
        found, rows = told(said), iter(profiled)
        if not found:
            if until is not None and time.monotonic() >= until:
                break
            raise Failure(f"nothing was launched; {runner.ncu or runner.launcher} said\n{said}")
        last = max(found)
        pace = (time.monotonic() - started) / (last + 1 - begin)
        lost = ended and runner.ncu is not None  # the profiler tells cycles when it ends
        for number, what in found.items():
            what = "ok" if what.startswith("ok") else what
            if what == "ok" and lost:
                continue
            if what == "ok" and runner.ncu is not None:
                what = cycles(rows, lines[number]) or "was not profiled"
            results[number] = what
            if each:
                each(number, what)
        if last + 1 < rest:
            work.append((last + 1, rest))
        if lost and last > begin:
            work.append((begin, last))
        print(f"{len(results)} of {len(lines)}", file=sys.stderr, flush=True)
    return results


def most_lines(runner, pace, until):
    """So many that their process ends in time: a few at first, when nobody knows how long they take."""
    if until is None:
        return runner.chunk
    if pace is None:
        return min(runner.chunk, 20) if time.monotonic() < until else 0
    return min(runner.chunk, int(0.8 * (until - time.monotonic()) / pace))
