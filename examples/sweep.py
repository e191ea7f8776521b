#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# Which block size has the smallest worst case? A kernel is bounded for each, and the times are drawn.
#
#   PYTHONPATH=PREFIX/lib/python3/dist-packages python3 sweep.py [PTX] [PICTURE]
#
# Parts between lines of '# %%' are cells of a notebook, in editors that have them.

# %% A kernel: y[i] = a * x[i] + y[i], bounded on an A100
import os
import sys

import warpspan

ptx = sys.argv[1] if len(sys.argv) > 1 else "samples/saxpy.ptx"
picture = sys.argv[2] if len(sys.argv) > 2 else "sweep.svg"
elements = 1_000_000


def bounded(threads: int) -> warpspan.KernelBound:
    blocks = (elements + threads - 1) // threads
    bounds = warpspan.bound(ptx, block=threads, grid=blocks, arguments={3: elements}, registers=32, machine="A100",
                            assume=["usual", "no-spills"])
    return bounds.kernel("saxpy")  # an exception with all messages, if it could not be bounded


first = bounded(256)
print(f"{first.demangled} on {first.machine}: at most {first.at_most.nanoseconds} ns, limited by {first.limited_by}")
for part in first.parts:
    print(f"  {part.cycles:12,} cycles  {part.name}")

# %% Block sizes
sizes = [32, 64, 128, 256, 512, 1024]
microseconds = [(bounded(size).at_most.nanoseconds or 0) / 1000 for size in sizes]
for size, time in zip(sizes, microseconds):
    print(f"blocks of {size:5}: at most {time:10.1f} us")
print(f"smallest with blocks of {sizes[microseconds.index(min(microseconds))]}")


# %% A picture: with matplotlib where it is, else by hand
def draw_by_hand() -> None:
    width, height, most = 60 * len(sizes) + 40, 240, max(microseconds)
    bars = []
    for i, (size, time) in enumerate(zip(sizes, microseconds)):
        high, x = time / most * (height - 60), 30 + 60 * i
        bars.append(f'<rect x="{x}" y="{height - 30 - high:.1f}" width="40" height="{high:.1f}" fill="#4477aa"/>'
                    f'<text x="{x + 20}" y="{height - 12}">{size}</text>'
                    f'<text x="{x + 20}" y="{height - 35 - high:.1f}">{time:.0f}</text>')
    with open(picture, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-size="12" '
                   f'text-anchor="middle" font-family="sans-serif"><text x="{width // 2}" y="16">'
                   f'saxpy: at most, us, by threads of a block</text>{"".join(bars)}</svg>\n')


def draw() -> None:
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        draw_by_hand()
        return
    figure, axes = pyplot.subplots()
    axes.bar([str(size) for size in sizes], microseconds)
    axes.set_xlabel("threads of a block")
    axes.set_ylabel("at most, us")
    axes.set_title("saxpy")
    figure.savefig(picture)


draw()
print(f"{os.path.getsize(picture)} bytes: {picture}")

# %% What a kernel needs from its user, before it can be bounded at all
search = warpspan.needs(os.path.join(os.path.dirname(ptx), "search.ptx"), block=128)
for kernel in search.kernels:
    for loop in kernel.loops:
        print(f"{kernel.name}: loop at {loop.place}: {loop.trip_count or 'how often does it run?'}")
