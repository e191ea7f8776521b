# SPDX-License-Identifier: GPL-3.0-or-later
"""More kernels that do one operation each, as those of operations.py: what is new with compute capability 9.0, and some of
which only compiles for sm_90a. Products of a warp group, bulk copies, clusters, barrier objects, orders of memory, textures.
"""
from operations import ALL, LINES, NEXT_LINE, ONE_WARP, body, numbered, ptx, register_chains

HEAD = """#include <cuda_fp16.h>
typedef unsigned u;
typedef unsigned long long ull;
struct alignas(64) Map { char bytes[128]; };
"""

# Blocks of threads for what takes a whole warp group.
GROUPS = ((1, 128), (264, 256))

# Types of a product of a warp group: depth, how it is spelled, register of the result, columns of a register, what stands
# behind the operands.
PRODUCTS = {
    "f16": (16, "f32.f16.f16", "f", 2, ",1,1,0,0"),
    "bf16": (16, "f32.bf16.bf16", "f", 2, ",1,1,0,0"),
    "tf32": (8, "f32.tf32.tf32", "f", 2, ",1,1"),
    "e4m3": (32, "f32.e4m3.e4m3", "f", 2, ",1,1"),
    "e5m2": (32, "f32.e5m2.e4m3", "f", 2, ",1,1"),
    "s8": (32, "s32.s8.s8", "r", 2, ""),
    "b1": (256, "s32.b1.b1.and.popc", "r", 2, ""),
    "f16acc": (16, "f16.f16.f16", "r", 4, ",1,1,0,0"),
}
FENCE, COMMIT = (ptx(f"wgmma.{what}.sync.aligned;") for what in ("fence", "commit_group"))
WAIT = ptx("wgmma.wait_group.sync.aligned 0;")
# Descriptors: rows of 16 bytes side by side in 128, eight rows after another in 256, no swizzle.
DESCRIPTORS = "ull da=((ull)(sa>>4)&0x3fff)|(8ull<<16)|(16ull<<32), db=((ull)((sa+4096)>>4)&0x3fff)|(8ull<<16)|(16ull<<32);"


def product(name, columns, of_type, count, from_registers=False, sparse=False):
    """`count` products on the same result, then a wait for all of them."""
    depth, types, register, each, behind = PRODUCTS[of_type]
    results = columns // each
    values = [f"q{k}" for k in range(results)]
    a = numbered(results + 3, 4) if from_registers else f"%{results}"
    if from_registers:
        behind = behind.replace(",0,0", ",0")
    metadata = f"%{results + 3},0," if sparse else ""
    instruction = (f"{{.reg .pred p; setp.ne.b32 p,%{results + 2},0; wgmma.mma_async{'.sp' if sparse else ''}.sync.aligned."
                   f"m64n{columns}k{2 * depth if sparse else depth}.{types} {numbered(0, results)},{a},%{results + 1},"
                   f"{metadata}p{behind};}}")
    inputs = '"l"(da),"l"(db),"r"(1)' + ("," + ",".join(f'"r"(y+{k})' for k in range(4)) if from_registers else "")
    inputs += ',"r"(0x44444444)' if sparse else ""
    one = ptx(instruction, ",".join(f'"+{register}"({value})' for value in values), inputs)
    kind = "float " if register == "f" else "u "
    return body("products of warp groups", name, FENCE + one * count + COMMIT + WAIT, 256,
                DESCRIPTORS + kind + ",".join(f"{value}=0" for value in values) + ";",
                "".join(f"f+={value};" for value in values), GROUPS, shared=16384)


def products():
    for columns in (8, 64, 128, 256):
        yield product(f"wg_f16_n{columns}_alone", columns, "f16", 1)
    for columns in (8, 16, 32, 64, 96, 128, 192, 256):
        yield product(f"wg_f16_n{columns}", columns, "f16", 4)
    for of_type in PRODUCTS:
        if of_type != "f16":
            yield product(f"wg_{of_type}_n128", 128, of_type, 4)
    for columns in (64, 256):
        yield product(f"wg_f16_rs_n{columns}", columns, "f16", 4, from_registers=True)
        yield product(f"wg_s8_n{columns}", columns, "s8", 4)
    yield product("wg_sp_n128", 128, "f16", 4, sparse=True)
    yield body("products of warp groups", "wg_nothing", FENCE + COMMIT + WAIT, 256, grids=GROUPS)


# Instruction, registers of A, of B, of the result, type of the result
MATRICES = {
    "s4k32": ("mma.sync.aligned.m16n8k32.row.col.s32.s4.s4.s32", 2, 1, 4, "r"),
    "u4m8": ("mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32", 1, 1, 2, "r"),
    "b1m8": ("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 1, 1, 2, "r"),
    "e5m2": ("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32", 4, 2, 4, "f"),
    "f16f16k8": ("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 2, 1, 2, "r"),
    "f16m8f16": ("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", 2, 2, 4, "r"),
}
SPARSE = {
    "tf32": ("m16n8k16.row.col.f32.tf32.tf32.f32", 4, 4, 4, "f"),
    "bf16": ("m16n8k32.row.col.f32.bf16.bf16.f32", 4, 4, 4, "f"),
    "f16k16": ("m16n8k16.row.col.f32.f16.f16.f32", 2, 2, 4, "f"),
    "s8": ("m16n8k64.row.col.s32.s8.s8.s32", 4, 4, 4, "r"),
    "s4": ("m16n8k128.row.col.s32.s4.s4.s32", 4, 4, 4, "r"),
    "e4m3": ("m16n8k64.row.col.f32.e4m3.e4m3.f32", 4, 4, 4, "f"),
}


def matrices():
    for name, (instruction, *registers) in MATRICES.items():
        yield register_chains(name, instruction, *registers)
    for name, (form, *registers) in SPARSE.items():
        yield register_chains(f"sp_{name}", f"mma.sp.sync.aligned.{form}", *registers, grids=(ONE_WARP, (264, 512)), is_sparse=True)


BYTES_OF_BLOCK = "(char*)g+(((ull)blockIdx.x*65536+(ull)i*{0})&0xfff0000)"


def bulk_copies():
    """From shared memory, and into the L2: nothing is polled for."""
    commit = ptx("cp.async.bulk.commit_group;") + ptx("cp.async.bulk.wait_group 0;")
    grids = (ONE_WARP, (264, 128))
    for size in (16, 128, 1024, 4096, 16384):
        copy = ptx(f"cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],{size};", "",
                   f'"l"({BYTES_OF_BLOCK.format(65536 * 3)}),"r"(sa)')
        yield f"bulk_store_{size}", f"if(t==0) {{ {copy} {commit} }}", 16, {"shared": 16384, "grids": grids}
    yield ("bulk_store_lanes", ptx("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],16;", "",
                                   f'"l"({NEXT_LINE}),"r"(sa+(t&31)*16)') + commit, 16, {"shared": 16384})
    many = ptx("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],4096;", "",
               f'"l"({BYTES_OF_BLOCK.format(65536 * 3)}),"r"(sa)') * 4
    yield "bulk_store_4_of_4096", f"if(t==0) {{ {many} {commit} }}", 16, {"shared": 16384, "grids": grids}
    read = ptx("cp.async.bulk.commit_group;") + ptx("cp.async.bulk.wait_group.read 0;")
    yield ("bulk_store_read", f"if(t==0) {{ {copy} {read} }}", 16, {"shared": 16384, "grids": grids})
    for name in ("add.u32", "add.f32", "add.noftz.f16", "min.s32", "add.f64", "xor.b32"):
        for size in (16, 4096):
            copy = ptx(f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{name} [%0],[%1],{size};", "",
                       f'"l"({BYTES_OF_BLOCK.format(65536 * 3)}),"r"(sa)')
            yield (f"bulk_{name.replace('.', '_')}_{size}", f"if(t==0) {{ {copy} {commit} }}", 16,
                   {"shared": 16384, "grids": grids})
    same = ptx("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0],[%1],4096;", "", '"l"(g),"r"(sa)')
    yield "bulk_add_same", f"if(t==0) {{ {same} {commit} }}", 16, {"shared": 16384, "grids": grids}
    for size in (16, 4096):
        fetch = ptx(f"cp.async.bulk.prefetch.L2.global [%0],{size};", "", f'"l"({BYTES_OF_BLOCK.format(65536 * 3)})')
        yield f"bulk_prefetch_{size}", f"if(t==0) {{ {fetch} }}", 16, {"grids": grids}
    yield "bulk_nothing", f"if(t==0) {{ {commit} }}", 64, {"grids": grids}
    copies = "".join(ptx("cp.async.cg.shared.global [%0],[%1],16;", "",
                         f'"r"(sa+(t*16&4095)+{4096 * k}),"l"(&g[((gt+(i*4+{k})*270336u)*4u)&0x3ffffff])') for k in range(4))
    yield ("cp_async_4_of_16", copies + ptx("cp.async.commit_group;") + ptx("cp.async.wait_group 0;"), 16,
           {"shared": 16384})
    copy = ptx("cp.async.ca.shared.global [%0],[%1],8;cp.async.wait_all;", "",
               '"r"(sa+(t*8&16383)),"l"(&g[((t+i)*2u)&0xfff])')
    yield "cp_async8_l1", copy, 64, {"shared": 16384}
    copy = ptx("cp.async.ca.shared.global [%0],[%1],4;cp.async.wait_all;", "", '"r"(sa+(t*128&16383)),"l"(' + NEXT_LINE + ")")
    yield "cp_async4_conflict", copy, 32, {"shared": 16384}


def tensor_copies():
    """Of boxes of 32 by 32 words, from shared memory and into the L2."""
    commit = ptx("cp.async.bulk.commit_group;") + ptx("cp.async.bulk.wait_group 0;")
    inputs = '"l"(&map),"r"((i*96+(int)blockIdx.x*32)&8191),"r"((i*32)&8191)'
    others = {"shared": 4096, "grids": (ONE_WARP, (264, 128)), "object": "tensor"}
    store = ptx("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0,{%1,%2}],[%3];", "", inputs + ',"r"(sa)')
    yield "tensor_store", f"if(t==0) {{ {store} {commit} }}", 16, others
    add = ptx("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0,{%1,%2}],[%3];", "", inputs + ',"r"(sa)')
    yield "tensor_add", f"if(t==0) {{ {add} {commit} }}", 16, others
    fetch = ptx("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%0,{%1,%2}];", "", inputs)
    yield "tensor_prefetch", f"if(t==0) {{ {fetch} }}", 16, others
    yield "prefetch_map", "if(t==0) " + ptx("prefetch.tensormap [%0];", "", '"l"(&map)'), 16, others


OWN_BARRIER = "if(t==0) " + ptx("mbarrier.init.shared.b64 [%0],1;", "", '"r"(sa)') + " __syncthreads();"
BARRIER = "if(t==0) " + ptx("mbarrier.init.shared.b64 [%0],1000000;", "", '"r"(sa)') + " __syncthreads();"


def barrier_objects():
    own, many = {"before": OWN_BARRIER, "shared": 1024}, {"before": BARRIER, "shared": 1024}
    arrive = "{.reg .b64 q; .reg .pred p; mbarrier.arrive.shared.b64 q,[%1]; mbarrier.test_wait.shared.b64 p,[%1],q; " \
             "selp.b32 %0,%0,7,p;}"
    yield "mbar_arrive_test", "if(t==0) " + ptx(arrive, '"+r"(x)', '"r"(sa)'), 64, own
    yield "mbar_arrive_try", "if(t==0) " + ptx(arrive.replace("test_wait", "try_wait"), '"+r"(x)', '"r"(sa)'), 64, own
    # The phase is not over: how long a try waits.
    pending = "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],0; selp.b32 %0,%0,7,p;}"
    yield "mbar_try_pending", ptx(pending, '"+r"(x)', '"r"(sa)'), 4, many
    hinted = "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],0,20000; selp.b32 %0,%0,7,p;}"
    yield "mbar_try_pending_20us", ptx(hinted, '"+r"(x)', '"r"(sa)'), 2, many
    hinted = "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],0,0; selp.b32 %0,%0,7,p;}"
    yield "mbar_try_pending_0", ptx(hinted, '"+r"(x)', '"r"(sa)'), 4, many
    before = "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p,[%1],1; selp.b32 %0,%0,7,p;}"
    yield "mbar_try_over", ptx(before, '"+r"(x)', '"r"(sa)'), 64, many
    yield ("mbar_expect", ptx("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0],16; "
                              "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0],16;", "", '"r"(sa)'), 64, many)
    yield ("mbar_arrive_expect",
           "if(t==0) " + ptx("{.reg .b64 q; mbarrier.arrive.expect_tx.shared.b64 q,[%0],0;}", "", '"r"(sa)'), 64, many)
    yield ("mbar_arrive_relaxed", ptx("{.reg .b64 q; mbarrier.arrive.relaxed.cta.shared::cta.b64 q,[%0];}", "", '"r"(sa)'), 64,
           many)
    yield ("mbar_no_complete", ptx("{.reg .b64 q; mbarrier.arrive.noComplete.shared.b64 q,[%0],1;}", "", '"r"(sa)'), 16, many)
    yield ("mbar_of_copy", ptx("cp.async.ca.shared.global [%0],[%1],4; cp.async.mbarrier.arrive.noinc.shared.b64 [%2];", "",
                               '"r"(sa+16+(t*4&511)),"l"(&g[(gt+i)&0xffff]),"r"(sa)'), 16, many)
    remote = {"before": BARRIER + ptx("barrier.cluster.arrive; barrier.cluster.wait;"),
              "after": ptx("barrier.cluster.arrive; barrier.cluster.wait;"), "shared": 1024, "cluster": 2,
              "grids": ((2, 32), ALL)}
    yield ("mbar_arrive_remote",
           ptx("{.reg .b32 q; mapa.shared::cluster.u32 q,%0,%1; mbarrier.arrive.release.cluster.shared::cluster.b64 _,[q];}",
               "", '"r"(sa),"r"((i+1)&1)'), 16, remote)
    yield ("st_async", ptx("{.reg .b32 q,m; mapa.shared::cluster.u32 q,%0,%2; mapa.shared::cluster.u32 m,%1,%2; "
                           "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [q],%3,[m];}", "",
                           '"r"(sa+16+(t*4&511)),"r"(sa),"r"((i+1)&1),"r"(x)'), 8, remote)


def clusters():
    meet = "barrier.cluster.arrive{0}; barrier.cluster.wait{1};"
    for name, size, orders in (("2", 2, ("", "")), ("4", 4, ("", "")), ("relaxed", 8, (".relaxed", "")),
                               ("aligned", 8, (".aligned", ".aligned"))):
        yield (f"cluster_bar_{name}", ptx(meet.format(*orders)) + " x+=i;", 64,
               {"cluster": size, "grids": ((size, 32), (256, 1024))})
    end = ptx("barrier.cluster.arrive; barrier.cluster.wait;")
    inside = {"after": end, "shared": 16384}
    load = "{.reg .b32 q,r; mapa.shared::cluster.u32 q,%1,%2; ld.shared::cluster.u32 r,[q]; add.u32 %0,%0,r;}"
    where = '"r"(sa+(({})&16383)),"r"((i*3+{}+1)&{})'
    for name, address, size in (("8", "(t+x)*4", 8), ("conflict", "(t*32+x)*4", 2), ("one", "x*4", 4)):
        yield (f"dsmem_{name}", ptx(load, '"+r"(x)', where.format(address, 0, size - 1)), 64,
               {**inside, "cluster": size, "grids": ((size, 32), (264 if size < 8 else 256, 1024))})
    wide = "{.reg .b32 q,a,b,c,d; mapa.shared::cluster.u32 q,%1,%2; ld.shared::cluster.v4.u32 {a,b,c,d},[q]; add.u32 %0,%0,d;}"
    two = {**inside, "cluster": 2, "grids": ((2, 32), ALL)}
    yield "dsmem_v4", ptx(wide, '"+r"(x)', where.format("(t+x)*16", 0, 1)), 64, two
    store = "{.reg .b32 q; mapa.shared::cluster.u32 q,%1,%2; st.shared::cluster.u32 [q],%0;}"
    yield "dsmem_st", ptx(store, "", '"r"(x),"r"(sa+(t*4&16383)),"r"((i+1)&1)'), 64, two
    yield "dsmem_st_conflict", ptx(store, "", '"r"(x),"r"(sa+(t*128&16383)),"r"((i+1)&1)'), 64, two
    fence = ptx("fence.acq_rel.cluster;")
    yield "fence_cluster_dsmem", ptx(store, "", '"r"(x),"r"(sa+(t*4&16383)),"r"((i+1)&1)') + fence, 16, two
    yield "mapa", ptx("{.reg .b32 q,r; mapa.shared::cluster.u32 q,%1,%2; getctarank.shared::cluster.u32 r,q; "
                      "add.u32 %0,%0,r;}", '"+r"(x)', '"r"(sa+t*4),"r"(i&1)'), 64, two


def orders():
    """Fences, and accesses that order others."""
    for name in ("proxy.async", "proxy.async.shared::cta", "proxy.async.global", "proxy.alias", "acq_rel.cluster",
                 "acq_rel.cta", "sc.cta", "sc.cluster", "sc.gpu", "sc.sys", "mbarrier_init.release.cluster",
                 "proxy.tensormap::generic.release.gpu"):
        short = name.replace(".", "_").replace("::", "_")
        yield f"order_{short}", f"g[gt]=i; {ptx('fence.' + name + ';')}", 16, {}
    word = '"l"(&g[(gt+x)&0xffff])'
    for name in ("acquire.sys", "relaxed.gpu", "acquire.cta", "relaxed.cluster", "acquire.cluster"):
        load = f"{{.reg .b32 q; ld.{name}.global.u32 q,[%1]; add.u32 %0,%0,q;}}"
        yield f"ld_{name.replace('.', '_')}", ptx(load, '"+r"(x)', word), 16, {}
    for name in ("release.sys", "relaxed.gpu", "release.cta"):
        yield (f"st_{name.replace('.', '_')}", ptx(f"st.{name}.global.u32 [%1],%0;", "", '"r"(x),"l"(&g[(gt+i)&0xffff])'), 16,
               {})
    for name in ("acquire.cta", "release.gpu", "acq_rel.sys"):
        atom = f"{{.reg .b32 q; atom.{name}.global.add.u32 q,[%1],1; add.u32 %0,%0,q;}}"
        yield f"atom_{name.replace('.', '_')}", ptx(atom, '"+r"(x)', f'"l"({LINES})'), 8, {}
    yield "red_release", ptx("red.release.gpu.global.add.u32 [%0],1;", "", f'"l"({LINES})'), 8, {}
    yield "grid_wait", ptx("griddepcontrol.wait;") + " x+=i;", 64, {}
    yield "grid_launch", ptx("griddepcontrol.launch_dependents;") + " x+=i;", 64, {}
    for nanoseconds in (0, 1000, 10000):
        yield f"nanosleep_{nanoseconds}", f"__nanosleep({nanoseconds});", 8, {}
    yield "nanosleep_lanes", "__nanosleep((t&31)*40);", 8, {}
    budget = ptx("setmaxnreg.dec.sync.aligned.u32 40;") + ptx("setmaxnreg.inc.sync.aligned.u32 128;")
    yield "setmaxnreg", budget + " x+=i;", 64, {"grids": ((1, 128), (132, 128))}
    yield "bar_two", "if(t<64) " + ptx("bar.sync 1,64;") + " x+=i; __syncthreads();", 64, {"grids": ((1, 64), ALL)}
    yield "bar_red_and", "x+=__syncthreads_and(x!=i);", 64, {"grids": (ONE_WARP, (1, 1024), ALL)}


def accesses():
    """To global memory."""
    for name, modifier, place in (("l2_256", ".L2::256B", "random"), ("l2_64", ".L2::64B", "random"),
                                  ("nc", ".nc.L1::no_allocate", "random"), ("first", ".L1::evict_first", "near")):
        address = "&g[h>>6]" if place == "random" else "&g[(t+x)&4095]"
        before = "u h=(gt*2654435761u+i*40503u*65537u+x)*2246822519u; h^=h>>15; " if place == "random" else ""
        load = f"{{.reg .b32 q; ld.global{modifier}.u32 q,[%1]; add.u32 %0,%0,q;}}"
        yield f"ld_{name}", before + ptx(load, '"+r"(x)', f'"l"({address})'), 64
    policy = ("{.reg .b64 c; .reg .b32 q; createpolicy.fractional.L2::evict_last.b64 c,0.5; "
              "ld.global.L2::cache_hint.u32 q,[%1],c; add.u32 %0,%0,q;}")
    yield "ld_policy", ptx(policy, '"+r"(x)', '"l"(&g[(gt+x)&0xffff])'), 64
    yield "createpolicy", ptx("{.reg .b64 c; createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 c,0.25; "
                              "xor.b64 %0,%0,c;}", '"+l"(l)'), 64
    yield "applypriority", ptx("applypriority.global.L2::evict_normal [%0],128;", "", f'"l"({NEXT_LINE})'), 16
    yield "prefetchu", ptx("prefetchu.L1 [%0];", "", f'"l"({NEXT_LINE})'), 64
    yield "prefetch_last", ptx("prefetch.global.L2::evict_last [%0];", "", f'"l"({NEXT_LINE})'), 64
    yield "ld128_lines", "uint4 v=__ldcg((uint4*)(" + NEXT_LINE + ")); x+=v.x+v.y+v.z+v.w;", 64
    yield "ld128_hot", "uint4 v=__ldcg((uint4*)&g[((t+x)&31)*4]); x+=v.x+v.y+v.z+v.w;", 64
    yield "ld_l1_lines", "x+=((volatile u*)g)[((t&31)*32+x)&4095];", 64
    yield "ld_l1_128", "uint4 v=__ldca((uint4*)g+((t+x)&255)); x+=v.x+v.y+v.z+v.w;", 64
    for kind, register in (("f32", "f"), ("f64", "d"), ("f16x2", "r")):
        value = {"f": "1.0f", "d": "1.0", "r": "x"}[register]
        operation = ("add.noftz." if "16" in kind else "add.") + kind
        for place, address in (("lines", LINES), ("row", "&g[(t&31)*2]")):
            yield (f"red_{kind.replace('.', '_')}_{place}",
                   ptx(f"red.global.{operation} [%0],%1;", "", f'"l"({address}),"{register}"({value})'), 8)


def textures():
    texel = {"before": "f=gt*0.37f;"}
    plane, start = '"l"(tex),"f"(f*0.713f),"f"(gt*0.37f+i*0.11f),"r"((x+gt+i*3)&1023),"r"((i*7+gt)&1023)', '"+f"(f)'
    forms = {
        "tex1d": "tex.1d.v4.f32.f32 {a,b,c,d},[%1,{%2}]",
        "tex1d_point": "tex.1d.v4.f32.s32 {a,b,c,d},[%1,{%4}]",
        "tex2d_point": "tex.2d.v4.f32.s32 {a,b,c,d},[%1,{%4,%5}]",
        "tex3d": "tex.3d.v4.f32.f32 {a,b,c,d},[%1,{%2,%3,%2,%3}]",
        "tex3d_point": "tex.3d.v4.f32.s32 {a,b,c,d},[%1,{%4,%5,%4,%5}]",
        "tex2d_level": "tex.level.2d.v4.f32.f32 {a,b,c,d},[%1,{%2,%3}],0f00000000",
        "tex2d_grad": "tex.grad.2d.v4.f32.f32 {a,b,c,d},[%1,{%2,%3}],{%2,%3},{%3,%2}",
        "tld4_random": "tld4.r.2d.v4.f32.f32 {a,b,c,d},[%1,{%2,%3}]",
    }
    for name, form in forms.items():
        fetch = f"{{.reg .f32 a,b,c,d; {form}; add.f32 %0,a,b; fma.rn.f32 %0,%0,1.37,%3;}}"
        yield name, ptx(fetch, start, plane), 64, {"object": "tex", **texel}
    add = ("{.reg .b32 e,f; and.b32 f,%0,1023; shl.b32 e,f,4; sured.b.2d.add.u32.zero [%1,{e,f}],e;}")
    yield "sured", ptx(add, "", '"r"(x+i*7),"l"(surf)'), 32, {"object": "surf"}
    store = "{.reg .b32 e,f; and.b32 e,%2,1023; shl.b32 e,e,4; and.b32 f,%0,1023; sust.b.2d.v4.b32.clamp [%1,{e,f}],{e,e,e,e};}"
    yield "sust_line", ptx(store, "", '"r"(i),"l"(surf),"r"(t)'), 64, {"object": "surf"}


def integers():
    """Sums and extremes in one instruction."""
    calls = {"viaddmax": "__viaddmax_s32({0},{1},{2})", "viaddmin_relu": "__viaddmin_s32_relu({0},{1},{2})",
             "vimax3": "__vimax3_s32({0},{1},{2})", "viaddmax16": "__viaddmax_s16x2({0},{1},{2})",
             "vimin3_u16": "__vimin3_u16x2({0},{1},{2})"}
    for name, call in calls.items():
        chains = "".join(f"z{k}=" + call.format(f"z{k}", f"(int)x+{k}", "i") + ";" for k in range(4))
        yield (name, chains, 256, {"before": "u z0=t,z1=t*3,z2=t*7,z3=t*11;", "after": "x+=z0+z1+z2+z3;"})


FAMILIES = {"barriers and fences": [barrier_objects, clusters, orders], "bulk copies": [bulk_copies, tensor_copies],
            "textures and surfaces": [textures], "integers": [integers]}


def kernels():
    yield from products()
    yield from matrices()
    for family, makers in FAMILIES.items():
        for maker in makers:
            for name, text, turns, others in maker():
                yield body(family, name, text, turns, **others)
    for name, text, turns in accesses():
        yield body("atomics" if name.startswith("red_") else "memory", name, text, turns)


def with_registers(kernel):
    """A budget of registers is changed where it is known."""
    known = "__global__ void __maxnreg__(128)" if "setmaxnreg" in kernel.name else "__global__ void"
    return kernel.text.replace("__global__ void", known)


def source():
    return HEAD + "\n".join(with_registers(kernel) for kernel in kernels())
