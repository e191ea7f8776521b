# SPDX-License-Identifier: GPL-3.0-or-later
"""Forms that move data: registers, special registers, memory, atomics, asynchronous copies."""
import itertools

from form import HALVES, SIGN, add, dotted, one_or_vector, vector


def moves():
    for t in ("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "b128", "f32", "f64", "pred"):
        add("mov", t, SIGN[t], SIGN[t])
    for t, whole, part, size in (("b64", "R", "r", 2), ("b64", "R", "h", 4), ("b32", "r", "h", 2),
                                 ("b128", "Q", "R", 2), ("b128", "Q", "r", 4)):
        add("mov", t, whole, part * size, "{word} {0}, " + vector(size, 1))
        add("mov", t, part * size, whole, "{word} " + vector(size, 0) + f", {{{size}}}")
    add("mov", "b64", "R", "ff", "{word} {0}, " + vector(2, 1))
    for space in ("global", "shared", "local", "const"):
        for t, c in (("u64", "R"), ("b64", "R")) + ((("u32", "r"), ("b32", "r")) if space == "shared" else ()):
            add("mov", t, c, "", f"{{word}} {{0}}, {space}_variable", marks=("variable", space))
            add("mov", t, c, "", f"{{word}} {{0}}, {space}_variable+20", marks=("variable", space))
    special_registers()
    for space in ("global", "shared", "local", "const", "param", "shared::cluster"):
        add("isspacep", space, "p", "R")
        add("cvta", space + ".u64", "R", "R")
        add("cvta.to", space + ".u64", "R", "R")
    for space in ("", "shared::cluster"):
        add("mapa", dotted(space, "u64"), "R", "Rr")
        add("getctarank", dotted(space, "u64"), "r", "R")
    add("mapa", "shared::cluster.u32", "r", "rr")
    add("getctarank", "shared::cluster.u32", "r", "r")


def special_registers():
    """Rows marked plain are of those that are read by one machine instruction."""
    axes = (".x", ".y", ".z")
    plain = [register + axis for register in ("%tid", "%ntid", "%ctaid", "%nctaid") for axis in axes] + [
        "%laneid", "%smid", "%nsmid", "%gridid", "%clock", "%clock_hi", "%globaltimer_lo", "%globaltimer_hi"
    ] + ["%lanemask_" + which for which in ("eq", "le", "lt", "ge", "gt")]
    others = [register + axis for register in ("%cluster_ctaid", "%cluster_nctaid", "%clusterid", "%nclusterid")
              for axis in axes] + [
        "%warpid", "%nwarpid", "%dynamic_smem_size", "%total_smem_size", "%aggr_smem_size", "%cluster_ctarank",
        "%cluster_nctarank", "%pm0", "%envreg0", "%envreg31", "%reserved_smem_offset_begin"
    ]
    for register, t in itertools.product(plain + others, ("u32", "s32", "b32")):
        special("mov", t, "r", register, register in plain)
    for register in ("%tid.x", "%ctaid.x", "%ntid.x"):
        special("mov", "u16", "h", register)
        special("cvt", "u64.u32", "R", register)
        special("cvt", "u16.u32", "h", register)
    for register, t in itertools.product(("%clock64", "%globaltimer", "%gridid", "%pm0_64", "%current_graph_exec"),
                                         ("u64", "s64", "b64")):
        special("mov", t, "R", register)
    special("mov", "pred", "p", "%is_explicit_cluster")


def special(opcode, parts, output, register, plain=True):
    for marks in (("special",), ("special", "plain")) if plain else (("special",),):
        add(opcode, parts, output, "", "{word} {0}, " + register, marks=marks)


# The registers in which values of a type may be. Rows of loads marked plain are of those into less than 64 bits.
HOLDS = {
    t: signs
    for signs, names in (("hr", "b8"), ("hrR", "u8 s8 u16 s16"), ("h", "b16"), ("rR", "u32 s32"), ("r", "b32 f32"),
                         ("R", "b64 u64 s64 f64"), ("Q", "b128"))
    for t in names.split()
}
SHARED = ("shared", "shared::cta", "shared::cluster")


def address_sign(space):
    return "" if space == "param" else "S" if space in SHARED else "A"


def sized(parts, size, t):
    return dotted(parts, f"v{size}" if size > 1 else "", t)


def sizes_and_signs(t, sizes):
    for size, sign in itertools.product(sizes, HOLDS[t]):
        if size < 8 or HOLDS[t][0] == sign == "r":  # eight bytes or halves crash ptxas
            yield size, sign


def extent_of(sign, t, extent):
    return extent if sign == HOLDS[t][0] else "least"


def load(space, parts, t, sizes=(1, 2, 4, 8), opcode="ld", extent=""):
    for size, sign in sizes_and_signs(t, sizes):
        where = "[pbig+16]" if space == "param" else f"[{{{size}}}+64]"
        text = "{word} " + one_or_vector(size, 0) + ", " + where
        for marks in ((), ("plain",)) if "R" in HOLDS[t] and sign != "R" else ((),):
            add(opcode, sized(parts, size, t), sign * size, address_sign(space), text, marks=marks,
                extent=extent_of(sign, t, extent), alike=sign == HOLDS[t][0])


def store(space, parts, t, sizes=(1, 2, 4, 8), extent=""):
    for size, sign in sizes_and_signs(t, sizes):
        text = "{word} [{0}+64], " + one_or_vector(size, 1)
        add("st", sized(parts, size, t), "", address_sign(space) + sign * size, text, extent=extent_of(sign, t, extent))


def loads():
    """Loads and stores."""
    for space in ("global", *SHARED, "local", "const", "param", ""):
        few = "::" in space
        for t in ("b32", "u32", "f32", "u64") if few else HOLDS:
            load(space, space, t, (1,) if few else (1, 2, 4, 8))
            if space not in ("const", "param"):
                store(space, space, t, (1,) if few else (1, 2, 4, 8))
    for space in ("global", *SHARED, ""):
        ordered(space)
    cached()


def ordered(space):
    for order, scope in itertools.product(("weak", "volatile", "mmio.relaxed", "relaxed", "acquire", "release"),
                                          ("", "cta", "cluster", "gpu", "sys")):
        if (scope == "") != (order in ("weak", "volatile")) or order == "mmio.relaxed" and scope != "sys":
            continue
        common = order == "volatile" or scope == "gpu" or scope == "sys" and "::" not in space
        for t in ("u8", "u32", "s32", "b32", "f32", "u64", "b64", "f64") if common else ("u8", "u32", "b32", "u64"):
            sizes = (1, 2, 4) if t in ("u8", "u32", "f32") and "::" not in space else (1,)
            if order != "release":
                load(space, dotted(order, scope, space), t, sizes, extent="least")
            if order != "acquire":
                store(space, dotted(order, scope, space), t, sizes, extent="least")


def cached():
    for t in HOLDS:
        load("global", "global.nc", t)
        load("global", "global", t, opcode="ldu", extent="few")
    types = ("u8", "u16", "u32", "s32", "b32", "f32", "u64", "f64")
    for cache, t in itertools.product(
            ("ca", "cg", "cs", "lu", "cv", "L2::128B", "L2::256B", "L1::no_allocate", "nc.L2::128B",
             "nc.L1::no_allocate", "nc.L1::no_allocate.L2::128B", "nc.L1::no_allocate.L2::256B",
             "nc.L1::evict_last.L2::256B"), types):
        load("global", "global." + cache, t, (1, 2, 4), extent="least")
    for cache, t in itertools.product(("wb", "cg", "cs", "wt", "L1::no_allocate"), types):
        store("global", "global." + cache, t, (1, 2, 4), extent="least")
    for t, size in itertools.product(("b32", "f32", "u64"), (1, 2, 4)):
        word, values = sized("global.L2::cache_hint", size, t), SIGN[t] * size
        add("ld", word, values, "AR", "{word} " + one_or_vector(size, 0) + f", [{{{size}}}+64], {{{size + 1}}}")
        add("st", word, "", "A" + values + "R", "{word} [{0}+64], " + one_or_vector(size, 1) + f", {{{size + 1}}}")


def addresses():
    """What an address costs that is a variable, or whose offset does not fit the machine instruction."""
    for space in ("global", "shared", "local", "const", ""):
        for t, size in itertools.product([t for t in HOLDS if t != "b128"], (1, 2, 4)):
            values = HOLDS[t][0] * size
            for cache in ("", "nc") if space == "global" else ("",):
                word = sized(dotted(space, cache), size, t)
                at("ld", space, word, values, "{word} " + one_or_vector(size, 0) + ", %s", "")
            if space != "const":
                at("st", space, sized(space, size, t), "", "{word} %s", values)
        if space in ("global", "shared", ""):
            for operation, t in (("add", "u32"), ("add", "s32"), ("add", "u64"), ("add", "f32"), ("add", "f64"),
                                 ("exch", "b32"), ("exch", "b64")):
                at("atom", space, dotted(space, operation, t), SIGN[t], "{word} {0}, %s", SIGN[t])
                if operation == "add":
                    at("red", space, dotted(space, operation, t), "", "{word} %s", SIGN[t])


def at(opcode, space, parts, outputs, text, inputs):
    """The template with two kinds of address in the place of %s, and the inputs after it."""
    first = len(outputs)

    def whole(address, place):
        return text % address + (", " + one_or_vector(len(inputs), place) if inputs else "")

    far = whole(f"[{{{first}}}+0x1234567]", first + 1)
    add(opcode, parts, outputs, address_sign(space) + inputs, far, marks=("far",))
    if space:
        add(opcode, parts, outputs, inputs, whole(f"[{space}_variable+16]", first), marks=("variable",))


def atomics():
    additions = [("add", t) for t in ("u32", "s32", "u64", "f32", "f64")]
    exchanges = [("exch", "b32"), ("exch", "b64")]
    few = exchanges + additions + [("or", "b32"), ("max", "s32")]
    all_of_them = exchanges + additions + [("exch", "b128"), ("inc", "u32"), ("dec", "u32")] + [
        (o, t) for o in ("and", "or", "xor") for t in ("b32", "b64")] + [
        (o, t) for o in ("min", "max") for t in ("u32", "s32", "u64", "s64")] + [
        (o + ".noftz", t) for o in ("add", "min", "max") for t in HALVES]
    orders = ("", "relaxed", "acquire", "release", "acq_rel")
    for space, order, scope in itertools.product(("global", *SHARED, ""), orders, ("", "cta", "gpu", "sys")):
        if order and (not scope or "::" in space) or scope == "cta" and order not in ("", "relaxed"):
            continue
        a = address_sign(space)
        plain = order == scope == "" and "::" not in space
        extent = "least" if order or scope else "few"
        for operation, t in all_of_them if plain else few:
            parts = dotted(order, scope, space, operation, t)
            add("atom", parts, SIGN[t], a + SIGN[t], "{word} {0}, [{1}+64], {2}", extent=extent)
            if order in ("", "relaxed", "release") and operation != "exch":
                add("red", parts, "", a + SIGN[t], "{word} [{0}+64], {1}", extent=extent)
                if extent == "few":
                    add("atom", parts, "", a + SIGN[t], "{word} _, [{0}+64], {1}")
        for t in ("b16", "b32", "b64") + (("b128",) if plain else ()):
            parts = dotted(order, scope, space, "cas", t)
            add("atom", parts, SIGN[t], a + SIGN[t] * 2, "{word} {0}, [{1}+64], {2}, {3}", extent=extent)
    vectors = [("f32", 2), ("f32", 4)] + list(itertools.product(("f16", "bf16"), (2, 4, 8)))
    vectors += itertools.product(("f16x2", "bf16x2"), (2, 4))
    for scope, (t, size) in itertools.product(("", "gpu", "sys"), vectors):
        for operation in ("add",) if t == "f32" else ("add.noftz", "min.noftz", "max.noftz"):
            parts, values = dotted(scope, "global", operation, f"v{size}", t), SIGN[t] * size
            text = "{word} " + vector(size, 0) + f", [{{{size}}}+64], " + vector(size, size + 1)
            add("atom", parts, values, "A" + values, text)
            add("red", parts, "", "A" + values, "{word} [{0}+64], " + vector(size, 1))


def copies():
    for cache, size in (("ca", 4), ("ca", 8), ("ca", 16), ("cg", 16)):
        for shared, prefetch in itertools.product(("shared", "shared::cta"), ("", "L2::64B", "L2::128B", "L2::256B")):
            parts = dotted(cache, shared, "global", prefetch)
            for end, inputs in (("", ""), (", {2}", "r"), (", {2}", "p")):
                add("cp.async",
                    parts,
                    "",
                    "SA" + inputs,
                    f"{{word}} [{{0}}+64], [{{1}}+64], {size}{end}",
                    constant=True)
    add("cp.async.commit_group", "", "", "")
    add("cp.async.wait_group", "", "", "", "{word} 1", constant=True)
    add("cp.async.wait_group", "", "", "", "{word} 0", constant=True)
    add("cp.async.wait_all", "", "", "")
    for parts in ("global.L1", "global.L2", "local.L1", "local.L2", "L1", "L2", "global.L2::evict_last",
                  "global.L2::evict_normal", "tensormap", "const.tensormap", "param.tensormap"):
        add("prefetch", parts, "", "A", "{word} [{0}+64]")
    add("prefetchu", "L1", "", "A", "{word} [{0}+64]")
    for space in ("global", ""):
        add("discard", dotted(space, "L2"), "", "A", "{word} [{0}+64], 128", constant=True)
        add("applypriority", dotted(space, "L2::evict_normal"), "", "A", "{word} [{0}+64], 128", constant=True)
        for first, second in (("evict_last", ""), ("evict_normal", ""), ("evict_first", ""), ("evict_unchanged", ""),
                              ("evict_last", "L2::evict_first"), ("evict_last", "L2::evict_unchanged")):
            parts = dotted(space, "L2::" + first, second, "b64")
            add("createpolicy.range", parts, "R", "Arr", "{word} {0}, [{1}+64], {2}, {3}")
            if not space:
                add("createpolicy.fractional", parts, "R", "f")
                add("createpolicy.fractional", parts, "R", "")
                add("createpolicy.fractional", parts, "R", "", "{word} {0}, 0.5", constant=True)
    add("createpolicy.cvt", "L2.b64", "R", "R")
    bulk()


def bulk():
    done = "mbarrier::complete_tx::bytes"
    for shared in ("shared::cluster", "shared::cta"):
        add("cp.async.bulk", f"{shared}.global.{done}", "", "SArS", "{word} [{0}], [{1}], {2}, [{3}]")
    add("cp.async.bulk", f"shared::cluster.shared::cta.{done}", "", "SSrS", "{word} [{0}], [{1}], {2}, [{3}]")
    add("cp.async.bulk", f"shared::cluster.global.{done}.multicast::cluster", "", "SArSh",
        "{word} [{0}], [{1}], {2}, [{3}], {4}")
    add("cp.async.bulk", f"shared::cluster.global.{done}.L2::cache_hint", "", "SArSR",
        "{word} [{0}], [{1}], {2}, [{3}], {4}")
    add("cp.async.bulk", "global.shared::cta.bulk_group", "", "ASr", "{word} [{0}], [{1}], {2}")
    add("cp.async.bulk", "global.shared::cta.bulk_group.L2::cache_hint", "", "ASrR", "{word} [{0}], [{1}], {2}, {3}")
    add("cp.async.bulk.prefetch", "L2.global", "", "Ar", "{word} [{0}], {1}")
    for operation, t in [("add", "u32"), ("add", "u64"), ("add", "f32"), ("add", "f64"), ("min", "s32"), ("and", "b32"),
                         ("add.noftz", "f16"), ("add.noftz", "bf16")]:
        add("cp.reduce.async.bulk", f"global.shared::cta.bulk_group.{operation}.{t}", "", "ASr",
            "{word} [{0}], [{1}], {2}")
    for n in range(1, 6):
        place = "{{" + ", ".join(f"{{{i}}}" for i in range(2, 2 + n)) + "}}"
        for tile in ("", "tile"):
            for shared in ("shared::cluster", "shared::cta"):
                add("cp.async.bulk.tensor", dotted(f"{n}d", shared, "global", tile, done), "", "SA" + "r" * n + "S",
                    "{word} [{0}], [{1}, " + place + f"], [{{{2 + n}}}]")
            add("cp.async.bulk.tensor", dotted(f"{n}d", "global.shared::cta", tile, "bulk_group"), "", "SA" + "r" * n,
                "{word} [{1}, " + place + "], [{0}]")
            for operation in ("add", "min", "max", "and", "or", "xor", "inc", "dec"):
                add("cp.reduce.async.bulk.tensor", dotted(f"{n}d", "global.shared::cta", operation, tile, "bulk_group"),
                    "", "SA" + "r" * n, "{word} [{1}, " + place + "], [{0}]")
            shifted = "{{" + ", ".join(f"{{{i}}}" for i in range(1, 1 + n)) + "}}"
            add("cp.async.bulk.prefetch.tensor", dotted(f"{n}d", "L2.global", tile), "", "A" + "r" * n,
                "{word} [{0}, " + shifted + "]")
            add("cp.async.bulk.tensor", dotted(f"{n}d", "shared::cluster.global", tile, done, "multicast::cluster"), "",
                "SA" + "r" * n + "Sh", "{word} [{0}], [{1}, " + place + f"], [{{{2 + n}}}], {{{3 + n}}}")
            add("cp.async.bulk.tensor", dotted(f"{n}d", "shared::cluster.global", tile, done, "L2::cache_hint"), "",
                "SA" + "r" * n + "SR", "{word} [{0}], [{1}, " + place + f"], [{{{2 + n}}}], {{{3 + n}}}")
    add("cp.async.bulk.commit_group", "", "", "")
    for read in ("", "read"):
        for groups in "01":
            add("cp.async.bulk.wait_group", read, "", "", "{word} " + groups, constant=True)
