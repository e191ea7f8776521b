# SPDX-License-Identifier: GPL-3.0-or-later
"""Forms that compute: integers, logic, comparisons, floating point, conversions, video."""
import itertools

from form import HALVES, INTEGERS, ROUNDINGS, SIGN, add, dotted, vector


def integers():
    for t in INTEGERS:
        c = SIGN[t]
        for opcode in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
            add(opcode, t, c, c + c)
        for opcode in ("mad.lo", "mad.hi", "sad"):
            add(opcode, t, c, c * 3)
        add("shr", t, c, c + "r")
        if t[0] == "s":
            add("abs", t, c, c)
            add("neg", t, c, c)
    for t, wide in (("s16", "r"), ("u16", "r"), ("s32", "R"), ("u32", "R")):
        c = SIGN[t]
        add("mul.wide", t, wide, c + c)
        add("mad.wide", t, wide, c + c + wide)
    for opcode, t in itertools.product(("add", "sub", "min", "max", "neg"), ("u16x2", "s16x2")):
        add(opcode, t, "r", "r" if opcode == "neg" else "rr")
    for opcode, t in itertools.product(("min", "max"), ("s32", "s16x2", "u32", "u16x2")):
        add(opcode, "relu." + t, "r", "rr")
    for opcode in ("add", "sub"):
        add(opcode, "sat.s32", "r", "rr")
    add("mad.hi", "sat.s32", "r", "rrr")
    for t, half in itertools.product(("s32", "u32"), ("lo", "hi")):
        add("mul24." + half, t, "r", "rr")
        add("mad24." + half, t, "r", "rrr")
    add("mad24.hi", "sat.s32", "r", "rrr")
    carries()
    for t in ("b32", "b64"):
        c = SIGN[t]
        add("popc", t, "r", c)
        add("clz", t, "r", c)
        add("brev", t, c, c)
        add("bfi", t, c, c + c + "rr")
    for t in ("s32", "u32", "s64", "u64"):
        c = SIGN[t]
        add("bfind", t, "r", c)
        add("bfind", "shiftamt." + t, "r", c)
        add("bfe", t, c, c + "rr")
    add("fns", "b32", "r", "rrr")
    for mode in ("clamp", "wrap"):
        add("bmsk", mode + ".b32", "r", "rr")
        add("shf.l", mode + ".b32", "r", "rrr")
        add("shf.r", mode + ".b32", "r", "rrr")
        for t in ("s32", "u32"):
            add("szext", f"{mode}.{t}", "r", "rr")
    for a, b in itertools.product(("u32", "s32"), repeat=2):
        add("dp4a", f"{a}.{b}", "r", "rrr")
        for half in ("lo", "hi"):
            add("dp2a", f"{half}.{a}.{b}", "r", "rrr")


def carries():
    """A carry comes from an addition and goes to one, which both are counted apart."""
    first, last = "add.cc.u32 {0}, {2}, {3};", ";addc.u32 {0}, {2}, {3}"
    for t in ("s32", "u32", "s64", "u64"):
        c = SIGN[t]
        for opcode, count in (("add", 2), ("sub", 2), ("mad.lo", 3), ("mad.hi", 3)):
            body = "{word} {1}, " + ", ".join(f"{{{4 + i}}}" for i in range(count))
            end = last.replace("addc", "subc") if opcode == "sub" else last
            add(opcode, "cc." + t, "r" + c, "rr" + c * count, body + end, helpers=1)
        for opcode, count in (("addc", 2), ("subc", 2), ("madc.lo", 3), ("madc.hi", 3)):
            body = "{word} {1}, " + ", ".join(f"{{{4 + i}}}" for i in range(count))
            start = first.replace("add.cc", "sub.cc") if opcode == "subc" else first
            add(opcode, t, "r" + c, "rr" + c * count, start + body, helpers=1)
            end = ";addc.u32 {1}, {3}, {4}"
            shifted = "{word} {2}, " + ", ".join(f"{{{5 + i}}}" for i in range(count))
            begin = start.replace("{3}", "{4}").replace("{2}", "{3}")
            if opcode == "subc":
                end = end.replace("addc", "subc")
            add(opcode, "cc." + t, "rr" + c, "rr" + c * count, begin + shifted + end, helpers=2)


def logic():
    for t in ("b16", "b32", "b64"):
        c = SIGN[t]
        for opcode in ("and", "or", "xor"):
            add(opcode, t, c, c + c)
        for opcode in ("not", "cnot"):
            add(opcode, t, c, c)
        for opcode in ("shl", "shr"):
            add(opcode, t, c, c + "r")
    for opcode in ("and", "or", "xor"):
        add(opcode, "pred", "p", "pp")
    add("not", "pred", "p", "p")
    for table in ("0x96", "0xe8", "0x2a"):
        add("lop3", "b32", "r", "rrr", "{word} {0}, {1}, {2}, {3}, " + table, constant=True)
        for boolean in ("and", "or"):
            add("lop3",
                boolean + ".b32",
                "rp",
                "rrrp",
                "{word} {0}|{1}, {2}, {3}, {4}, " + table + ", {5}",
                constant=True)
    for mode in ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        add("prmt", "b32." + mode, "r", "rrr")


def comparisons():
    for t in ("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"):
        c = SIGN[t]
        add("selp", t, c, c + c + "p")
        add("slct", t + ".s32", c, c + c + "r")
        add("slct", t + ".f32", c, c + c + "f")
        add("slct", f"ftz.{t}.f32", c, c + c + "f")
    for t in ("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64") + HALVES:
        c, pair = SIGN[t], t.endswith("x2")
        if t in HALVES or t[0] == "f":
            tests = ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
        elif t[0] == "b":
            tests = ("eq", "ne")
        else:
            tests = ("eq", "ne", "lt", "le", "gt", "ge") + (("lo", "ls", "hi", "hs") if t[0] == "u" else ())
        for test, ftz in itertools.product(tests, ("", "ftz") if t in ("f32", "f16", "f16x2") else ("",)):
            for boolean in ("", "and", "or") + (("xor",) if test in ("eq", "ne", "lt") else ()):
                third = "p" if boolean else ""
                parts = dotted(test, boolean, ftz)
                second = ", {4}" if boolean else ""
                if not pair:
                    add("setp", f"{parts}.{t}", "p", c + c + third, extent="least" if boolean else "")
                if pair or test in ("eq", "ne", "lt", "geu"):
                    add("setp",
                        f"{parts}.{t}",
                        "pp",
                        c + c + third,
                        "{word} {0}|{1}, {2}, {3}" + second,
                        extent="least")
                results = ("u16", "f16", "u32", "f32") if t in ("f16", "bf16") else ("u32", "s32", "f32")
                for d in (t, "u32") if pair else results + (("bf16",) if t == "bf16" else ()):
                    if (boolean == "" and test in ("eq", "ne", "lt", "ge", "neu", "geu")) or (boolean == "and" and
                                                                                              test == "lt"):
                        add("set", f"{parts}.{d}.{t}", SIGN[d], c + c + third, extent="least")


def floating():
    for ftz, sat in itertools.product(("", "ftz"), ("", "sat")):
        for rounding in ("",) + ROUNDINGS:
            for opcode, t in itertools.product(("add", "sub", "mul"), ("f32", "f32x2", "f64") + HALVES):
                c = SIGN[t]
                add(opcode, dotted(rounding, ftz, sat, t), c, c + c)
            if rounding:
                for opcode, t in itertools.product(("fma", "mad"), ("f32", "f32x2", "f64") + HALVES):
                    add(opcode, dotted(rounding, ftz, sat, t), SIGN[t], SIGN[t] * 3)
    for ftz, relu, t in itertools.product(("", "ftz"), ("relu", "oob", "oob.relu"), HALVES):
        add("fma", dotted("rn", ftz, relu, t), SIGN[t], SIGN[t] * 3)
    for ftz, t in itertools.product(("", "ftz"), ("f32", "f64") + HALVES):
        c = SIGN[t]
        for opcode in ("abs", "neg"):
            add(opcode, dotted(ftz, t), c, c)
        for opcode, nan, xorsign in itertools.product(("min", "max"), ("", "NaN"), ("", "xorsign.abs", "abs")):
            parts = dotted(ftz, nan, xorsign, t)
            add(opcode, parts, c, c + c)
            if t == "f32":
                add(opcode, parts, c, c * 3)
    for ftz, t in itertools.product(("", "ftz"), ("f32", "f64")):
        c = SIGN[t]
        for way in ("", "approx", "full") + ROUNDINGS:
            parts = dotted(way, ftz, t)
            add("div", parts, c, c + c)
            if way == "full":
                continue
            add("rcp", parts, c, c)
            add("sqrt", parts, c, c)
        add("rsqrt", dotted("approx", ftz, t), c, c)
    for opcode, ftz, t in itertools.product(("sin", "cos", "lg2", "ex2", "tanh"), ("", "ftz"), ("f32",) + HALVES):
        if opcode == "tanh" and ftz or opcode not in ("ex2", "tanh") and t in HALVES:
            continue
        add(opcode, dotted("approx", ftz, t), SIGN[t], SIGN[t])
        add(opcode, dotted(ftz, t), SIGN[t], SIGN[t])
    for test, t in itertools.product(("finite", "infinite", "number", "notanumber", "normal", "subnormal"),
                                     ("f32", "f64")):
        add("testp", f"{test}.{t}", "p", SIGN[t])
    for t in ("f32", "f64"):
        add("copysign", t, SIGN[t], SIGN[t] * 2)


def conversions():
    whole = ("u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64")
    real = ("f16", "bf16", "f32", "f64")
    widths = "hrR"

    def registers(t):
        """A value of 8 or 16 bits may be in a wider register."""
        return widths[widths.index(SIGN[t]):] if t in whole else SIGN[t]

    for to, source, sat in itertools.product(whole, whole, ("", "sat")):
        for d, s in [(SIGN[to], SIGN[source])] + [(d, SIGN[source]) for d in registers(to)[1:] if not sat]:
            add("cvt", dotted(sat, to, source), d, s, extent="" if (d, s) == (SIGN[to], SIGN[source]) else "least")
    for i, f, sat, ftz in itertools.product(whole, real, ("", "sat"), ("", "ftz")):
        if ftz and f == "f64":
            continue
        for rounding in ("rni", "rzi", "rmi", "rpi"):
            for d in registers(i)[:1 if ftz or sat else 2]:
                add("cvt",
                    dotted(rounding, ftz, sat, i, f),
                    d,
                    SIGN[f],
                    extent="" if d == SIGN[i] and not sat + ftz else "least")
        for rounding in ROUNDINGS:
            if not ftz:
                for s in registers(i)[:1 if sat else 2]:
                    add("cvt",
                        dotted(rounding, sat, f, i),
                        SIGN[f],
                        s,
                        extent="" if s == SIGN[i] and not sat else "least")
    roundings = ("",) + ROUNDINGS + ("rni", "rzi", "rmi", "rpi")
    for to, source, rounding in itertools.product(real, real, roundings):
        for ending in ("", "sat", "ftz", "ftz.sat", "relu", "satfinite", "relu.satfinite"):
            add("cvt", dotted(rounding, ending, to, source), SIGN[to], SIGN[source],
                since=80 if "satfinite" in ending else 0)
    for pair, rounding in itertools.product(("f16x2", "bf16x2"), ("rn", "rz")):
        for ending in ("", "relu", "satfinite", "relu.satfinite"):
            add("cvt", dotted(rounding, ending, pair, "f32"), "r", "ff", since=80 if "satfinite" in ending else 0)
        for ending in ("", "relu", "satfinite", "relu.satfinite"):
            add("cvt", dotted("rs", ending, pair, "f32"), "r", "ffr")
    for rounding, ending in itertools.product(("rna", "rn", "rz"), ("", "satfinite", "relu", "relu.satfinite")):
        add("cvt", dotted(rounding, ending, "tf32.f32"), "f", "f")
    for eight, relu in itertools.product(("e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2"), ("", "relu")):
        add("cvt", dotted("rn.satfinite", relu, eight, "f32"), "h", "ff")
        for half in ("f16x2", "bf16x2"):
            add("cvt", dotted("rn.satfinite", relu, eight, half), "h", "r")
            add("cvt", dotted("rn", relu, half, eight), "r", "h")
        four = vector(4, 1)
        add("cvt", dotted("rs", relu, "satfinite", eight.replace("x2", "x4"), "f32"), "r", "ffffr",
            "{word} {0}, " + four + ", {5}")
    add("cvt",
        "rn.satfinite.e2m1x2.f32",
        "r",
        "ff",
        "{{ .reg .b8 %e; {word} %e, {1}, {2}; cvt.u32.u8 {0}, %e }}",
        helpers=0)
    for rounding, ending, t in itertools.product(("rz", "rp"), ("", "satfinite"), ("f32", "bf16x2")):
        add("cvt", dotted(rounding, ending, "ue8m0x2", t), "h", "ff" if t == "f32" else "r")
    add("cvt", "rn.bf16x2.ue8m0x2", "r", "h")
    for t in ("u16", "s16"):
        add("cvt.pack", f"sat.{t}.s32", "r", "rr")
    for t in ("u8", "s8", "u4", "s4", "u2", "s2"):
        add("cvt.pack", f"sat.{t}.s32.b32", "r", "rrr")


def videos():
    signs, seconds = ("u32", "s32"), ("add", "min", "max")
    chosen = "{word} {0}, {1}.b3, {2}.b1, {3}"
    for d, a, b, sat in itertools.product(signs, signs, signs, ("", "sat")):
        for opcode in ("vadd", "vsub", "vabsdiff", "vmin", "vmax"):
            parts = dotted(d, a, b, sat)
            add(opcode, parts, "r", "rr")
            add(opcode, parts, "r", "rr", "{word} {0}, {1}.b3, {2}.h1")
            add(opcode, parts, "r", "rrr", "{word} {0}.b2, {1}.b3, {2}.b1, {3}")
            for second in seconds:
                add(opcode, dotted(parts, second), "r", "rrr", chosen)
        for n, opcode in itertools.product("24", ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax")):
            add(opcode + n, dotted(d, a, b, sat), "r", "rrr")
            if not sat:
                add(opcode + n, dotted(d, a, b, "add"), "r", "rrr")
    for d, a, mode, sat in itertools.product(signs, signs, ("clamp", "wrap"), ("", "sat")):
        for opcode in ("vshl", "vshr"):
            parts = dotted(d, a, "u32", sat, mode)
            add(opcode, parts, "r", "rr", "{word} {0}, {1}.b3, {2}.b1")
            add(opcode, parts, "r", "rrr", "{word} {0}.h1, {1}.h0, {2}.b1, {3}")
            for second in seconds:
                add(opcode, dotted(parts, second), "r", "rrr", chosen)
    shifts = ("", "shr7", "shr15")
    for d, a, b, sat, shift, po in itertools.product(signs, signs, signs, ("", "sat"), shifts, ("", "po")):
        parts = dotted(d, a, b, po, sat, shift)
        if po and a + b != "u32u32":
            continue
        add("vmad", parts, "r", "rrr", "{word} {0}, {1}.h1, {2}.h0, {3}")
        add("vmad", parts, "r", "rrr", "{word} {0}, {1}.b3, {2}.b0, " + ("{3}" if po else "-{3}"))
    for a, b, test in itertools.product(signs, signs, ("eq", "ne", "lt", "le", "gt", "ge")):
        parts = dotted(a, b, test)
        add("vset", parts, "r", "rr", "{word} {0}, {1}.b3, {2}.h1")
        add("vset", parts, "r", "rrr", "{word} {0}.b3, {1}.b3, {2}.h1, {3}")
        for second in seconds:
            add("vset", dotted(parts, second), "r", "rrr", "{word} {0}, {1}.b3, {2}.h1, {3}")
        for n, second in itertools.product("24", ("", "add")):
            add("vset" + n, dotted(parts, second), "r", "rrr")
