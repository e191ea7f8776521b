# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of every kind, with all that may go wrong in them: a kernel of 10,000 lines, and text that would do something
if it were not escaped."""
import pathlib
import subprocess

HOSTILE = "</script><script>window.hurt=1</script><img src=x onerror='window.hurt=2'>\"&amp;]]><!--"
HOSTILE_NAME = "<img src=x onerror=window.hurt=3>\"'&.ptx"  # of a file
SAXPY = ["--block", "256", "--grid", "64", "--arg", "3=16384"]
MATMUL = ["--block", "16,16", "--grid", "64,64", "--arg", "3=1024"]


def long_kernel(folder, lines):
    """A kernel of straight code, an instruction for each line of its source."""
    source = "".join(f"  x = x * x + {i}.5f;  // {HOSTILE if i == 3 else i}\n" for i in range(lines))
    (folder / "long.cu").write_text(source)
    body = "".join(f"\t.loc 1 {i + 1} 0\n\tfma.rn.f32 %f1, %f1, %f1, %f1;\n" for i in range(lines))
    text = (".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry long_one(.param .u64 out)\n{\n"
            "\t.reg .f32 %f<2>;\n\t.reg .b64 %rd<2>;\n\tmov.f32 %f1, 0f3F800000;\n" + body +
            "\tld.param.u64 %rd1, [out];\n\tst.global.f32 [%rd1], %f1;\n\tret;\n}\n"
            f"\t.file 1 \"{folder / 'long.cu'}\"\n")
    (folder / "long.ptx").write_text(text)
    return folder / "long.ptx"


def hostile_files(folder, samples):
    path = folder / HOSTILE_NAME
    path.write_text((samples / "saxpy.ptx").read_text().replace("// ", f"// {HOSTILE} ", 1))
    name = HOSTILE.replace("\\", "\\\\").replace('"', '\\"')
    (folder / "tasks.toml").write_text(
        "[gpu]\nmultiprocessors = 2\nblocks = 4\n\n[[task]]\nname = \"" + name + "\"\nstream = 1\nperiod = 50\n"
        "work = [{ blocks = 3, time = 4 }]\n\n[[task]]\nname = \"other\"\nstream = 2\nperiod = 20\n"
        "work = [{ blocks = 2, time = 3 }]\n")
    (folder / "budgets.toml").write_text(
        f"[[budget]]\nkernel = \"saxpy\"\nblock = [256]\ngrid = [64]\nargs = {{ 3 = 16384 }}\nmax = \"1 us\"\n"
        f"file = {chr(39)*3}{path}{chr(39)*3}\n\n[[budget]]\nkernel = \"nothing_of_that_name\"\nmax = \"1 us\"\n"
        f"file = \"{samples / 'saxpy.ptx'}\"\n\n[[budget]]\nkernel = \"transpose_padded\"\nblock = [32, 8]\n"
        f"grid = [64, 64]\nmax = \"10 s\"\nfile = \"{samples / 'transpose.ptx'}\"\n")
    return path


def grown_kernel(program, folder):
    """A gate with a baseline: a loop that runs more often now."""
    (folder / "grown.cu").write_text("__global__ void grown(int* out) {\n  int x = 0;\n  while (x < LAST)\n    ++x;\n"
                                     "  *out = x;\n}\n")
    text = (".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry grown(.param .u64 out)\n{\n"
            "\t.reg .pred %p<2>;\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<4>;\n\t.loc 1 2 0\n\tmov.u32 %r1, 0;\n"
            "$L__LOOP:\n\t.loc 1 4 0\n\tadd.s32 %r1, %r1, 1;\n\t.loc 1 3 0\n\tsetp.lt.s32 %p1, %r1, 100;\n"
            "\t@%p1 bra $L__LOOP;\n\t.loc 1 5 0\n\tld.param.u64 %rd1, [out];\n\tst.global.u32 [%rd1], %r1;\n\tret;\n}\n"
            "\t.file 1 \"grown.cu\"\n")
    ptx, budgets = folder / "grown.ptx", folder / "grown.toml"
    ptx.write_text(text)
    budgets.write_text("[[budget]]\nkernel = \"grown\"\nblock = [64]\nmax = \"1 s\"\nfile = \"grown.ptx\"\n")
    words = ["check", "--budgets", budgets, "--baseline", folder / "old.json"]
    subprocess.run([program, *map(str, words), "--update-baseline"], check=True, capture_output=True)
    ptx.write_text(text.replace("%r1, 100", "%r1, 130"))
    budgets.write_text(budgets.read_text().replace("1 s", "1 us"))
    return words


def make(program, source, folder, lines=10000):
    """Writes all pages into the folder; their paths by name."""
    folder = pathlib.Path(folder).resolve()
    source = pathlib.Path(source).resolve()
    samples = source / "samples"
    objects = source / "tests/frontend/object/data"
    hostile = hostile_files(folder, samples)
    runs = {
        "analyze": ["analyze", samples / "cmake-gate/blur.ptx", "--block", "128", "--grid", "4096", "--assume", "usual",
                    "--kernel", "blur_strided", "--arg", "2=1920", "--arg", "3=1080"],
        "source": ["analyze", samples / "matmul_tiled.nvcc-sm_80-lineinfo.ptx", *MATMUL],
        "loops": ["analyze", samples / "convolution_separable.ptx", "--block", "16,4"],
        "code": ["analyze", objects / "search.fatbin", "--block", "128", "--grid", "64", "--loop-bound", "0xb0=20"],
        "many": ["analyze", samples / "transpose.ptx", samples / "sfu.ptx", samples / "divergent.ptx", "--block", "256",
                 "--grid", "64"],
        "long": ["analyze", long_kernel(folder, lines), "--block", "64", "--simulate", "never"],
        "hostile": ["analyze", hostile, *SAXPY],
        "check": ["check", "--budgets", folder / "budgets.toml"],
        "compare": ["compare", samples / "saxpy.ptx", hostile, *SAXPY, "--fail-on-regression", "5%"],
        "lines": ["compare", samples / "matmul_tiled.nvcc-sm_80-lineinfo.ptx", samples / "matmul_tiled.clang-sm_80-O1.ptx", *MATMUL],
        "rta": ["rta", folder / "tasks.toml"],
        "grown": grown_kernel(program, folder),
        "timeline": ["simulate", objects / "kernels.sm_90.cubin", "--kernel", "shared_sum", "--block", "128"],
        "simulate": ["simulate", objects / "kernels.sm_90.cubin", "--kernel", "shared_sum", "--block", "128", "--grid", "20000"],
        "sweep": ["solve", "--string", "LCLCL", "--sigma", "L=1/2", "--warps", "1..8", "--time-limit", "1"],
        "solve": ["solve", "--string", "LLCLL", "--warps", "3", "--time-limit", "1"],
    }
    pages, failed = {}, []
    for name, words in runs.items():
        path = folder / (name + ".html")
        run = subprocess.run([program, *map(str, words), "--output", str(path)], capture_output=True, text=True,
                             cwd=source)
        if path.exists():
            pages[name] = path
        else:
            failed.append(f"{name}: {run.stderr.strip()[:500]}")
    return pages, failed
