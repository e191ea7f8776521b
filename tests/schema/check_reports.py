#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the JSON that warpspan writes against docs/schema: golden files and reports of runs must be valid, the same with
something changed must not, and no schema may go without a document.

Usage: check_reports.py WARPSPAN        all reports
       check_reports.py --only FILE...  these documents, and that changed ones are refused
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import schemas

SHORT = ["--time-limit", "0"]
SAXPY = ["--block", "256", "--grid", "4", "--arg", "3=1000"]
RUNS = [
    ["string", "samples/saxpy.ptx", "samples/search.ptx", "--block", "256"],
    ["string", "samples/saxpy.ptx", "nowhere.ptx"],
    ["analyze", "samples/transpose.ptx", "--block", "32,8", "--grid", "64,64", *SHORT],
    ["analyze", "samples/search.ptx", "--block", "128", *SHORT],  # a loop without a bound
    ["analyze", "nowhere.ptx"],
    ["analyze", "tests/frontend/object/data/saxpy.default.fatbin", "--block", "256"],  # machine code beside PTX
    ["analyze", "tests/frontend/object/data/search.fatbin", "--block", "128", "--loop-bound", "$L__BB0_2=20"],
    ["analyze", "tests/frontend/object/data/search.fatbin", "--block", "128", "--loop-bound", "$L__BB0_2=20", "--explain"],
    ["analyze", "samples/transpose.ptx", "--block", "32,8", "--grid", "64,64", "--explain", *SHORT],
    ["analyze", "samples/saxpy.ptx", *SAXPY, *SHORT, "--model", "string", "--explain"],
    ["occupancy", "--block", "256", "--registers", "40", "--shared", "30000", "--machine", "orin", "--sweep"],
    ["occupancy", "--machine", "ampere", "--sweep"],
    ["occupancy", "samples/transpose.ptx", "samples/saxpy.ptx", "--block", "32,8"],
    ["occupancy", "samples/saxpy.ptx", "nowhere.ptx"],
    ["rta", "samples/rta/tasks.toml", "--explain", "--timeline", "--runs", "50"],
    ["rta", "samples/rta/tx2.toml", "--runs", "0"],
    ["rta", "nowhere.toml"],
    ["reproduce", "tx2", "fermi"],
    ["list", "tests/frontend/object/data/kernels.sm_80.cubin", "tests/frontend/object/data/saxpy.a", "samples/saxpy.ptx"],
    ["list", "tests/frontend/object/data/host.o"],
    ["listing", "tests/frontend/object/data/search.fatbin", "--block", "128", "--loop-bound", "0xb0=20"],
    ["listing", "samples/search.ptx", "samples/saxpy.ptx", *SAXPY],
    ["listing", "nowhere.ptx"],
    ["simulate", "tests/frontend/object/data/search.fatbin", "--block", "128", "--grid", "4"],
    ["simulate", "tests/frontend/object/data/kernels.sm_90.cubin", "--block", "128"],
    ["simulate", "samples/saxpy.ptx", "--block", "256"],
    ["verify", "{folder}/proof.json"],
    ["verify", "{folder}/proof.json", "--warps", "600"],
    ["verify", "tests/samples/bad/certificate_overflow.json"],
    ["verify", "nowhere.json"],
    ["solve", "samples/lcls_sweep.toml", "--warps", "1..3", "--target", "12", "--method", "exact,certificate"],
    ["check", "--budgets", "{folder}/budgets.toml"],
    ["check", "--budgets", "{folder}/budgets.toml", "--explain"],
    ["check", "samples/saxpy.ptx", "--budgets", "{folder}/budgets.toml", "--fail-on-unused"],
    ["check", "samples/saxpy.ptx", "--budgets", "nowhere.toml"],
    ["check", "--budgets", "{folder}/kept.toml", "--baseline", "{folder}/changed.json", "--fail-on-growth", "1%"],
    ["check", "--budgets", "{folder}/kept.toml", "--baseline", "{folder}/baseline.json", "--source-root", "{folder}",
     "--explain"],
    ["check", "--budgets", "{folder}/budgets.toml", "--shard", "1/1"],
    ["analyze", "samples/saxpy.ptx", "--block", "256", "--shard", "1/2"],
    ["compare", "samples/saxpy.ptx", "samples/saxpy.nvcc-sm_80.ptx", *SAXPY],
    ["compare", "samples/saxpy.ptx", "samples/divergent.ptx", *SAXPY, "--fail-on-regression", "5%"],
    ["compare", "{folder}/other_lines.ptx", "samples/matmul_tiled.nvcc-sm_80-lineinfo.ptx", "--block", "16,16", "--arg",
     "3=64"],
    ["compare", "nowhere.ptx", "samples/saxpy.ptx", *SAXPY],
    ["facts", "samples/search.ptx", "samples/scan.ptx", "--block", "128", "--arg", "search_param_2=7"],
    ["facts", "nowhere.ptx"],
    ["analyze", "samples/saxpy.nvcc-sm_80.ptx", *SAXPY, "--assemble", "tests/schema/assembler"],
    ["analyze", "--blok", "3"],
    ["check", "--budgts", "budgets.toml"],
    ["compare", "a.ptx"],
    ["solve", "--sting", "LLC"],
    ["analyze", "samples/saxpy.ptx", *SAXPY, *SHORT, "--model", "string"],
    *(["machines", file.stem] for file in sorted(schemas.ROOT.glob("timing/machine/data/boards/*.toml"))),
]
# Machine code with line tables, which is simulated, and budgets that hold.
KEPT = """
[[budget]]
kernel = "shared_sum"
file = "{root}/tests/frontend/object/data/kernels.sm_90.cubin"
block = 128
grid = 4
max = "1 s"
"""
SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
REGION = "physicalLocation/region"  # where no line is known
# A kernel that passes, is over, is not bounded; an entry that names none; a limit on registers without a log.
BUDGETS = """
[defaults]
machine = "orin"
block = 256

[[budget]]
kernel = "sfu"
file = "{root}/samples/sfu.ptx"
max = "1 ms"

[[budget]]
kernel = "sfu"
label = "small"
file = "{root}/samples/sfu.ptx"
max = "10 cycles"
max_registers = 8

[[budget]]
kernel = "search"
file = "{root}/samples/search.ptx"
max = "1 ms"

[[budget]]
kernel = "nobody"
file = "{root}/samples/sfu.ptx"
max = "1 ms"
"""
# What a document may leave out: (schema, place); '*' is any element of an array.
OPTIONAL = {
    SARIF: {
        *(f"runs/*/results/*/{key}" for key in ("relatedLocations", "properties", f"locations/*/{REGION}",
                                                "locations/*/physicalLocation", "locations/*/logicalLocations",
                                                f"relatedLocations/*/{REGION}")),
        *(f"runs/*/invocations/*/toolExecutionNotifications/*/{key}" for key in ("locations", f"locations/*/{REGION}")),
    },
    "warpspan.certificate/1": {"patterns/*/few"},
    "warpspan.machine/1": {"dispatch", "operand_read", "translation", "refresh", "simulated_units", "simulated_memory", "simulated_atomics",
                           "simulated_code", "simulated_blocks", *(f"operations/*/{key}" for key in ("forms", "opcodes", "types", "modifiers",
                                                                          "loop", "rounds", "typical"))},
}
# Objects whose keys are names from the input: any of them may be missing.
BY_NAME = ("stalls", "sources", "holds", "special_holds", "double_holds", "shuffle_holds", "rounds", "misses", "arguments", "buffers", "loop_bounds")


def may_be_missing(schema, place):
    parent = place.rpartition("/")[0].rpartition("/")[2]
    return place in OPTIONAL.get(schema, ()) or parent in BY_NAME


class Check:
    def __init__(self):
        self.validators = schemas.load()
        self.used = set()
        self.mutated = set()
        self.errors = schemas.unequal_definitions()
        self.mutants = self.documents = 0

    def document(self, text, source):
        try:
            document = json.loads(text)
        except ValueError as error:
            self.errors.append(f"{source}: no JSON: {error}")
            return
        name = schemas.name_of(document)
        if name not in self.validators:
            self.errors.append(f"{source}: there is no schema '{name}'")
            return
        self.documents += 1
        self.used.add(name)
        self.errors += [f"{source}: {one}" for one in schemas.complaints(self.validators[name], document)]
        self.refuse_changed(name, document, source)

    def refuse_changed(self, name, document, source):
        for what, mutant in schemas.mutants(document):
            place, _, change = what.partition(": ")
            if (name, what) in self.mutated or (change == "taken away" and may_be_missing(name, place)):
                continue
            self.mutated.add((name, what))
            self.mutants += 1
            if self.validators[name].is_valid(mutant):
                self.errors.append(f"{source}: the schema accepts it changed: {what}")

    def run(self, program, words):
        run = subprocess.run([program, *words], cwd=schemas.ROOT, capture_output=True, timeout=600, check=False)
        self.document(run.stdout, " ".join(words))

    def baselines(self, program, folder):
        """One of kept.toml, and one in which the first line has fewer cycles."""
        (folder / "kept.toml").write_text(KEPT.format(root=schemas.ROOT))
        kept = folder / "baseline.json"
        subprocess.run([program, "check", "--budgets", folder / "kept.toml", "--baseline", kept, "--update-baseline"],
                       capture_output=True, timeout=600, check=True)
        self.document(kept.read_bytes(), "a baseline")
        changed = json.loads(kept.read_text())
        kernel = changed["kernels"][0]
        line = max(kernel["lines"], key=lambda line: (line["line"] > 0, line["bound"]))
        kernel["bound"] -= line["bound"] // 2
        line["bound"] -= line["bound"] // 2
        (folder / "changed.json").write_text(json.dumps(changed))

    def all_reports(self, program):
        for file in sorted(schemas.ROOT.glob("tests/golden/*.json")):
            self.document(file.read_bytes(), file.name)
        self.document((schemas.ROOT / "samples/suite/bounds.json").read_bytes(), "samples/suite/bounds.json")
        with tempfile.TemporaryDirectory() as folder:
            proof = pathlib.Path(folder) / "proof.json"
            for sigma in ("L=1", "L=2"):
                subprocess.run([program, "solve", "--string", "C(L2C)^20L", "--sigma", sigma, "--warps", "4", "--method",
                                "certificate", "--certificate", proof], capture_output=True, timeout=600, check=True)
                self.document(proof.read_bytes(), f"certificate for {sigma}")
            (pathlib.Path(folder) / "budgets.toml").write_text(BUDGETS.format(root=schemas.ROOT))
            with_lines = (schemas.ROOT / "samples/matmul_tiled.nvcc-sm_80-lineinfo.ptx").read_text()
            (pathlib.Path(folder) / "other_lines.ptx").write_text(with_lines.replace("ld.global.f32", "ld.global.nc.f32"))
            self.baselines(program, pathlib.Path(folder))
            for words in RUNS:
                self.run(program, [word.format(folder=folder) for word in words] + ["--format", "json"])
        documented = {json.loads(file.read_text())["title"] for file in schemas.FILES if "docs" in file.parts[-3:]}
        self.errors += [f"no document is of schema '{name}'" for name in sorted(documented - self.used)]


def main(words):
    check = Check()
    if words[:1] == ["--only"]:
        for file in words[1:]:
            check.document(pathlib.Path(file).read_bytes(), pathlib.Path(file).name)
    elif len(words) == 1:
        check.all_reports(words[0])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    for error in check.errors:
        print(error)
    print(f"{check.documents} documents of {len(check.used)} schemas, {check.mutants} changed ones, "
          f"{len(check.errors)} errors")
    return 1 if check.errors or not check.documents else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
