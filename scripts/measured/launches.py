# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured: the launches of operations.py, operations_90a.py and of tests/corpus, as rows of a table (rows), and each
as a line for launch.cpp (plan_line), and as options of 'warpspan simulate' (simulated); the machine code that runs (cubin_of), and
what the program tells of a launch (told).

A row says all that a bound is asked for with, and all that ran: arguments are those of its options, as bits; a pointer
leads to an array of its own of 256 MiB, all zero; floating-point arguments are 1, and what else a struct holds is zero.
If the options have --contents, or the file is a cubin, arrays have the size that the options state, and hold that, or zeros.
"""
import csv
import functools
import json
import math
import pathlib
import re
import struct
import subprocess
import tomllib

import operations
import operations_90a

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPERATIONS = {"samples/measured/operations.ptx": operations, "samples/measured/operations_90a.ptx": operations_90a}
CORPUS = pathlib.Path("tests/corpus")
FOLDER = ROOT / "samples/measured"
LAUNCH = ["family", "file", "kernel", "block", "grid", "shared", "options"]
COLUMNS = [*LAUNCH, "cycles"]
MACHINE, MOST = "hopper", 90  # the device, and its architecture: files for a later one do not run on it
ARRAY = 256 << 20
ONE = "f64:0x3ff0000000000000"

NO_PAIR = {"pointer_loop"}  # its two pointers must lead into one array
OBJECTS = r"\b(tex|tld4|txq|suld|sust|sured|suq)\."

PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.([busf])(\d+)\s+(?:\.ptr(?:\s*\.\w+)*\s*(?:\.align\s+\d+\s+)?)?"
                       r"[\w$]+\s*(?:\[(\d+)\])?")


@functools.cache
def text_of(file):
    return re.sub(r"//[^\n]*", "", (ROOT / file).read_text())


def parameters(file, kernel):
    """(kind, bits, bytes of a struct or None) of each; kind is b, u, s or f."""
    if file.endswith(".cubin"):
        return parameters_of_source(file.removesuffix("cubin") + "cu", kernel)
    head = re.search(r"\.entry\s+" + re.escape(kernel) + r"(?![\w$])\s*(?:\(([^)]*)\))?", text_of(file))
    return [(kind, int(bits), int(size) if size else None) for kind, bits, size in PARAMETER.findall(head.group(1) or "")]


SOURCE_KINDS = {"int": ("s", 32), "unsigned": ("u", 32), "uint32_t": ("u", 32), "float": ("f", 32), "double": ("f", 64)}


def parameters_of_source(file, kernel):
    """The same of a kernel in CUDA that has pointers and numbers."""
    head = re.search(r"__global__ void " + re.escape(kernel) + r"\(([^)]*)\)", text_of(file))
    return [(*(("u", 64) if "*" in each else SOURCE_KINDS[each.split()[-2]]), None) for each in head[1].split(",")]


def body_of(file, kernel):
    text = text_of(file)
    begin = re.search(r"\.entry\s+" + re.escape(kernel) + r"(?![\w$])", text).end()
    return text[begin:].split("\n}", 1)[0]


def numbers(dimension):
    return ",".join(map(str, dimension))


def of_operations(files=OPERATIONS):
    for file in files:
        for launch in operations.launches(OPERATIONS[file].kernels()):
            options = f"--arg 1={launch.turns} --buffer 0={ARRAY}"
            if launch.object in ("tex", "surf"):
                options += " --assume plain-textures"
            yield dict(family=launch.family, file=file, kernel=launch.kernel, block=str(launch.block),
                       grid=str(launch.grid), shared=launch.shared, options=options)


def arguments(entry, kinds):
    """Options that say what each parameter of a kernel of the corpus is."""
    given = entry.get("args", {})
    for index, (kind, bits, size) in enumerate(kinds):
        value = given.get(str(index))
        if size:
            inside = {name: value for name, value in given.items() if name.startswith(f"{index}+")}
            yield from (f"--arg {name}={value}" for name, value in inside.items())
        elif kind == "f":
            if f"{index}+0" in given:
                yield f"--arg {index}+0={ONE}"
        elif bits == 64 and not isinstance(value, int):
            yield f"--buffer {index}={entry.get('buffers', {}).get(str(index), ARRAY)}"
        else:
            yield f"--arg {index}={value if isinstance(value, int) else 1}"
    for name, value in entry.get("globals", {}).items():
        yield f"--global {name}={value}"


def mangled(file, name):
    """The first kernel of that name, or of that template."""
    names = re.findall(r"\.entry\s+([\w$]+)", text_of(file))
    return next(each for each in names if each == name or f"{len(name)}{name}" in each)


def of_corpus():
    """Kernels that are bounded without facts, or need only the figures of their registers, but for those with textures or surfaces, as no object is known here."""
    entries = tomllib.loads((ROOT / CORPUS / "corpus.toml").read_text())["kernel"]
    for entry in entries:
        if entry["name"].rstrip("*") in NO_PAIR:
            continue
        for path in sorted((ROOT / CORPUS / "ptx").glob(entry["source"] + ".*.ptx")):
            file = str(path.relative_to(ROOT))
            expected = entry.get("except", {}).get(path.name.split(".", 1)[1].removesuffix(".ptx"), entry["expected"])
            bounded = expected.startswith("bounded") or expected == "refused: registers"
            if not bounded or "with facts" in expected or int(target(file)[0]) > MOST:
                continue
            kernel = mangled(file, entry["name"].rstrip("*"))
            if re.search(OBJECTS, body_of(file, kernel)):
                continue
            options = " ".join(arguments(entry, parameters(file, kernel)))
            yield dict(family="corpus", file=file, kernel=kernel, block=numbers(entry["block"]), grid=numbers(entry["grid"]),
                       shared=entry.get("shared", 0), options=options)


def rows():
    """Each launch once; later files of operations behind the corpus, since full-work.txt has numbers of rows."""
    seen, (first, *later) = set(), OPERATIONS
    for row in [*of_operations([first]), *of_corpus(), *of_operations(later)]:
        launch = tuple(row.values())
        if launch not in seen:
            seen.add(launch)
            yield row


def target(file):
    """Number and letter of the architecture that a file is for, and whether it is for a debugger."""
    number, letter, debug = re.search(r"\.target\s+sm_(\d+)(\w?)([^\n]*)", text_of(file)).groups()
    return number, letter, "debug" in debug


def measured():
    """Rows of h100.csv, as text."""
    with open(FOLDER / "h100.csv", newline="") as file:
        return list(csv.DictReader(file))


def full_work():
    """Numbers of those rows of the corpus that do all of their work on memory of zeros."""
    return [int(line) for line in (FOLDER / "full-work.txt").read_text().splitlines() if not line.startswith("#")]


def key(row):
    """A launch, whatever came of it."""
    return tuple(str(row[name]) for name in LAUNCH)


def blocks(row):
    return math.prod(map(int, row["grid"].split(",")))


def quietly(*words):
    subprocess.run(list(map(str, words)), check=True, stderr=subprocess.DEVNULL)


def cubin_of(file, folder, ptxas, is_kept=True, run=quietly):
    """The machine code that runs; that of a file of the corpus is made in the folder, unless it is kept and there already."""
    if file.endswith(".cubin") or file in OPERATIONS:
        return (ROOT / file).with_suffix(".cubin")
    cubin = folder / (pathlib.Path(file).stem + ".cubin")
    if not is_kept or not cubin.exists():
        _, letter, for_debugger = target(file)
        run(ptxas, f"-arch=sm_{MOST}{letter}", *(["-g", "-O0"] if for_debugger else []), ROOT / file, "-o", cubin)
    return cubin


def launch_words(row, machine=MACHINE):
    words = ["--kernel", row["kernel"], "--machine", machine, "--block", row["block"], "--grid", row["grid"]]
    return words + (["--shared", row["shared"]] if row["shared"] != "0" else [])


def told(words):
    """Of a run of the program: the kernel of its report or None, its first error or else why there is no kernel, its status.
    It runs in the root of the repository, as contents of arrays are files there: other paths are to be absolute."""
    run = subprocess.run([*map(str, words), "--format", "json"], capture_output=True, text=True, cwd=ROOT)
    try:
        report = json.loads(run.stdout)
    except ValueError:
        report = {"kernels": [], "errors": []}
    kernel = next(iter(report["kernels"]), None)
    why = run.stderr.strip() or f"status {run.returncode}"
    message = report["errors"][0]["message"] if report["errors"] else "" if kernel else why
    return kernel, message, run.returncode


def kernel_of(words):
    """The kernel of the program's report, or why there is none."""
    kernel, message, _ = told(words)
    return kernel or message


def bounded(program, row, file, options):
    """The kernel of a report with all assumed; None where it has no bound."""
    kernel, _, _ = told([program, "analyze", file, *launch_words(row), *options, "--assume", "all", "--simulate", "never"])
    return kernel if kernel and any(each["model"] == "pipeline" for each in kernel["bounds"]) else None


def headlines(kernel):
    """Cycles of its bounds with nothing, what is usual and all assumed."""
    least = min(each["makespan"] for each in kernel["bounds"] if each["model"] == "pipeline")
    return [*(kernel["headlines"][name]["cycles"] or "" for name in ("nothing", "usual")), least]


def values(row):
    """What options say: (kind, name) -> text."""
    words = row["options"].split()
    pairs = zip(words[::2], words[1::2])
    return {(kind, value.split("=")[0]): value.split("=", 1)[-1] for kind, value in pairs}


def bits_of(kind, bits, value):
    """A number as the option --arg takes it."""
    form = {"s": "<i", "u": "<I", "f": "<f" if bits == 32 else "<d"}[kind]
    return int.from_bytes(struct.pack(form, value), "little")


def simulated(row):
    """Options of 'warpspan simulate' that say all that the launcher gives."""
    given = values(row)
    for index, (kind, bits, size) in enumerate(parameters(row["file"], row["kernel"])):
        value = given.get(("--arg", str(index)))
        if size:
            for place in range(0, size, 4):
                yield from ("--arg", f"{index}+{place}:4={given.get(('--arg', f'{index}+{place}:4'), '0')}")
        elif value is not None or kind == "f":
            yield from ("--arg", f"{index}={bits_of(kind, bits, 1) if value is None else value}")
        for option in ("--buffer", "--contents"):
            if (option, str(index)) in given:
                yield from (option, f"{index}={given[option, str(index)]}")


def object_of(body):
    """The word of launch.cpp for the texture or surface that a kernel reads."""
    fetch = re.search(r"\b(?:tex|tld4)\.(?:level\.|grad\.|[rgba]\.)*(\dd)\.v4\.f32\.(f32|s32)", body)
    if not fetch:
        return "surface"
    shape = "" if fetch.groups() == ("2d", "f32") else ":" + fetch[1]
    return "texture" + shape + (":point" if fetch[2] == "s32" else "")


def plan_line(row, cubin):
    """The words of launch.cpp, split by tabs."""
    given, words = values(row), []
    drawn = row["file"].endswith(".cubin") or any(option == "--contents" for option, _ in given)
    for index, (kind, bits, size) in enumerate(parameters(row["file"], row["kernel"])):
        value = given.get(("--arg", str(index)))
        if size and re.search(r"\btensor(?:map)?\b", body_of(row["file"], row["kernel"])):
            words.append("tensor")
        elif size:
            held = bytearray(size)
            for (option, name), number in given.items():
                inside = re.fullmatch(rf"{index}\+(\d+):4", name) if option == "--arg" else None
                if inside:
                    struct.pack_into("<i", held, int(inside[1]), int(number))
            words.append("bytes:" + held.hex())
        elif value is not None or kind == "f":
            number = bits_of(kind, bits, 1) if value is None else int(value)
            words.append("bytes:" + (number % 2**bits).to_bytes(bits // 8, "little").hex())
        elif ("--buffer", str(index)) in given:
            size = given["--buffer", str(index)]
            words.append(f"array:{size}:{given.get(('--contents', str(index)), 'zeros')}" if drawn else "array")
        else:  # an object: nothing else has 64 bits and no option
            words.append(object_of(body_of(row["file"], row["kernel"])))
    words += [f"global:{name}:{value}" for (option, name), value in given.items() if option == "--global"]
    three = [numbers([*row[which].split(","), 1, 1][:3]) for which in ("grid", "block")]
    return "\t".join([str(cubin), row["kernel"], *three, str(row["shared"]), *words])
