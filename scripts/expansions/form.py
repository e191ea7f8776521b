# SPDX-License-Identifier: GPL-3.0-or-later
"""A PTX form, and the words that the lists of forms are made of."""
import itertools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
TYPES = set(re.findall(r'PTX_TYPE\(\w+, "(\w+)"', (ROOT / "frontend/ptx/forms/types.def").read_text()))
OPCODES = {
    name for table in (ROOT / "frontend/ptx/forms/opcodes").glob("*.def")
    for name in re.findall(r'PTX_OPCODE\("([^"]+)"', table.read_text())
}

SIGN = {
    type_name: sign
    for sign, names in (("h", "s8 u8 b8 s16 u16 b16 f16 bf16"), ("r", "s32 u32 b32 f16x2 bf16x2 u16x2 s16x2"),
                        ("R", "s64 u64 b64 f32x2"), ("Q", "b128"), ("f", "f32 tf32"), ("d", "f64"), ("p", "pred"))
    for type_name in names.split()
}
INTEGERS = ("s16", "u16", "s32", "u32", "s64", "u64")
HALVES = ("f16", "f16x2", "bf16", "bf16x2")
# Types and roundings that make no difference to machine code, as was seen where all were measured: one for all.
ALIKE = {(opcode, one): other
         for opcode in ("ld", "ldu", "st")
         for other, some in (("u8", "b8"), ("u16", "b16"), ("b32", "u32 s32 f32"), ("b64", "u64 s64 f64"))
         for one in some.split()}
ALIKE.update({(opcode, one): "rz" for opcode in ("add", "sub", "mul", "fma", "mad") for one in ("rm", "rp")})
ROUNDINGS = ("rn", "rz", "rm", "rp")


class Form:
    """What is executed, and the words of its row in the data file.

    outputs, inputs: a sign for each register or constant (kernels.REGISTER). text: a template of the instructions,
    {word} is the instruction word. constant: the text has a constant. helpers: machine instructions of other
    instructions in the text. marks: modifiers of the data file that are none of PTX. extent: see kernels.shapes. since:
    an architecture before which ptxas makes machine code that does not exist. alike: ALIKE is true.
    """
    def __init__(self, opcode, parts, outputs, inputs, text=None, constant=False, helpers=0, marks=(), extent="",
                 since=0, alike=True):
        parts = [part for part in parts.split(".") if part]
        self.word = ".".join([opcode] + parts)
        if max((o for o in OPCODES if (self.word + ".").startswith(o + ".")), key=len) != opcode:
            raise ValueError(f"{self.word} has another opcode than {opcode}")
        self.executed = ".".join([opcode] + [ALIKE.get((opcode, part), part) if alike else part for part in parts])
        self.opcode = opcode
        self.types = [part for part in parts if part in TYPES]
        vectors = [part for part in parts if re.fullmatch("v[248]", part)]
        self.vector = int(vectors[0][1:]) if vectors else 1
        self.modifiers = sorted([part for part in parts if part not in TYPES and part not in vectors] + list(marks))
        self.outputs, self.inputs = outputs, inputs
        places = ", ".join(f"{{{i}}}" for i in range(len(outputs + inputs)))
        self.text = text or "{word} " + places
        self.constant, self.helpers, self.extent, self.since = constant, helpers, extent, since

    def key(self):
        def joined(words):
            return ",".join(words) or "-"

        return self.opcode, joined(self.types), joined(self.modifiers), str(self.vector)


FORMS = []


def add(*arguments, **named):
    FORMS.append(Form(*arguments, **named))


def dotted(*parts):
    """The parts of a word, empty ones left out."""
    return ".".join(part for part in parts if part)


def vector(size, first):
    return "{{" + ", ".join(f"{{{first + i}}}" for i in range(size)) + "}}"


def one_or_vector(size, first):
    return vector(size, first) if size > 1 else f"{{{first}}}"
