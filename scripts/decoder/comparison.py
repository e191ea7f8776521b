"""Compares the decoder's lines (tests/frontend/sass/dump) with a listing of nvdisasm."""
import collections
import re
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


# Modifiers that flow analysis depends on, and the instructions they are compared for.
COMPARED = set("X U32 HI SX32 W F LT EQ LE GT NE GE T AND OR XOR L R S32 U64 S64 IDX UP DOWN BFLY U8 S8 U16 S16 64 128 "
               "F4E B4E RC8 ECL ECR RC16".split())
WITH_MODIFIERS = set("IADD3 IMAD LEA SHF ISETP SGXT BMSK PRMT SHFL LD LDG LDS LDL LDC ULDC LDCU ST STG STS STL LDGSTS UIADD3 UIMAD "
                     "ULEA USHF UISETP UPRMT".split())
WITH_IMMEDIATES = WITH_MODIFIERS | set("MOV UMOV SEL USEL LOP3 ULOP3 VIADD IMNMX VIMNMX IADD BAR P2R R2P PLOP3".split())
# Brackets that are no address of ours: registers that hold the place, and bundles of them.
NO_PLACES = set("TEX TLD TLD4 TXD TXQ SULD SUST SURED UTMALDG UTMASTG UTMAREDG UTMAPF UTMACCTL UBLKCP UTCHMMA UTCBAR LDTM HGMMA CCTL "
                "UBLKRED UBLKPF".split())
PLACE = re.compile(r"(?<!desc)\[([^\]]*)\]")
OFFSET = re.compile(r"([+-]{0,2})0x([0-9a-f]+)$")


def modifiers(text):
    """The modifiers that are compared, in one notation for both."""
    words = text.split()[1 if text.startswith("@") else 0].split(".")[1:]
    words = [{"EX": "X"}.get(word, word) for word in words]
    if {"U64", "S64"} & set(words) and text.split(".")[0].endswith("ISETP"):
        words = [{"U64": "U32"}.get(word, word) for word in words if word != "S64"] + ["64"]
    return sorted(word for word in words if word in COMPARED)


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


def shifts(text):
    """Numbers that are modifiers of ours and operands of theirs: shifts of LEA, tables of LOP3 and PLOP3, lanes of MOV."""
    return ({int(value, 16) for value in re.findall(r"(?:shift_amount|lut)0x([0-9a-f]+)", text)} |
            {int(value) for value in re.findall(r"\.LANES(\d+)", text)})


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
        if line.mnemonic in WITH_MODIFIERS and modifiers(line.text) != modifiers(text):
            self.note("modifiers", line.mnemonic, line, text)
        if places(line.text) != places(text) and line.mnemonic not in NO_PLACES:
            self.note("place", line.mnemonic, line, text)
        if line.mnemonic in WITH_IMMEDIATES and not set(immediates(line.text)) <= set(immediates(text)) | shifts(text):
            self.note("immediate", line.mnemonic, line, text)
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
