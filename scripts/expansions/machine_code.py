# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the machine instructions of kernels: ptxas makes a cubin, nvdisasm prints its machine code."""
import collections
import pathlib
import re
import struct
import subprocess

FIELDS = ("total", "special", "double", "branch", "memory", "loop", "matrix", "shuffle")

# Classes of machine instructions by the beginning of the mnemonic, up to the first dot. What is in no class has a fixed
# latency. special: what sets a scoreboard, on some architecture at least, of the other units
# that compute.
SPECIAL = {
    "MUFU", "F2F", "F2I", "I2F", "FRND", "FCHK", "POPC", "FLO", "BREV", "S2R", "S2UR", "B2R", "R2B", "REDUX", "CREDUX",
    "MATCH", "MOVM", "GETLMEMBASE", "SETLMEMBASE"
}
DOUBLE = {"DADD", "DMUL", "DFMA", "DSETP", "DMNMX", "DSET"}
# Conversions between integers of 64 bits and floating-point numbers are as slow as double precision, and keep the unit
# for conversions besides: they count in both classes.
CONVERSIONS, WIDE = {"F2I", "I2F"}, "conversion of 64 bits"
# Shuffles are of the class memory, but where the form is an atomic: many times as long.
SHUFFLE, IN_ATOMIC = "SHFL", "shuffle in an atomic"
WARP_LANES = 32
MATRIX = {"HMMA", "IMMA", "BMMA", "QMMA", "OMMA", "DMMA"}
BRANCH = {
    "BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "CALL", "RET", "BSSY", "BSYNC", "BREAK", "BMOV", "WARPSYNC", "EXIT",
    "KILL", "YIELD", "NANOSLEEP", "BPT", "LEPC", "ENDCOLLECTIVE", "RPCMOV", "WARPGROUP", "WARPGROUPSET"
}
# Loads and stores, caches, fences, barriers, shuffles, textures, asynchronous copies. Reads of constant memory (LDC, LDCU,
# ULDC) are in no class: the program adds them where a kernel needs constants.
MEMORY = re.compile(
    r"(LD(?!CU?$)|ST|ATOM|RED[GS]?$|CCTL|U?MEMBAR|ERRBAR|CGAERRBAR|FENCE|SHFL|QSPC|TEX|TLD|TXD|TXQ|TMML|SU[LSR]|ARRIVES|"
    r"SYNCS|BAR$|DEPBAR|UTMA|UBLK|ACQBULK|UCGABAR|UTC|LDGDEPBAR|PIXLD|MULTIMEM|USTG|USETMAXREG|PREEXIT|ACQSHMINIT)")

PARAMETER = re.compile(r"c\[0x0\]\[0x([0-9a-f]+)\]")
PARAMETER_LOADS = {"LDC", "LDCU", "ULDC", "MOV", "UMOV", "IMAD"}
# Where the parameters of a kernel begin in its bank of constants, and the first two: the scaffold's own.
OWN_PARAMETERS = {70: 0x160, 90: 0x210, 100: 0x380}


class Refused(Exception):
    """ptxas or nvdisasm does not take some kernels; lines: those it names."""
    def __init__(self, lines, message):
        super().__init__(message)
        self.lines = lines


def version(tool):
    text = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"V(\d[\d.]*)", text).group(1)


def assemble(ptxas, text, target, level, folder, options=()):
    """Kernel name -> (machine code, offsets of the functions in it) of a module. Raises Refused."""
    source, cubin = pathlib.Path(folder, "kernels.ptx"), pathlib.Path(folder, "kernels.cubin")
    source.write_text(text)
    run = subprocess.run([ptxas, "-arch", target, f"-O{level}", *options,
                          str(source), "-o", str(cubin)],
                         capture_output=True,
                         text=True)
    if run.returncode != 0:
        raise Refused({int(n) for n in re.findall(r", line (\d+); (?:error|fatal)", run.stderr)}, run.stderr)
    return code_of(cubin.read_bytes())


def code_of(cubin):
    """The sections .text.* of an ELF file of 64 bits, and where functions begin in each."""
    start, = struct.unpack_from("<Q", cubin, 40)
    number, names = struct.unpack_from("<HH", cubin, 60)
    sections = [struct.unpack_from("<IIQQQQII", cubin, start + 64 * i) for i in range(number)]

    def name(section):
        begin = sections[names][4] + section[0]
        return cubin[begin:cubin.index(b"\0", begin)].decode()

    functions = collections.defaultdict(set)
    for section in sections:
        if section[1] == 2:  # symbols
            for at in range(section[4], section[4] + section[5], 24):
                _, kind, _, index, offset, _ = struct.unpack_from("<IBBHQQ", cubin, at)
                if kind & 15 == 2:
                    functions[index].add(offset)
    return {
        name(section)[6:]: (cubin[section[4]:section[4] + section[5]], tuple(sorted(functions[i])))
        for i, section in enumerate(sections)
        if name(section).startswith(".text.")
    }


# (target, code and its functions) -> what count says. The same code comes again and again: of types of one width, of
# other levels.
COUNTED = {}
INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]+)\*/\s+(@!?U?P\w+\s+)?(\S+?)(?:\s+([^;]*?))?\s*;", re.MULTILINE)
# address: in bytes; guarded: some lanes, or all, may not execute it.
Instruction = collections.namedtuple("Instruction", "address guarded mnemonic operands")


def count_kernels(nvdisasm, modules, target, folder):
    """For each kernel of assemble's result what count says. Raises Refused."""
    unknown = [code for code in dict.fromkeys(modules.values()) if (target, code) not in COUNTED]
    if unknown:
        text, begin = listing(nvdisasm, [code for code, _ in unknown], target, folder), 0
        for code in unknown:
            size = len(code[0])
            part = text[begin // 16:(begin + size) // 16]
            bounds = sorted({0, *code[1]}) + [size]
            functions = {begin + a: part[a // 16:b // 16] for a, b in zip(bounds, bounds[1:])}
            COUNTED[target, code] = count(functions, begin, int(re.sub(r"\D", "", target)))
            begin += size
    return {name: COUNTED[target, code] for name, code in modules.items()}


def listing(nvdisasm, codes, target, folder):
    """The instructions of all these, one after another. Raises Refused."""
    raw = pathlib.Path(folder, "kernels.raw")
    raw.write_bytes(b"".join(codes))
    run = subprocess.run([nvdisasm, "-b", target.replace("sm_", "SM"), str(raw)], capture_output=True, text=True)
    text = [
        Instruction(int(address, 16), guard != "", mnemonic, operands)
        for address, guard, mnemonic, operands in INSTRUCTION.findall(run.stdout)
    ]
    if 16 * len(text) != raw.stat().st_size:  # machine code that does not exist
        raise Refused(set(), run.stderr)
    return text


def without_padding(instructions):
    """The trailing branch to itself and NOPs are never executed."""
    end = len(instructions)
    while end > 0 and (instructions[end - 1].mnemonic == "NOP" or is_self_branch(instructions[end - 1])):
        end -= 1
    return instructions[:end]


def is_self_branch(instruction):
    return instruction.mnemonic.startswith("BRA") and target_of(instruction.operands) == instruction.address


def target_of(operands):
    last = operands.split(",")[-1].strip()
    return int(last, 16) if last.startswith("0x") else None


def successors(instruction, addresses):
    """Where control may go behind an instruction, within these addresses; a call returns."""
    base = instruction.mnemonic.split(".")[0]
    target = target_of(instruction.operands)
    jumps = base in ("BRA", "JMP", "BRX", "BRXU", "JMX", "JMXU")
    ends = jumps or base in ("RET", "EXIT", "KILL")
    always = not instruction.guarded and "," not in instruction.operands and ".DIV" not in instruction.mnemonic
    result = [] if ends and always else [instruction.address + 16]
    if jumps and target is not None:
        result.append(target)
    return [address for address in result if address in addresses]


def executions(instructions):
    """Address -> how often a warp may execute the instruction, ways back not counted. Lanes that part execute what
    follows by themselves until they meet: behind a BSYNC those that were together at the BSSY that names this place, nowhere
    else."""
    known = {instruction.address: instruction for instruction in instructions}
    order, state = [], {}
    stack = [(instructions[0].address, None)] if instructions else []
    while stack:
        address, rest = stack.pop()
        if rest is None:
            if address in state:
                continue
            state[address] = "open"
            rest = iter(successors(known[address], known))
        following = next(rest, None)
        if following is None:
            state[address] = "done"
            order.append(address)
        else:
            stack += [(address, rest), (following, None)]
    order.reverse()
    place = {address: i for i, address in enumerate(order)}
    times = collections.Counter(order[:1])
    together = {}
    for address in order:
        instruction = known[address]
        groups = min(times[address], WARP_LANES)
        times[address] = groups
        base = instruction.mnemonic.split(".")[0]
        if base == "BSSY":
            meeting = target_of(instruction.operands)
            together[meeting] = max(groups, together.get(meeting, 0))
        elif base == "BSYNC" and not instruction.guarded:
            groups = min(groups, together.get(address + 16, groups))
        for following in successors(instruction, known):
            if place[following] > place[address]:
                times[following] += groups
    return times


def count(functions, start, architecture, calls=()):
    """Three dictionaries of a function and, once for each call, of those it calls: how often it has each mnemonic, with
    "loop" where a branch leads back (not the longest path, but all instructions); those among them that only read
    parameters, other than the scaffold's own; and how often lanes of a warp that part may execute each mnemonic."""
    mnemonics, parameters, parted = collections.Counter(), collections.Counter(), collections.Counter()
    own = OWN_PARAMETERS[max(a for a in OWN_PARAMETERS if a <= architecture)]
    instructions = without_padding(functions[start])
    times = executions(instructions)
    for address, _, mnemonic, operands in instructions:
        often = max(times[address], 1)
        base = mnemonic.split(".")[0]
        name = WIDE if base in CONVERSIONS and "64" in mnemonic else base
        mnemonics[name] += 1
        parted[name] += often
        target = target_of(operands)
        if base in ("BRA", "BRX", "BRXU", "JMP") and (target or address + 16) <= address:
            mnemonics["loop"] = parted["loop"] = 1
        if base == "CALL" and target in functions and target not in calls:
            called = count(functions, target, architecture, calls + (start,))
            mnemonics.update(called[0])
            parted.update({name: n if name == "loop" else n * often for name, n in called[2].items()})
        read = PARAMETER.search(operands)
        if read and base in PARAMETER_LOADS and int(read.group(1), 16) >= own + 16:
            if base != "IMAD" or mnemonic.startswith("IMAD.MOV"):
                parameters[base] += 1
    return mnemonics, parameters, parted


def calls_outside(mnemonics):
    """Whether some function that is called is not in the file, but a part of the driver: it has no RET in the count."""
    return mnemonics.get("CALL", 0) > mnemonics.get("RET", 0)


def class_of(mnemonic):
    if mnemonic in SPECIAL:
        return "special"
    if mnemonic in BRANCH:
        return "branch"
    if mnemonic in DOUBLE or mnemonic == WIDE:
        return "double"
    if mnemonic in MATRIX:
        return "matrix"
    if mnemonic == IN_ATOMIC:
        return "shuffle"
    return "memory" if MEMORY.match(mnemonic) else "other"


def by_class(mnemonics):
    """FIELDS of a count."""
    fields = collections.Counter({"loop": min(mnemonics.get("loop", 0), 1)})
    for mnemonic, times in mnemonics.items():
        if mnemonic != "loop":
            fields["total"] += times
            fields[class_of(mnemonic)] += times
            fields["special"] += times if mnemonic == WIDE else 0
    return fields
