# SPDX-License-Identifier: GPL-3.0-or-later
"""Loops that hold many copies of one PTX form, for measuring what constant operands cost: which of them the assembler
moves to registers in each round, and which it reads from constant memory.

In straight code, and in a loop with few constants, the assembler moves each once, before the loop. So a loop holds many
copies, each with parameters and immediates of its own, and has few registers.
"""
import collections
import itertools
import random
import re

import kernels
import machine_code

COPIES, REGISTERS = 24, 40
BEGIN = """.visible .entry {name}(.param .u64 pin, .param .u64 pout, .param .u32 pn{parameters})
{{
.reg .pred %p<400>, %more; .reg .b16 %h<400>; .reg .b32 %r<800>; .reg .b64 %d<800>; .reg .b128 %q<400>;
.reg .b32 %spare, %lane, %mask, %rounds, %round; .reg .b64 %in, %out, %row;
mov.u32 %mask, -1;
ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout]; ld.param.u32 %rounds, [pn];
cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;
mov.u32 %lane, %tid.x; mul.wide.u32 %row, %lane, 4096; add.s64 %in, %in, %row; add.s64 %out, %out, %row;
mov.u32 %round, 0; ld.global.b32 %spare, [%in+4080];"""
LOOP = """LOOP:
.pragma "nounroll";"""
END = """add.s64 %in, %in, 131072; add.s64 %out, %out, 131072;
add.s32 %round, %round, 1; setp.lt.s32 %more, %round, %rounds; @%more bra LOOP;
st.global.b32 [%out+4080], %spare;
ret;
}"""
OVERHEAD = 10  # machine instructions of a round that are none of the copies

# Opcodes of which no operand may be a parameter where it is, and what follows an operand of 32 bits.
NO_PLACE = {"set", "slct", "sad", "copysign", "szext", "bmsk", "prmt", "dp4a", "dp2a.lo", "dp2a.hi", "cvt.pack",
            "mul24.lo", "mul24.hi", "mad24.lo", "mad24.hi"}
TAKES = {
    "mov", "cvta", "cvta.to", "add", "sub", "mul", "mad", "fma", "abs", "neg", "min", "max", "mul.lo", "mul.hi",
    "mul.wide", "mad.lo", "mad.hi", "mad.wide", "and", "or", "xor",
    "not", "cnot", "lop3", "setp", "selp", "testp", "popc", "clz", "brev", "bfind", "bfe", "bfi", "cvt", "sin", "cos",
    "lg2", "ex2", "tanh", "rcp", "sqrt", "rsqrt"
}
WORDS = kernels.WORDS


def is_measured(form):
    """Forms that nothing but their operands tells apart, without those that synchronise, copy or call."""
    if form.extent == "matrix" or form.helpers or form.opcode in ("div", "rem", "alloca") or "local_variable" in form.text:
        return False
    if re.match(r"bar|mbarrier|cp\.|nanosleep|tex|su[lr]|sust|prefetch|createpolicy|discard|applyp|elect|shfl|vote|match|redux",
                form.word):
        return False
    return any(sign in kernels.LONG for sign in form.inputs)


def chosen(forms):
    """One form of those that differ in modifiers alone."""
    found = {}
    for form in filter(is_measured, forms):
        types = tuple(form.types[:1] if form.opcode in ("set", "setp", "selp", "slct", "cvt") else form.types)
        key = (form.opcode, form.inputs, form.outputs) + (() if form.extent == "least" else (types, form.vector))
        found.setdefault(key, form)
    return list(found.values())


def patterns(form):
    """Which operands differ between lanes (l), are parameters (u) or immediates (c)."""
    inputs = form.inputs
    places = [i for i, sign in enumerate(inputs) if sign in kernels.LONG]
    several = len(places) > 3
    kinds = itertools.product("luc", repeat=len(places)) if not several else ["l" * len(places), "u" * len(places),
                                                                              "c" * len(places)]
    for kind, address in itertools.product(list(kinds), "lu" if set(inputs) & set("AS") else "l"):
        letters = dict(zip(places, kind))
        values = "".join(letters.get(i, address if sign in "AS" else "l") for i, sign in enumerate(inputs))
        if "l" in values or not form.outputs:  # else all is constant
            yield values


class Loop(kernels.Kernel):
    """The text of a loop. memory: loads and stores of a round."""
    def __init__(self, name, form, values):
        self.random = random.Random(form.word + values)
        self.lines, self.before = [], []
        self.numbers = collections.Counter()
        self.memory = self.others = self.words = self.parameters = self.slots = self.results = 0
        for _ in range(COPIES):
            results = [self.new(sign) for sign in form.outputs]
            operands = [self.operand(i, *pair) for i, pair in enumerate(zip(form.inputs, values))]
            text = form.text.format(*results, *operands, word=form.executed)
            self.lines += [line.strip() + ";" for line in text.split(";")]
            for sign, register in zip(form.outputs, results):
                self.store(sign, register)
        parameters = "".join(f", .param .b64 pu{i}" for i in range(self.parameters))
        self.text = "\n".join([BEGIN.format(name=name, parameters=parameters)] + self.before + [LOOP] + self.lines + [END])

    def operand(self, position, sign, value):
        bits = self.random.getrandbits
        if value == "c" and sign in kernels.LONG:
            return {
                "h": hex(0x1000 + bits(14)),
                "r": hex(0x10000000 | bits(30)),
                "R": hex(1 << 62 | bits(62) | 1),
                "f": f"0f{0x3F000000 | bits(23):08X}",
                "d": f"0d{0x3FF << 52 | bits(52) | 1:016X}"
            }[sign]
        if value != "u" or sign in "pQ":
            return super().operand(position, sign, "l")
        register = self.new(sign)
        self.before.append(f"ld.param.{kernels.TYPE[sign]} {register}, [pu{self.parameters}];")
        self.parameters += 1
        return register

    def predicate(self, uniform):
        number, predicate = self.operand(0, "r", "l"), self.new("p")
        self.lines.append(f"setp.gt.s32 {predicate}, {number}, 12345;")
        self.others += 1
        return predicate


def moves(form, values):
    """Those that frontend/ptx/lowering/constant_operands.cpp and timing/costs/constant_reads.cpp count."""
    def longest(kind):
        return max((WORDS[sign] for sign, value in zip(form.inputs, values) if value == kind and sign != "p"), default=0)

    words = sum(WORDS[sign] for sign, value in zip(form.inputs, values) if value in "uc" and sign != "p")
    joins = len(form.inputs) > 1 and form.opcode in ("mov", "cvt")
    packs = form.opcode == "st" and any(kernel_type.endswith(("8", "16")) for kernel_type in form.types)
    narrow = any(kernel_type.endswith("x2") for kernel_type in form.types[:1])
    if "c" in values:
        return words - (0 if form.opcode in ("set", "atom", "red") or packs or joins else longest("c"))
    if joins and form.opcode == "cvt":
        return words + (words > 0)
    if form.opcode in NO_PLACE or form.opcode not in TAKES or joins or narrow:
        return words
    return words - min(longest("u"), 1 if form.opcode == "selp" else 2)


def in_loop(instructions):
    """The instructions of the longest loop, or none."""
    place = {instruction.address: i for i, instruction in enumerate(instructions)}
    found = []
    for i, instruction in enumerate(instructions):
        target = machine_code.target_of(instruction.operands)
        if instruction.mnemonic.startswith("BRA") and place.get(target, i) < i and i - place[target] >= len(found):
            found = instructions[place[target]:i + 1]
    return found
