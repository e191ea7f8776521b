# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what nvdisasm -c -hex and -c -plr print."""
import collections
import re

# key: the opcode, 12 bits and bit 91 in front. guard: "-", "P0", "!UP1". target: byte offset or None. operands: registers
# named in the text. reads, writes: by the table of life ranges, or None.
Line = collections.namedtuple("Line", "function offset word key mnemonic guard target operands reads writes text")

FIRST = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;?\s*(\(\*.*?\*\))?\s*;?\s*/\* 0x([0-9a-f]{16}) \*/")
SECOND = re.compile(r"^\s+/\* 0x([0-9a-f]{16}) \*/")
SECTION = re.compile(r"^\s*\.section\s+\.text\.([^,]+),")
LABEL = re.compile(r"^([.$\w][^:\s]*):")
GUARD = re.compile(r"^@(!?)(U?P)([0-9T])\s+")
REGISTER = re.compile(r"(?<![A-Za-z0-9_.$])(UR|UP|R|P|B)(\d+)(?![A-Za-z0-9_])")
TARGET = re.compile(r"`\(([^)]*)\)$")
CLASSES = {"GPR": "R", "PRED": "P", "UGPR": "UR", "UPRED": "UP"}


class Columns:
    """Where the columns of a table of life ranges are."""
    def __init__(self):
        self.names, self.places = [], []

    def header(self, text):
        if re.search(r"\|\s+(GPR|PRED|UGPR|UPRED)\s+\|", text):
            self.names = re.findall(r"\b(GPR|UGPR|PRED|UPRED)\b", text)
            self.places = []
        elif self.names and "#" in text and not self.places:
            parts = [part for part in re.finditer(r"[^|]+", text) if "#" in part[0]]
            for part, name in zip(parts, self.names):
                begin = text.index("#", part.start(), part.end())
                for number in re.finditer(r"\d+", text[begin:part.end()]):
                    self.places.append((CLASSES[name] + number[0], begin + number.start(), begin + number.end()))

    def marks(self, text):
        reads, writes = set(), set()
        for name, begin, end in self.places:
            cell = text[begin:end]
            if "^" in cell or "x" in cell:
                writes.add(name)
            if "v" in cell or "x" in cell:
                reads.add(name)
        return reads, writes


def guard_of(text):
    found = GUARD.match(text)
    if not found:
        return "-", text
    return found[1] + found[2] + found[3], text[found.end():]


def operands_of(text):
    """The registers that the operands name."""
    rest = re.sub(r"`\(.*?\)+", "", text.partition(" ")[2])
    return {found[1] + found[2] for found in REGISTER.finditer(rest)}


def lines(text, ranges):
    """Every instruction of a listing of nvdisasm -c -hex. ranges: of the same file, see life_ranges."""
    function, labels, pending, found, first = None, {}, [], [], None

    def finished():
        for line in found:
            target = TARGET.search(line.text)
            yield line._replace(target=labels.get(target[1]) if target else None)

    for line in text.splitlines():
        section = SECTION.match(line)
        label = LABEL.match(line)
        if section:
            yield from finished()
            function, labels, pending, found = section[1], {}, [], []
        elif label:
            pending.append(label[1])
        instruction = FIRST.match(line)
        if instruction:
            first = instruction
            labels.update((name, int(instruction[1], 16)) for name in pending)
            pending = []
            continue
        second = SECOND.match(line)
        if second and first:
            word = int(first[4], 16) | int(second[1], 16) << 64
            guard, rest = guard_of(first[2].strip(" ;"))
            offset = int(first[1], 16)
            reads, writes = ranges.get((function, offset), (None, None))
            found.append(
                Line(function, offset, word, (word & 0xfff) | (word >> 91 & 1) << 12,
                     rest.split(".")[0].split(" ")[0], guard, None, operands_of(rest), reads, writes, rest))
            first = None
    yield from finished()


def life_ranges(text):
    """(function, offset) -> (reads, writes) by nvdisasm -c -plr. It leaves out code that is never reached."""
    found, function, columns = {}, None, Columns()
    for line in text.splitlines():
        section = SECTION.match(line)
        if section:
            function, columns = section[1], Columns()
        code, _, table = line.partition("// |")
        offset = re.match(r"^\s+/\*([0-9a-f]{4,})\*/", code)
        if table and not offset:
            columns.header("|" + table)
        elif table and columns.places:
            found[function, int(offset[1], 16)] = columns.marks("|" + table)
    return found
