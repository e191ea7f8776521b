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
        for t, c in (("u64", "R"),):
            add("cvta", f"{space}.{t}", c, c)
            add("cvta.to", f"{space}.{t}", c, c)
    for name in ("shared", "shared::cluster"):
        add("mapa", f"{'' if name == 'shared' else name + '.'}u64", "R", "Rr")
        add("getctarank", f"{'' if name == 'shared' else name + '.'}u64", "r", "R")
    add("mapa", "shared::cluster.u32", "r", "rr")
    add("getctarank", "shared::cluster.u32", "r", "r")


def special_registers():
    axes = [
        r + axis for r in ("%tid", "%ntid", "%ctaid", "%nctaid", "%cluster_ctaid", "%cluster_nctaid", "%clusterid",
                           "%nclusterid") for axis in (".x", ".y", ".z")
    ]
    for register in axes + [
            "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%clock", "%clock_hi", "%lanemask_eq",
            "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%dynamic_smem_size", "%total_smem_size",
            "%aggr_smem_size", "%globaltimer_lo", "%globaltimer_hi", "%cluster_ctarank", "%cluster_nctarank", "%pm0",
            "%envreg0", "%envreg31", "%reserved_smem_offset_begin"
    ]:
        for t in ("u32", "s32", "b32"):
            add("mov", t, "r", "", "{word} {0}, " + register, marks=("special",))
    for register in ("%tid.x", "%ctaid.x", "%ntid.x"):
        add("mov", "u16", "h", "", "{word} {0}, " + register, marks=("special",))
        add("cvt", "u64.u32", "R", "", "{word} {0}, " + register, marks=("special",))
        add("cvt", "u16.u32", "h", "", "{word} {0}, " + register, marks=("special",))
    for register in ("%clock64", "%globaltimer", "%gridid", "%pm0_64", "%current_graph_exec"):
        for t in ("u64", "s64", "b64"):
            add("mov", t, "R", "", "{word} {0}, " + register, marks=("special",))
    add("mov", "pred", "p", "", "{word} {0}, %is_explicit_cluster", marks=("special",))


def loads():
    narrow = {
        "b8": "hr",
        "u8": "hrR",
        "s8": "hrR",
        "b16": "h",
        "u16": "hrR",
        "s16": "hrR",
        "b32": "r",
        "u32": "r",
        "s32": "r",
        "f32": "r",
        "b64": "R",
        "u64": "R",
        "s64": "R",
        "f64": "R",
        "b128": "Q"
    }
    for space in ("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param", ""):
        address = {"param": "", "shared": "S", "shared::cta": "S", "shared::cluster": "S"}.get(space, "A")

        def load(parts, t, sizes=(1, 2, 4, 8), opcode="ld", extent=""):
            for size, sign in itertools.product(sizes, narrow[t]):
                if size == 8 and (t not in ("b32", "u32", "s32", "f32") or sign == "R"):  # some crash ptxas
                    continue
                where = "[pbig+16]" if space == "param" else f"[{{{size}}}+64]"
                words = dotted(parts, f"v{size}" if size > 1 else "", t)
                add(opcode,
                    words,
                    sign * size,
                    address,
                    "{word} " + one_or_vector(size, 0) + ", " + where,
                    extent=extent if sign == narrow[t][0] else "least")

        def store(parts, t, sizes=(1, 2, 4, 8), extent=""):
            for size, sign in itertools.product(sizes, narrow[t]):
                if size == 8 and (t not in ("b32", "u32", "s32", "f32") or sign == "R"):  # some crash ptxas
                    continue
                words = dotted(parts, f"v{size}" if size > 1 else "", t)
                add("st",
                    words,
                    "",
                    address + sign * size,
                    "{word} [{0}+64], " + one_or_vector(size, 1),
                    extent=extent if sign == narrow[t][0] else "least")

        for t in ("u32", "s32") if space in ("global", "shared", "local", "const", "param", "") else ():
            for size in (1, 2, 4):
                where = "[pbig+16]" if space == "param" else f"[{{{size}}}+64]"
                add("ld",
                    dotted(space, f"v{size}" if size > 1 else "", t),
                    "R" * size,
                    address,
                    "{word} " + one_or_vector(size, 0) + ", " + where,
                    marks=("wide",),
                    extent="least",
                    alike=False)
        for t in ("b32", "u32", "f32", "u64") if "::" in space else narrow:
            load(space, t, (1,) if "::" in space else (1, 2, 4, 8))
            if space not in ("const", "param"):
                store(space, t, (1,) if "::" in space else (1, 2, 4, 8))
        orders = ["weak"] + [
            dotted(order, scope)
            for order, scope in itertools.product(("relaxed", "acquire", "release"), ("cta", "cluster", "gpu", "sys"))
        ] + ["volatile", "mmio.relaxed.sys"]
        if space in ("global", "shared", "shared::cta", "shared::cluster", ""):
            for order in orders:
                common = "volatile" in order or "gpu" in order or ".sys" in order and "::" not in space
                for t in ("u8", "u32", "s32", "b32", "f32", "u64", "b64", "f64") if common else ("u8", "u32", "b32",
                                                                                                 "u64"):
                    parts = dotted(order, space)
                    sizes = (1, 2, 4) if t in ("u8", "u32", "f32") and "::" not in space else (1,)
                    if "release" not in order:
                        load(parts, t, sizes, extent="least")
                    if "acquire" not in order:
                        store(parts, t, sizes, extent="least")
        if space == "global":
            for t in narrow:
                load("global.nc", t)
                load("global", t, opcode="ldu", extent="few")
            words = ("u8", "u16", "u32", "s32", "b32", "f32", "u64", "f64")
            for cache, t in itertools.product(("ca", "cg", "cs", "lu", "cv", "L2::128B", "L2::256B", "L1::no_allocate",
                                               "nc.L2::128B", "nc.L1::no_allocate", "nc.L1::no_allocate.L2::128B",
                                               "nc.L1::no_allocate.L2::256B", "nc.L1::evict_last.L2::256B"), words):
                load("global." + cache, t, (1, 2, 4), extent="least")
            for cache, t in itertools.product(("wb", "cg", "cs", "wt", "L1::no_allocate"), words):
                store("global." + cache, t, (1, 2, 4), extent="least")
            for t, size in itertools.product(("b32", "f32", "u64"), (1, 2, 4)):
                words = dotted("global.L2::cache_hint", f"v{size}" if size > 1 else "", t)
                add("ld", words, SIGN[t] * size, "AR",
                    "{word} " + one_or_vector(size, 0) + f", [{{{size}}}+64], {{{size + 1}}}")
                add("st", words, "", "A" + SIGN[t] * size + "R",
                    "{word} [{0}+64], " + one_or_vector(size, 1) + f", {{{size + 1}}}")


def addresses():
    """What an address costs that is a variable, or whose offset does not fit the machine instruction."""
    types = ("u8", "s8", "b8", "u16", "s16", "b16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64")
    for space in ("global", "shared", "local", "const", ""):
        a = "S" if space == "shared" else "A"

        def both(opcode, parts, outputs, before, after):
            n = len(outputs)
            add(opcode, parts, outputs, a + after, _with(before, f"[{{{n}}}+0x1234567]", n + 1, after), marks=("far",))
            if space:
                add(opcode,
                    parts,
                    outputs,
                    after,
                    _with(before, f"[{space}_variable+16]", n, after),
                    marks=("variable",))

        for t, size in itertools.product(types, (1, 2, 4)):
            sign = "R" if t[1:] == "64" else "r" if t[1:] == "32" else "h"
            parts = dotted(space, f"v{size}" if size > 1 else "", t)
            both("ld", parts, sign * size, "{word} " + one_or_vector(size, 0) + ", %s", "")
            if space != "const":
                both("st", parts, "", "{word} %s", sign * size)
        if space in ("global", "shared", ""):
            for operation, t in (("add", "u32"), ("add", "s32"), ("add", "u64"), ("add", "f32"), ("add", "f64"),
                                 ("exch", "b32"), ("exch", "b64")):
                both("atom", dotted(space, operation, t), SIGN[t], "{word} {0}, %s", SIGN[t])
                if operation == "add":
                    both("red", dotted(space, operation, t), "", "{word} %s", SIGN[t])


def _with(template, address, first, signs):
    """The template with its address, then the operands."""
    values = one_or_vector(len(signs), first) if signs else ""
    return template % address + (", " + values if values else "")


def atomics():
    half = [(f"{o}.noftz", t) for o in ("add", "min", "max") for t in HALVES]
    some = [("add", t) for t in ("u32", "s32", "u64", "f32", "f64")
           ] + [(o, "b32") for o in ("and", "or", "xor")] + [(o, t) for o in ("min", "max") for t in ("u32", "s32")]
    rest = [("inc", "u32"), ("dec", "u32"), ("and", "b64"), ("or", "b64"),
            ("xor", "b64")] + [(o, t) for o in ("min", "max") for t in ("u64", "s64")]
    few = [("add", t) for t in ("u32", "s32", "u64", "f32", "f64")] + [("or", "b32"), ("max", "s32")]
    exchanges, compared = [("exch", "b32"), ("exch", "b64")], ("b16", "b32", "b64")
    for space in ("global", "shared", "shared::cta", "shared::cluster", ""):
        a = "S" if space.startswith("shared") else "A"
        for order, scope in itertools.product(("", "relaxed", "acquire", "release", "acq_rel"),
                                              ("", "cta", "gpu", "sys", "cluster")):
            plain = order == scope == "" and "::" not in space
            if scope == "cluster" or order and (not scope or
                                                "::" in space) or scope == "cta" and order not in ("", "relaxed"):
                continue
            for operation, t in dict.fromkeys(exchanges + (some + half + rest + [("exch", "b128")] if plain else few)):
                parts = dotted(order, scope, space, operation, t)
                add("atom",
                    parts,
                    SIGN[t],
                    a + SIGN[t],
                    "{word} {0}, [{1}+64], {2}",
                    extent="least" if order or scope else "few")
                if order in ("", "relaxed", "release") and operation != "exch":
                    add("red",
                        parts,
                        "",
                        a + SIGN[t],
                        "{word} [{0}+64], {1}",
                        extent="least" if order or scope else "few")
                    if not order and not scope:
                        add("atom", parts, "", a + SIGN[t], "{word} _, [{0}+64], {1}")
            for t in compared + (("b128",) if plain else ()):
                parts = dotted(order, scope, space, "cas", t)
                add("atom",
                    parts,
                    SIGN[t],
                    a + SIGN[t] * 2,
                    "{word} {0}, [{1}+64], {2}, {3}",
                    extent="least" if order or scope else "few")
    for scope, size in itertools.product(("", "gpu", "sys"), (2, 4)):
        parts = dotted(scope, "global", f"v{size}", "add.f32")
        values = "f" * size
        add("atom", parts, values, "A" + values, "{word} " + vector(size, 0) + f", [{{{size}}}+64], " + vector(size, size + 1))
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
