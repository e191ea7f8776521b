# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the decoder's lines (tests/frontend/sass/dump) with a listing of nvdisasm."""
import collections
import re
import subprocess

import differences

# nvdisasm marks at a call what the callee needs and leaves, which is no business of the instruction.
CALLS = {"CALL", "RET"}


def decoded(dump, path):
    """(function, offset) -> fields of the decoder."""
    run = subprocess.run([dump, str(path)], capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"{path}: {run.stderr}")
    rows = (line.split("\t") for line in run.stdout.splitlines())
    return {(row[0], int(row[1])): row for row in rows}


def names(field):
    return set() if field == "-" else set(field.split())


# Instructions whose immediates are compared; elsewhere they are floating-point numbers, or fields of ours.
WITH_IMMEDIATES = set("IADD3 IMAD LEA SHF ISETP SGXT BMSK PRMT SHFL LD LDG LDS LDL LDC ULDC LDCU ST STG STS STL LDGSTS UIADD3 UIMAD "
                      "ULEA USHF UISETP UPRMT MOV UMOV SEL USEL LOP3 ULOP3 VIADD IMNMX VIMNMX IADD BAR P2R R2P PLOP3".split())
# Brackets that are no address of ours: registers that hold the place, and bundles of them.
NO_PLACES = set("TEX TLD TLD4 TXD TXQ SULD SUST SURED UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL UBLKCP UTCHMMA UTCIMMA "
                "UTCOMMA UTCQMMA UTCBAR UTCCP UTCSHIFT LDTM STTM LDGMC STAS UGETNEXTWORKID HGMMA IGMMA QGMMA CCTL UBLKRED "
                "UBLKPF".split())
PLACE = re.compile(r"(?<!desc)\[([^\]]*)\]")
OFFSET = re.compile(r"([+-]{0,2})0x([0-9a-f]+)$")


def words_of(text):
    """The name of an instruction and its modifiers."""
    words = text.split()
    return words[1 if text.startswith("@") else 0].split(".")


def places(text):
    """The offsets in brackets, of addresses and constants."""
    found = []
    for inside in PLACE.findall(text):
        offset = OFFSET.search(inside)
        value = int(offset[2], 16) * (-1 if "-" in offset[1] else 1) if offset else 0
        scale = re.search(r"\.X(\d+)", inside)
        found.append((value, scale[1] if scale else "1"))
    return found


def immediates(text):
    """Integers among the operands, modulo 2^32; halves and doubles are not told from bits."""
    operands = re.split(r",\s*", text.partition(" ")[2])
    return [int(word, 16) & 0xffffffff for word in operands if re.fullmatch(r"-?0x[0-9a-f]+", word)]


class Tally:
    def __init__(self):
        self.counts = collections.Counter()
        self.unknown = collections.Counter()
        self.examples = {}
        self.words = {}  # (row, key) -> lower and upper half of a word, and its text

    def merge(self, other):
        self.counts += other.counts
        self.unknown += other.unknown
        for mine, theirs in ((self.examples, other.examples), (self.words, other.words)):
            for key, value in theirs.items():
                mine.setdefault(key, value)

    def note(self, kind, what, line, ours):
        self.counts[kind] += 1
        self.examples.setdefault((kind, what), (line.text, line.guard, ours))

    def add(self, line, row):
        counts = self.counts
        counts["instructions"] += 1
        _, _, mnemonic, guard, target, operands, reads, writes, text = row
        if mnemonic == "unknown":
            counts["unknown"] += 1
            self.unknown[f"{line.mnemonic} (0x{line.key:04x})"] += 1
            return
        self.named(line, text)
        if guard != line.guard:
            self.note("guard", line.mnemonic, line, text)
        if line.target is not None and line.mnemonic != "LEPC":
            counts["targets"] += 1
            if target != str(line.target):
                self.note("target", line.mnemonic, line, text)
        if places(line.text) != places(text) and line.mnemonic not in NO_PLACES:
            self.note("place", line.mnemonic, line, text)
        self.registers(line, names(operands), names(reads), names(writes), text)

    def named(self, line, text):
        """Name, modifiers and integers."""
        name, *ours = words_of(text)
        if not differences.same_name(name, line.mnemonic):
            self.note("mnemonic", f"{name} {line.mnemonic}", line, text)
        ours, numbers = differences.as_operands(ours)
        left, missing = differences.differing(line.mnemonic, ours, words_of(line.text)[1:])
        if left or missing:
            self.note("modifiers", f"{line.mnemonic} +{left} -{missing}", line, text)
        theirs = immediates(line.text)
        if set(numbers) - set(theirs) or line.mnemonic in WITH_IMMEDIATES and set(theirs) - set(immediates(text)) - set(numbers):
            self.note("immediate", line.mnemonic, line, text)

    def registers(self, line, ours, reads, writes, text):
        def note_sets(kind, read, written):
            if read or written:
                self.note(kind, f"{line.mnemonic} {' '.join(sorted(read))} | {' '.join(sorted(written))}", line, text)

        if line.operands - ours - reads - writes:
            self.note("missing", line.mnemonic, line, text)
        more = differences.unexplained(line, "named", ours - line.operands)
        if more:
            self.note("superset", f"{line.mnemonic} {' '.join(sorted(more))}", line, text)
        if line.reads is None or line.mnemonic in CALLS:
            return
        self.counts["sets"] += 1
        # What is written under a guard is marked as read as well where the old value lives on.
        their_reads = line.reads - line.writes if line.guard != "-" else line.reads
        reads = {name for name in reads if not name.startswith("B")}
        writes = {name for name in writes if not name.startswith("B")}
        note_sets("set_missing", their_reads - reads, line.writes - writes)
        note_sets("set_superset", differences.unexplained(line, "read", reads - line.reads),
                  differences.unexplained(line, "written", writes - line.writes))


def compare(dump, path, listing_lines, tally, keep_words=False):
    rows = decoded(dump, path)
    for line in listing_lines:
        row = rows[line.function, line.offset]
        tally.add(line, row)
        if keep_words and row[2] != "unknown":
            tally.words.setdefault((row[2], line.key), (line.word & 0xffffffffffffffff, line.word >> 64, row[8]))
