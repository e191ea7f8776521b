#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The maker's occupancy rules a second time, after the CUDA C++ Programming Guide and cuda_occupancy.h, without our code.

occupancy_rules.py --write   makes the rows of tests/vectors/occupancy.csv that no published example gives
occupancy_rules.py --check   whether the file's rows are what the rules say

A multiprocessor's registers belong to its partitions, a warp's are allotted in units, and so is shared memory, of which
the driver keeps 1 KiB of each block from compute capability 8.0 on.
"""
import csv
import itertools
import pathlib
import sys

FILE = pathlib.Path(__file__).resolve().parents[1] / "vectors" / "occupancy.csv"
KB = 1024
# compute capability: machine, threads, blocks, registers, of a block, shared memory, of a block, its unit, reserved, partitions
CAPABILITIES = {
    "2.0": ("fermi", 1536, 8, 32768, 32768, 48 * KB, 48 * KB, 128, 0, 2),
    "5.0": ("maxwell", 2048, 32, 65536, 65536, 64 * KB, 48 * KB, 256, 0, 4),
    "5.2": ("maxwell", 2048, 32, 65536, 65536, 96 * KB, 48 * KB, 256, 0, 4),
    "5.3": ("tx1", 2048, 32, 65536, 32768, 64 * KB, 48 * KB, 256, 0, 4),
    "6.0": ("pascal", 2048, 32, 65536, 65536, 64 * KB, 48 * KB, 256, 0, 2),
    "6.1": ("pascal-consumer", 2048, 32, 65536, 65536, 96 * KB, 48 * KB, 256, 0, 4),
    "6.2": ("tx2", 2048, 32, 65536, 32768, 64 * KB, 48 * KB, 256, 0, 4),
    "7.0": ("volta", 2048, 32, 65536, 65536, 96 * KB, 96 * KB, 256, 0, 4),
    "7.2": ("xavier", 2048, 32, 65536, 65536, 96 * KB, 96 * KB, 256, 0, 4),
    "7.5": ("turing", 1024, 16, 65536, 65536, 64 * KB, 64 * KB, 256, 0, 4),
    "8.0": ("ampere", 2048, 32, 65536, 65536, 164 * KB, 163 * KB, 128, KB, 4),
    "8.6": ("ampere-consumer", 1536, 16, 65536, 65536, 100 * KB, 99 * KB, 128, KB, 4),
    "8.7": ("orin", 1536, 16, 65536, 65536, 164 * KB, 163 * KB, 128, KB, 4),
    "8.9": ("ada", 1536, 24, 65536, 65536, 100 * KB, 99 * KB, 128, KB, 4),
    "9.0": ("hopper", 2048, 32, 65536, 65536, 228 * KB, 227 * KB, 128, KB, 4),
    "10.0": ("blackwell", 2048, 32, 65536, 65536, 228 * KB, 227 * KB, 128, KB, 4),
    "12.0": ("blackwell-consumer", 1536, 24, 65536, 65536, 100 * KB, 99 * KB, 128, KB, 4),
    "3.0": ("kepler", 2048, 16, 65536, 65536, 48 * KB, 48 * KB, 256, 0, 4),
    "3.5": ("k40", 2048, 16, 65536, 65536, 48 * KB, 48 * KB, 256, 0, 4),
    "3.7": ("k80", 2048, 16, 131072, 65536, 112 * KB, 48 * KB, 256, 0, 4),
    "10.3": ("blackwell-ultra", 2048, 32, 65536, 65536, 228 * KB, 227 * KB, 128, KB, 4),
    "11.0": ("thor", 1536, 24, 65536, 65536, 228 * KB, 227 * KB, 128, KB, 4),
    "12.1": ("gb10", 1536, 24, 65536, 65536, 100 * KB, 99 * KB, 128, KB, 4),
}
# threads of a block, registers of a thread, static and dynamic shared memory, named barriers of a block
LAUNCHES = [
    (32, 16, 0, 0, 1), (64, 32, 0, 0, 1), (100, 24, 1000, 0, 1), (128, 37, 0, 0, 1), (192, 63, 0, 0, 1),
    (224, 48, 0, 0, 1), (256, 32, 4096, 0, 1), (256, 40, 0, 30000, 1), (352, 44, 0, 0, 1), (512, 30, 20000, 20000, 1),
    (768, 28, 0, 0, 1), (800, 42, 0, 0, 1), (1000, 61, 0, 49152, 1), (1024, 32, 1, 0, 1), (128, 16, 0, 0, 16),
    (896, 72, 0, 0, 1), (32, 32, 0, 0, 3), (448, 120, 0, 0, 1),
]
# Rows that stand for many: beyond the usual 48 KB of a block, and the largest block of each machine.
LARGE = [(128, 64, 0, 60000, 1), (256, 128, 0, 99 * KB, 1), (1024, 64, 0, 160 * KB, 1), (64, 255, 0, 227 * KB, 1)]


def up(value, unit):
    return -(-value // unit) * unit


def warp_registers(capability, registers):
    # Compute capability 2.0 allots some numbers of registers in pairs of units.
    unit = 256 if capability != "2.0" else 128 if registers in (21, 22, 29, 30, 37, 38, 45, 46) else 64
    return up(registers * 32, unit)


def by_registers(capability, warps, registers, partitions):
    _, _, _, all_registers, of_block, *_ = CAPABILITIES[capability]
    of_warp = warp_registers(capability, registers)
    if registers > (63 if capability in ("2.0", "3.0") else 255) or up(warps, partitions) * of_warp > of_block:
        return 0
    return all_registers // partitions // of_warp * partitions // warps


def blocks(capability, threads, registers, static, dynamic, barriers):
    """Resident on a multiprocessor; 0 where such a block is not launched."""
    _, most_threads, most_blocks, _, _, shared, of_block, unit, reserved, partitions = CAPABILITIES[capability]
    warps = up(threads, 32) // 32
    register_limit = by_registers(capability, warps, registers, partitions)
    if capability == "6.0" and by_registers(capability, warps, registers, 4) == 0:
        register_limit = 0  # nothing runs on 6.0 that cannot run on 6.1
    limits = [most_threads // 32 // warps, most_blocks, register_limit]
    taken = up(static + dynamic + reserved, unit)
    if taken > of_block + reserved:
        return 0
    if taken:
        limits.append(shared // taken)
    if float(capability) >= 9:
        limits.append(most_blocks * (1 if capability in ("11.0", "12.0", "12.1") else 2) // barriers)
    return min(limits)


def rows():
    source = "occupancy_rules.py after CUDA C++ Programming Guide and cuda_occupancy.h"
    for number, (capability, launch) in enumerate(itertools.product(CAPABILITIES, LAUNCHES + LARGE)):
        if number % 3 and launch not in LAUNCHES[-4:]:
            continue
        yield (capability, CAPABILITIES[capability][0], *launch, blocks(capability, *launch), source)


def read():
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def main():
    if sys.argv[1:] == ["--write"]:
        published = [line for line in FILE.read_text().splitlines() if "occupancy_rules.py after" not in line]
        FILE.write_text("\n".join(published + [",".join(map(str, row)) for row in rows()]) + "\n")
        return 0
    if sys.argv[1:] != ["--check"]:
        sys.exit(__doc__)
    wrong = 0
    for row in read():
        launch = [int(row[key]) for key in ("threads", "registers", "static_shared", "dynamic_shared", "barriers")]
        expected = blocks(row["capability"], *launch)
        if expected != int(row["blocks"]):
            wrong += 1
            print(f"{row}: the rules say {expected}")
    print(f"{len(read())} rows, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
