# SPDX-License-Identifier: GPL-3.0-or-later
"""What the decoder is checked on: the PTX files of the repository and one kernel for each form that measure-expansions
knows, compiled for an architecture, with what nvdisasm prints of it."""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/expansions"))
import forms
import kernels

BATCH = 100  # kernels in a file
# A file for ptxas: kernels by number, or a PTX file.
Job = collections.namedtuple("Job", "target level stem forms path")


def ptx_files():
    folders = ("samples", "tests/samples", "tests/documented", "tests/frontend/sass/kernels")
    return [path for folder in folders for path in sorted((ROOT / folder).glob("**/*.ptx"))]


def shapes(every):
    """(number of the form, shape of its operands): the shape with all operands in registers that differ between lanes,
    or all shapes."""
    for number, form in enumerate(forms.FORMS):
        found = [shape for shape in kernels.shapes(form) if every or not shape.guard and set(shape.values) <= {"l"}]
        for shape in found:
            yield number, shape


def jobs(target, level, every, with_forms):
    for number, path in enumerate(ptx_files()):
        yield Job(target, level, f"{target}-O{level}-file{number:03}", None, path)
    chosen = list(shapes(every)) if with_forms else []
    for begin in range(0, len(chosen), BATCH):
        yield Job(target, level, f"{target}-O{level}-forms{begin:06}", chosen[begin:begin + BATCH], None)


def retargeted(text, target, version):
    text = re.sub(r"^\s*\.target\s+[^\n]*", f".target {target}", text, flags=re.MULTILINE)
    return re.sub(r"^\s*\.version\s+[^\n]*", f".version {version}", text, flags=re.MULTILINE)


class Tools:
    def __init__(self, ptxas, nvdisasm, version):
        self.ptxas, self.nvdisasm, self.version = ptxas, nvdisasm, version

    def assemble(self, text, job, folder, stem):
        """The cubin, or the lines that ptxas names and its message."""
        source, cubin = folder / f"{stem}.ptx", folder / f"{stem}.cubin"
        source.write_text(text)
        run = subprocess.run([self.ptxas, "-arch", job.target, f"-O{job.level}",
                              str(source), "-o", str(cubin)],
                             capture_output=True,
                             text=True)
        source.unlink()
        if run.returncode == 0:
            return cubin, set()
        return None, {int(number) for number in re.findall(r", line (\d+); (?:error|fatal)", run.stderr)}

    def disassemble(self, cubin):
        """The two listings, as files beside the cubin; None for machine code that nvdisasm does not know."""
        listings = []
        for options, suffix in ((["-c", "-hex"], ".hex"), (["-c", "-plr"], ".plr")):
            run = subprocess.run([self.nvdisasm, *options, str(cubin)], capture_output=True, text=True)
            listings.append(cubin.with_suffix(suffix))
            listings[-1].write_text(run.stdout)
            # Life ranges are refused for some kernels with all registers in use; they are compared where they are.
            if "/*0000*/" not in run.stdout and suffix == ".hex":
                listings[-1].unlink()
                return None
        cubin.unlink()
        return listings


def listings(tools, job, folder):
    """Pairs of listings. What ptxas refuses is left out."""
    if job.path:
        cubin, _ = tools.assemble(retargeted(job.path.read_text(errors="replace"), job.target, tools.version), job, folder, job.stem)
        found = tools.disassemble(cubin) if cubin else None
        return [found] if found else []
    texts = [kernels.Kernel(f"k{number}", forms.FORMS[form], shape).text
             for number, (form, shape) in enumerate(job.forms)]
    return of_kernels(tools, job, folder, job.stem, texts, list(range(len(texts))))


def of_kernels(tools, job, folder, stem, texts, numbers):
    """Kernels that ptxas names in a message are left out; where it names nothing, halves are tried."""
    while numbers:
        text = kernels.HEADER.format(version=tools.version, target=job.target)
        line, kernel_at = text.count("\n"), []
        for number in numbers:
            kernel_at += [number] * (texts[number].count("\n") + 1)
        text += "\n".join(texts[number] for number in numbers) + "\n"
        cubin, lines = tools.assemble(text, job, folder, stem)
        found = tools.disassemble(cubin) if cubin else None
        if found:
            return [found]
        named = {kernel_at[n - line - 1] for n in lines if n - line - 1 in range(len(kernel_at))}
        if named:
            numbers = [number for number in numbers if number not in named]
        elif len(numbers) > 1:
            half = len(numbers) // 2
            return (of_kernels(tools, job, folder, stem + "a", texts, numbers[:half]) +
                    of_kernels(tools, job, folder, stem + "b", texts, numbers[half:]))
        else:
            return []
    return []
