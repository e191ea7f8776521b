# SPDX-License-Identifier: GPL-3.0-or-later
"""Forms by which threads meet: warps, barriers, fences, barrier objects."""
import itertools

from form import SIGN, add, dotted


# Masks of threads that are the same in every execution: constants, and as compilers write them, a register that is set
# once. ptxas knows what the register holds.
MASKS = ("-1", "0xff", "0x12345679", "%mask")


def masked(opcode, parts, outputs, inputs, operands=None):
    """A form that the threads of a mask execute together: with any mask, and with one that is known. operands: a
    template of what stands before the mask."""
    count = len(outputs + inputs)
    operands = operands or ", ".join(f"{{{i}}}" for i in range(count))
    before = f"{{word}} {operands}, " if operands else "{word} "
    add(opcode, parts, outputs, inputs + "r", before + f"{{{count}}}")
    for mask in MASKS:
        add(opcode, parts, outputs, inputs, before + mask, constant=True, marks=("constant",))


def warps():
    for mode in ("up", "down", "bfly", "idx"):
        masked("shfl", f"sync.{mode}.b32", "rp", "rrr", "{0}|{1}, {2}, {3}, {4}")
        masked("shfl", f"sync.{mode}.b32", "r", "rrr")
        masked("shfl", f"sync.{mode}.b32", "rp", "rr", "{0}|{1}, {2}, {3}, 0x1f")
    for mode in ("all", "any", "uni"):
        masked("vote", f"sync.{mode}.pred", "p", "p")
        masked("vote", f"sync.{mode}.pred", "p", "p", "{0}, !{1}")
    masked("vote", "sync.ballot.b32", "r", "p")
    add("activemask", "b32", "r", "")
    for t in ("b32", "b64"):
        masked("match", f"any.sync.{t}", "r", SIGN[t])
        masked("match", f"all.sync.{t}", "rp", SIGN[t], "{0}|{1}, {2}")
        masked("match", f"all.sync.{t}", "r", SIGN[t])
    for operation, t in itertools.chain(
            itertools.product(("add", "min", "max"), ("s32", "u32")), itertools.product(("and", "or", "xor"), ("b32",)),
            itertools.product(("min", "max", "min.abs", "max.abs", "min.NaN", "max.NaN", "min.abs.NaN", "max.abs.NaN"),
                              ("f32",))):
        masked("redux", f"sync.{operation}.{t}", SIGN[t], SIGN[t])
    masked("elect", "sync", "rp", "", "{0}|{1}")
    add("elect", "sync", "p", "", "{word} _|{0}, -1", constant=True, marks=("constant",))


def barriers():
    for cta in ("", "cta"):
        for sync in (("bar", "sync"), ("barrier", "sync"), ("barrier", "sync.aligned")):
            opcode, parts = sync[0], dotted(cta, sync[1])
            add(opcode, parts, "", "r")
            add(opcode, parts, "", "rr")
            add(opcode, parts, "", "", "{word} 0", constant=True)
            add(opcode, parts, "", "", "{word} 1, 128", constant=True)
        for name, aligned in (("bar", ""), ("barrier", ""), ("barrier", "aligned")):
            opcode = dotted(name, cta, "arrive")
            add(opcode, aligned, "", "rr")
            add(opcode, aligned, "", "", "{word} 1, 128", constant=True)
            opcode = dotted(name, cta, "red")
            for operation in ("and.pred", "or.pred", "popc.u32"):
                d = "r" if operation.startswith("popc") else "p"
                parts = dotted(operation.split(".")[0], aligned, operation.split(".")[1])
                add(opcode, parts, d, "rrp")
                add(opcode, parts, d, "rp")
                add(opcode, parts, d, "p", "{word} {0}, 0, {1}", constant=True)
                add(opcode, parts, d, "p", "{word} {0}, 1, 128, !{1}", constant=True)
    masked("bar.warp.sync", "", "", "")
    for order, aligned in itertools.product(("", "release", "relaxed"), ("", "aligned")):
        add("barrier.cluster.arrive", dotted(order, aligned), "", "")
    for order, aligned in itertools.product(("", "acquire"), ("", "aligned")):
        add("barrier.cluster.wait", dotted(order, aligned), "", "")
    for level in ("cta", "gl", "sys"):
        add("membar", level, "", "")
    for order, scope in itertools.product(("acq_rel", "sc", "acquire", "release"), ("cta", "cluster", "gpu", "sys")):
        since = 90 if order in ("acquire", "release") else 0
        add("fence", f"{order}.{scope}", "", "", since=since)
        add("fence",
            f"{order}.{scope}",
            "",
            "r",
            since=since,
            helpers=2,
            text="st.global.b32 [%out+4000], {0};{word};ld.global.b32 %spare, [%out+4004]")
    for kind in ("alias", "async", "async.global", "async.shared::cta", "async.shared::cluster",
                 "async::generic.acquire.sync_restrict::shared::cluster.cluster",
                 "async::generic.release.sync_restrict::shared::cta.cluster", "tensormap::generic.release.gpu",
                 "tensormap::generic.release.sys"):
        add("fence.proxy", kind, "", "")
        if "generic." not in kind:
            add("membar.proxy", kind, "", "")
    for scope in ("cta", "gpu", "sys", "cluster"):
        add("fence.proxy", f"tensormap::generic.acquire.{scope}", "", "A", "{word} [{0}], 128", constant=True)
    add("fence", "mbarrier_init.release.cluster", "", "")
    for opcode, parts in (("trap", ""), ("brkpt", ""), ("griddepcontrol", "wait"), ("griddepcontrol",
                                                                                    "launch_dependents")):
        add(opcode, parts, "", "")
    add("nanosleep", "u32", "", "r")
    add("nanosleep", "u32", "", "", "{word} 100", constant=True)
    add("pmevent", "", "", "", "{word} 1", constant=True)
    add("pmevent.mask", "", "", "", "{word} 3", constant=True)
    add("setmaxnreg.inc", "sync.aligned.u32", "", "", "{word} 104", constant=True)
    add("setmaxnreg.dec", "sync.aligned.u32", "", "", "{word} 40", constant=True)
    add("stacksave", "u64", "R", "")
    add("alloca", "u64", "R", "R")
    add("alloca", "u64", "R", "R", "{word} {0}, {1}, 16", constant=True)
    mbarriers()


def mbarriers():
    for space in ("shared", "shared::cta", ""):
        a = "S" if space else "A"
        where = "[{%d}+64]"
        end = dotted(space, "b64")
        add("mbarrier.init", end, "", a + "r", "{word} " + where % 0 + ", {1}")
        add("mbarrier.inval", end, "", a, "{word} " + where % 0)
        for order in ("", "cta", "release.cta", "relaxed.cta", "release.cluster", "relaxed.cluster"):
            prefix = dotted(order, space, "b64")
            for opcode in ("mbarrier.arrive", "mbarrier.arrive_drop"):
                add(opcode, prefix, "R", a, "{word} {0}, " + where % 1)
                add(opcode, prefix, "R", a + "r", "{word} {0}, " + where % 1 + ", {2}")
                add(opcode, prefix, "", a, "{word} _, " + where % 0)
                add(opcode, "noComplete." + prefix, "R", a + "r", "{word} {0}, " + where % 1 + ", {2}")
                add(opcode, "expect_tx." + prefix, "R", a + "r", "{word} {0}, " + where % 1 + ", {2}")
                add(opcode, "expect_tx." + prefix, "", a + "r", "{word} _, " + where % 0 + ", {1}")
        for scope in ("", "relaxed.cta", "relaxed.cluster"):
            for opcode in ("mbarrier.expect_tx", "mbarrier.complete_tx"):
                add(opcode, dotted(scope, space, "b64"), "", a + "r", "{word} " + where % 0 + ", {1}")
        for order in ("", "acquire.cta", "acquire.cluster", "relaxed.cta", "relaxed.cluster"):
            prefix = dotted(order, space, "b64")
            for opcode in ("mbarrier.test_wait", "mbarrier.try_wait"):
                add(opcode, prefix, "p", a + "R", "{word} {0}, " + where % 1 + ", {2}")
                add(opcode, "parity." + prefix, "p", a + "r", "{word} {0}, " + where % 1 + ", {2}")
            add("mbarrier.try_wait", prefix, "p", a + "Rr", "{word} {0}, " + where % 1 + ", {2}, {3}")
            add("mbarrier.try_wait", "parity." + prefix, "p", a + "rr", "{word} {0}, " + where % 1 + ", {2}, {3}")
        for noinc in ("", "noinc"):
            add("cp.async.mbarrier.arrive", dotted(noinc, space, "b64"), "", a, "{word} " + where % 0)
    add("mbarrier.pending_count", "b64", "r", "R")
    for cluster in ("shared::cluster",):
        for opcode in ("mbarrier.arrive", "mbarrier.arrive_drop"):
            for order in ("", "release.cluster", "relaxed.cluster"):
                prefix = dotted(order, cluster, "b64")
                add(opcode, prefix, "", "S", "{word} _, [{0}+64]")
                add(opcode, prefix, "", "Sr", "{word} _, [{0}+64], {1}")
                add(opcode, "expect_tx." + prefix, "", "Sr", "{word} _, [{0}+64], {1}")
