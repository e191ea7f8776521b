"""Compares the decoder's lines (tests/frontend/sass/dump) with a listing of nvdisasm."""
import collections
import subprocess

# nvdisasm marks at a call what the callee needs and leaves, which is no business of the instruction.
CALLS = {"CALL", "RET"}
# Names of one row for several mnemonics.
FAMILIES = {
    "RED": {"RED", "REDG"},
    "UTCMMA": {"UTCHMMA", "UTCIMMA", "UTCQMMA", "UTCOMMA"},
    "BRX": {"BRX"},
}


def decoded(dump, path):
    """(function, offset) -> fields of the decoder."""
    run = subprocess.run([dump, str(path)], capture_output=True, text=True)
    if run.returncode != 0:
        raise RuntimeError(f"{path}: {run.stderr}")
    rows = (line.split("\t") for line in run.stdout.splitlines())
    return {(row[0], int(row[1])): row for row in rows}


def names(field):
    return set() if field == "-" else set(field.split())


def same_name(ours, theirs):
    base = ours.split(".")[0]
    return theirs in FAMILIES.get(base, {base})


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
        if not same_name(mnemonic, line.mnemonic):
            self.note("mnemonic", line.mnemonic, line, text)
        if guard != line.guard:
            self.note("guard", line.mnemonic, line, text)
        if line.target is not None and line.mnemonic != "LEPC":
            counts["targets"] += 1
            if target != str(line.target):
                self.note("target", line.mnemonic, line, text)
        ours = names(operands)
        if line.operands - ours - names(reads) - names(writes):
            self.note("missing", line.mnemonic, line, text)
        elif ours - line.operands:
            self.note("superset", line.mnemonic, line, text)
        if line.reads is not None and line.mnemonic not in CALLS:
            counts["sets"] += 1
            self.sets(line, names(reads), names(writes), text)

    def sets(self, line, reads, writes, text):
        # What is written under a guard is marked as read as well where the old value lives on.
        their_reads = line.reads - line.writes if line.guard != "-" else line.reads
        reads = {name for name in reads if not name.startswith("B")}
        writes = {name for name in writes if not name.startswith("B")}
        if their_reads - reads or line.writes - writes:
            what = f"{line.mnemonic} {' '.join(sorted(their_reads - reads))} | {' '.join(sorted(line.writes - writes))}"
            self.counts["set_missing"] += 1
            self.examples.setdefault(("set_missing", line.mnemonic), (line.text, what, text))
        elif reads - line.reads or writes - line.writes:
            self.note("set_superset", line.mnemonic, line, text)


def compare(dump, path, listing_lines, tally, keep_words=False):
    rows = decoded(dump, path)
    for line in listing_lines:
        row = rows[line.function, line.offset]
        tally.add(line, row)
        if keep_words and row[2] != "unknown":
            tally.words.setdefault((row[2], line.key), (line.word & 0xffffffffffffffff, line.word >> 64, row[8]))
