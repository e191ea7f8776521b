#!/usr/bin/env python3
"""Runs every command that the documents print: run_documented.py WARPSPAN SOURCE_FOLDER.

A command is a line of a code block, or of a CI file, that begins with "warpspan", "sed", "nvcc" or "source" (in samples,
whose READMEs tell how files were made, without the last two), with the lines that continue it. The commands of a document
run one after another, by bash, in a folder with the files of tests/documented/files (of samples/cmake-gate for documents
on CI, with machine code; for samples, with what the updates of docs/ci.md write), COPIES of them, and the folders
samples and tests/samples. Each has to end with status 0, or with N where its
comment says "# exit status N", and to print what stands behind it if it begins with "$", where "..." stands for any lines.
A command that needs a compiler which is not here is skipped. WARPSPAN is the program that "warpspan" stands for.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


COPIES = ["old.ptx", "new.ptx", "old/kernel.ptx", "new/kernel.ptx", "build/kernel.ptx"]  # of kernel.ptx
COMPILERS = {"nvcc": r"nvcc\b", "clang++": r"clang\+\+", "ptxas": r"--assemble 'ptxas\b"}  # and how commands name them


def documents(root):
    yield root / "README.md"
    ways = {root / "docs" / "tutorial.md"}  # and docs/how-to: scripts/try-ways goes these
    yield from sorted(set((root / "docs").glob("*.md")) - ways)
    yield from sorted((root / "samples").glob("**/README.md"))
    yield from sorted((root / "samples" / "ci").iterdir())


def code_of_markdown(text):
    """The lines of code blocks, fenced or indented; None for prose."""
    fenced = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield ""
        elif fenced or line.startswith("    ") or line.startswith("\t"):
            yield line if fenced else line.removeprefix("\t").removeprefix("    ")
        else:
            yield None if line.strip() else ""


def code_of_ci(text):
    """The words of commands: of list entries, of run: and entry:, of folded blocks."""
    for line in text.splitlines():
        yield re.sub(r"^(- )?((run|entry): )?", "", line.strip())


def commands(path):
    """Commands, each with the lines of output that the document shows for it: those behind one that begins with "$"."""
    text = path.read_text()
    lines = list(code_of_markdown(text) if path.suffix == ".md" else code_of_ci(text))
    programs = "warpspan|sed" if "samples" in path.parts else "warpspan|sed|nvcc|source"
    found = []
    shown = None
    i = 0
    while i < len(lines):
        line = lines[i]
        i += 1
        if line is None or not re.match(rf"(\$ )?({programs}) [^=]", line.strip()):
            shown = None if line is None else shown
            if shown is not None:
                shown.append(line)
            continue
        command = line.strip().removeprefix("$ ")
        while command.endswith("\\") or (i < len(lines) and (lines[i] or "").strip().startswith("--")):
            command = command.removesuffix("\\").rstrip() + " " + lines[i].strip()
            i += 1
        shown = []
        found.append((command, shown if line.strip().startswith("$") else []))
    return found


def is_shown(shown, output):
    """Whether the output has the lines in their order, one behind the other but where a line "..." stands."""
    while shown and not shown[-1].strip():
        shown = shown[:-1]
    pattern = "".join("(?:.*\n)*?" if line.strip().startswith("...") else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, output) is not None


def expected_status(command):
    stated = re.search(r"# .*exit status (\d+)", command)
    return int(stated.group(1)) if stated else 0


def make_folder(document, root, folder):
    is_ci = document in (root / "docs" / "ci.md", *(root / "samples" / "ci").iterdir())
    if is_ci:
        shutil.copy(root / "tests" / "documented" / "files" / "kernel.cubin", folder / "blur.cubin")
        (folder / "resources.toml").write_text('[[budget]]\nkernel = "*"\n')
    fixtures = root / "samples" / "cmake-gate" if is_ci else root / "tests" / "documented" / "files"
    shutil.copytree(fixtures, folder, dirs_exist_ok=True)
    if not is_ci:
        for copy in COPIES:
            (folder / copy).parent.mkdir(exist_ok=True)
            shutil.copy(folder / "kernel.ptx", folder / copy)
    (folder / "samples").symlink_to(root / "samples")
    (folder / "tests").mkdir()
    (folder / "tests" / "samples").symlink_to(root / "tests" / "samples")


def run_all(path, root, path_of_program):
    failures = []
    with tempfile.TemporaryDirectory(prefix="warpspan-documented-") as folder:
        make_folder(path, root, pathlib.Path(folder))
        environment = dict(os.environ, PATH=path_of_program + os.pathsep + os.environ["PATH"],
                           GITHUB_STEP_SUMMARY=os.path.join(folder, "summary.md"))
        count = 0
        if path.parent == root / "samples" / "ci":
            for command, _ in commands(root / "docs" / "ci.md"):
                if " --update" in command:
                    subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, check=True)
        for command, shown in commands(path):
            if any(re.search(named, command) and not shutil.which(c) for c, named in COMPILERS.items()):
                continue
            count += 1
            run = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True, errors="replace", timeout=600)
            if run.returncode != expected_status(command):
                failures.append(f"{path.relative_to(root)}: status {run.returncode}: {command}\n{run.stderr}")
            elif shown and not is_shown(shown, run.stdout):
                failures.append(f"{path.relative_to(root)}: another output: {command}\n{run.stdout}{run.stderr}")
        return count, failures


def main():
    program, root = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    total, failures = 0, []
    with tempfile.TemporaryDirectory(prefix="warpspan-documented-bin-") as folder:
        os.symlink(program, os.path.join(folder, "warpspan"))
        for path in documents(root):
            count, failed = run_all(path, root, folder)
            total += count
            failures += failed
    print("\n".join(failures) + f"\n{total} commands, {len(failures)} failed")
    sys.exit(1 if failures or total < 20 else 0)


main()
