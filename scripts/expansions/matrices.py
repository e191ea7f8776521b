# SPDX-License-Identifier: GPL-3.0-or-later
"""Matrix, texture and surface forms."""
import itertools

from form import ROUNDINGS, SIGN, add, dotted, vector


def matrices():
    for form, trans, count in itertools.product(("m8n8",), ("", "trans"), (1, 2, 4)):
        for space in ("shared", "shared::cta", ""):
            parts = dotted("sync.aligned", form, f"x{count}", trans, space, "b16")
            a = "S" if space else "A"
            add("ldmatrix", parts, "r" * count, a, "{word} " + vector(count, 0) + f", [{{{count}}}+64]")
            add("stmatrix", parts, "", a + "r" * count, "{word} [{0}+64], " + vector(count, 1))
    for count in (1, 2, 4):
        add("stmatrix", f"sync.aligned.m16n8.x{count}.trans.shared.b8", "", "S" + "r" * count,
            "{word} [{0}+64], " + vector(count, 1))
        for ending in ("b8", "b8x16.b6x16_p32", "b8x16.b4x16_p64"):
            n = count * 2
            if count < 4 and ending == "b8":
                add("ldmatrix", f"sync.aligned.m16n16.x{count}.trans.shared.b8", "r" * n, "S",
                    "{word} " + vector(n, 0) + f", [{{{n}}}+64]")
    add("movmatrix", "sync.aligned.m8n8.trans.b16", "r", "r")
    for shape, types, signs, extras in multiplications():
        a, b, c = signs
        kinds = types.split(".")
        d = "f" if kinds[0] == "f32" else "d" if kinds[0] == "f64" else "r"
        c_sign = "f" if kinds[3] == "f32" else "d" if kinds[3] == "f64" else "r"
        ab = "d" if kinds[1] == "f64" else "r"
        n = c[0]
        text = ("{word} " + vector(n, 0) + ", " + vector(a, n) + ", " + vector(b, n + a) + ", " +
                vector(c[1], n + a + b))
        for extra in extras:
            # The operands of a warp's matrices are registers: constants would be nothing that anybody writes.
            add("mma", dotted("sync.aligned", shape, "row.col", extra, types), d * n,
                ab * (a + b) + c_sign * c[1], text)
    for layout, types in itertools.product(("row.row", "col.row", "col.col"), ("f16.f16.f16.f16", "f32.f16.f16.f32")):
        n, sign = (8, "f") if types.startswith("f32") else (4, "r")
        text = "{word} " + ", ".join(vector(*pair) for pair in ((n, 0), (2, n), (2, n + 2), (n, n + 4)))
        add("mma", dotted("sync.aligned.m8n8k4", layout, types), sign * n, "rrrr" + sign * n, text)
    sparse()
    scaled()
    wmma()


def sparse():
    """With one register of metadata and a selector that is a constant."""
    for word, (shape, types, a, b, n, kind) in itertools.product(("sp", "sp::ordered_metadata"),
                                                                 sparse_multiplications()):
        sign = "f" if types.startswith("f32") else "r"
        text = "{word} " + ", ".join(vector(*pair) for pair in ((n, 0), (a, n), (b, n + a), (n, n + a + b)))
        add("mma", dotted(word, "sync.aligned", shape, "row.col", kind, types), sign * n,
            "r" * (a + b) + sign * n + "r", text + f", {{{2 * n + a + b}}}, 0x0", constant=True)


def sparse_multiplications():
    """shape, types, registers of a, of b and of d, kind."""
    for t in ("f16", "bf16"):
        yield "m16n8k16", f"f32.{t}.{t}.f32", 2, 2, 4, ""
        yield "m16n8k32", f"f32.{t}.{t}.f32", 4, 4, 4, ""
    yield "m16n8k16", "f16.f16.f16.f16", 2, 2, 2, ""
    yield "m16n8k32", "f16.f16.f16.f16", 4, 4, 2, ""
    yield "m16n8k8", "f32.tf32.tf32.f32", 2, 2, 4, ""
    yield "m16n8k16", "f32.tf32.tf32.f32", 4, 4, 4, ""
    for eight, four in itertools.product("su", repeat=2):
        yield "m16n8k32", f"s32.{eight}8.{four}8.s32", 2, 2, 4, ""
        yield "m16n8k64", f"s32.{eight}8.{four}8.s32", 4, 4, 4, ""
        yield "m16n8k64", f"s32.{eight}4.{four}4.s32", 2, 2, 4, ""
        yield "m16n8k128", f"s32.{eight}4.{four}4.s32", 4, 4, 4, ""
    for a, b in itertools.product(("e4m3", "e5m2"), repeat=2):
        yield "m16n8k64", f"f32.{a}.{b}.f32", 4, 4, 4, ""
        yield "m16n8k64", f"f32.{a}.{b}.f32", 4, 4, 4, "kind::f8f6f4"


def scaled():
    """With scales in registers, their places as well, so that all may differ."""
    for shape, kind, size, ab, scale in (("m16n8k32", "mxf8f6f4", "scale_vec::1X", "e4m3", "ue8m0"),
                                         ("m16n8k32", "mxf8f6f4", "scale_vec::1X", "e2m1", "ue8m0"),
                                         ("m16n8k64", "mxf4", "scale_vec::2X", "e2m1", "ue8m0"),
                                         ("m16n8k64", "mxf4nvf4", "scale_vec::2X", "e2m1", "ue8m0"),
                                         ("m16n8k64", "mxf4nvf4", "scale_vec::4X", "e2m1", "ue4m3")):
        parts = ", ".join(vector(*pair) for pair in ((4, 0), (4, 4), (2, 8), (4, 10)))
        scales = ", {{{14}}}, {{{15}, {16}}}, {{{17}}}, {{{18}, {19}}}"
        add("mma", f"sync.aligned.{shape}.row.col.kind::{kind}.block_scale.{size}.f32.{ab}.{ab}.f32.{scale}", "ffff",
            "r" * 6 + "ffff" + "rhhrhh", "{word} " + parts + scales)


def multiplications():
    """shape, types, registers of a and b and (d, c), further modifiers."""
    yield "m8n8k4", "f16.f16.f16.f16", (2, 2, (4, 4)), ("",)
    yield "m8n8k4", "f32.f16.f16.f32", (2, 2, (8, 8)), ("",)
    for d, n in (("f16", 2), ("f32", 4)):
        yield "m16n8k8", f"{d}.f16.f16.{d}", (2, 1, (n, n)), ("",)
        yield "m16n8k16", f"{d}.f16.f16.{d}", (4, 2, (n, n)), ("",)
    yield "m16n8k8", "f32.bf16.bf16.f32", (2, 1, (4, 4)), ("",)
    yield "m16n8k16", "f32.bf16.bf16.f32", (4, 2, (4, 4)), ("",)
    yield "m16n8k4", "f32.tf32.tf32.f32", (2, 1, (4, 4)), ("",)
    yield "m16n8k8", "f32.tf32.tf32.f32", (4, 2, (4, 4)), ("",)
    for roundings in (("", "rn", "rz", "rm", "rp"),):
        yield "m8n8k4", "f64.f64.f64.f64", (1, 1, (2, 2)), roundings
        yield "m16n8k4", "f64.f64.f64.f64", (2, 1, (4, 4)), roundings
        yield "m16n8k8", "f64.f64.f64.f64", (4, 2, (4, 4)), roundings
        yield "m16n8k16", "f64.f64.f64.f64", (8, 4, (4, 4)), roundings
    for a, b in itertools.product(("s8", "u8"), repeat=2):
        yield "m8n8k16", f"s32.{a}.{b}.s32", (1, 1, (2, 2)), ("", "satfinite")
        yield "m16n8k16", f"s32.{a}.{b}.s32", (2, 1, (4, 4)), ("", "satfinite")
        yield "m16n8k32", f"s32.{a}.{b}.s32", (4, 2, (4, 4)), ("", "satfinite")
    for a, b in itertools.product(("s4", "u4"), repeat=2):
        yield "m8n8k32", f"s32.{a}.{b}.s32", (1, 1, (2, 2)), ("", "satfinite")
        yield "m16n8k32", f"s32.{a}.{b}.s32", (2, 1, (4, 4)), ("", "satfinite")
        yield "m16n8k64", f"s32.{a}.{b}.s32", (4, 2, (4, 4)), ("", "satfinite")
    for operation in ("xor.popc", "and.popc"):
        yield "m8n8k128", "s32.b1.b1.s32", (1, 1, (2, 2)), (operation,)
        yield "m16n8k128", "s32.b1.b1.s32", (2, 1, (4, 4)), (operation,)
        yield "m16n8k256", "s32.b1.b1.s32", (4, 2, (4, 4)), (operation,)
    eights = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")
    for a, b in itertools.product(eights, repeat=2):
        for d, n in (("f16", 2), ("f32", 4)):
            yield "m16n8k32", f"{d}.{a}.{b}.{d}", (4, 2, (n, n)), ("", "kind::f8f6f4")
            yield "m16n8k16", f"{d}.{a}.{b}.{d}", (2, 1, (n, n)), ("",)


def wmma():
    for shape in ("m16n16k16", "m32n8k16", "m8n32k16"):
        for space, t, layout in itertools.product(("", "global", "shared"), ("f16", "bf16", "s8", "u8"),
                                                  ("row", "col")):
            count = {
                "a": {
                    "m16n16k16": 4,
                    "m32n8k16": 8,
                    "m8n32k16": 2
                },
                "b": {
                    "m16n16k16": 4,
                    "m32n8k16": 2,
                    "m8n32k16": 8
                }
            }
            for matrix in "ab":
                n = 8 if t == "f16" else count[matrix][shape] if t == "bf16" else max(1, count[matrix][shape] // 2)
                wmma_load(matrix, layout, shape, space, t, n)
        for space, (t, n), layout in itertools.product(("", "global", "shared"), (("f16", 4), ("f32", 8), ("s32", 8)),
                                                       ("row", "col")):
            wmma_load("c", layout, shape, space, t, n)
            wmma_store(layout, shape, space, t, n)
        for a, b in itertools.product(("row", "col"), repeat=2):
            for d, c in itertools.product((("f16", 4), ("f32", 8)), repeat=2):
                wmma_multiply(f"{a}.{b}.{shape}.{d[0]}.{c[0]}", d, 8, 8, c)
            sizes = {"m16n16k16": (4, 4), "m32n8k16": (8, 2), "m8n32k16": (2, 8)}[shape]
            wmma_multiply(f"{a}.{b}.{shape}.f32.bf16.bf16.f32", ("f32", 8), *sizes, ("f32", 8))
            for t, sat in itertools.product(("s8", "u8"), ("", ".satfinite")):
                wmma_multiply(f"{a}.{b}.{shape}.s32.{t}.{t}.s32{sat}", ("s32", 8), sizes[0] // 2 or 1, sizes[1] // 2 or
                              1, ("s32", 8))
    for matrix, layout, space in itertools.product("ab", ("row", "col"), ("", "global", "shared")):
        wmma_load(matrix, layout, "m16n16k8", space, "tf32", 4)
        wmma_load(matrix, layout, "m8n8k4", space, "f64", 1)
    for space, (shape, t) in itertools.product(("", "global", "shared"),
                                               (("m8n8k32", "s4"), ("m8n8k32", "u4"), ("m8n8k128", "b1"))):
        wmma_load("a", "row", shape, space, t, 1)
        wmma_load("b", "col", shape, space, t, 1)
        for layout in ("row", "col"):
            wmma_load("c", layout, shape, space, "s32", 2)
            wmma_store(layout, shape, space, "s32", 2)
    for t, sat in itertools.product(("s4", "u4"), ("", ".satfinite")):
        wmma_multiply(f"row.col.m8n8k32.s32.{t}.{t}.s32{sat}", ("s32", 2), 1, 1, ("s32", 2))
    for operation in ("xor.popc", "and.popc"):
        add("wmma.mma", f"{operation}.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32", "rr", "rrrr",
            "{word} " + ", ".join(vector(*pair) for pair in ((2, 0), (1, 2), (1, 3), (2, 4))))
    for layout, space in itertools.product(("row", "col"), ("", "global", "shared")):
        wmma_store(layout, "m16n16k8", space, "f32", 8)
        wmma_store(layout, "m8n8k4", space, "f64", 2)
        wmma_load("c", layout, "m16n16k8", space, "f32", 8)
        wmma_load("c", layout, "m8n8k4", space, "f64", 2)
    for a, b in itertools.product(("row", "col"), repeat=2):
        wmma_multiply(f"{a}.{b}.m16n16k8.f32.tf32.tf32.f32", ("f32", 8), 4, 4, ("f32", 8))
        for rounding in ("",) + tuple("." + r for r in ROUNDINGS):
            wmma_multiply(f"{a}.{b}.m8n8k4{rounding}.f64.f64.f64.f64", ("f64", 2), 1, 1, ("f64", 2))


def wmma_load(matrix, layout, shape, space, t, n):
    parts = dotted("sync.aligned", layout, shape, space, t)
    sign = {"f32": "f", "f64": "d"}.get(t, "r")
    a = "S" if space == "shared" else "A"
    add("wmma.load." + matrix, parts, sign * n, a + "r", "{word} " + vector(n, 0) + f", [{{{n}}}+64], {{{n + 1}}}")


def wmma_store(layout, shape, space, t, n):
    parts = dotted("sync.aligned", layout, shape, space, t)
    a = "S" if space == "shared" else "A"
    sign = {"f32": "f", "f64": "d"}.get(t, "r")
    add("wmma.store.d", parts, "", a + sign * n + "r", "{word} [{0}+64], " + vector(n, 1) + f", {{{1 + n}}}")


def wmma_multiply(parts, d, a, b, c):
    signs = {"f32": "f", "f64": "d"}
    ab = "d" if c[0] == "f64" else "r"
    n = d[1]
    text = "{word} " + vector(n, 0) + ", " + vector(a, n) + ", " + vector(b, n + a) + ", " + vector(c[1], n + a + b)
    add("wmma.mma", "sync.aligned." + parts, signs.get(d[0], "r") * n, ab * (a + b) + signs.get(c[0], "r") * c[1], text)


def textures():
    coordinates = {"1d": 1, "2d": 2, "3d": 4, "a1d": 2, "a2d": 4, "cube": 4, "acube": 4, "2dms": 4, "a2dms": 4}
    for geometry, n in coordinates.items():
        for t, c in (("f32", "f32"), ("f32", "s32"), ("s32", "f32"), ("u32", "f32"), ("s32", "s32"), ("u32", "s32")):
            sign, place = "f" if c == "f32" else "r", vector(n, 5)
            if geometry[0] == "a":  # the layer is an integer
                signs = "r" + sign * (n - 1)
            elif geometry == "2dms":
                signs = "r" + sign * (n - 1)
            else:
                signs = sign * n
            size = 2 if t == "f16x2" else 4
            place = vector(n, size + 1) if n > 1 else "{{" + f"{{{size + 1}}}" + "}}"
            out = SIGN[t] * size
            handle = "{word} " + vector(size, 0) + f", [{{{size}}}, " + place + "]"
            add("tex", f"{geometry}.v{size}.{t}.{c}", out, "R" + signs, handle)
            add("tex", f"level.{geometry}.v{size}.{t}.{c}", out, "R" + signs + sign, handle + f", {{{size + 1 + n}}}")
            gradient = {"1d": 1, "2d": 2, "3d": 4, "a1d": 1, "a2d": 2, "cube": 4, "acube": 4}.get(geometry, 0)
            if gradient and c == "f32":
                first = size + 1 + n
                vectors = ", ".join(
                    "{{" + ", ".join(f"{{{f + i}}}" for i in range(gradient)) + "}}" for f in (first, first + gradient))
                add("tex", f"grad.{geometry}.v{size}.{t}.{c}", out, "R" + signs + "f" * 2 * gradient,
                    handle + ", " + vectors)
    for component, geometry, t in itertools.product("rgba", ("2d", "a2d", "cube", "acube"), ("f32", "s32", "u32")):
        n = coordinates[geometry]
        add("tld4", f"{component}.{geometry}.v4.{t}.f32", SIGN[t] * 4,
            "R" + ("r" if geometry[0] == "a" else "f") + "f" * (n - 1),
            "{word} " + vector(4, 0) + ", [{4}, " + vector(n, 5) + "]")
    for query in ("width", "height", "depth", "channel_data_type", "channel_order", "normalized_coords", "array_size",
                  "num_mipmap_levels", "num_samples", "filter_mode", "addr_mode_0", "force_unnormalized_coords"):
        add("txq", query + ".b32", "r", "R", "{word} {0}, [{1}]")
        add("txq.level", query + ".b32", "r", "Rr", "{word} {0}, [{1}], {2}")
        add("suq", query + ".b32", "r", "R", "{word} {0}, [{1}]")
    for geometry, bounds, (t, size) in itertools.product(("1d", "2d", "3d", "a1d", "a2d"), ("trap", "clamp", "zero"),
                                                         itertools.product(("b8", "b16", "b32", "b64"), (1, 2, 4))):
        if geometry[0] == "a" and bounds != "trap":
            continue
        n = coordinates[geometry]
        words = f"v{size}" if size > 1 else ""
        sign = SIGN[t]
        place = vector(n, size + 1)
        add("suld.b", dotted(geometry, words, t, bounds), sign * size, "R" + "r" * n,
            "{word} " + vector(size, 0) + f", [{{{size}}}, " + place + "]")
        add("sust.b", dotted(geometry, words, t, bounds), "", "R" + "r" * n + sign * size,
            "{word} [{0}, " + vector(n, 1) + "], " + vector(size, 1 + n))
        if t == "b32":
            add("sust.p", dotted(geometry, words, t, bounds), "", "R" + "r" * n + sign * size,
                "{word} [{0}, " + vector(n, 1) + "], " + vector(size, 1 + n))
    for geometry, bounds, kind in itertools.product(
        ("1d", "2d", "3d"), ("trap", "clamp", "zero"),
        (("add", "u32"), ("add", "s32"), ("add", "u64"), ("min", "s32"), ("max", "s32"), ("min", "u32"), ("max", "u32"),
         ("and", "b32"), ("or", "b32"))):
        n = coordinates[geometry]
        add("sured.b", f"{kind[0]}.{geometry}.{kind[1]}.{bounds}", "", "R" + "r" * n + SIGN[kind[1]],
            "{word} [{0}, " + vector(n, 1) + f"], {{{1 + n}}}")
