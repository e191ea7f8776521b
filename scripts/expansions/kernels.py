# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels with one PTX form each, for measuring what ptxas makes of it.

A kernel loads the form's operands, executes the form and stores its results. Everything around the form is built so
that it costs a known number of machine instructions and cannot merge with the form:
- One load and one store of no other use keep the address computations at the beginning alive.
- A load and a store of 32 bits or more is one machine instruction each. A 16-bit operand is the low half of a 32-bit
  load: a narrow load would do the work of a conversion.
- A predicate operand is a comparison that also guards a store; a predicate result guards a store.
- Warp-uniform operands are kernel parameters: see Scaffold.parameter_words.
"""
import collections
import itertools

HEADER = """.version {version}
.target {target}
.address_size 64
.shared .align 16 .b8 shared_variable[1024];
.global .align 16 .b8 global_variable[1024];
.const .align 16 .b8 const_variable[1024];
"""
PARAMETERS = ".param .u64 pin, .param .u64 pout, " + ", ".join(f".param .b64 pu{i}" for i in range(20))
BEGIN = """.visible .entry {name}({parameters}, .param .align 16 .b8 pbig[64])
{{
.reg .pred %p<40>; .reg .b16 %h<40>; .reg .b32 %r<80>; .reg .b64 %d<80>; .reg .b128 %q<20>;
.reg .b32 %spare, %lane, %mask; .reg .b64 %in, %out, %row;
mov.u32 %mask, -1;
ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];
cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out;
mov.u32 %lane, %tid.x; mul.wide.u32 %row, %lane, 4096; add.s64 %in, %in, %row; add.s64 %out, %out, %row;
ld.global.b32 %spare, [%in+4080];"""
END = "st.global.b32 [%out+4080], %spare;\nret;\n}"

# Operand signs: h 16 bits, r 32 bits, R 64 bits, Q 128 bits, f single, d double, p predicate, A address of 64 bits, S
# address of 32 bits. Registers are untyped; f and d differ in how constants are written.
REGISTER = {"h": "%h", "r": "%r", "R": "%d", "Q": "%q", "f": "%r", "d": "%d", "p": "%p", "A": "%d", "S": "%r"}
TYPE = {"h": "b16", "r": "b32", "R": "b64", "Q": "b128", "f": "b32", "d": "b64", "A": "b64", "S": "b32"}
WORDS = {"h": 1, "r": 1, "R": 2, "Q": 4, "f": 1, "d": 2, "A": 2, "S": 1}
# Constants that fit no short immediate, and short ones; two of each, as equal ones would cancel out.
LONG = {
    "h": ("0x1235", "0x2461"),
    "r": ("0x12345679", "0x2468ace1"),
    "R": ("0x123456789abcdef1", "0x0fedcba987654321"),
    "f": ("0f3F9E0652", "0f40490FDB"),
    "d": ("0d3FF3C0CA428C59FB", "0d400921FB54442D18")
}
SHORT = {
    "h": ("5", "7"),
    "r": ("5", "7"),
    "R": ("5", "7"),
    "f": ("0f40400000", "0f3F000000"),
    "d": ("0d4008000000000000", "0d3FE0000000000000")
}

# cell: of the data file. values: for each input l (differs between lanes), u (uniform), c (long constant) or s (short
# constant). guard: "", "@" or "@!".
Shape = collections.namedtuple("Shape", "cell values guard uniform_guard")
# Machine instructions of a kernel that are not the form's: loads and stores beside those of the empty kernel; others,
# one each; and the most that reads of parameters may be (one for each 32 bits).
Scaffold = collections.namedtuple("Scaffold", "memory others parameter_words")


def shapes(form):
    """The shapes of operands a form is measured with. Forms of extent "few" and "least" have many relatives that differ
    in nothing that matters here; those of extent "matrix" get no constants."""
    inputs = form.inputs
    constants = [i for i, sign in enumerate(inputs) if sign in LONG] if form.extent != "matrix" else []
    addresses = {i: "u" for i, sign in enumerate(inputs) if sign in "AS"}
    plain = "immediate" if form.constant else "registers"

    def of(letters, default="l"):
        return "".join(letters.get(i, default) for i in range(len(inputs)))

    found = {Shape(plain, of({}), "", False), Shape("guarded", of({}), "@", False)}
    if addresses:
        found |= {Shape(plain, of(addresses), "", False), Shape(plain, of({}, "u"), "", False)}
    if constants:
        first, last = constants[0], constants[-1]
        found.add(Shape("immediate", of({last: "c"}), "", False))
        if addresses:
            found.add(Shape("immediate", of({i: "c" for i in constants}), "", False))
    if form.extent in ("least", "matrix"):
        return sorted(found)
    found.add(Shape(plain, of({}, "u"), "", False))
    if constants:
        found.add(Shape("immediate", of({first: "c"}), "", False))
    if form.extent != "all":
        return sorted(found)
    found |= {Shape("guarded", of({}, "u"), "@!", False), Shape("guarded", of({}), "@", True)}
    if constants:
        found |= {
            Shape("immediate", of({last: "s"}), "", False),
            Shape("immediate", of({last: "c"}, "u"), "", False),
            Shape("guarded", of({last: "c"}), "@!", False)
        }
        if len(constants) in (2, 3) and not addresses:
            found.add(Shape("immediate", of({first: "s"}), "", False))
        if len(constants) == 3:
            found |= {
                Shape("immediate", of({i: kind
                                       for i in constants
                                       if i != j}), "", False)
                for j, kind in itertools.product(constants, "cs")
            }
            found |= {Shape("immediate", of({constants[1]: kind}), "", False) for kind in "cs"}
            found.add(Shape("guarded", of({i: "c" for i in constants[1:]}), "@", False))
        if addresses:
            found.add(Shape("immediate", of({**{i: "c" for i in constants}, **addresses}), "", False))
    return sorted(found)


class Kernel:
    """The text of a kernel that executes a form in a shape, and the scaffold that must be taken off its count."""
    def __init__(self, name, form, shape):
        self.lines = [BEGIN.format(name=name, parameters=PARAMETERS)]
        if "local_variable" in form.text:
            self.lines.append(".local .align 16 .b8 local_variable[64];")
        self.numbers = collections.Counter()
        self.memory = self.others = self.words = self.parameters = self.slots = self.results = 0
        results = [self.new(sign) for sign in form.outputs]
        operands = [self.operand(i, *pair) for i, pair in enumerate(zip(form.inputs, shape.values))]
        prefix = ""
        if shape.guard:
            prefix = shape.guard + self.predicate(shape.uniform_guard) + " "
            for sign, register in zip(form.outputs, results):
                self.preset(sign, register)
        text = form.text.format(*results, *operands, word=form.executed)
        self.lines += [prefix + line.strip() + ";" for line in text.split(";")]
        for sign, register in zip(form.outputs, results):
            self.store(sign, register)
        self.text = "\n".join(self.lines + [END])
        self.scaffold = Scaffold(self.memory, self.others + form.helpers, self.words)

    def new(self, sign):
        register = REGISTER[sign]
        self.numbers[register] += 1
        return register + str(self.numbers[register])

    def load(self, kind, register):
        self.lines.append(f"ld.global.{kind} {register}, [%in+{16 * self.slots}];")
        self.slots += 1
        self.memory += 1

    def store(self, sign, register):
        where = f"[%out+{16 * self.results}]"
        self.lines.append(f"@{register} st.global.b32 {where}, %spare;" if sign ==
                          "p" else f"st.global.{TYPE[sign]} {where}, {register};")
        self.results += 1
        self.memory += 1

    def operand(self, position, sign, value):
        if sign == "p":
            return self.predicate(value == "u")
        if value in "cs" and sign in LONG:
            return (LONG if value == "c" else SHORT)[sign][position % 2]
        register = self.new(sign)
        if value == "u" and sign != "Q":
            self.lines.append(f"ld.param.{TYPE[sign]} {register}, [pu{self.parameters}];")
            self.parameters += 1
            self.words += WORDS[sign]
        elif sign == "h":
            whole = self.new("r")
            self.load("b32", whole)
            self.lines.append(f"{{ .reg .b16 %high; mov.b32 {{{register}, %high}}, {whole}; }}")
        else:
            self.load(TYPE[sign], register)
        return register

    def predicate(self, uniform):
        number = self.operand(0, "r", "u" if uniform else "l")
        predicate = self.new("p")
        self.lines.append(f"setp.gt.s32 {predicate}, {number}, 12345;")
        self.others += 1
        self.store("p", predicate)
        return predicate

    def preset(self, sign, register):
        """What a guarded form leaves where its guard is false."""
        if sign != "p":
            self.load(TYPE[sign], register)
            return
        number = self.operand(0, "r", "l")
        self.lines.append(f"setp.lt.s32 {register}, {number}, 777;")
        self.others += 1


def empty_kernel(name):
    return BEGIN.format(name=name, parameters=PARAMETERS) + "\n" + END
