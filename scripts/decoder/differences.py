# SPDX-License-Identifier: GPL-3.0-or-later
"""What the decoder has otherwise than nvdisasm on purpose. Each row names the instructions, the words and the reason; what no
row names is an error."""
import collections
import re

MEMORY = "LD LDC LDCU LDG LDGSTS LDL LDS ST STAS STG STL STS SULD SUST ULDC USTGR"
ATOMICS = "ATOM ATOMG ATOMS RED REDG"
HALVES = "HADD2 HFMA2 HMNMX2 HMUL2 HSET2 HSETP2"
FLOATS = "F2F F2I FRND FADD FFMA FMNMX FMUL FSETP FSET UF2I UFADD UFFMA UFMUL UFRND UFSEL UFSETP FADD2 FFMA2 FMUL2 FMNMX3 VHMNMX " + HALVES
TEXTURES = "TEX TLD TLD4 TXD TXQ"
SURFACES = "SULD SURED SUST"
TENSORS = "UTMALDG UTMAPF UTMAREDG UTMASTG"
WARP_GROUP_SHAPES = " ".join(f"64x{columns}x{depth}" for columns in range(8, 264, 8) for depth in (8, 16, 32, 64))
TENSOR_MEMORY_SHAPES = " ".join(["16dp32bit_t0_t15", "16dp32bit_t16_t31", "16dp64bit", "16dp128bit", "16dp256bit", "EXPAND16BIT",
                                 "PACK16BIT"] + [f"x{2 ** i}" for i in range(1, 8)])

# Modifiers that a row of the opcode tables marks with "~": nvdisasm prints them, we do not.
NOT_DECODED = (
    (FLOATS, "FTZ", "subnormal numbers: no flow, address or time depends on them"),
    ("FADD FFMA FMUL I2I I2IP IMMA F2FP " + HALVES, "SAT SATFINITE", "limits of results that nothing is derived from"),
    ("FMNMX FMNMX3 HMNMX2 VHMNMX", "BF16_V2 NAN XORSIGN", "what is not a number, and signs, of minima of floating-point numbers"),
    ("F2I F2IP UF2I", "NTZ", "what becomes of what is not a number"),
    ("F2FP", "RELU RP RS RZ BF16 E2M1 E2M3 E3M2 E4M3 E5M2 E8 F16 F32 TF32 MERGE_C PACK_AB PACK_AB_MERGE_C PACK_B UNPACK_B "
     "UNPACK_B_MERGE_C", "packed floating-point numbers of one register, whatever their types"),
    ("F2IP", "F32 S8 U8 TRUNC", "packed results of one register, whatever their types"),
    ("I2I I2IP", "S2 S4 S8 S16 S32 U2 U4 U8 U16", "results of one register, whatever their types"),
    ("IDP", "2A 4A HI LO S8 S16 U8 U16", "dot products of one register"),
    ("HFMA2", "OOB RELU", "packed floating-point numbers"),
    ("HADD2", "F32", "packed floating-point numbers"),
    ("MUFU " + HALVES, "BF16 BF16_V2 BF16x2 F16 F16x2", "types of floating-point numbers"),
    ("FSET HSET2", "BF", "the result is 1 and not -1"),
    ("FSWZADD", "NDV", "lanes that take no part in a derivative"),
    ("IMAD", "IADD MOV SHL", "the same multiplication, named for what it is used for"),
    ("VABSDIFF4", "ACC U8", "sums and types of bytes of one register"),
    ("VIADD", "S32", "the type of a sum that is limited"),
    ("CREDUX", "MAX MAXABS MIN MINABS F32 NAN S32", "an operation of all lanes, of one register"),
    ("BMMA", "AND POPC XOR 88128 168128 168256", "shapes and operations; the registers are compared"),
    ("DMMA", "884 8x8x4 16x8x4 16x8x8 16x8x16 RM RP RZ", "shapes and roundings; the registers are compared"),
    ("HMMA", "1684 1688 16816 16832 BF16 F16 F32 SP STEP0 STEP1 STEP2 STEP3 TF32",
     "shapes and types; the registers are compared"),
    ("IMMA", "8816 8832 16816 16832 16864 168128 S4 S8 U4 U8 SP", "shapes and types; the registers are compared"),
    ("QMMA", "E8 16816 16832 16864 E2M1 E2M3 E3M2 E4M3 E5M2 F16 F32 SP", "shapes and types; the registers are compared"),
    ("HGMMA IGMMA QGMMA", WARP_GROUP_SHAPES + " BF16 E4M3 E5M2 F16 F32 REGOFFSET S8 SAT SP TF32 U8",
     "shapes and types; the registers are compared, or are upper limits"),
    ("OMMA", "16864 168128 E2M1 E8 F32 SP UE4M3 4X", "shapes and types; the registers are compared"),
    ("LDSM MOVM STSM", "16 2 4 8 M88 M832 MT88 MT168 MT1616 U4TO8", "shapes; the registers are compared"),
    ("LD LDG ST STG CCTL LDGSTS QSPC " + ATOMICS, "E", "addresses of 64 bits: a register pair, which is compared"),
    ("LD LDG ST STG STL LDL LDS USTGR UREDGR", "E EF EFL2 EL ELL2 LU NA ENL2 U", "how long a cache keeps the line"),
    ("LDG LDGSTS", "GPU LTC64B LTC128B LTC256B", "how much the L2 cache fetches around it"),
    ("LDGSTS", "BYPASS CONSTANT ZFILL", "a copy past the first cache, and zeros for what is not copied"),
    ("LD LDG ST STG", "SYS", "sm_75 names the widest scope of an access without order"),
    ("ATOM ATOMS", "SPIN", "a hint of how a comparison is repeated"),
    ("ATOM ATOMS", "ARRIVE INC POPC 32 64", "arrivals at a barrier object, which are refused as such"),
    (TEXTURES, "A AOFFI B CL DC G LL LZ MS NDV R SCR",
     "levels, channels, offsets and comparisons of textures, which are charged at their most; registers are upper limits"),
    (SURFACES, "1D 1D_ARRAY 2D 2D_ARRAY 3D BA EF IGN TRAP R RG",
     "shapes and limits of surfaces, which are charged at their most"),
    ("SURED", "D S32 SD32 U64 STRONG SYS", "types of reductions of surfaces, whose registers are upper limits"),
    ("SUST", "STRONG SM CTA SYS", "the order of a formatted store is fixed"),
    (TENSORS + " UBLKCP UBLKPF UBLKRED",
     "1D 2CTA 2D 3D 4D 5D ADD AND BF16 DEC F16 F32 F64 G INC L2 MAX MIN MULTICAST OR RN S S32 S64 U64 XOR",
     "bulk copies, which are refused as such"),
    ("UTMACCTL", "IV PF", "a cache of descriptions of tensors"),
    ("ARRIVES", "64 ARVCNT LDGSTSBAR TRANSCNT", "barrier objects, which are refused as such"),
    ("SYNCS", "64 A0T1 A0TR A0TX A1T0 ART0 IV IVALL OPTOUT RED TMASK TRANS64 TRYWAIT",
     "barrier objects, which are refused as such"),
    ("NANOSLEEP", "SYNCS WARP", "which is refused as such"),
    ("UTCATOMSWS", "2CTA ALIGN AND FIND_AND_SET", "tensor memory, which is refused as such"),
    ("LDTM STTM", TENSOR_MEMORY_SHAPES, "tensor memory, which is refused as such"),
    ("UTCBAR UTCCP UTCHMMA UTCIMMA UTCOMMA UTCQMMA UTCSHIFT", "128dp128bit 128dp256bit 2CTA 2x64dp128bit_lw01_lw23 "
     "2x64dp128bit_lw02_lw13 4X 4dp256bit 4x32dp128bit BLOCK16 BLOCK32 DOWN MULTICAST S T U4x16P64 U6x16P32 WS",
     "tensor memory, which is refused as such"),
    ("UGETNEXTWORKID USETMAXREG USETSHMSZ UVIRTCOUNT",
     "ALLOC BROADCAST CTAPOOL DEALLOC FLUSH RELEASE SELFCAST SMPOOL TRY_ALLOC", "which are refused as such"),
    ("LDGMC", "ADD AND BF16x2 BF16x4 BF16x8 E E4M3x8 E4M3x16 E5M2x8 E5M2x16 F16x2 F16x4 F16x8 F32ADD F32 F32x2 F32x4 F64 HPADD MAX "
     "MIN OR RN S32 S64 XOR 32 64", "types of reductions over devices, which are refused as such"),
    ("WARPGROUP", "ARRIVE DEPBAR LE", "matrix instructions of warp groups, which are refused as such"),
    ("CCTL", "C DEEP IV", "how deep the caches of constants are emptied"),
    ("CCTLL", "PF1 PF2", "into which cache local memory is fetched early"),
    ("FENCE", "ASYNC G S T VIEW", "which memories a fence of views is for; it costs the same"),
    ("QSPC", "D G L S", "which memory is asked for"),
    ("BAR", "DEFER_BLOCKING", "how the warp waits"),
    ("WARPSYNC", "EXCLUSIVE", "how the warp waits"),
    ("BREAK BSSY BSYNC", "RECONVERGENT RELIABLE", "how strictly lanes come together; we take the same for all"),
    ("CALL", "NOINC", "whether the depth of calls is counted"),
    ("RET", "NODEC", "whether the depth of calls is counted"),
    ("R2UR", "BROADCAST FILL", "a value that all lanes share, or that was saved"),
    ("MOV", "SPILL", "a value that is saved"),
    ("B2R", "RESULT", "which result of a barrier is read"),
    ("BMOV", "PQUAD", "lanes by fours"),
    ("BPT", "TRAP", "the only one that is decoded"),
)

# (instructions, our words, those of nvdisasm, reason). With none of ours the row holds only where none of ours is left.
NOTATION = (
    ("CREDUX REDUX", "", "S32", "signed is our default, unsigned theirs"),
    ("REDUX", "U32", "", "signed is our default, unsigned theirs"),
    ("REDUX", "AND", "", "their default"),
    ("VIMNMX", "8x4 U32", "U8x4", "type and width in one word"),
    ("VIMNMX", "8x4 S32", "S8x4", "type and width in one word"),
    ("VIADD", "8x4", "U8x4", "the sign of a sum is not decoded"),
    ("VIADD", "8x4", "S8x4", "the sign of a sum is not decoded"),
    ("VIADDMNMX VIMNMX VIMNMX3", "S32", "", "their default"),
    ("IMNMX ISETP UIMNMX UISETP", "64 U32", "U64", "type and width in one word"),
    ("IMNMX ISETP UIMNMX UISETP", "64", "S64", "type and width in one word"),
    ("ISETP UISETP", "X", "EX", "the modifier that takes a carry has another name at comparisons"),
    ("VABSDIFF4", "U32", "", "the type of bytes is not decoded"),
    ("MATCH", "64", "U64", "the width of what is compared"),
    ("MATCH", "", "ALL", "our default"),
    ("WARPSYNC", "", "ALL", "our default"),
    ("MEMBAR", "", "SC", "our default"),
    ("RET", "", "REL", "our default"),
    ("CS2R CS2UR", "64", "", "their default"),
    ("CS2R CS2UR", "", "32", "our default"),
    ("BMOV RPCMOV", "", "32", "the only width that is decoded"),
    (MEMORY, "32", "", "their default"),
    ("LDG", "U128", "128", "a load of 128 bits that is kept apart"),
    ("ATOM ATOMG LD LDG RED ST STG SULD SUST", "SM", "CTA", "the scope of a block, in the words of sm_75 and of sm_80"),
    ("ATOM ATOMS", "CAS", "CAST", "an operation that is repeated is the same one"),
    ("BAR", "POPC", "", "the field of the operation, where BAR reduces nothing"),
    ("R2P", "B1", "", "theirs is behind the operand"),
    ("UR2UP", "B3", "", "theirs is behind the operand"),
    ("PLOP3", "SIGN", "", "theirs is behind the operand"),
    ("DSETP", "F", "MIN", "neither is a comparison: both results are predicates, which are compared"),
    ("DSETP", "T", "MAX", "neither is a comparison: both results are predicates, which are compared"),
)

# (our name, theirs, reason): rows for several of their names.
NAMES = (
    ("RED", "REDG", "sm_90 and later name a reduction of global memory apart"),
    ("UTCMMA", "UTCHMMA UTCIMMA UTCQMMA UTCOMMA", "by the types, which are not decoded"),
)

# The number of the type of an atomic, which depends on opcode and architecture, and what nvdisasm calls it.
ATOMIC_TYPES = {
    0x0: ("", "F16x2 RN"), 0x1: ("S32", "F16x4 RN"), 0x2: ("64", "F16x8 RN"), 0x3: ("S64", "F32 FTZ RN", "BF16x2 RN"),
    0x4: ("128", "F16x2 RN", "BF16x4 RN"), 0x5: ("S64", "BF16x8 RN"), 0x6: ("F64 RN",), 0x8: ("",),
    0x9: ("S32", "F32 FTZ RN"), 0xa: ("64", "F32x2 FTZ RN"), 0xb: ("S64", "F32x4 FTZ RN"), 0xc: ("128",), 0xf: ("F64 RN",),
}

# Registers that we have and nvdisasm does not: (instructions, whether they are missing where it names them, "named", or in its
# table of life ranges, "read" and "written", which, reason). Of those that it has and we do not there are none.
REGISTERS = (
    ("LD LDG LDGSTS ST STG CCTL " + ATOMICS, "named", r"UR\d+",
     "descriptors, which the text of sm_80 to sm_89 leaves out"),
    ("BAR", "named read", "P0", "the field of the predicate, where BAR reduces nothing"),
    ("P2R", "named read", r"P\d", "its PR is all predicates: the text has no name for one, the table none at all"),
    (SURFACES + " " + TEXTURES, "read written", r"R\d+",
     "vectors whose lengths are not decoded: upper limits, never surely written"),
    (SURFACES + " " + TEXTURES, "read", r"UR\d+", "handles whose lengths are not decoded: upper limits"),
    (TENSORS, "read", r"UR\d+", "coordinates whose number is not decoded: upper limits"),
    (TEXTURES, "named", "UR0", "a field that is a number where there is no register"),
    ("UBLKCP UBLKPF", "named read", "UR[01]", "the cache hint or mask, where there is none"),
)

ROUNDINGS = {"RZ": "TRUNC", "RM": "FLOOR", "RP": "CEIL"}
FLOAT_TYPES = {"8": "BF16", "16": "F16", "32": "F32", "64": "F64"}


def by_mnemonic(rows):
    found = collections.defaultdict(list)
    for mnemonics, *rest in rows:
        for mnemonic in mnemonics.split():
            found[mnemonic].append(rest)
    return found


SILENT = {mnemonic: {word for words, _ in rows for word in words.split()}
          for mnemonic, rows in by_mnemonic(NOT_DECODED).items()}
WORDS = {mnemonic: [(collections.Counter(ours.split()), collections.Counter(theirs.split())) for ours, theirs, _ in rows]
         for mnemonic, rows in by_mnemonic(NOTATION).items()}
EXTRA = {mnemonic: [(kinds.split(), re.compile(which)) for kinds, which, _ in rows]
         for mnemonic, rows in by_mnemonic(REGISTERS).items()}


def same_name(ours, theirs):
    return ours == theirs or any(ours == name and theirs in names.split() for name, names, _ in NAMES)


def conversion(mnemonic, words):
    """Our words of a conversion, sizes and signs apart, as nvdisasm prints them."""
    sizes = [word for word in words if word in FLOAT_TYPES]
    sign = "".join(word for word in words if word in ("S", "U"))
    rest = [word for word in words if word not in FLOAT_TYPES and word not in ("S", "U")]
    if mnemonic in ("I2FP", "UI2FP"):
        return rest + ["F32", sign + "32"]
    if mnemonic in ("F2F", "UF2F"):
        return rest + [FLOAT_TYPES[size] for size in sizes]
    rounded = [ROUNDINGS.get(word, word) for word in rest]
    if mnemonic in ("FRND", "UFRND"):
        return rounded + [FLOAT_TYPES[size] for size in sizes[:1] if size != "32"]
    from_float = mnemonic in ("F2I", "UF2I")
    integer, floating = sizes if from_float else reversed(sizes)
    return ((rounded if from_float else rest) + [sign + integer] * (sign + integer != "S32") +
            [FLOAT_TYPES[floating]] * (floating != "32"))


def as_operands(words):
    """Our words without the numbers that are operands of nvdisasm, and these numbers."""
    numbers, rest = [], []
    for word in words:
        table = re.fullmatch(r"(lut|second_lut|shift_amount|sector_mask)0x([0-9a-f]+)", word)
        lanes = re.fullmatch(r"LANES(\d+)", word)
        if word == "sector_mask0xff":
            continue  # their default
        if table or lanes:
            numbers.append(int(table[2], 16) if table else int(lanes[1]))
            rest += ["LUT"] * (table is not None and table[1] == "lut")
        else:
            rest.append(word)
    return rest, numbers


def atomic_type(words, theirs):
    """Our words without the type of an atomic where nvdisasm calls it one of its names."""
    number = [word for word in words if word.startswith("atomic_type")]
    for names in ATOMIC_TYPES.get(int(number[0][11:], 16), ()) if number else ():
        rest = [word for word in words if word != number[0]] + names.split()
        left = collections.Counter(theirs) - collections.Counter(rest)
        if not any(re.fullmatch(r"S?\d+|B?F\d+(x\d)?|RN|FTZ", word) for word in left) and \
           not collections.Counter(names.split()) - collections.Counter(theirs):
            return rest
    return words


def differing(mnemonic, ours, theirs):
    """The words of either side that no row explains, as two sorted texts."""
    if mnemonic in ("F2F", "F2I", "FRND", "I2F", "I2FP", "UF2F", "UF2I", "UFRND", "UI2F", "UI2FP"):
        ours = conversion(mnemonic, ours)
    ours = atomic_type(ours, theirs)
    left = collections.Counter(ours) - collections.Counter(theirs)
    their_left = collections.Counter(theirs) - collections.Counter(ours)
    for our_words, their_words in WORDS.get(mnemonic, ()):
        if (our_words or not left) and not our_words - left and not their_words - their_left:
            left, their_left = left - our_words, their_left - their_words
    their_left = collections.Counter({word: n for word, n in their_left.items() if word not in SILENT.get(mnemonic, ())})
    return " ".join(sorted(left.elements())), " ".join(sorted(their_left.elements()))


def unexplained(line, kind, registers):
    """Those of the additional registers that no row explains."""
    rows = [which for kinds, which in EXTRA.get(line.mnemonic, ()) if kind in kinds]
    return {name for name in registers if not any(which.fullmatch(name) for which in rows)}
