#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds `warpspan verify` against verify_certificate.py: certificates of the solver, changed ones, forged ones.

    compare_verdicts.py WARPSPAN FORGED.json [--mutants N] [--seed N]

N changed certificates of each problem. Status 1 at the first difference; the certificate is written to standard error.
"""

import argparse
import copy
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter

import certificate_document
import verify_certificate as independent

# String, sigma, warps: contexts of one and more symbols, told few workers, few warps only, long repetitions.
PROBLEMS = [
    ("L", "L=1", 4),
    ("LLCLL", "L=1", 4),
    ("LC", "L=2,C=2", 8),
    ("LC", "L=2", 2),
    ("LCC", "L=4,C=2", 3),
    ("LCCL", "L=1", 8),
    ("LSC", "L=2,C=3", 4),
    ("CLCL2", "L=1,C=3", 4),
    ("LCLC", "L=2,C=1", 3),
    ("C(L2C)^20L", "C=2", 48),
    ("((LC)^3S)^1000L", "S=2", 6),
    ("(LC)^100000000000000000", "L=1", 4),
    ("LLCCLLCC", "L=1", 8),
    ("SCLCLC", "L=2,C=2,S=2", 3),
    ("SCCSC", "L=2,C=3", 3),
    ("SCSSC", "C=2,S=2", 4),
]
# String, length of merged contexts: of the list bound.
PLAIN = [("LLCLL", 2), ("LCSCL", 3)]
FINISHED = independent.FINISHED
HUGE = [2**31, 2**62, 2**63 - 1, 2**63, 2**64, 2**127]


def solved(warpspan, problem):
    string, sigma, warps = problem
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "certificate.json")
        command = [warpspan, "solve", "--string", string, "--sigma", sigma, "--warps", str(warps)]
        command += ["--method", "certificate,list", "--certificate", path]
        subprocess.run(command, check=True, capture_output=True)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def plain(string, length):
    """Every worker loses 1 with every move; one server for each class."""

    def context(p):
        letters = (string + "$" * length)[p : p + length]
        return "".join(letter if letter == letters[0] else "*" for letter in letters)

    places = [context(p) for p in range(len(string))]
    contexts = sorted(set(places), key=certificate_document.in_order)
    order = [FINISHED] + contexts
    moves = sorted(set(zip(places, places[1:] + [FINISHED])), key=lambda ends: [order.index(end) for end in ends])
    views = len(set(string))
    sets = [[c for i, c in enumerate(contexts) if number >> i & 1] for number in range(2 ** len(contexts))]
    patterns = [(c, others) for c in contexts for others in sets] + [(FINISHED, [])]
    return {
        "schema": "warpspan.certificate/1",
        "string": string,
        "sigma": {"L": 1, "C": 1, "S": 1},
        "least_warps": 2,
        "most_warps": None,
        "tells_few": False,
        "denominator": 1,
        "contexts": contexts,
        "moves": [{"from": c, "to": to, "other": 1, "followed": 1} for c, to in moves],
        "views": [{"offsets": [0] * len(contexts)} for _ in range(views)],
        "patterns": [{"followed": c, "others": others, "potentials": [0] * views} for c, others in patterns],
    }


# --- Changes. Each takes a document and a random source.


def leaves_of(value):
    """(container, key) of everything that is neither object nor array."""
    entries = value.items() if type(value) is dict else enumerate(value) if type(value) is list else []
    for key, entry in entries:
        if type(entry) in (dict, list):
            yield from leaves_of(entry)
        else:
            yield value, key


def lists_of(value):
    if type(value) is list:
        yield value
    for entry in value.values() if type(value) is dict else value if type(value) is list else []:
        yield from lists_of(entry)


def change_number(document, rng):
    places = [(holder, key) for holder, key in leaves_of(document) if type(holder[key]) in (int, type(None))]
    container, key = rng.choice(places)
    value = container[key]
    if value is None:
        container[key] = rng.randint(-3, 3)
    else:
        container[key] = rng.choice([value + 1, value - 1, value + 2, 0, -value, None, 2 * value + 1])


def change_to_huge(document, rng):
    container, key = rng.choice([(holder, key) for holder, key in leaves_of(document) if type(holder[key]) is int])
    container[key] = rng.choice((1, -1)) * (rng.choice(HUGE) - rng.randint(0, 1))


def change_list(document, rng):
    array = rng.choice([array for array in lists_of(document) if array])
    i, j = rng.randrange(len(array)), rng.randrange(len(array))
    kind = rng.randrange(3)
    if kind == 0:
        del array[i]
    elif kind == 1:
        array.insert(j, copy.deepcopy(array[i]))
    else:
        array[i], array[j] = array[j], array[i]


def change_set(document, rng):
    pattern = rng.choice(document["patterns"])
    kind = rng.randrange(3)
    if kind == 0 and document["tells_few"]:
        pattern["few"] = [k for k in "LCS" if rng.random() < 0.3]
    elif kind == 1:
        pattern["followed"] = rng.choice(document["contexts"] + [FINISHED])
    else:
        pattern["others"] = [c for c in document["contexts"] if rng.random() < 0.5]


def change_problem(document, rng):
    kind = rng.randrange(4)
    if kind == 0:
        at = rng.randrange(len(document["string"]) + 1)
        letter = rng.choice(["", "L", "C", "S", "2", " ", "(L)^2", ")", "X", "(", "^", "0"])
        document["string"] = document["string"][:at] + letter + document["string"][at + rng.randrange(2) :]
    elif kind == 1:
        document["sigma"][rng.choice("LCS")] = rng.choice([1, 1, 2, 3, 4, 64, 65, 0])
    elif kind == 2:
        document["least_warps"] = rng.choice([1, 2, 3, 4, 5, 10])
        document["most_warps"] = rng.choice([None, 2, 3, 4, 5, 9, 100])
    else:
        document["tells_few"] = not document["tells_few"]
        for pattern in document["patterns"]:
            pattern.pop("few", None)
            if document["tells_few"]:
                pattern["few"] = []


def raise_weights(document, rng):
    for move in document["moves"]:
        move["other"] += rng.randrange(3)
        move["followed"] += rng.randrange(3)


def scale(document, rng):
    factor = rng.choice([2, 3, 1000, 2**31, 2**60, 2**62, 2**63])
    for container, key in list(leaves_of([document["moves"], document["views"], document["patterns"]])):
        if type(container[key]) is int:
            container[key] *= factor
    document["denominator"] *= factor


def shift_potentials(document, rng):
    by = rng.choice([1, -1, 7, 2**31, -(2**62)])
    for pattern in document["patterns"]:
        pattern["potentials"] = [g if g is None else g + by for g in pattern["potentials"]]


def lower_all_weights(document, rng):
    for move in document["moves"]:
        move["other"] -= 1


def drop_potentials(document, rng):
    for pattern in document["patterns"]:
        if rng.random() < 0.2:
            pattern["potentials"] = [None if rng.random() < 0.5 else g for g in pattern["potentials"]]


def spoil_text(source, rng):
    at = rng.randrange(len(source))
    part = rng.choice(["", "0", "-", ".", "1e3", '"', "{", "]", ",", "null", "NaN", '"x":1,'])
    return source[:at] + part + source[at + 1 :]


WHOLE = [raise_weights, scale, shift_potentials, lower_all_weights, drop_potentials]
SINGLE = [change_number] * 6 + [change_to_huge, change_list, change_set, change_problem]


def changed(document, rng):
    """A changed certificate as text."""
    document = copy.deepcopy(document)
    if rng.random() < 0.4:
        rng.choice(WHOLE)(document, rng)
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        if document["patterns"]:
            rng.choice(SINGLE)(document, rng)
    source = json.dumps(document)
    return spoil_text(source, rng) if rng.random() < 0.05 else source


# --- Verdicts: "refused", "too large", or the line and its value for some number of warps.


def own_verdict(source, warps):
    try:
        line = independent.verify(source)
    except certificate_document.Refused:
        return "refused"
    except independent.TooLarge:
        return "too large"
    try:
        value = independent.value_at(line, warps)
    except certificate_document.Refused:
        value = None
    return (str(line.slope), str(line.intercept), line.least, line.most), value


def program_verdict(warpspan, source, warps):
    command = [warpspan, "verify", "-", "--warps", str(warps), "--format", "json"]
    run = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    report = json.loads(run.stdout)
    if run.returncode != (0 if report["makespan"] is not None else 3):
        raise RuntimeError(f"status {run.returncode}: {run.stderr}")
    if not report["valid"]:
        message = report["errors"][0]["message"]
        return "too large" if message.endswith(" to check") else "refused"
    line = report["line"]
    most = certificate_document.LARGEST if line["valid_to"] is None else line["valid_to"]
    return (line["slope"], line["intercept"], line["valid_from"], most), report["makespan"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warpspan")
    parser.add_argument("forged")
    parser.add_argument("--mutants", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    tally = Counter()

    def compare(source):
        warps = rng.choice([2, 3, 4, 7, 48, 10**9, 2**62])
        own, program = own_verdict(source, warps), program_verdict(options.warpspan, source, warps)
        kind = own if type(own) is str else "valid"
        if "too large" in (own, program):
            kind = "too large"
        elif own != program:
            sys.exit(f"{source}\nindependent: {own}\nwarpspan: {program}\n{warps} warps, seed {options.seed}")
        tally[kind] += 1
        return own

    with open(options.forged, encoding="utf-8") as file:
        if compare(file.read()) != "refused":
            sys.exit("the forged certificate passes")
    certificates = [solved(options.warpspan, problem) for problem in PROBLEMS]
    certificates += [plain(*problem) for problem in PLAIN]
    for document in certificates:
        if type(compare(json.dumps(document))) is str:
            sys.exit(f"a certificate that holds does not pass: {json.dumps(document)}")
        for _ in range(options.mutants):
            compare(changed(document, rng))
    print(", ".join(f"{count} {kind}" for kind, count in sorted(tally.items())))
    if options.mutants >= 10 and tally["valid"] < 3 * len(certificates):
        sys.exit("too few certificates are valid")
    if 20 * tally["too large"] > sum(tally.values()):
        sys.exit("too many certificates are too large")


if __name__ == "__main__":
    main()
