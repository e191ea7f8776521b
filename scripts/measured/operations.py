# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that do one operation each, many times, to be measured: their CUDA C++ (source) and their launches (launches).

A kernel is launched with one warp alone, where latencies show, and with two blocks of 1,024 threads for each
multiprocessor of an H100, where rates show. Each runs a loop whose number of turns is an argument. Chains of
instructions are volatile inline PTX, so that the compiler changes nothing but what surrounds them.
"""
import collections
import itertools

# A kernel: the family that the document counts it with; turns of its loop, alone if blocks are of one warp; object: tex,
# surf, tensor or nothing.
Kernel = collections.namedtuple("Kernel", "family name text turns alone grids shared object")
Launch = collections.namedtuple("Launch", "family kernel grid block shared turns object")

ONE_WARP, ALL = (1, 32), (264, 1024)

HEAD = """#include <cuda_fp16.h>
typedef unsigned u;
typedef unsigned long long ull;
__constant__ unsigned table[1024];
"""

# One for each kernel that calls: the compiler sees what all calls hand over.
FUNCTION = """__device__ __noinline__ unsigned {name}(unsigned a, unsigned b) {{
  for (int k = 0; k < 3; ++k) a = a * 5 + b;
  return a;
}}
"""
FUNCTIONS = ["callee", "callee_of_two"]

# Four chains of an operation on registers: {0} stands for "x0" to "x3".
CHAINS = """extern "C" __global__ void k_{name}({type}* g, int n) {{
  int t = threadIdx.x;
  {type} b = g[t] + ({type})(t * 77 + 3), c = g[t + 1] + ({type})(t % 5 + 1);
  {type} x0 = ({type})(t + 1), x1 = ({type})(t * 3 + 7), x2 = ({type})(t * 1000003 + 11), x3 = ({type})(t + 123456789);
#pragma unroll 1
  for (int i = 0; i < n; ++i) {{
{chains}
  }}
  g[blockIdx.x * blockDim.x + t] = x0 + x1 * ({type})3 + x2 * ({type})5 + x3 * ({type})7;
}}
"""
TYPES = {"r": "unsigned", "l": "unsigned long long", "f": "float", "d": "double"}

# A body written out. g: 2^26 words; t: thread of the block; gt: of the grid; s: shared memory, sa: its address; i: the
# turn; x, y, l, f: what turns hand on.
BODY = """extern "C" __global__ void {attribute}h_{name}({parameters}) {{
  extern __shared__ __align__(1024) u s[];
  int t = threadIdx.x;
  u gt = blockIdx.x * blockDim.x + t, x = t, y = 0;
  ull l = t;
  float f = t;
  u sa = (u)__cvta_generic_to_shared(s);
  (void)y; (void)l; (void)f; (void)sa;
  {before}
#pragma unroll 1
  for (int i = 0; i < n; ++i) {{
    {body}
  }}
  {after}
  g[gt] = x + y + (u)l + (u)f;
}}
"""
PARAMETERS = {"": "u* g, int n", "tex": "u* g, int n, ull tex", "surf": "u* g, int n, ull surf",
              "tensor": "u* g, int n, const __grid_constant__ Map map"}

# Operations on registers, by family and type of the registers: %0 is read and written, %1 and %2 are read.
CHAINED = {
    ("integers", "r"): {
        "add_s32": "add.s32 %0,%0,%1;",
        "mad_lo": "mad.lo.s32 %0,%0,%1,%2;",
        "mul_hi_u32": "mul.hi.u32 %0,%0,%1;",
        "mul24": "mul24.lo.s32 %0,%0,%1;",
        "mad24hi": "mad24.hi.s32 %0,%0,%1,%2;",
        "div_s32": "div.s32 %0,%1,%0;",
        "div_u32": "div.u32 %0,%1,%0;",
        "rem_s32": "rem.s32 %0,%1,%0;",
        "rem_u32": "rem.u32 %0,%1,%0;",
        "popc": "popc.b32 %0,%0;",
        "clz": "clz.b32 %0,%0;",
        "brev": "brev.b32 %0,%0;",
        "bfind": "bfind.u32 %0,%0;",
        "bfe_u": "bfe.u32 %0,%0,3,7;",
        "bfe_sv": "bfe.s32 %0,%0,%1,%2;",
        "bfi": "bfi.b32 %0,%1,%0,%2,%1;",
        "prmt": "prmt.b32 %0,%0,%1,%2;",
        "shf": "shf.l.wrap.b32 %0,%0,%1,%2;",
        "dp4a": "dp4a.u32.u32 %0,%0,%1,%2;",
        "dp2a": "dp2a.lo.s32.u32 %0,%0,%1,%2;",
        "sad": "sad.s32 %0,%0,%1,%2;",
        "lop3": "lop3.b32 %0,%0,%1,%2,0x6a;",
        "shl": "shl.b32 %0,%0,%1;",
        "shr_s": "shr.s32 %0,%0,%1;",
        "min_s": "min.s32 %0,%0,%1;",
        "abs": "abs.s32 %0,%0;",
        "neg": "neg.s32 %0,%0;",
        "fns": "fns.b32 %0,%0,%1,1;",
        "szext": "szext.clamp.s32 %0,%0,%1;",
        "bmsk": "bmsk.wrap.b32 %0,%0,%1;",
        "addc": "{add.cc.u32 %0,%0,%1; addc.u32 %0,%0,%2;}",
        "madc": "{mad.lo.cc.u32 %0,%0,%1,%2; madc.hi.u32 %0,%0,%1,%2;}",
        "select": "{.reg .pred p; setp.lt.s32 p,%0,%1; selp.b32 %0,%2,%0,p;}",
        "slct": "slct.b32.s32 %0,%0,%1,%2;",
        "isspacep": "{.reg .pred p; .reg .b64 t; cvt.u64.u32 t,%0; isspacep.shared p,t; selp.b32 %0,%1,%0,p;}",
        "setp_and": "{.reg .pred p,q,z; setp.lt.s32 p,%0,%1; setp.gt.s32 q,%0,%2; and.pred z,p,q; @z add.s32 %0,%0,3; }",
        "plop": "{.reg .pred p,q,z; setp.lt.s32 p,%0,%1; setp.gt.s32 q,%0,%2; xor.pred z,p,q; selp.b32 %0,%1,%0,z;}",
        "set_s32": "set.lt.s32.s32 %0,%0,%1;",
        "mul_lo16": "{.reg .b16 a,b; mov.b32 {a,b},%0; mul.lo.s16 a,a,b; mov.b32 %0,{a,b};}",
        "mad_wide16": "{.reg .b16 a,b; mov.b32 {a,b},%0; mad.wide.u16 %0,a,b,%1;}",
        "add_u16x2": "add.u16x2 %0,%0,%1;",
        "min_s16x2": "min.s16x2 %0,%0,%1;",
        "max_u16x2": "max.u16x2 %0,%0,%1;",
    },
    ("integers of 64 bits", "l"): {
        "add_s64": "add.s64 %0,%0,%1;",
        "mul_lo_s64": "mul.lo.s64 %0,%0,%1;",
        "mul_hi_u64": "mul.hi.u64 %0,%0,%1;",
        "mul_hi_s64": "mul.hi.s64 %0,%0,%1;",
        "mad_lo_u64": "mad.lo.u64 %0,%0,%1,%2;",
        "div_s64": "div.s64 %0,%1,%0;",
        "div_u64": "div.u64 %0,%1,%0;",
        "rem_s64": "rem.s64 %0,%1,%0;",
        "rem_u64": "rem.u64 %0,%1,%0;",
        "popc64": "{.reg .b32 t; popc.b64 t,%0; cvt.u64.u32 %0,t;}",
        "clz64": "{.reg .b32 t; clz.b64 t,%0; cvt.u64.u32 %0,t;}",
        "brev64": "brev.b64 %0,%0;",
        "bfe64": "bfe.u64 %0,%0,5,17;",
        "bfi64": "bfi.b64 %0,%1,%0,3,9;",
        "bfind64": "{.reg .b32 t; bfind.s64 t,%0; cvt.u64.u32 %0,t;}",
        "shl64": "{.reg .b32 t; cvt.u32.u64 t,%1; shl.b64 %0,%0,t;}",
        "min64": "min.s64 %0,%0,%1;",
        "abs64": "abs.s64 %0,%0;",
        "sad64": "sad.s64 %0,%0,%1,%2;",
        "mulwide": "{.reg .b32 t; cvt.u32.u64 t,%0; mul.wide.s32 %0,t,t;}",
        "addc64": "{add.cc.u64 %0,%0,%1; addc.u64 %0,%0,%2;}",
        "shr64": "{.reg .b32 t; cvt.u32.u64 t,%1; shr.s64 %0,%0,t;}",
        "shf64": "{.reg .b32 a,b; mov.b64 {a,b},%0; shf.r.wrap.b32 a,a,b,a; mov.b64 %0,{a,b};}",
        "slct64": "{.reg .b32 t; cvt.u32.u64 t,%1; slct.u64.s32 %0,%0,%2,t;}",
        "mad_hi_s64": "mad.hi.s64 %0,%0,%1,%2;",
        "setp64": "{.reg .pred p; setp.lt.u64 p,%0,%1; selp.b64 %0,%2,%0,p;}",
        "max_u64": "max.u64 %0,%0,%1;",
        "not64": "not.b64 %0,%0;",
        "subc64": "{sub.cc.u64 %0,%0,%1; subc.u64 %0,%0,%2;}",
    },
    ("video", "r"): {
        "vadd4": "vadd4.s32.s32.s32 %0,%0,%1,%2;",
        "vabsdiff4": "vabsdiff4.u32.u32.u32.add %0,%0,%1,%2;",
        "vmin2": "vmin2.s32.s32.s32 %0,%0,%1,%2;",
        "vavrg4": "vavrg4.s32.s32.s32 %0,%0,%1,%2;",
        "vset4": "vset4.s32.s32.lt %0,%0,%1,%2;",
        "vmad": "vmad.s32.s32.s32 %0,%0,%1,%2;",
        "vadd_b": "vadd.s32.u32.s32.sat %0,%0.b1,%1.h1;",
        "vadd2": "vadd2.u32.u32.u32.sat %0,%0,%1,%2;",
        "vsub4": "vsub4.s32.s32.s32.add %0,%0,%1,%2;",
        "vset": "vset.s32.s32.lt %0,%0,%1;",
        "vshl": "vshl.u32.u32.u32.clamp %0,%0,%1;",
        "vabsdiff": "vabsdiff.s32.s32.s32 %0,%0,%1;",
        "vmax4": "vmax4.u32.u32.u32 %0,%0,%1,%2;",
        "vavrg2": "vavrg2.s32.s32.s32 %0,%0,%1,%2;",
        "vabsdiff2": "vabsdiff2.s32.s32.s32 %0,%0,%1,%2;",
    },
    ("all lanes of a warp", "r"): {
        "ballot": "{.reg .pred p; setp.ne.s32 p,%0,%1; vote.sync.ballot.b32 %0,p,0xffffffff;}",
        "vote_all": "{.reg .pred p,q; setp.ne.s32 p,%0,%1; vote.sync.all.pred q,p,0xffffffff; selp.b32 %0,%1,%2,q;}",
        "vote_uni": "{.reg .pred p,q; setp.ne.s32 p,%0,%1; vote.sync.uni.pred q,p,0xffffffff; selp.b32 %0,%1,%0,q;}",
        "match_any": "match.any.sync.b32 %0,%0,0xffffffff;",
        "match_all": "{.reg .pred q; match.all.sync.b32 %0|q,%0,0xffffffff; selp.b32 %0,%0,%1,q;}",
        "shfl_idx": "shfl.sync.idx.b32 %0,%0,%1,31,0xffffffff;",
        "shfl_bfly": "shfl.sync.bfly.b32 %0,%0,3,31,0xffffffff;",
        "shfl_up": "shfl.sync.up.b32 %0,%0,1,0,0xffffffff;",
        "shfl_down_p": "{.reg .pred p; shfl.sync.down.b32 %0|p,%0,%1,31,0xffffffff; selp.b32 %0,%0,%2,p;}",
        "redux_add": "redux.sync.add.u32 %0,%0,0xffffffff;",
        "redux_min": "redux.sync.min.s32 %0,%0,0xffffffff;",
        "redux_xor": "redux.sync.xor.b32 %0,%0,0xffffffff;",
        "redux_or": "redux.sync.or.b32 %0,%0,0xffffffff;",
        "redux_max": "redux.sync.max.u32 %0,%0,0xffffffff;",
        "activemask": "{.reg .b32 t; activemask.b32 t; xor.b32 %0,%0,t;}",
        "elect": "{.reg .pred p; .reg .b32 t; elect.sync t|p,0xffffffff; selp.b32 t,1,t,p; add.u32 %0,%0,t;}",
        "bar_warp": "bar.warp.sync 0xffffffff; add.u32 %0,%0,%1;",
    },
    ("all lanes of a warp", "l"): {
        "match64": "{.reg .b32 t; match.any.sync.b64 t,%0,0xffffffff; cvt.u64.u32 %0,t;}",
        "match_all64": "{.reg .pred q; .reg .b32 t; match.all.sync.b64 t|q,%0,0xffffffff; @q add.s64 %0,%0,%1;}",
        "shfl64": "{.reg .b32 a,b; mov.b64 {a,b},%0; shfl.sync.idx.b32 a,a,3,31,0xffffffff; "
                  "shfl.sync.idx.b32 b,b,5,31,0xffffffff; mov.b64 %0,{a,b};}",
    },
    ("special registers", "r"): {
        **{name: f"{{.reg .b32 t; mov.u32 t,%%{register}; add.u32 %0,%0,t;}}" for name, register in {
            "laneid": "laneid", "smid": "smid", "warpid": "warpid", "clock": "clock", "nwarpid": "nwarpid",
            "dynsmem": "dynamic_smem_size", "lanemask": "lanemask_lt", "ctaid": "ctaid.x", "clockhi": "clock_hi",
            "totalsmem": "total_smem_size", "cluster_ctaid": "cluster_ctaid.x", "globaltimer_lo": "globaltimer_lo",
            "nsmid": "nsmid", "lanemask_eq": "lanemask_ge"}.items()},
        "gridid": "{.reg .b64 t; .reg .b32 q; mov.u64 t,%%gridid; cvt.u32.u64 q,t; add.u32 %0,%0,q;}",
    },
    ("special registers", "l"): {
        "clock64": "{.reg .b64 t; mov.u64 t,%%clock64; add.u64 %0,%0,t;}",
        "globaltimer": "{.reg .b64 t; mov.u64 t,%%globaltimer; add.u64 %0,%0,t;}",
    },
    ("half precision", "r"): {
        "fma_f16x2": "fma.rn.f16x2 %0,%0,%1,%2;",
        "fma_bf16x2": "fma.rn.bf16x2 %0,%0,%1,%2;",
        "add_bf16x2": "add.rn.bf16x2 %0,%0,%1;",
        "min_f16x2": "min.f16x2 %0,%0,%1;",
        "max_nan_bf16x2": "max.NaN.bf16x2 %0,%0,%1;",
        "ex2_f16x2": "ex2.approx.f16x2 %0,%0;",
        "ex2_bf16x2": "ex2.approx.ftz.bf16x2 %0,%0;",
        "tanh_f16x2": "tanh.approx.f16x2 %0,%0;",
        "tanh_bf16x2": "tanh.approx.bf16x2 %0,%0;",
        "fma_relu": "fma.rn.relu.f16x2 %0,%0,%1,%2;",
        "set_f16x2": "set.lt.f16x2.f16x2 %0,%0,%1;",
        "h_div": "{.reg .b16 a,b; .reg .f32 x,y; mov.b32 {a,b},%0; cvt.f32.f16 x,a; cvt.f32.f16 y,b; "
                 "div.full.f32 x,x,y; cvt.rn.f16.f32 a,x; mov.b32 %0,{a,b};}",
        "setf16": "{.reg .b16 a,b; .reg .pred p; mov.b32 {a,b},%0; setp.lt.f16 p,a,b; selp.b32 %0,%1,%0,p;}",
        "h_fma": "{.reg .b16 a,b; mov.b32 {a,b},%0; fma.rn.f16 a,a,b,b; mov.b32 %0,{a,b};}",
        "h_tanh": "{.reg .b16 a,b; mov.b32 {a,b},%0; tanh.approx.f16 a,a; mov.b32 %0,{a,b};}",
        "bf_fma": "{.reg .b16 a,b; mov.b32 {a,b},%0; fma.rn.bf16 a,a,b,b; mov.b32 %0,{a,b};}",
        "abs_h2": "abs.f16x2 %0,%0;",
        "neg_bf2": "neg.bf16x2 %0,%0;",
    },
    ("single precision", "r"): {
        "fma_sat": "{.reg .f32 t; mov.b32 t,%0; fma.rn.sat.f32 t,t,t,t; mov.b32 %0,t;}",
    },
    ("single precision", "f"): {
        "fma": "fma.rn.f32 %0,%0,%1,%2;",
        "fma_rz": "fma.rz.f32 %0,%0,%1,%2;",
        "mul_f": "mul.rn.f32 %0,%0,%1;",
        "add_rp": "add.rp.f32 %0,%0,%1;",
        "min_f": "min.f32 %0,%0,%1;",
        "min3": "min.NaN.xorsign.abs.f32 %0,%0,%1;",
        "min3f": "min.f32 %0,%0,%1; ",
        "testp": "{.reg .pred p; testp.subnormal.f32 p,%0; selp.f32 %0,%1,%0,p;}",
        "copysign": "copysign.f32 %0,%1,%0;",
        "setp_f": "{.reg .pred p; setp.ltu.f32 p,%0,%1; selp.f32 %0,%2,%0,p;}",
        "set_f": "{.reg .b32 t; set.lt.u32.f32 t,%0,%1; cvt.rn.f32.u32 %0,t;}",
    },
    ("special functions, quotients and roots", "f"): {
        "div_rn": "div.rn.f32 %0,%1,%0;",
        "div_full": "div.full.f32 %0,%1,%0;",
        "div_approx": "div.approx.f32 %0,%1,%0;",
        "sqrt_rn": "sqrt.rn.f32 %0,%0;",
        "sqrt_approx": "sqrt.approx.f32 %0,%0;",
        "rcp_rn": "rcp.rn.f32 %0,%0;",
        "rcp_approx": "rcp.approx.f32 %0,%0;",
        "rsqrt": "rsqrt.approx.f32 %0,%0;",
        "sin": "sin.approx.f32 %0,%0;",
        "cos": "cos.approx.f32 %0,%0;",
        "lg2": "lg2.approx.f32 %0,%0;",
        "ex2": "ex2.approx.f32 %0,%0;",
        "ex2_ftz": "ex2.approx.ftz.f32 %0,%0;",
        "tanh": "tanh.approx.f32 %0,%0;",
        "sin_chain": "sin.approx.ftz.f32 %0,%0;",
        "rcp_ftz": "rcp.approx.ftz.f32 %0,%0;",
        "div_rn_ftz": "div.rn.ftz.f32 %0,%1,%0;",
        "rcp_rz": "rcp.rz.f32 %0,%0;",
        "sqrt_rn_ftz": "sqrt.rn.ftz.f32 %0,%0;",
        "sqrt_rp": "sqrt.rp.f32 %0,%0;",
        "fchk": "div.rz.f32 %0,%0,%1;",
    },
    ("double precision", "d"): {
        "dfma": "fma.rn.f64 %0,%0,%1,%2;",
        "dadd": "add.rn.f64 %0,%0,%1;",
        "dmul": "mul.rn.f64 %0,%0,%1;",
        "dmin": "min.f64 %0,%0,%1;",
        "ddiv": "div.rn.f64 %0,%1,%0;",
        "dsqrt": "sqrt.rn.f64 %0,%0;",
        "drcp": "rcp.rn.f64 %0,%0;",
        "drcp_approx": "rcp.approx.ftz.f64 %0,%0;",
        "drsqrt_approx": "rsqrt.approx.f64 %0,%0;",
        "dsetp": "{.reg .pred p; setp.lt.f64 p,%0,%1; selp.f64 %0,%2,%0,p;}",
        "drcp_rn": "rcp.rn.f64 %0,%0;",
        "drsqrt64": "rsqrt.approx.ftz.f64 %0,%0;",
        "dfma_rm": "fma.rm.f64 %0,%0,%1,%2;",
        "dcopysign": "copysign.f64 %0,%1,%0;",
        "dabs": "abs.f64 %0,%0;",
        "dtestp": "{.reg .pred p; testp.finite.f64 p,%0; selp.f64 %0,%1,%0,p;}",
    },
    ("conversions", "r"): {
        "i2f_f2i": "{.reg .f32 t; cvt.rn.f32.s32 t,%0; cvt.rzi.s32.f32 %0,t;}",
        "u16cvt": "{.reg .u16 t; cvt.u16.u32 t,%0; cvt.u32.u16 %0,t;}",
        "i8cvt": "cvt.s8.s32 %0,%0;",
        "cvt_bf16x2": "{.reg .f32 t; mov.b32 t,%0; cvt.rn.bf16x2.f32 %0,t,t;}",
        "cvt_e4m3": "{.reg .b16 t; .reg .b32 u; cvt.rn.satfinite.e4m3x2.f16x2 t,%0; cvt.rn.f16x2.e4m3x2 %0,t;}",
        "cvt_e5m2": "{.reg .b16 t; cvt.rn.satfinite.e5m2x2.f16x2 t,%0; cvt.rn.f16x2.e5m2x2 %0,t;}",
    },
    ("conversions", "l"): {
        "i2f64": "{.reg .f64 t; cvt.rn.f64.s64 t,%0; cvt.rzi.s64.f64 %0,t;}",
        "i2f32_64": "{.reg .f32 t; cvt.rn.f32.s64 t,%0; cvt.rzi.s64.f32 %0,t;}",
        "u2f32_64": "{.reg .f32 t; cvt.rn.f32.u64 t,%0; cvt.rzi.u64.f32 %0,t;}",
    },
    ("conversions", "f"): {
        "cvt_rni": "cvt.rni.f32.f32 %0,%0;",
        "cvt_f16": "{.reg .f16 t; cvt.rn.f16.f32 t,%0; cvt.f32.f16 %0,t;}",
        "cvt_bf16": "{.reg .b16 t; cvt.rn.bf16.f32 t,%0; cvt.f32.bf16 %0,t;}",
        "cvt_tf32": "{.reg .b32 t; cvt.rna.tf32.f32 t,%0; mov.b32 %0,t;}",
        "cvt_f64": "{.reg .f64 t; cvt.f64.f32 t,%0; cvt.rn.f32.f64 %0,t;}",
        "ceil": "cvt.rpi.f32.f32 %0,%0;",
        "trunc_sat": "cvt.rzi.sat.f32.f32 %0,%0;",
    },
    ("conversions", "d"): {
        "drni": "cvt.rni.f64.f64 %0,%0;",
        "d2i": "{.reg .b32 t; cvt.rzi.s32.f64 t,%0; cvt.rn.f64.s32 %0,t;}",
        "d2l": "{.reg .b64 t; cvt.rzi.u64.f64 t,%0; cvt.rn.f64.u64 %0,t;}",
        "d2h": "{.reg .b16 t; cvt.rn.f16.f64 t,%0; cvt.f64.f16 %0,t;}",
        "dceil": "cvt.rpi.f64.f64 %0,%0;",
        "dset": "{.reg .b32 t; set.lt.u32.f64 t,%0,%1; cvt.rn.f64.u32 %0,t;}",
    },
}

# Bits and type of registers of what is converted.
CONVERTED = {"s8": (16, "b16"), "u8": (16, "b16"), "s16": (16, "b16"), "u16": (16, "b16"), "s32": (32, "b32"),
             "u32": (32, "b32"), "s64": (64, "b64"), "u64": (64, "b64"), "f16": (16, "b16"), "f32": (32, "f32"),
             "f64": (64, "f64"), "bf16": (16, "b16")}
WITH_BF16 = {("bf16", "f32"), ("f32", "bf16"), ("bf16", "s32"), ("s32", "bf16"), ("bf16", "f64"), ("u64", "bf16")}


def rounding(to, source):
    """Modifier of a cvt; none at all if the two are floating point of the same width, which is no conversion here."""
    floats = "f" in to, "f" in source
    if floats == (True, True):
        return None if CONVERTED[to][0] == CONVERTED[source][0] else ".rn" if CONVERTED[to][0] < CONVERTED[source][0] else ""
    return {(True, False): ".rn", (False, True): ".rzi", (False, False): ""}[floats]


def conversions():
    """From each type to each other: %0 is widened to the source, converted, and what comes out is folded into it."""
    for to, source in itertools.permutations(CONVERTED, 2):
        modifier = rounding(to, source)
        if modifier is None or ("bf16" in (to, source) and (to, source) not in WITH_BF16):
            continue
        (to_bits, to_type), (bits, source_type) = CONVERTED[to], CONVERTED[source]
        widen = {16: "mov.b32 {a16,h},%0;", 32: "mov.b32 a32,%0;", 64: "mov.b64 a64,{%0,%1};"}[bits]
        fold = {16: "mov.b32 q,{r16,r16}; xor.b32 %0,%0,q;", 32: "mov.b32 q,r32; xor.b32 %0,%0,q;",
                64: "mov.b64 {q,p},r64; xor.b32 %0,%0,p;"}[to_bits]
        registers = f".reg .b16 h; .reg .b32 q,p; .reg .{source_type} a{bits}; .reg .{to_type} r{to_bits};"
        yield (f"cvt_{to}_{source}",
               f"{{{registers} {widen} cvt{modifier}.{to}.{source} r{to_bits},a{bits}; {fold}}}")


def chained(family, register, name, operation, turns=512):
    chains = "\n".join(f'    asm volatile("{operation}" : "+{register}"(x{i}) : "{register}"(b), "{register}"(c));'
                       for i in range(4))
    text = CHAINS.format(name=name, type=TYPES[register], chains=chains)
    return Kernel(family, "k_" + name, text, turns, turns, (ONE_WARP, ALL), 0, "")


def body(family, name, text, turns=64, before="", after="", grids=(ONE_WARP, ALL), shared=0, cluster=1, object="",
         more_alone=8):
    attribute = f"__cluster_dims__({cluster},1,1) " if cluster > 1 else ""
    filled = BODY.format(name=name, body=text, before=before, after=after, attribute=attribute,
                         parameters=PARAMETERS[object])
    return Kernel(family, "h_" + name, filled, turns, turns * more_alone, grids, shared, object)


def ptx(text, outputs="", inputs=""):
    return f'asm volatile("{text}" : {outputs} : {inputs});'


# Addresses of words of g: one for all; a line for each thread, others in the next turn; 32 lines that lie on one bank
SAME, LINES, ONE_BANK = "g", "&g[((gt+i*7u)*32u)&0x3ffffff]", "&g[((gt&31u)*1024u)]"
HASH = "u h=(gt*2654435761u+i*40503u*65537u+x)*2246822519u; h^=h>>15; "  # differs from turn to turn and thread to thread
NEXT_LINE = "&g[((gt+i*270336u)*32u)&0x3ffffff]"  # each once


def memory():
    yield "ld_random", HASH + "x+=__ldcg(&g[h>>6]);", 64
    yield "ld_random_wide", HASH + "uint4 v=__ldcg((uint4*)g+(h>>8)); x+=v.x+v.y+v.z+v.w;", 64
    yield "ld_chase_stride", "x+=g[(gt*64u+i*1048576u+x)&0x3ffffff];", 64
    for name, of_thread, of_turn in (("4k", 1024, 512), ("64k", 16384, 32), ("1m", 262144, 1056), ("2m", 524288, 4128)):
        yield f"ld_stride_{name}", f"x+=__ldcg(&g[(gt*{of_thread}u+i*{of_turn}u)&0x3ffffff]);", 64
    yield "ld_l1", "x+=((volatile u*)g)[(x+t)&255];", 64
    yield "ld_l2", "x+=__ldcg(&g[(x+gt)&0xffff]);", 64
    yield "ld_same_line_l2", "x+=__ldcg(&g[x&31]);", 64
    yield "st_random", HASH + "g[h>>6]=x;", 64
    yield "st_same", "((volatile u*)g)[0]=i;", 64
    yield "st_stride_4k", "g[(gt*1024u+i*512u)&0x3ffffff]=i;", 64
    yield "st_wide_random", HASH + "((uint4*)g)[h>>8]=make_uint4(h,h,h,h);", 64
    yield "copy", "((uint4*)g)[(gt+i*270336u)&0xffffff]=make_uint4(i,i,i,i);", 64
    yield "ldg_u8", "x+=((volatile unsigned char*)g)[(x+t)&4095];", 64
    yield "ldg128", "uint4 v=__ldcg((uint4*)g+((x+gt)&0xfffff)); x+=v.x+v.y+v.z+v.w;", 16
    yield "ldg_nc", "x+=__ldg(&g[(x+t)&4095]);", 64
    yield "stg_u8", "((volatile unsigned char*)g)[(gt*129+i)&0xfffffff]=x;", 16
    yield "prefetch", ptx("prefetch.global.L2 [%0];", "", f'"l"({NEXT_LINE})'), 64
    yield "prefetch_l1", ptx("prefetch.global.L1 [%0];", "", f'"l"({NEXT_LINE})'), 64
    yield "discard", ptx("discard.global.L2 [%0],128;", "", f'"l"({NEXT_LINE})'), 8


ATOMS = {"add_u32": "atom.global.add.u32 %0,[%1],%2;", "min": "atom.global.min.s32 %0,[%1],%2;",
         "exch": "atom.global.exch.b32 %0,[%1],%2;", "cas": "atom.global.cas.b32 %0,[%1],%2,%2;",
         "inc": "atom.global.inc.u32 %0,[%1],%2;", "and": "atom.global.and.b32 %0,[%1],%2;",
         "half2": "atom.global.add.noftz.f16x2 %0,[%1],%2;", "bf16x2": "atom.global.add.noftz.bf16x2 %0,[%1],%2;",
         "acqrel": "atom.acq_rel.gpu.global.add.u32 %0,[%1],%2;", "sys": "atom.relaxed.sys.global.add.u32 %0,[%1],%2;",
         "sc": "fence.sc.gpu; atom.global.add.u32 %0,[%1],%2;"}
CAS_OF_128 = ("{.reg .b128 a,b,c; mov.b128 a,{%0,%0}; mov.b128 b,{%0,%0}; atom.global.cas.b128 c,[%1],a,b; "
              "mov.b128 {%0,_},c;}")
ADD_OF_4 = "{.reg .f32 a,b,c,d; atom.global.v4.f32.add {a,b,c,d},[%1],{%0,%0,%0,%0}; add.f32 %0,a,b;}"
ADD_OF_2 = "{.reg .f32 a,b; atom.global.v2.f32.add {a,b},[%1],{%0,%0}; add.f32 %0,a,b;}"


def atomics():
    for name, atom in ATOMS.items():
        for place, address, turns in (("same", SAME, 8), ("lines", LINES, 16), ("bank", ONE_BANK, 8)):
            operation = ptx(atom, '"=r"(r)', f'"l"({address}), "r"(x|1)')
            yield f"atom_{name}_{place}", f"{{u r; {operation} x+=r;}}", turns
    yield "atom_f32_same", "f+=atomicAdd((float*)g,f);", 8
    yield "atom_f32_lines", f"f+=atomicAdd((float*){LINES},1.f);", 16
    yield "atom_f64_same", "l+=(ull)atomicAdd((double*)g,1.0);", 8
    yield "atom_f64_lines", f"l+=(ull)atomicAdd((double*){LINES},1.0);", 16
    yield "atom_u64_same", "l+=atomicAdd((ull*)g,l);", 8
    yield "atom_cas64_same", "l+=atomicCAS((ull*)g,l,l+1);", 8
    for place, address, turns in (("same", SAME, 8), ("lines", LINES, 16)):
        yield f"atom_cas128_{place}", ptx(CAS_OF_128, '"+l"(l)', f'"l"({address})'), turns
        yield f"atom_v4f32_{place}", ptx(ADD_OF_4, '"+f"(f)', f'"l"({address})'), turns
        yield f"red_{place}", ptx("red.global.add.u32 [%0],1;", "", f'"l"({address})'), turns
    yield "red_f16_v4", ptx("red.global.v4.f16x2.add.noftz [%0],{%1,%1,%1,%1};", "", f'"l"({LINES}),"r"(x)'), 16


def atomics_of_patterns():
    """Which lanes meet on which words: (operation, words of a lane)."""
    operations = {
        "v4f32": (ptx(ADD_OF_4, '"+f"(f)', '"l"(@)'), 4),
        "v2f32": (ptx(ADD_OF_2, '"+f"(f)', '"l"(@)'), 2),
        "rv8f16": (ptx("{.reg .b16 h; mov.b32 {h,_},%1; red.global.add.noftz.v8.f16 [%0],{h,h,h,h,h,h,h,h};}", "",
                       '"l"(@),"r"(x)'), 4),
        "rv4f32": (ptx("red.global.add.v4.f32 [%0],{%1,%1,%1,%1};", "", '"l"(@),"f"(f)'), 4),
        "rmaxbf": (ptx("red.global.max.noftz.v4.bf16x2 [%0],{%1,%1,%1,%1};", "", '"l"(@),"r"(x)'), 4),
        "f32": ("f+=atomicAdd((float*)(@),1.f);", 1),
        "f64": ("l+=(ull)atomicAdd((double*)(@),1.0);", 2),
        "u32": ("x+=atomicAdd((u*)(@),x);", 1),
        "max": ("x+=atomicMax((int*)(@),(int)x+i);", 1),
        "u64": ("l+=atomicAdd((ull*)(@),l);", 2),
        "cas": ("x+=atomicCAS((u*)(@),x,x+1);", 1),
    }
    for name, (text, words) in operations.items():
        places = {"row": f"&g[(t&31)*{words}]", "two": f"&g[(t&1)*{words}]", "4k": "&g[(t&31)*1024]", "one": "g",
                  "half": f"&g[((t>>1)&15)*{words}]", "warp": f"&g[(gt/32)*{32 * words}+(t&31)*{words}]"}
        for place, address in places.items():
            yield f"a_{name}_{place}", text.replace("@", address), 16 if place == "warp" else 8


def shared_atomics():
    """# is the index of the word."""
    operations = {"add": "x+=atomicAdd(&s[#],x);", "f32": "f+=atomicAdd((float*)&s[#],1.f);",
                  "cas": "x+=atomicCAS(&s[#],x,x+1);", "exch": "x+=atomicExch(&s[#],x);",
                  "u64": "l+=atomicAdd((ull*)&s[2*#],l);", "f64": "l+=(ull)atomicAdd((double*)&s[2*#],1.0);",
                  "min": "x+=atomicMin((int*)&s[#],(int)x);",
                  "h2": "__half2 q=atomicAdd((__half2*)&s[#],__half2{1,1}); x+=*(u*)&q;",
                  "cas64": "l+=atomicCAS((ull*)&s[2*#],l,l+1);", "inc": "x+=atomicInc(&s[#],x);"}
    for name, text in operations.items():
        bank = "((t*32)&1023)" if "2*#" in text else "((t*32)&2047)"
        for place, index, turns in (("same", "0", 8), ("lanes", "(t&1023)", 32), ("bank", bank, 16)):
            yield f"satom_{name}_{place}", text.replace("#", index), turns


LOAD_OF_4 = '"=r"(v.x),"=r"(v.y),"=r"(v.z),"=r"(v.w)'


def shared_memory():
    """Each with 16,384 bytes of shared memory, but for one."""
    yield "lds", "x+=((volatile u*)s)[(x+t)&1023];"
    yield "lds_conflict32", "x+=((volatile u*)s)[(t*32+x)&4095];"
    for name, address in (("lds_v4", "(t*16+x*16)"), ("lds_v4_conflict", "(t*128+x*128)"), ("lds128_broadcast", "(x*16)")):
        load = ptx("ld.shared.v4.u32 {%0,%1,%2,%3},[%4];", LOAD_OF_4, f'"r"(sa+({address}&16383))')
        yield name, f"uint4 v; {load} x+=v.x+v.y+v.z+v.w;"
    yield "sts_conflict32", "((volatile u*)s)[(t*32+i)&4095]=i;"
    yield "sts_v4_conflict", ptx("st.shared.v4.u32 [%0],{%1,%1,%1,%1};", "", '"r"(sa+((t*128+i*128)&16383)),"r"(i)')
    yield "sts_u8", "((volatile unsigned char*)s)[(t+i)&4095]=i;"
    for name, address in (("lds64_conflict", "t*256+x*256"), ("lds64", "t*8+x*8")):
        yield name, "ull v; " + ptx("ld.shared.u64 %0,[%1];", '"=l"(v)', f'"r"(sa+(({address})&16383))') + " x+=(u)v;"
    yield "lds_u8", "u v; " + ptx("ld.shared.u8 %0,[%1];", '"=r"(v)', '"r"(sa+((t+x)&16383))') + " x+=v;"
    four = '"=r"(a),"=r"(b),"=r"(c),"=r"(d)'
    for name, turned, stride in (("ldmatrix", "", 16), ("ldmatrix_conflict", ".trans", 128)):
        load = ptx(f"ldmatrix.sync.aligned.m8n8.x4{turned}.shared.b16 {{%0,%1,%2,%3}},[%4];", four,
                   f'"r"(sa+((t*{stride}+x*{stride})&16383))')
        yield name, f"u a,b,c,d; {load} x+=a+b+c+d;"
    load = ptx("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0},[%1];", '"=r"(a)', '"r"(sa+((t*16+x*16)&16383))')
    yield "ldmatrix1", f"u a; {load} x+=a;"
    load = ptx("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];", '"=r"(a),"=r"(b)', '"r"(sa+((t*16+x*16)&16383))')
    yield "ldmatrix2", f"u a,b; {load} x+=a+b;"
    for name, stride in (("stmatrix", 16), ("stmatrix_conflict", 128)):
        yield name, ptx("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],{%1,%1,%1,%1};", "",
                        f'"r"(sa+((t*{stride})&16383)),"r"(i)')
    yield "stmatrix1", ptx("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0],{%1};", "", '"r"(sa+((t*16)&16383)),"r"(i)')


BARRIER = "if(t==0) " + ptx("mbarrier.init.shared.b64 [%0],1000000;", "", '"r"(sa)') + " __syncthreads();"
CLUSTER_BARRIER = ptx("barrier.cluster.arrive; barrier.cluster.wait;")
WORD_OF_L2 = "&g[(gt+x)&0xffff]"


def barriers_and_fences():
    """Name, body, turns, and what else is not usual."""
    one_block = (1, 1024)
    yield "bar", "__syncthreads(); x+=i;", 64, {"grids": (ONE_WARP, one_block, ALL, (2112, 64))}
    yield "bar_or", "x+=__syncthreads_or(x&i);", 64, {"grids": (ONE_WARP, one_block, ALL)}
    yield "bar_count", "x+=__syncthreads_count(x&i);", 64, {"grids": (one_block, ALL)}
    yield "bar_named", ptx("bar.sync %0,64;", "", '"r"(t/64+0)') + " x+=i;", 64, {"grids": ((1, 64), ALL)}
    wait, arrive = ptx("bar.sync 1,64;"), ptx("bar.arrive 1,64;") + " " + ptx("bar.sync 2,32;")
    yield ("bar_arrive", f"if(t<32){{ {wait} }} else if(t<64) {{ {arrive} }} x+=i; __syncthreads();", 64,
           {"grids": ((1, 64), ALL)})
    yield "fence_gl", "g[gt]=i; __threadfence();", 64, {}
    yield "fence_gl_random", HASH + "g[h>>6]=x; __threadfence();", 16, {}
    yield "fence_sys", "g[gt]=i; __threadfence_system();", 16, {}
    yield "fence_sys_random", HASH + "g[h>>6]=x; __threadfence_system();", 8, {}
    yield "fence_block", "g[gt]=i; __threadfence_block();", 64, {}
    load = "{.reg .b32 q; ld.acquire.gpu.global.u32 q,[%1]; add.u32 %0,%0,q;}"
    yield "ld_acquire", ptx(load, '"+r"(x)', f'"l"({WORD_OF_L2})'), 16, {}
    yield "st_release", ptx("st.release.gpu.global.u32 [%1],%0;", "", '"r"(x),"l"(&g[(gt+i)&0xffff])'), 16, {}
    load = "{.reg .b32 q; ld.relaxed.sys.global.u32 q,[%1]; add.u32 %0,%0,q;}"
    yield "ld_volatile_sys", ptx(load, '"+r"(x)', f'"l"({WORD_OF_L2})'), 16, {}
    with_barrier = {"before": BARRIER, "shared": 1024}
    arrive = "{.reg .b64 q; mbarrier.arrive.shared.b64 q,[%1]; xor.b64 %0,%0,q;}"
    yield "mbarrier_arrive", ptx(arrive, '"+l"(l)', '"r"(sa)'), 64, with_barrier
    test = "{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p,[%1],0; selp.b32 %0,%0,7,p;}"
    yield "mbarrier_test", ptx(test, '"+r"(x)', '"r"(sa)'), 64, with_barrier
    yield "cluster_bar", CLUSTER_BARRIER + " x+=i;", 64, {"cluster": 8, "grids": ((8, 32), (256, 1024))}
    yield "nanosleep", "__nanosleep(100);", 8, {}


def other_bodies():
    """Family, name, body, turns, and what else is not usual."""
    in_cluster = {"after": CLUSTER_BARRIER, "shared": 4096, "cluster": 2, "grids": ((2, 32), ALL)}
    load = "{.reg .b32 q,r; mapa.shared::cluster.u32 q,%1,%2; ld.shared::cluster.u32 r,[q]; add.u32 %0,%0,r;}"
    load = ptx(load, '"+r"(x)', '"r"(sa+(((t+x)*4)&1023)),"r"((i+1)&1)')
    yield "shared memory", "dsmem", load, 64, in_cluster
    add = "{.reg .b32 q,r; mapa.shared::cluster.u32 q,%1,%2; atom.shared::cluster.add.u32 r,[q],1; add.u32 %0,%0,r;}"
    yield "atomics, shared memory", "dsmem_atom", ptx(add, '"+r"(x)', '"r"(sa),"r"((i+1)&1)'), 8, in_cluster
    yield "memory", "generic_ld", "u* p=(t&1)?s:g; x+=((volatile u*)p)[(x+t)&1023];", 64, {"shared": 8192}
    yield "atomics", "generic_atom", "u* p=(t&1)?s:g; x+=atomicAdd(&p[t&1023],x);", 8, {"shared": 8192}
    copy = '"r"(sa+(t*{}&16383)),"l"({})'
    copy_16 = "cp.async.cg.shared.global [%0],[%1],16;cp.async.commit_group;cp.async.wait_group 0;"
    yield ("memory", "cp_async16", ptx(copy_16, "", copy.format(16, "&g[((gt+i*270336u)*4u)&0x3ffffff]")), 64,
           {"shared": 16384})
    copy_4 = "cp.async.ca.shared.global [%0],[%1],4;cp.async.commit_group;cp.async.wait_group 0;"
    yield "memory", "cp_async4_random", HASH + ptx(copy_4, "", copy.format(4, "&g[h>>6]")), 64, {"shared": 16384}

    constants = {"const_divergent": "x+=table[(x+t)&1023];", "const_lane": "x+=table[(x*33+t)&1023];",
                 "const_same": "x+=table[x&1023];", "const64": "x+=(u)((ull*)table)[(x+t)&511];",
                 "const128": "uint4 v=((uint4*)table)[(x+t)&255]; x+=v.x+v.y+v.z+v.w;"}
    for name, text in constants.items():
        yield "constants", name, text, 64, {}
    local = {"local": ("u v[32]; for(int k=0;k<32;++k) v[k]=x+k; x+=((volatile u*)v)[(x+i)&31];", 16),
             "local64": ("ull v[16]; for(int k=0;k<16;++k) v[k]=x+k; x+=(u)((volatile ull*)v)[(x+i)&15];", 16),
             "local128": ("uint4 v[8]; for(int k=0;k<8;++k) v[k]=make_uint4(x+k,i,k,x); volatile uint4* p=v; "
                          "x+=p[(x+i)&7].x+p[(x*3+i)&7].w;", 16),
             "stl_spill": ("u v[64];\n#pragma unroll\nfor(int k=0;k<64;++k) v[k]=x*k; "
                           "for(int k=0;k<64;k+=7) v[(x+k)&63]^=i; for(int k=0;k<64;k+=5) x+=v[(x*k)&63];", 8)}
    for name, (text, turns) in local.items():
        yield "local memory", name, text, turns, {}

    texel, start = {"object": "tex", "before": "f=gt*0.37f;"}, '"+f"(f)'
    fetch = "{.reg .f32 a,b,c,d; tex.2d.v4.f32.f32 {a,b,c,d},[%1,{%0,%0}]; add.f32 %0,a,b; add.f32 %0,%0,1.5;}"
    yield "textures and surfaces", "tex2d", ptx(fetch, start, '"l"(tex)'), 64, texel
    fetch = "{.reg .f32 a,b,c,d; tex.2d.v4.f32.f32 {a,b,c,d},[%1,{%0,%2}]; add.f32 %0,a,b; fma.rn.f32 %0,%0,1.37,%3;}"
    random = ptx(fetch, start, '"l"(tex),"f"(f*0.713f),"f"(gt*0.37f+i*0.11f)')
    yield "textures and surfaces", "tex2d_random", random, 64, texel
    fetch = "{.reg .f32 a,b,c,d; tld4.r.2d.v4.f32.f32 {a,b,c,d},[%1,{%0,%0}]; add.f32 %0,a,b; add.f32 %0,%0,1.5;}"
    yield "textures and surfaces", "tld4", ptx(fetch, start, '"l"(tex)'), 64, texel
    surface = {"object": "surf"}
    load = ("{.reg .b32 a,b,c,d,e; .reg .b32 f2; and.b32 f2,%0,1023; shl.b32 e,f2,4; "
            "suld.b.2d.v4.b32.zero {a,b,c,d},[%1,{e,f2}]; add.u32 %0,%0,a; add.u32 %0,%0,77;}")
    yield "textures and surfaces", "suld", ptx(load, '"+r"(x)', '"l"(surf)'), 64, surface
    store = "{.reg .b32 e,f; and.b32 f,%0,1023; shl.b32 e,f,4; sust.b.2d.v4.b32.zero [%1,{e,f}],{e,e,e,e};}"
    yield "textures and surfaces", "sust", ptx(store, "", '"r"(x+i*7),"l"(surf)'), 64, surface
    load = ("{.reg .b32 a,b,c,d,e,f; and.b32 e,%2,1023; shl.b32 e,e,4; and.b32 f,%0,1023; "
            "suld.b.2d.v4.b32.zero {a,b,c,d},[%1,{e,f}]; add.u32 %0,%0,a; add.u32 %0,%0,1;}")
    yield ("textures and surfaces", "suld_line", ptx(load, '"+r"(x)', '"l"(surf),"r"(t)'), 64,
           {"object": "surf", "before": "x=0;"})


def control_flow():
    def cases(count, of):
        return "".join(f"case {k}: {of(k)} break;" for k in range(count))

    yield "switch32", "switch((x+t)&31){" + cases(32, lambda k: f'x=x*{2 * k + 3}u+{k}u; asm volatile(""); y^=x;') + "}", 64
    yield "brx", "switch((x+t)&15){" + cases(16, lambda k: f"g[gt+{k * 64}]=x; x+={k * k + 1};") + "}", 64
    yield "divergent_loop", "for(int k=0;k<(t&31);++k) x=x*3+k;", 16
    yield "call", "x=callee(x,y);", 64
    yield "calls2", "x=callee_of_two(x,y); y=callee_of_two(y,x);", 64
    yield ("nested_div", "if(t&1){ if(t&2) x=x*3+1; else x=x*5+2; if(t&4) y+=x; } "
           "else { if(t&2) x=x*7+3; else { x=x*9+4; if (t&8) y^=x; } }", 64)
    yield ("idx_brx", "switch((x*7+t)&7){ case 0: x=x*3u+1u; y+=g[t]; break; case 1: x^=y; y-=x; break; "
           "case 2: x=x/3u; break; case 3: x=__popc(x)*77u; break; case 4: x=x%11u; break; case 5: y=x*x; break; "
           "case 6: x=__brev(x); break; default: x+=t; }", 32)


# Instruction, registers of A and of B (0: double precision, the same in all), of the result, type of the result, chains
MATRICES = {
    "f16": ("m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, "f", 64),
    "bf16": ("m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, "f", 64),
    "tf32": ("m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, "f", 64),
    "s8": ("m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, "r", 64),
    "e4m3": ("m16n8k32.row.col.f32.e4m3.e4m3.f32", 4, 2, 4, "f", 64),
    "b1": ("m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 2, 4, "r", 64),
    "s4": ("m16n8k64.row.col.s32.s4.s4.s32", 4, 2, 4, "r", 64),
    "f16acc8": ("m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, "f", 64),
    "f16f16": ("m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, "r", 256),
    "bf16k8": ("m16n8k8.row.col.f32.bf16.bf16.f32", 2, 1, 4, "f", 256),
    "tf32k4": ("m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, 4, "f", 256),
    "u8k16": ("m16n8k16.row.col.s32.u8.s8.s32", 2, 1, 4, "r", 256),
    "s8m8": ("m8n8k16.row.col.s32.s8.s8.s32", 1, 1, 2, "r", 256),
    "b1k128": ("m16n8k128.row.col.s32.b1.b1.s32.xor.popc", 2, 1, 4, "r", 256),
    "f16m8": ("m8n8k4.row.col.f32.f16.f16.f32", 2, 2, 8, "f", 256),
}
# Of double precision: shape, values of A, B and the result, chains, turns, launches, and what A and B are filled with
DOUBLE_MATRICES = {
    "f64": ("m8n8k4", 1, 1, 2, 3, 64, (ONE_WARP, ALL), "x"),
    "f64_16": ("m16n8k16", 8, 4, 4, 2, 64, (ONE_WARP, (264, 512)), "x"),
    "d884": ("m8n8k4", 1, 1, 2, 2, 512, (ONE_WARP, (132, 128), (264, 512)), "t"),
    "d1684": ("m16n8k4", 2, 1, 4, 2, 512, (ONE_WARP, (132, 128), (264, 512)), "t"),
    "d1688": ("m16n8k8", 4, 2, 4, 2, 512, (ONE_WARP, (132, 128), (264, 512)), "t"),
    "d16816": ("m16n8k16", 8, 4, 4, 2, 512, (ONE_WARP, (132, 128), (264, 512)), "t"),
}


def numbered(first, count):
    return "{" + ",".join(f"%{first + k}" for k in range(count)) + "}"


def matrix_chains(name, instruction, operands, inputs, results, register, kind, chains, turns, grids):
    """Chains of one instruction, each with results of its own."""
    own = [[f"q{chain}{k}" for k in range(results)] for chain in range(chains)]
    text = "".join(ptx(f"{instruction} {numbered(0, results)},{operands};",
                       ",".join(f'"+{register}"({value})' for value in values), inputs) for values in own)
    flat = [value for values in own for value in values]
    before = f"{kind} " + ",".join(f"{value}=0" for value in flat) + ";"
    after = "".join(f"f+={value};" for value in flat)
    return body("matrices", f"mma_{name}", text, turns, before, after, grids)


def register_chains(name, instruction, of_a, of_b, results, register, turns=64, grids=(ONE_WARP, ALL), is_sparse=False):
    """Three of them, whose A and B are in registers of their own; sparse ones have metadata behind them."""
    operands = f"{numbered(results, of_a)},{numbered(results + of_a, of_b)},{numbered(0, results)}"
    inputs = ",".join(f'"r"(x+{k})' for k in range(of_a + of_b))
    if is_sparse:
        operands += f",%{results + of_a + of_b},0"
        inputs += ',"r"(0x44444444)'
    kind = "float" if register == "f" else "u"
    return matrix_chains(name, instruction, operands, inputs, results, register, kind, 3, turns, grids)


def matrices():
    yield body("matrices", "movmatrix", ptx("movmatrix.sync.aligned.m8n8.trans.b16 %0,%0;", '"+r"(x)'))
    for name, (form, of_a, of_b, results, register, turns) in MATRICES.items():
        yield register_chains(name, f"mma.sync.aligned.{form}", of_a, of_b, results, register, turns)
    inputs = ",".join(f'"r"({value})' for value in ("x", "x+1", "x+2", "x+3", "0x44444444"))
    yield matrix_chains("sp_f16", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
                        "{%4,%5,%6,%7},{%4,%5,%6,%7},{%0,%1,%2,%3},%8,0", inputs, 4, "f", "float", 3, 64, (ONE_WARP, ALL))
    for name, (shape, of_a, of_b, results, chains, turns, grids, value) in DOUBLE_MATRICES.items():
        a, b = ("{" + ",".join([f"%{results}"] * count) + "}" for count in (of_a, of_b))
        yield matrix_chains(name, f"mma.sync.aligned.{shape}.row.col.f64.f64.f64.f64", f"{a},{b},{numbered(0, results)}",
                            f'"d"((double){value})', results, "d", "double", chains, turns, grids)


def library_functions():
    for name in "sinf cosf tanf expf logf powf atan2f sinhf erff lgammaf cbrtf fmodf".split():
        second = ",2.5f" if name in ("powf", "atan2f", "fmodf") else ""
        yield body("library functions", f"lib_{name}", f"f={name}(f*1.3f+0.1f{second});", 16)
    for name in "sin cos exp log pow atan erf tgamma cbrt".split():
        second = ",2.5" if name == "pow" else ""
        yield body("library functions", f"lib_d{name}", f"d={name}(d*1.3+0.1{second});", 8, "double d=t*0.37;", "f+=d;")


def straight_code():
    """Code without a branch but the loop's, of 4 and 16 KiB."""
    for kib in (4, 16):
        chain = "".join(ptx(f"mad.lo.u32 %0,%0,%1,{2 * k + 1};", '"+r"(x)', '"r"(y)') for k in range(64 * kib))
        yield body("control flow and code", f"straight_{kib}k", chain, 4, "y=g[t]+3;", grids=(ONE_WARP, (132, 128), ALL),
                   more_alone=1)


def kernels():
    """All, each once."""
    for (family, register), operations in CHAINED.items():
        for name, operation in operations.items():
            yield chained(family, register, name, operation)
    for name, operation in conversions():
        yield chained("conversions", "r", name, operation)
    for name, text, turns in memory():
        yield body("memory", name, text, turns)
    for name, text, turns in [*atomics(), *atomics_of_patterns()]:
        yield body("atomics", name, text, turns)
    for name, text, turns in shared_atomics():
        yield body("atomics, shared memory", name, text, turns, shared=16384)
    for name, text in shared_memory():
        yield body("shared memory", name, text, shared=8192 if name == "lds" else 16384)
    for name, text, turns, others in barriers_and_fences():
        yield body("barriers and fences", name, text, turns, **others)
    for family, name, text, turns, others in other_bodies():
        yield body(family, name, text, turns, **others)
    for name, text, turns in control_flow():
        yield body("control flow and code", name, text, turns)
    yield from matrices()
    yield from library_functions()
    yield from straight_code()


def source():
    functions = [FUNCTION.format(name=name) for name in FUNCTIONS]
    return HEAD + "\n".join([*functions, *(kernel.text for kernel in kernels())])


def launches(kernels):
    for kernel in kernels:
        for grid, block in kernel.grids:
            turns = kernel.alone if block == 32 else kernel.turns
            yield Launch(kernel.family, kernel.name, grid, block, kernel.shared, turns, kernel.object)
