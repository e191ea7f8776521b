#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Analyzes every kernel of the corpus with the launch of corpus.toml and compares what comes out with it, in both
directions, so that a kernel that becomes bounded has to be noted. Prints how many are, and checks docs/corpus.md.

Usage: run_corpus.py WARPSPAN [--only TEXT] [--update-facts] [--update]
  --only TEXT      kernels, programs or files with TEXT in their name; the document is left alone
  --update-facts   write facts/*.toml anew: what 'warpspan facts' asks for, filled in with the iterations and waits of loops
                   and the times of calls and the depths of recursion in corpus.toml
  --update         write what came out into corpus.toml and docs/corpus.md; read the difference
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

try:
    import tomllib
except ImportError:
    print("skipped: this python3 has no tomllib (3.11 or newer has)")
    sys.exit(0)

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parent.parent / "docs/corpus.md"
BEGIN, END = "<!-- begin: tests/corpus/run_corpus.py --update -->", "<!-- end -->"
MUCH = 10**12  # cycles; a bound above is no use to anyone
LOOP = re.compile(r"no bound for the loop")

# What a refusal is called in corpus.toml, by its message; {0} is what the brackets match.
CAUSES = [
    (r"has no figures for '[^']*' \(([\w.]+):", "refused: no figures for {0}"),
    (r"'(\w+)' has no body", "refused: calls {0}"),
    (r"recursive call", "refused: recursion"),
    (r"indirect call", "refused: indirect call"),
    (r"launched in clusters", "refused: clusters"),
    (r"may suspend its warp for as long as the system likes", "refused: suspension"),
    (r"may spill registers to local memory", "refused: registers"),
    (r"exceeds 2\^63 - 1|exceed 64 bits", "refused: too large a number"),
]

# Kinds of loops: what bounds them.
KINDS = {
    "constant": "the trip count is in the code: scalar evolution, or the compiler has unrolled it",
    "constant with exit": "the counted exit bounds it, whatever the other one does, also where both became one branch (`or.pred`)",
    "counter to argument": "scalar evolution, with the argument given (`--arg`); like a constant then",
    "counter between arguments": "as a counter to an argument, from minus the radius to the radius",
    "counter down to zero": "scalar evolution",
    "counter to block size": "scalar evolution, the block is known",
    "counter to block number": "scalar evolution, the largest number of the grid counts",
    "counter to grid size": "scalar evolution, with `--grid`",
    "counter between values": "both ends are computed in the kernel: scalar evolution or simulation, if they follow from the launch",
    "strided to argument": "scalar evolution",
    "strided to constant": "scalar evolution",
    "block-stride": "`i = threadIdx.x; i < n; i += blockDim.x`: scalar evolution, thread 0 has the most",
    "grid-stride": "scalar evolution, with `--grid` and the argument",
    "remainder": "what the loop before left: exact exit values, constants anew",
    "triangular": "the limit is the induction variable of the loop around it: scalar evolution, its largest value counts for all iterations",
    "clamped window": "from the larger of two to the smaller of two, also unrolled: scalar evolution, with bounds of sums of minima and maxima",
    "div/mod limits": "scalar evolution, with bounds of differences of quotients; simulation",
    "doubling": "simulation of the counter, or scalar evolution of a shift",
    "halving": "scalar evolution of the shift, or simulation",
    "halving with rest": "simulation: the next number follows from the one before",
    "quartering": "as halving",
    "squares to argument": "simulation, thread by thread",
    "stride of the counter": "simulation, thread by thread; the thread with the smallest stride counts",
    "triangular number of the block": "simulation with each block number",
    "two counters": "scalar evolution where one of them bounds it; where each iteration advances one or the other, how far all of them can advance",
    "search with limit": "the limit bounds it, the search may end sooner",
    "convergence with limit": "the limit bounds it",
    "bits": "shifts are counted, also until below a loaded number (value ranges); `x &= x - 1` runs once for each bit",
    "digits": "ranges of values are followed, also where the division by ten became a multiplication",
    "remainders": "Euclid: as many iterations as numbers of Fibonacci fit the type; with signs it is an assumption what the least number leaves, divided by -1, unless that cannot occur",
    "search by halving": "the interval is halved whatever memory contains",
    "search down to zero": "the counter bounds it, the search may end sooner; a step that a loop around it sets counts as its smallest, so the bound is loose",
    "limit in a variable": "what the host writes to it before the launch (`--global`)",
    "limit from memory": "a fact; the size of the array that each iteration goes through bounds it too (`--buffer`), loosely",
    "stride from memory": "a fact: the step could be 0",
    "search without limit": "a fact",
    "search in a list": "a fact",
    "search in a tree": "a fact",
    "until nothing changes": "a fact",
    "convergence": "a fact",
    "float counter": "simulation, also of limits and steps that are given as bits (`--arg`); a fact where the number of steps follows from approximations",
    "between pointers": "the size of the array (`--buffer`), or both as arguments (`--arg`) that are as far apart",
    "compare and swap": "each failed attempt costs a write of another thread, of which there are so many in the launch: safe, and loose",
    "wait": "a fact: others decide; it is an assumption of the bound",
    "wait for the clock": "the cycles, which are an argument: a thread reads the counter once a cycle at most, and the cycles count instead of the iterations",
    "pi reduction": "the slow path of sines in the library: constant",
    "library division": "`fmod` counts exponents: of few values in double precision, scalar evolution; by 23 at a time in single precision, value ranges",
    "library recurrence": "`jn`: the number of terms is computed in floating point, a fact",
}

# The public suites whose programs have kernels here; tests/corpus/README.md says which programs are left out.
SUITES = ["CUDA samples", "Rodinia", "PolyBench-GPU", "SHOC"]


def launches(document):
    """Each kernel with each of its PTX files."""
    for kernel in document["kernel"]:
        for path in sorted((HERE / "ptx").glob(kernel["source"] + ".*.ptx")):
            yield kernel, path


def variant(path):
    return path.name.split(".", 1)[1].removesuffix(".ptx")


def options(document, kernel, path):
    words = ["--kernel", kernel["name"], "--block", ",".join(map(str, kernel["block"])),
             "--grid", ",".join(map(str, kernel["grid"]))]
    for name, value in kernel.get("args", {}).items():
        words += ["--arg", f"{name}={value}"]
    for name, value in kernel.get("buffers", {}).items():
        words += ["--buffer", f"{name}={value}"]
    for name, value in kernel.get("globals", {}).items():
        words += ["--global", f"{name}={value}"]
    return words


def analyze(program, document, kernel, path, facts):
    words = [program, "analyze", str(path), "--format", "json", "--time-limit", "0"] + options(document, kernel, path)
    if "shared" in kernel:
        words += ["--shared", str(kernel["shared"])]
    for name in kernel.get("assume", []):
        words += ["--assume", name]
    if facts:
        words += ["--facts", str(facts)]
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode not in (0, 3):
        sys.exit(f"{' '.join(words)}\nended with status {run.returncode}: {run.stderr}")
    return json.loads(run.stdout)


def outcome(report):
    """What is written in corpus.toml, and the loops."""
    if report["errors"]:
        message = report["errors"][0]["message"]
        for pattern, name in CAUSES:
            found = re.search(pattern, message)
            if found:
                return name.format(*found.groups()), []
        return "refused: loop" if LOOP.search(message) else "refused: " + message, []
    (kernel,) = report["kernels"]
    much = min(b["makespan"] for b in kernel["bounds"] if b["safe"] and b["model"] == "pipeline") > MUCH
    if much != any("is over 10^12 cycles: its loop '" in warning["message"] for warning in report["warnings"]):
        sys.exit(f"{kernel['name']}: a warning should name a loop where the bound is over 10^12 cycles, and only there")
    return "bounded" + (", over 10^12 cycles" if much else ""), kernel["loops"]


def facts_of(path):
    return HERE / "facts" / (path.name.removesuffix(".ptx") + ".toml")


def may_have_facts(status):
    return status in ("refused: loop", "refused: recursion") or status.startswith("refused: calls ")


def study(program, document, kernel, path):
    status, loops = outcome(analyze(program, document, kernel, path, None))
    facts = facts_of(path)
    if may_have_facts(status) and facts.exists():
        status, loops = outcome(analyze(program, document, kernel, path, facts))
        status = status.replace("bounded", "bounded with facts", 1)
    return status, loops


def facts_options(words):
    """Of the options of an analysis those that 'warpspan facts' has."""
    return [word for i, word in enumerate(words) if not {word, words[i - 1]} & {"--shared", "--assume"}]


def filled_facts(proposed, kernel):
    """The tables of what 'warpspan facts' proposes, with what corpus.toml states of loops and calls of the kernel."""
    # The number is one of headers for labels: branches back, and one.
    fact = f'wait = "{kernel["wait"]}"' if "wait" in kernel else f"trip_count = {kernel.get('turns', 0) + 1}"
    # Loops that may follow from arguments are proposed behind '#'.
    text = re.sub(r"(?m)^# (?=\[\[kernel\.loop\]\]$|at = |trip_count = 0$)", "", proposed)
    text = text.replace("trip_count = 0", fact)
    for name, time in kernel.get("calls", {}).items():
        text = re.sub(rf"(?m)^{name} = 0", f'{name} = "{time}"', text)
    for name, depth in kernel.get("recursion", {}).items():
        text = re.sub(rf"(?m)^{name} = 0", f"{name} = {depth}", text)
    table = text[text.index("[[kernel]]"):] if "[[kernel]]" in text else ""
    # Arguments stand in corpus.toml, and what else the file states of the loops may change.
    table = re.sub(r"(?m)^#.*\n|\s*#.*$", "", table.split("[kernel.args]")[0])
    return re.sub(r"\n{2,}", "\n", table).strip()


def write_facts(program, document):
    texts = collections.defaultdict(str)
    for kernel, path in launches(document):
        if not kernel.keys() & {"turns", "wait", "calls", "recursion"}:
            continue
        if not may_have_facts(outcome(analyze(program, document, kernel, path, None))[0]):
            continue
        run = subprocess.run([program, "facts", str(path)] + options(document, kernel, path), capture_output=True, text=True)
        table = filled_facts(run.stdout, kernel)
        texts[facts_of(path)] += "\n" + table + "\n" if table else ""
    (HERE / "facts").mkdir(exist_ok=True)
    for old in (HERE / "facts").glob("*.toml"):
        old.unlink()
    for path, text in texts.items():
        path.write_text("# Made by tests/corpus/run_corpus.py --update-facts of the iterations in corpus.toml.\n"
                        'schema = "warpspan.facts/1"\n' + text)


def expected(kernel, path):
    return kernel.get("except", {}).get(variant(path), kernel["expected"])


def plain(status):
    return re.sub(r",.*|: .*", "", status)


def by_data(kind):
    """Whether neither launch nor arguments decide how often such a loop runs."""
    return KINDS[kind].startswith("a fact")


def share(part, whole):
    return f"{part} of {whole} ({1000 * part // whole / 10} %)" if whole else "none"


def suite(kernel):
    """The suite of the program that the kernel stands for; none if it was chosen for its control flow."""
    return kernel.get("program", "").split("/")[0]


def summary(results):
    """Rows of the first table: what came out for each group of kernels."""
    def by_launch(kernel):
        return not any(by_data(kind) for kind in kernel.get("loops", []))

    rows = [
        ("no loop that only data decide (\"a fact\" below)", lambda kernel, status: by_launch(kernel)),
        ("bounded from launch and arguments", lambda kernel, status: plain(status) == "bounded"),
        ("the same, without sizes of arrays", lambda kernel, status: plain(status) == "bounded" and "buffers" not in kernel),
        ("bounded, some with facts", lambda kernel, status: plain(status) in ("bounded", "bounded with facts")),
    ]
    taken = [result for result in results if suite(result[0])]
    chosen = [result for result in results if not suite(result[0])]
    for group, of in [("chosen for their control flow", chosen), ("taken by list", taken), ("all", results)]:
        for title, holds in rows if of else []:
            good = [[holds(kernel, status) for _, status, _ in each] for kernel, each in of]
            yield (f"| {group} | {title} | {share(sum(map(sum, good)), sum(map(len, good)))} |"
                   f" {share(sum(map(all, good)), len(good))} |")


def suites(results):
    """Rows of the table of suites."""
    for name in SUITES:
        of = [(kernel, each) for kernel, each in results if suite(kernel) == name]
        states = collections.Counter(plain(status) for _, each in of for _, status, _ in each)
        much = sum(status.endswith("over 10^12 cycles") for _, each in of for _, status, _ in each)
        by_fact = sum(any(by_data(kind) for kind in kernel.get("loops", [])) for kernel, _ in of)
        yield (f"| {name} | {len({kernel['program'] for kernel, _ in of})} | {len(of)} | {by_fact} | {sum(states.values())} |"
               f" {states['bounded']} | {states['bounded with facts']} | {states['refused']} | {much} |")


def page(program, results):
    """The tables of docs/corpus.md; results are pairs of a kernel and a list of (path, status, loops)."""
    runs = [status for _, files in results for _, status, _ in files]
    files = {path for _, each in results for path, _, _ in each}
    read = sum(subprocess.run([program, "list", str(path)], capture_output=True).returncode == 0 for path in files)
    lines = [f"{len(results)} kernels in {len(files)} files of PTX: {len(runs)} analyses. Files that are read without an error:"
             f" {share(read, len(files))}.", "",
             "| kernels | | analyses | kernels, in each of their files |", "|---|---|---|---|", *summary(results), "",
             "Those taken by list, by suite. \"By data\" are kernels with a loop that only data decide.", "",
             "| suite | programs | kernels | by data | analyses | bounded | with facts | refused | over 10^12 cycles |",
             "|---|---|---|---|---|---|---|---|---|", *suites(results)]
    lines += ["", "## Kinds of loops", "",
              "Loops are those of the source, and count once for each kernel; the column \"by list\" counts those of kernels taken by list. The analyses are those of kernels that have such a loop,"
              " perhaps among others. Where all loops of a kernel are of one kind, the last column states what bounded the loops"
              " of the compiled code.", "",
              "| kind | how it is bounded | loops | by list | analyses | bounded | with facts | refused | found by |",
              "|---|---|---|---|---|---|---|---|---|"]
    rows = {}
    for kernel, each in results:
        kinds = kernel.get("loops", [])
        for kind in dict.fromkeys(kinds):
            _, _, states, found = row = rows.setdefault(kind, [0, 0, collections.Counter(), collections.Counter()])
            row[0] += kinds.count(kind)
            row[1] += kinds.count(kind) if suite(kernel) else 0
            states.update(plain(status) for _, status, _ in each)
            if len(set(kinds)) == 1:
                found.update(loop["origin"] for _, _, loops in each for loop in loops)
    for kind, (loops, listed, states, found) in sorted(rows.items(), key=lambda row: (-row[1][0], row[0])):
        by = ", ".join(f"{origin} {count}" for origin, count in sorted(found.items()))
        lines.append(f"| {kind} | {KINDS[kind]} | {loops} | {listed} | {sum(states.values())} | {states['bounded']} | "
                     f"{states['bounded with facts']} | {states['refused']} | {by} |")
    lines += ["", "## Not bounded, or as good as", "", "| kernel | what came out | files |", "|---|---|---|"]
    for kernel, each in results:
        bad = collections.defaultdict(list)
        for path, status, _ in each:
            if status not in ("bounded", "bounded with facts"):
                bad[status].append(variant(path))
        for status, names in sorted(bad.items()):
            lines.append(f"| `{kernel['name']}` | {status} | {'all' if len(names) == len(each) else ', '.join(names)} |")
    return "\n".join(lines) + "\n"


def update_expectations(results):
    """Writes 'expected' and 'except' of each kernel: what most files have, and the others."""
    path = HERE / "corpus.toml"
    head, *tables = re.split(r"(?m)^(?=\[\[kernel\]\]$)", path.read_text())
    for i, (_, each) in enumerate(results):
        most = collections.Counter(status for _, status, _ in each).most_common(1)[0][0]
        others = [f'"{variant(p)}" = "{status}"' for p, status, _ in each if status != most]
        kept = [line for line in tables[i].rstrip().splitlines() if not re.match(r'expected =|except =', line)]
        kept.append(f'expected = "{most}"')
        if others:
            kept.append("except = { " + ", ".join(others) + " }")
        tables[i] = "\n".join(kept) + "\n" + ("\n" if i + 1 < len(results) else "")
    path.write_text(head + "".join(tables))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("warpspan")
    parser.add_argument("--only", default="")
    parser.add_argument("--update-facts", action="store_true")
    parser.add_argument("--update", action="store_true")
    given = parser.parse_args()
    document = tomllib.loads((HERE / "corpus.toml").read_text())
    failures = []
    for kernel in document["kernel"]:
        failures += [f"{kernel['name']}: loops of kind '{k}' are not described" for k in kernel.get("loops", []) if k not in KINDS]
        if "program" in kernel and suite(kernel) not in SUITES:
            failures.append(f"{kernel['name']}: '{kernel['program']}' is of no suite that is known")
    if given.update_facts:
        write_facts(given.warpspan, document)

    jobs = [job for job in launches(document) if given.only in job[0]["name"] or given.only in job[0].get("program", "") or given.only in job[1].name]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        studied = list(pool.map(lambda job: study(given.warpspan, document, *job), jobs))
    results = []
    for (kernel, path), (status, loops) in zip(jobs, studied):
        if not results or results[-1][0] is not kernel:
            results.append((kernel, []))
        results[-1][1].append((path, status, loops))
        wanted = expected(kernel, path)
        if status != wanted and not given.update:
            failures.append(f"{path.name}: {kernel['name']}: is '{status}', in corpus.toml '{wanted}'")
    tables = page(given.warpspan, results)
    print(tables.split("\n## ")[0].strip())
    if not given.only:
        unused = {p.name for p in (HERE / "ptx").glob("*.ptx")} - {path.name for _, path in jobs}
        failures += [f"{name}: no kernel of corpus.toml is in it" for name in sorted(unused)]
        before, rest = DOCUMENT.read_text().split(BEGIN)
        text = before + BEGIN + "\n\n" + tables + "\n" + END + rest.split(END)[1]
        if given.update:
            update_expectations(results)
            DOCUMENT.write_text(text)
        elif text != DOCUMENT.read_text():
            failures.append("docs/corpus.md is not what came out: run_corpus.py --update writes it")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
