# SPDX-License-Identifier: GPL-3.0-or-later
"""Launches whose times were predicted before they were measured: those of the kernels of samples/predicted, of a first set
and a second one (rows_of_new, rows_of_second), and those launches of the corpus that end early on memory of zeros, with random
data (rows_of_corpus) and with other such data (rows_of_others). A row is one as of launches.py; its options have the contents
of arrays too, as 'warpspan simulate' takes them.
"""
import collections
import functools
import pathlib
import random
import re
import struct
import subprocess

import launches

ROOT = launches.ROOT
FOLDER = pathlib.Path("samples/predicted")


# What arrays hold: (bytes, contents). Each draws with the number of its parameter as seed.
def zeros(size):
    return size, "zeros"


def words(count, below=0):
    """32-bit words, or the bytes of smaller numbers."""
    return 4 * count, f"integers<{below}" if below else "integers"


def reals(count):
    return 4 * count, "reals"


def doubles(count):
    return 8 * count, "doubles"


def halves(count):
    return 2 * count, "halves"


def ramp(count):
    return 4 * count, "ramp"


def rows(count, mean):
    """Where each of so many rows begins, and the last ends; most are short, a few are long."""
    return 4 * (count + 1), f"@{FOLDER}/rows/{count}x{mean}"


def entries(count, mean):
    """How many entries these rows have together."""
    return row_starts(count, mean)[-1]


@functools.cache
def row_starts(count, mean):
    draw, starts = random.Random(f"{count}x{mean}"), [0]
    for _ in range(count):
        starts.append(starts[-1] + min(int(draw.paretovariate(1.5) * mean / 3), 40 * mean))
    return starts


def bytes_of(count):
    """Random bytes."""
    return (count + 3) // 4 * 4, "integers"


def tiles(width, height, block, deep=""):
    x, y = map(int, block.split(","))
    return f"{-(-width // x)},{-(-height // y)}{deep}"


def blocks(threads, block):
    return str(-(-threads // block))


class Table:
    """Launches of kernels, in order."""

    def __init__(self):
        self.launches = []

    def add(self, kernel, block, grid, *arguments, shared=0):
        self.launches.append((kernel, str(block), str(grid), shared, arguments))


SMALL, HD, FULL_HD, UHD = (64, 32), (1280, 720), (1920, 1080), (3840, 2160)


def camera(add):
    for w, h in (SMALL, FULL_HD):
        add("nv12_to_rgb", "32,8", tiles(w, h, "32,8"), bytes_of((w + 128) * h * 3 // 2), zeros(3 * w * h), w, h, w + 128)
        add("sobel", "32,8", tiles(w, h, "32,8"), bytes_of(w * h), zeros(w * h), w, h)
        add("demosaic", "16,16", tiles(w, h, "16,16"), bytes_of(2 * w * h), zeros(12 * w * h), w, h)
        add("remap", "32,4", tiles(w, h, "32,4"), reals(w * h), reals(2 * w * h), zeros(4 * w * h), w, h)
    for w, h in ((256, 1), FULL_HD):
        add("blur_rows", 256, f"{-(-w // 256)},{h}", reals(w * h), zeros(4 * w * h), w, h)
    for w, h, radius in ((32, 8, 2), (640, 480, 3), (*FULL_HD, 2)):
        add("bilateral", "32,8", tiles(w, h, "32,8"), reals(w * h), zeros(4 * w * h), w, h, radius, 0.1, 20.0)
    for (w, h), (ow, oh) in ((SMALL, (96, 48)), (UHD, HD), (HD, FULL_HD)):
        add("resize_bilinear", "16,16", tiles(ow, oh, "16,16"), bytes_of(w * h), zeros(ow * oh), w, h, ow, oh, w / ow, h / oh)
    for grid, n in ((1, 5000), (264, 1 << 21)):
        add("tone_curve", 256, grid, bytes_of(2 * n), zeros(n), bytes_of(4096), n)
    for w, h in ((32, 16), HD):
        add("gauss9_tile", "32,16", tiles(w, h, "32,16"), reals(w * h), zeros(4 * w * h), reals(9), w, h)
    for w, h in (SMALL, HD):
        add("median3x3", "32,4", tiles(w, h, "32,4"), bytes_of(w * h), zeros(w * h), w, h)
        add("harris", "16,16", tiles(w - 4, h - 4, "16,16"), reals(w * h), zeros(4 * w * h), w, h, 0.04)
        add("flow_step", "32,8", tiles(w, h, "32,8"), *[reals(w * h)] * 5, *[zeros(4 * w * h)] * 2, w, h, 0.5)
        add("census", "64,2", tiles(w, h, "64,2"), bytes_of(w * h), zeros(4 * w * h), w, h)
    for w, h, most in ((128, 1, 32), (640, 480, 64)):
        add("stereo_best", 128, f"{w // 128},{h}", words(w * h), words(w * h), zeros(w * h), w, h, most)
    for w, h, radius in ((32, 32, 1), (*HD, 3)):
        add("erode", "32,32", tiles(w, h, "32,32"), bytes_of(w * h), zeros(w * h), w, h, radius)
    for w, h in ((512, 1), FULL_HD):
        add("integral_rows", 512, h, bytes_of(w * h), zeros(4 * w * h), w)
    for side in (64, 640):
        add("letterbox", "32,8", tiles(side, side, "32,8"), bytes_of(3 * 1920 * 1080), zeros(12 * side * side), 1920, 1080, side,
            1920 / side)


def lidar(add):
    for n in (256, 120_000, 2_000_000):
        add("transform_points", 256, blocks(n, 256), reals(4 * n), zeros(16 * n), reals(12), n)
    for n in (1024, 120_000):
        add("range_image", 128, blocks(n, 128), reals(4 * n), words(1024 * 64), n, 1024, 64)
    for grid, n in ((1, 512), (132, 120_000)):
        add("voxel_count", 256, grid, reals(4 * n), zeros(4 * 64**3), zeros(16 * 64**3), n, 64)
    for w, h in ((64, 64), (2048, 64)):
        add("ground_mask", 64, blocks(w, 64), reals(w * h), zeros(w * h), w, h, 0.1)
    for n, m in ((128, 1000), (20_000, 4000)):
        add("nearest", 128, blocks(n, 128), reals(4 * n), reals(4 * m), zeros(4 * n), n, m)
    for w, h, count in ((16, 16, 100), (512, 512, 64)):
        add("ray_spheres", "16,16", tiles(w, h, "16,16"), reals(4 * count), zeros(16 * w * h), count, w, h)
    for n in (64, 4096):
        add("box_overlaps", 64, f"{blocks(n, 64)},{-(-n // 32)}", reals(4 * n), zeros(4 * n * (-(-n // 32))), n, 0.5)
    for n in (256, 100_000):
        add("kmeans_assign", 256, blocks(n, 256), reals(8 * n), reals(8 * 16), zeros(4 * n), zeros(4 * 8 * 16), zeros(4 * 16),
            n, 16)
    for n in (64, 8192):
        add("occupancy_rays", 64, blocks(n, 64), reals(n), reals(n), zeros(4 * 512 * 512), n, 512)


def linear(add):
    for n in (16, 512):
        add("gemm16", "16,16", f"{n // 16},{n // 16}", reals(n * 512), reals(n * 512), zeros(4 * n * n), n, n, 512)
    for n, k in ((64, 256), (1024, 512)):
        add("gemm_blocked", 256, f"{n // 64},{n // 64}", reals(n * k), reals(n * k), zeros(4 * n * n), n, n, k)
    for n, k in ((32, 512), (1024, 256)):
        add("gemm_wmma", 128, blocks(n * n // 8, 128), halves(n * k), halves(n * k), zeros(4 * n * n), n, n, k)
    for n, k in ((64, 256), (1024, 1024)):
        add("gemm_mma_tile", 128, f"{n // 64},{n // 64}", halves(n * k), halves(n * k), zeros(4 * n * n), n, n, k)
    for rows_, columns in ((4, 4096), (4096, 1024)):
        add("gemv_warps", 128, blocks(rows_ * 32, 128), reals(rows_ * columns), reals(columns), zeros(4 * rows_), rows_, columns)
    for block, grid, n in ((1024, 1, 8192), (256, 264, 1 << 20)):
        add("dot_double", block, grid, doubles(n), doubles(n), zeros(8), n)
    for n in (32, 2048):
        add("transpose_padded", "32,8", f"{n // 32},{n // 32}", reals(n * n), zeros(4 * n * n), n, n)
        add("transpose_plain", "32,8", f"{n // 32},{n // 8}", reals(n * n), zeros(4 * n * n), n, n)
    for n, k in ((64, 40), (1024, 100)):
        add("lu_update", "32,8", tiles(n - k - 1, n - k - 1, "32,8"), reals(n * n), n, k)
    for grid in (1, 2048):
        add("cholesky_batch", "16,16", grid, reals(256 * grid), zeros(1024 * grid))
    for n, mean in ((256, 16), (65536, 16)):
        count = entries(n, mean)
        add("spmv_rows", 256, blocks(n, 256), rows(n, mean), words(count, n), reals(count), reals(n), zeros(4 * n), n)
    for n, mean in ((64, 100), (8192, 100)):
        count = entries(n, mean)
        add("spmv_warps", 128, blocks(32 * n, 128), rows(n, mean), words(count, n), doubles(count), doubles(n), zeros(8 * n), n)
    for n in (1000, 100_000):
        add("spmv_ell", 256, blocks(n, 256), words(24 * n, n), reals(24 * n), reals(n), zeros(4 * n), n, 24)
    for systems in (8, 4096):
        add("solve_triangular", 256, blocks(32 * systems, 256), reals(1024 * systems), reals(32 * systems), zeros(128 * systems),
            systems)


def learning(add):
    for c, side in ((16, 16), (64, 56)):
        add("conv3x3", "16,16", f"{-(-side // 16)},{-(-side // 16)},{1 if c == 16 else 64}", halves(c * side * side),
            halves(64 * c * 9), zeros(2 * 64 * side * side), c, side, side)
    for n in (1, 4096):
        add("layernorm", 256, n, halves(n * 768), halves(768), zeros(2 * n * 768), 768)
    for block, n, columns in ((1024, 1, 32000), (256, 2048, 1000)):
        add("softmax_rows", block, n, reals(n * columns), zeros(4 * n * columns), columns)
    for block, n, quads in ((128, 1, 1024), (512, 1024, 1024)):
        add("rms_norm", block, n, reals(4 * n * quads), reals(4 * quads), zeros(16 * n * quads), quads)
    for n, keys in ((1, 2048), (528, 512)):
        add("attention_query", 128, n, reals(64 * n), reals(64 * keys), reals(64 * keys), zeros(256 * n), keys, shared=4 * keys)
    for block, n in ((128, 128), (64, 8448)):
        add("attention_tiles", block, n // block, reals(32 * n), reals(32 * n), reals(32 * n), zeros(128 * n), min(n, 512))
    for c, side, stride in ((1, 32, 1), (96, 112, 2)):
        add("depthwise3x3", "32,8", tiles(side // stride, side // stride, "32,8", f",{c}"), reals(c * side * side), reals(9 * c),
            zeros(4 * c * side * side), side, side, stride)
    for c, side in ((1, 32), (64, 112)):
        n = c * side * side // 4
        add("max_pool", 256, blocks(n, 256), reals(4 * n), zeros(4 * n), zeros(4 * n), side, side, n)
    for n in (1024, 4 << 20):
        add("bias_gelu", 256, blocks(n, 256), reals(n), reals(1000), zeros(4 * n), 1000, n)
    for n, columns in ((1, 8192), (2048, 2048)):
        add("quantise_rows", 256, n, reals(n * columns), zeros(n * columns), zeros(4 * n), columns)
    for n in (8, 4096):
        add("gemv_int4", 256, blocks(32 * n, 256), words(n * 512), reals(n * 64), reals(4096), zeros(4 * n), n, 4096)
    for n in (1, 4096):
        add("embedding_rows", 128, n, words(n, 30000), reals(30000 * 768), reals(512 * 768), zeros(4 * 768 * n), 192)
    for n in (4, 2048):
        add("top4", 128, blocks(32 * n, 128), reals(1000 * n), zeros(16 * n), zeros(16 * n), n, 1000)
    for n, vocabulary in ((1, 32000), (64, 32000)):
        add("beam_scores", 1024, n, reals(n * vocabulary), reals(n), zeros(4 * n), zeros(4 * n), vocabulary)
    for n in (2048, 1 << 21):
        add("rotate_heads", 256, blocks(n, 256), reals(2 * n), 64, 8, n)
    for c, side in ((1, 32), (32, 128)):
        add("upsample2x", "32,8", tiles(2 * side, 2 * side, "32,8", f",{c}"), reals(c * side * side),
            zeros(16 * c * side * side), side, side)
    for n, c, area in ((1, 1, 3136), (16, 256, 784)):
        add("batch_statistics", 256, c, reals(n * c * area), zeros(4 * c), zeros(4 * c), n, c, area)
    for n in (8, 2048):
        add("cross_entropy", 256, blocks(32 * n, 256), reals(1000 * n), words(n, 1000), zeros(4), zeros(4000 * n), n, 1000)
    for grid, n in ((1, 4096), (528, 1 << 21)):
        add("adam_step", 512, grid, reals(n), reals(n), reals(n), reals(n), n, 0.001)


def sorting(add):
    for n, j, k in ((512, 16, 64), (1 << 20, 1 << 12, 1 << 15)):
        add("bitonic_step", 256, n // 256, words(n), j, k)
    for block, grid in ((1024, 1), (256, 1056)):
        add("bitonic_block", block, grid, words(2 * block * grid), shared=8 * block)
    for n in (1024, 1 << 19):
        add("merge_ranks", 256, blocks(n, 256), ramp(n), ramp(n), zeros(8 * n), n)
    for grid, n in ((1, 16384), (132, 1 << 20)):
        add("radix_counts", 256, grid, words(n), zeros(1024 * grid), n, 8)
    for block, n in ((1024, 1024), (512, 1 << 19)):
        add("block_scan", block, blocks(n, block), words(n, 100), zeros(4 * n), zeros(4 * n), n)
    for grid, n in ((1, 4096), (264, 1 << 20)):
        add("compact", 256, grid, reals(n), zeros(4 * n), zeros(4), n, 0.7)
    for n in (1024, 1 << 19):
        add("histogram_global", 256, blocks(n, 256), bytes_of(n), zeros(1024), n)
    for grid, n in ((1, 8192), (132, 1 << 20)):
        add("histogram_warps", 256, grid, bytes_of(4 * n), zeros(1024), n)
    for block, grid, n in ((512, 1, 8192), (256, 528, 1 << 22)):
        add("reduce_sum", block, grid, reals(4 * n), zeros(4 * grid), n)
    for grid, n in ((1, 8192), (132, 1 << 18)):
        add("argmax_atomic", 128, grid, words(n), zeros(8), n)
    for n in (256, 1 << 18):
        add("hash_insert", 256, blocks(n, 256), words(n), zeros(8 * n), zeros(8 * n), n, 2 * n - 1)
        add("hash_find", 256, blocks(n, 256), words(n), words(2 * n), zeros(4 * n), n, 2 * n - 1)
    for n, queries in ((1000, 64), (1 << 20, 1 << 17)):
        add("lower_bounds", 64, blocks(queries, 64), ramp(n), words(queries, n), zeros(4 * queries), n, queries)
    for n in (128, 1 << 17):
        add("insertion16", 128, blocks(n, 128), reals(16 * n), zeros(64 * n), n)


def graphs(add):
    for n, mean in ((256, 16), (65536, 16)):
        count, edges = entries(n, mean), 8 * n
        add("bfs_step", 256, blocks(n, 256), rows(n, mean), words(count, n), words(n, 4), zeros(4), n, 1)
        add("bfs_frontier", 128, blocks(n, 4), rows(n, mean), words(count, n), words(n, n), zeros(4 * n), zeros(4 * count),
            zeros(4), n)
        add("pagerank_pull", 128, blocks(n, 128), rows(n, mean), words(count, n), reals(n), words(n, 32), zeros(4 * n), n)
        add("pagerank_push", 128, blocks(n, 128), rows(n, mean), words(count, n), reals(n), zeros(4 * n), n)
        add("label_edges", 256, blocks(edges, 256), words(edges, n), words(edges, n), ramp(n), zeros(4), edges)
        add("pointer_jump", 512, blocks(n, 512), words(n, n), n)
        add("relax_edges", 256, min(264, edges // 256), words(edges, n), words(edges, n), words(edges, 100), words(n, 1000), edges)
    for n, mean, edges in ((256, 16, 512), (16384, 8, 32768)):
        add("common_neighbours", 256, blocks(edges, 256), rows(n, mean), ramp(entries(n, mean)), words(edges, n), words(edges, n),
            zeros(4 * edges), edges)


def physics(add):
    for block, n in ((256, 256), (128, 8448)):
        add("nbody_tiles", block, n // block, reals(4 * n), zeros(16 * n), n, shared=16 * block)
    for n in (16, 128):
        add("heat3d", "32,4,2", f"{-(-n // 32)},{n // 4},{n // 2}", reals(n**3), zeros(4 * n**3), n, n, n, 0.1)
    for nx, ny, nz in ((34, 10, 34), (514, 258, 18)):
        add("wave3d_columns", "32,8", f"{nx // 32},{ny // 8}", doubles(nx * ny * nz), doubles(nx * ny * nz), nx, ny, nz, 0.1)
    for w, h in (SMALL, (2048, 2048)):
        add("game_of_life", "32,8", tiles(w, h, "32,8"), bytes_of(w * h), zeros(w * h), w, h)
    for w, h in ((128, 1), (1024, 512)):
        add("lattice9", 128, f"{w // 128},{h}", reals(9 * w * h), zeros(36 * w * h), w, h, 1.2)
    for grid in (1, 1024):
        add("fft512", 256, grid, reals(1024 * grid))
    for n in (128, 40_000):
        add("lennard_jones", 128, blocks(n, 128), reals(4 * n), words(40 * n, n), zeros(16 * n), n, 40)
    for w, h in (SMALL, (2000, 1000)):
        add("fdtd_e", "64,4", tiles(w, h, "64,4"), reals(w * h), reals(w * h), reals(w * h), w, h)
        add("red_black", "32,8", tiles(w // 2, h, "32,8"), doubles(w * h), doubles(w * h), w, h, 1)
    for n in (256, 200_000):
        add("particles_grid", 256, blocks(n, 256), reals(4 * n), zeros(4 << 20), n, 1024)


def streams(add):
    for grid, n in ((1, 1024), (264, 1 << 20)):
        add("black_scholes", 256, grid, *[reals(n)] * 3, *[zeros(4 * n)] * 2, n, 0.02, 0.3)
    for grid, steps in ((1, 50), (528, 100)):
        add("monte_carlo", 128, grid, zeros(16 * grid), steps, 0.0001, 0.01)
    for n in (256, 1 << 21):
        add("philox", 256, blocks(n, 256), zeros(16 * n), n, 42)
    for n, size in ((64, 256), (32768, 64)):
        add("crc_blocks", 64, blocks(n, 64), bytes_of(n * size), words(256), zeros(4 * n), n, size)
    for n in (256, 1 << 19):
        add("cipher_rounds", 256, blocks(n, 256), words(4 * n), zeros(16 * n), words(1024), words(40), n)
    for grid, n in ((1, 10_000), (264, 1 << 20)):
        add("find_pattern", 256, grid, bytes_of(n), bytes_of(12), zeros(4), n, 12)
    for n in (64, 60_000):
        add("edit_distance", 64, blocks(n, 64), bytes_of(16 * n), bytes_of(16 * n), zeros(4 * n), n)
    for n in (256, 1 << 18):
        add("fingerprints", 256, blocks(n, 256), words(16 * n), words(16), zeros(4 * n), n)
    for w, h, most in ((32, 8, 200), (1024, 1024, 100)):
        add("julia", "32,8", tiles(w, h, "32,8"), zeros(w * h), w, h, -0.8, 0.156, most)
    for n in (128, 1 << 17):
        add("divisors", 128, blocks(n, 128), words(n), words(n), zeros(4 * n), n)
    for channels, samples in ((32, 2000), (16384, 256)):
        add("biquad", 64, blocks(channels, 64), reals(channels * samples), zeros(4 * channels * samples), channels,
            samples, 0.2, 0.3, -0.4, 0.1)


def imaging(add):
    for n in (1000, 1 << 20):
        add("rgb_to_hsv", 256, blocks(n, 256), reals(3 * n), zeros(12 * n), n)
    for w, h, radius in ((64, 64, 3), (4096, 512, 7)):
        add("box_columns", 64, blocks(w, 64), reals(w * h), zeros(4 * w * h), w, h, radius)
    for w, h in (SMALL, FULL_HD):
        add("unsharp", "32,8", tiles(w, h, "32,8"), bytes_of(w * h), zeros(w * h), w, h, 0.7)
        add("rotate_nearest", "16,16", tiles(w, h, "16,16"), words(w * h), zeros(4 * w * h), w, h, 0.8, 0.6)
        add("corner_list", "32,8", tiles(w, h, "32,8"), reals(w * h), zeros(4 * w * h), zeros(4), w, h, 0.9)
        add("diffuse", "32,8", tiles(w, h, "32,8"), reals(w * h), zeros(4 * w * h), w, h, 0.2, 0.1)
    for w, h in ((64, 64), (1920, 1088)):
        add("equalise_tile", 256, f"{w // 64},{h // 64}", bytes_of(w * h), zeros(w * h), w, 40)
    for w, h, angles in ((32, 16, 90), (640, 480, 90)):
        add("hough_votes", "32,8", tiles(w, h, "32,8"), bytes_of(w * h), zeros(4 * angles * 1024), w, h, angles, 1024)
    for n, h in ((64, 4), (128, 4096)):
        add("dilate_bits", 64, f"{n // 64},{h}", words(n * h), zeros(4 * n * h), n, h)
    for w, h in ((32, 8), (1024, 512)):
        add("gradient_cells", 128, w * h // 256, reals(w * h), zeros(36 * w * h // 64), w, h)
    for grid, w, h in ((1, 512, 64), (200, 256, 100)):
        add("seam_costs", w, grid, reals(grid * w * h), zeros(4 * grid * w * h), w, h)
    for w, h in ((64, 16), FULL_HD):
        add("dct_quantise", "8,8,4", f"{w // 32},{h // 8}", bytes_of(w * h), zeros(2 * w * h), reals(64), w)
    for w, h in ((200, 64), (1000, 8448)):
        add("row_distances", 64, blocks(h, 64), bytes_of(w * h), zeros(4 * w * h), w, h)
    for w, h in ((64, 32), HD):
        add("motion_search", 256, f"{w // 16},{h // 16}", bytes_of(w * h), bytes_of(w * h), zeros(4 * w * h // 256), w, h)
    for n in (1024, 1920 * 1080):
        add("denoise_in_time", 128, blocks(n, 128), words(n), reals(4 * n), n, 0.1)


def tables(add):
    for n in (4096, 1 << 19):
        add("radix_scatter", 256, n // 256, words(n), words(16 * n // 256, n - 256), zeros(4 * n), n, 12)
        add("run_sums", 256, n // 256, words(n, 16), reals(n), zeros(64), n)
        add("group_sums", 256, n // 256, words(n, 4096), words(n, 100), zeros(16384), zeros(16384), n)
        add("filter_bits", 512, n // 512, words(n, 1000), zeros(n // 8), zeros(4), n, 100, 300)
        add("cuckoo_find", 256, n // 256, words(n), words(4 * n), zeros(4 * n), n, 2 * n - 1)
        add("bloom_query", 128, n // 128, words(n), words(n), zeros(n), n, n - 1)
        add("join_probe", 128, n // 128, words(n), words(n, n), words(n, n), words(n), zeros(4 * n), n, n)
        add("find_separators", 256, n // 256, words(n), zeros(16 * n), zeros(4), n, 44)
        add("warp_sort", 256, n // 256, words(n), n)
        add("transpose_bits", 128, n // 128, words(n), zeros(4 * n), n)
        add("keep_large", 1024, n // 1024, reals(n), zeros(4 * n), zeros(4), n, 0.6)
    for grid, n in ((1, 2048), (132, 1 << 18)):
        add("bloom_insert", 256, grid, words(n), zeros(1 << 22), n, (1 << 20) - 1)
        add("count_letters", 256, grid, words(4 * n), zeros(4), n)
        add("degree_counts", 256, grid, words(n, 20000), zeros(80000), n)
    for n in (1024, 1 << 21):
        add("dictionary_decode", 256, blocks(n // 2, 256), bytes_of(2 * n), reals(65536), zeros(4 * n), n)
        add("three_ways", 128, blocks(n, 1024), words(n), zeros(12), n, 1 << 30)
    for chunks, size in ((64, 200), (16384, 128)):
        add("automaton", 64, blocks(chunks, 64), bytes_of(chunks * size), words(64 * 256, 64), zeros(4 * chunks), size, chunks, 64)
    for n in (256, 1 << 19):
        add("base64", 256, blocks(n, 256), bytes_of(3 * n), zeros(4 * n), bytes_of(64), n)
    for n, pairs in ((256, 64), (4096, 20000)):
        add("bit_triangles", 128, blocks(32 * pairs, 128), words(n * n // 32), words(pairs, n), words(pairs, n), zeros(4 * pairs),
            n // 32, pairs)
    for n, mean in ((512, 12), (50000, 12)):
        count = entries(n, mean)
        add("shortest_paths_step", 128, blocks(n, 128), rows(n, mean), words(count, n), words(count, 100), words(n, 1000), zeros(4), n)
        add("independent", 256, blocks(n, 256), rows(n, mean), words(count, n), words(n), zeros(n), n)
        add("union_edges", 128, blocks(2 * n, 128), words(2 * n, n), words(2 * n, n), ramp(n), 2 * n)
        add("sample_edges", 256, blocks(5 * n, 256), rows(n, mean), words(count, n), words(n, n), zeros(20 * n), n, 5)
    for n, trees in ((256, 20), (20000, 50)):
        add("forest", 128, blocks(n, 128), reals(32 * n), words(1024 * trees, 32), reals(1024 * trees), zeros(4 * n), n, 32, trees)


def networks(add):
    for n, channels, area in ((1, 8, 1024), (256, 16, 784)):
        add("group_norm", 512, n, reals(n * channels * area), reals(channels), zeros(4 * n * channels * area), channels, area)
    for n in (2048, 1 << 20):
        add("swiglu", 256, blocks(n, 256), halves(2 * n), halves(2 * n), zeros(4 * n), n)
        add("dropout", 128, blocks(n // 4, 128), reals(n), zeros(4 * n), n // 4, 99, 0.9)
        add("dequantise", 256, blocks(n // 4, 256), words(n // 4), reals(n // 256 + 1), zeros(2 * n), 64, n // 4)
    for n in (16, 1024):
        add("causal_softmax", 128, n // 4, reals(n * n), zeros(4 * n * n), n)
    for channels, quads, area in ((1, 32, 256), (64, 32, 3136)):
        add("conv1x1_bytes", 128, f"{blocks(area, 128)},{channels}", words(quads * area), words(channels * quads),
            zeros(4 * channels * area), quads, area)
    for batch, width in ((1, 512), (512, 1024)):
        add("lstm_cell", 256, batch * width // 256, reals(4 * batch * width), reals(batch * width), zeros(4 * batch * width), width,
            batch * width)
    for n in (1, 2048):
        add("embedding_gradient", 256, n, words(n, 5000), reals(n * 512), zeros(5000 * 2048), 512)
        add("gather_pages", 128, n, words(n, 3000), reals(3000 * 4096), zeros(n * 16384), 1024)
    for n in (8, 4096):
        add("largest_of_rows", "32,8", n // 8, reals(n * 500), zeros(4 * n), n, 500)
    for c, side in ((1, 16), (32, 112)):
        add("im2col", 256, blocks(c * side * side, 256), reals(c * side * side), zeros(36 * c * side * side), c, side, side)
    for x, y in ((16, 8), (400, 400)):
        add("winograd_input", 128, blocks(x * y, 128), reals((2 * x + 2) * (2 * y + 2)), zeros(64 * x * y), 2 * x + 2, x, x * y)
    for n in (1, 300):
        add("roi_align", 256, n, reals(100 * 100 * 256), reals(4 * n), zeros(4 * n * 49 * 256), 256, 100, 100)
    for n in (256, 1 << 17):
        add("route", 256, blocks(n, 256), reals(8 * n), zeros(8 * n), zeros(8 * n), zeros(32), n)
    for n, k in ((32, 512), (1024, 1024)):
        add("gemm_bytes", 128, n * n // 512, words(n * k // 4), words(n * k // 4), zeros(4 * n * n), n, k)
    for m, n, k in ((32, 64, 512), (1024, 2048, 512)):
        add("gemm_ahead", 256, f"{n // 64},{m // 32}", reals(m * k), reals(k * n), zeros(4 * m * n), n, k)
    for n, quads in ((4, 192), (50000, 96)):
        add("cosine", 128, blocks(32 * n, 128), reals(4 * n * quads), reals(4 * quads), zeros(4 * n), n, quads)
    for grid, n, columns in (("1,1", 256, 32), ("32,16", 4096, 1024)):
        add("column_sums", "32,8", grid, reals(n * columns), zeros(4 * columns), n, columns)


def numeric(add):
    for grid, n in ((1, 4096), (528, 1 << 20)):
        add("waxpby", 256, grid, doubles(n), doubles(n), zeros(8 * n), n, 0.5, 2.0)
        add("dot_last_block", 256, grid, reals(n), reals(n), zeros(4 * grid), zeros(4), zeros(4), n)
    for w, h in ((34, 10), (1538, 1026)):
        add("jacobi_tile", "32,8", tiles(w - 2, h - 2, "32,8"), doubles(w * h), doubles(w * h), zeros(8 * w * h), w, h)
    for systems, count in ((64, 64), (16896, 128)):
        add("thomas", 64, blocks(systems, 64), reals(systems * count), reals(systems * count), zeros(4 * systems * count),
            reals(systems * count), count, systems)
    for block, grid in ((512, 1), (256, 1000)):
        add("cyclic_reduction", block, grid, reals(block * grid), reals(block * grid), reals(block * grid))
    for grid in (1, 600):
        add("eliminate32", 32, grid, doubles(1024 * grid))
    for nx, ny, nz in ((34, 10, 3), (258, 130, 66)):
        add("stencil27", "32,8", f"{(nx - 2) // 32},{(ny - 2) // 8},{nz - 2}", reals(nx * ny * nz), zeros(4 * nx * ny * nz), nx, ny, nz)
    for w, h in (SMALL, (2048, 1024)):
        add("advect", "32,8", tiles(w, h, "32,8"), reals(w * h), reals(2 * w * h), zeros(4 * w * h), w, h, 12.0)
        add("shallow_water", "64,4", tiles(w, h, "64,4"), reals(w * h), reals(w * h), reals(w * h), zeros(4 * w * h), w, h, 0.01)
        add("ising", "32,8", tiles(w // 2, h, "32,8"), bytes_of(w * h), reals(w * h), w, h, 0, 0.4)
    for cells, mean in ((128, 8), (30000, 8)):
        count = entries(cells, mean)
        add("cell_densities", 64, blocks(cells, 64), reals(4 * count + 4), rows(cells, mean), zeros(4 * count + 4), cells, 0.4)
    for n in (128, 6000):
        add("screened_forces", 128, blocks(n, 128), reals(4 * n), zeros(4 * n), n, 3.0)
    for n in (624, 1 << 20):
        add("twister_step", 128, blocks(n, 128), words(n), zeros(4 * n), n)
    for grid, steps in ((1, 511), (396, 250)):
        add("option_tree", 512 if grid == 1 else 256, grid, reals(grid), reals(grid), zeros(4 * grid), steps)
    for n, steps in ((128, 100), (67584, 50)):
        add("heston", 128, n // 128, zeros(4 * n), steps, 2.0, 0.04)
    for n, degree in ((256, 100), (1 << 18, 200)):
        add("horner", 256, blocks(n, 256), reals(n), reals(degree + 1), zeros(4 * n), n, degree)
    for n in (128, 40_000):
        add("kepler", 128, blocks(n, 128), doubles(n), doubles(n), zeros(8 * n), n)
        add("walks", 64, blocks(n, 64), reals(2 * n), zeros(4 * n), n, 17)
        add("pendulums", 64, blocks(n, 64), reals(2 * n), n, 30, 0.01)
    for grid, many in ((1, 100), (500, 400)):
        add("sieve", 256, grid, words(many, 500), zeros(4 * grid), many)


FILES = [camera, lidar, linear, learning, sorting, graphs, physics, streams]
SECOND = [imaging, tables, networks, numeric]


def options(kinds, arguments):
    for index, ((kind, bits, _), value) in enumerate(zip(kinds, arguments, strict=True)):
        if not isinstance(value, tuple):
            yield f"--arg {index}={launches.bits_of(kind, bits, value)}"
            continue
        size, contents = value
        yield f"--buffer {index}={size}"
        if contents != "zeros":
            seeded = contents == "ramp" or contents[0] == "@"
            yield f"--contents {index}={contents}{'' if seeded else f':{index + 1}'}"


def rows_of(files):
    for file in files:
        table, name = Table(), FOLDER / f"{file.__name__}.cubin"
        file(table.add)
        for kernel, block, grid, shared, arguments in sorted(table.launches, key=lambda each: each[0]):
            said = " ".join(options(launches.parameters(str(name), kernel), arguments))
            yield dict(family=file.__name__, file=str(name), kernel=kernel, block=block, grid=grid, shared=str(shared),
                       options=said)


def rows_of_new():
    return rows_of(FILES)


def rows_of_second():
    return rows_of(SECOND)


# Of the corpus: what pointers of a type lead to. Integers may be indices or lengths; below 1024 they stay within all arrays.
CONTENTS = {"float": "reals", "float2": "reals", "float3": "reals", "float4": "reals", "double": "doubles", "__half": "halves",
            "__half2": "halves", "char": "integers", "unsigned char": "integers", "signed char": "integers"}
NUMBERS = "integers<1024"
# Kernels whose integers are numbers, with all their bits.
ANY_NUMBER = {"bit_loops", "digit_sums", "integer_root", "modular_power", "sha256", "murmur3", "find_nonce", "bitonic_step",
              "bitonic_sort_shared", "odd_even_merge_sort", "odd_even_sort_shared", "shell_sort", "insertion_sort_rows",
              "odd_even_transposition", "merge_sort_block", "merge_sort_shared", "rank_sort", "cub_block_merge_sort",
              "format_decimal", "mma_m16n8k8"}
# Where each row of a graph begins.
BEGINS = {("bfs_one_level", 1): "ramp"}
# They take what an argument states, or call by addresses that are data, or a block executes more than four million instructions.
LEFT_OUT = {"wait_for_clock", "timed_spin", "trap_on_nan", "timed_reduction", "call_through_table", "filter_by_table",
            "nbody_integrate", "tensor_gemm_tf32", "tensor_gemm_double", "gesummv", "corr_matrix", "covar_matrix",
            "heartwall_convolve"}
OF_CORPUS = 156


def demangled(kernels):
    said = subprocess.run(["c++filt"], input="\n".join(kernels) + "\n", capture_output=True, text=True, check=True)
    return dict(zip(kernels, said.stdout.splitlines()))


def types_of(signature):
    """What each parameter points to, or ""."""
    inside = signature[signature.index("(") + 1:signature.rindex(")")]
    return [re.sub(r" const\b|\*", "", each).strip() if "*" in each else "" for each in inside.split(", ")]


def with_contents(row, name, types, seed):
    words = row["options"].split()
    for option, value in zip(words[::2], words[1::2]):
        index = value.split("=")[0]
        if option != "--buffer":
            yield f"{option} {value}"
            continue
        yield f"--buffer {index}={launches.ARRAY}"
        pointed = types[int(index)] if index.isdigit() else ""
        place = int(re.match("[0-9]+", index)[0])
        drawn = CONTENTS.get(pointed, "integers" if name in ANY_NUMBER else NUMBERS)
        yield f"--contents {index}={BEGINS.get((name, place), f'{drawn}:{place + seed}')}"


def rows_of_corpus(seed=1):
    """Of each kernel that is not at full work on zeros a launch, and then further ones. seed: of the first parameter."""
    full = set(launches.full_work())
    left = [row for number, row in enumerate(launches.measured()) if row["family"] == "corpus" and number not in full]
    signatures = demangled(list(dict.fromkeys(row["kernel"] for row in left)))
    made, seen = [], collections.Counter()
    for row in left:
        signature = signatures[row["kernel"]]
        name = re.search(r"(\w+)(<.*>)?\(", signature)[1]
        if name not in LEFT_OUT:
            said = " ".join(with_contents(row, name, types_of(signature), seed))
            made.append((seen[name], {**{column: row[column] for column in launches.LAUNCH}, "options": said}))
            seen[name] += 1
    return [row for _, row in sorted(made, key=lambda each: each[0])[:OF_CORPUS]]


def rows_of_others():
    return [row for row in rows_of_corpus(seed=101) if "random_walk" not in row["kernel"]]  # which did not end


def make_rows():
    """The files that rows name."""
    for row in [*rows_of_new(), *rows_of_second()]:
        for count, mean in re.findall(rf"@{FOLDER}/rows/(\d+)x(\d+)", row["options"]):
            path = ROOT / FOLDER / "rows" / f"{count}x{mean}"
            if not path.exists():
                path.parent.mkdir(exist_ok=True)
                starts = row_starts(int(count), int(mean))
                path.write_bytes(struct.pack(f"<{len(starts)}I", *starts))
