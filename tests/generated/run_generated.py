#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Analyzes kernels that Triton, Numba and Warp have compiled, each with its launch and integer arguments, and prints which are
bounded. Each of files.tar.xz has to be, or to be refused for the reason in refused.toml; docs/corpus.md has the table. PTX that
may spill is analyzed with the registers of its machine code, which stands beside it.

Usage: run_generated.py WARPSPAN [--update] [DIR]
  --update   write refused.toml and docs/corpus.md; read the difference
  DIR        another folder that scripts/make-generated has made; nothing is compared
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "corpus"))
import run_corpus  # noqa: E402  (it ends where there is no tomllib)
import tomllib  # noqa: E402

REFUSED = HERE / "refused.toml"
BEGIN, END = "<!-- begin: tests/generated/run_generated.py --update -->", "<!-- end: generated -->"


def jobs(directory):
    """Each kernel with each file that has it, its package, target and kind of code."""
    for kernel in tomllib.loads((directory / "launches.toml").read_text())["kernel"]:
        for path in sorted(directory.glob(kernel["file"] + ".sm_*")):
            yield kernel, path


def words(kernel, path):
    options = ["--block", ",".join(map(str, kernel["block"])), "--grid", ",".join(map(str, kernel["grid"]))]
    options += ["--kernel", kernel["name"]] if "name" in kernel else []
    for option, key in (("--arg", "args"), ("--buffer", "buffers")):
        options += [word for value in kernel[key] for word in (option, value)]
    shared = kernel.get("shared", {}).get(target(path), 0)
    return options + (["--shared", str(shared)] if shared else [])


def target(path):
    return path.suffixes[-2].removeprefix(".")


def analyze(program, kernel, path, more):
    command = [program, "analyze", str(path), "--format", "json", "--time-limit", "0", *words(kernel, path), *more]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)}\nended with status {run.returncode}: {run.stderr}")
    return re.sub(r"kernel '\w*': ", "", run_corpus.outcome(json.loads(run.stdout))[0])


def study(program, kernel, path):
    """How it ended, and whether it took the registers of the machine code."""
    status = analyze(program, kernel, path, [])
    if status != "refused: registers":
        return status, False
    return analyze(program, kernel, path, ["--ptxas-log", str(path.with_suffix(".cubin"))]), True


def table(results):
    """How many are bounded, by package and by kind of code and target."""
    columns = sorted({(path.suffix == ".cubin", int(target(path)[3:])) for _, path, _, _ in results})
    counts = collections.defaultdict(lambda: [0, 0])
    for kernel, path, status, _ in results:
        for package in (kernel["file"].split("_")[0], "all"):
            count = counts[package, path.suffix == ".cubin", int(target(path)[3:])]
            count[0] += status.startswith("bounded")
            count[1] += 1
    lines = ["| kernels of | " + " | ".join(f"{'machine code' if code else 'PTX'}, sm_{t}" for code, t in columns) + " |",
             "|---" * (len(columns) + 1) + "|"]
    names = {"triton": "Triton", "numba": "Numba", "warp": "Warp", "all": "all"}
    for package in dict.fromkeys(kernel["file"].split("_")[0] for kernel, _, _, _ in results) | {"all": None}:
        cells = [counts.get((package, *column)) for column in columns]
        lines.append(f"| {names[package]} | " + " | ".join(f"{c[0]} of {c[1]}" if c else "" for c in cells) + " |")
    with_code = sum(status.startswith("bounded") and took for _, _, status, took in results)
    bounded = sum(status.startswith("bounded") for _, _, status, _ in results)
    lines += ["", f"These are {bounded} of {len(results)}, {with_code} of them PTX with the registers of its machine code (`--ptxas-log`)."]
    why = collections.Counter(status for _, _, status, _ in results if not status.startswith("bounded"))
    lines += ["", "| refused | analyses |", "|---|--:|"] + [f"| {s.removeprefix('refused: ')} | {n} |" for s, n in why.most_common()]
    return "\n".join(lines) + "\n"


def place(kernel, path):
    return path.name + (" " + kernel["name"] if kernel["file"] == "warp_kernels" else "")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("warpspan")
    parser.add_argument("directory", nargs="?", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    given = parser.parse_args()
    if given.directory:
        return compare(given, given.directory)
    with tempfile.TemporaryDirectory() as directory:
        with tarfile.open(HERE / "files.tar.xz") as files:
            files.extractall(directory)
        compare(given, pathlib.Path(directory))


def compare(given, directory):
    todo = list(jobs(directory))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda job: study(given.warpspan, *job), todo))
    results = [(*job, *ended) for job, ended in zip(todo, found)]
    text = table(results)
    print(text)
    refused = {place(kernel, path): status for kernel, path, status, _ in results if not status.startswith("bounded")}
    if given.directory:
        print("\n".join(f"{name}: {status}" for name, status in refused.items()))
        return
    before, rest = run_corpus.DOCUMENT.read_text().split(BEGIN)
    document = before + BEGIN + "\n\n" + text + "\n" + END + rest.split(END)[1]
    if given.update:
        head = "# What of files.tar.xz is not bounded from launch and arguments, by run_generated.py --update.\n\n"
        REFUSED.write_text(head + "".join(f'"{name}" = "{status}"\n' for name, status in refused.items()))
        run_corpus.DOCUMENT.write_text(document)
        return
    expected = tomllib.loads(REFUSED.read_text())
    failures = [f"{name}: is '{refused.get(name, 'bounded')}', in refused.toml '{expected.get(name, 'bounded')}'"
                for name in sorted(refused.keys() | expected.keys()) if refused.get(name) != expected.get(name)]
    if document != run_corpus.DOCUMENT.read_text():
        failures.append("docs/corpus.md is not what came out: run_generated.py --update writes it")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
