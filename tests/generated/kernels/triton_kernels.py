"""Kernels in the style of Triton's tutorials, each with what it is compiled for and launched with.

'KERNELS' has for each: the function; its signature, where a number is a value the compiler is given and ':16' a multiple
of 16; warps and stages; the grid; integer arguments and bytes of buffers, by the names of parameters.
"""
import triton
import triton.language as tl
from triton.language.extra import libdevice

KERNELS = []


def launched(signature, *, grid, warps=4, stages=3, args=None, buffers=None):
    """Notes how the kernel below is compiled and launched."""
    def note(function):
        kernel = triton.jit(function)
        KERNELS.append({"kernel": kernel, "signature": signature, "grid": grid, "warps": warps, "stages": stages,
                        "args": args or {}, "buffers": buffers or {}})
        return kernel
    return note


@launched({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16", "n": "i32:16", "BLOCK": 1024},
          grid=[96], args={"n": 98304}, buffers={"x": 393216, "y": 393216, "out": 393216})
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(out + offsets, tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask), mask=mask)


@launched({"out": "*fp32:16", "x": "*fp32:16", "x_stride": "i32:16", "out_stride": "i32:16", "rows": "i32", "columns": "i32",
           "BLOCK": 1024, "STAGES": 2},
          grid=[264], warps=8, args={"x_stride": 784, "out_stride": 784, "rows": 1823, "columns": 781},
          buffers={"out": 5716928, "x": 5716928})
def fused_softmax(out, x, x_stride, out_stride, rows, columns, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        offsets = tl.arange(0, BLOCK)
        mask = offsets < columns
        values = tl.load(x + row * x_stride + offsets, mask=mask, other=-float("inf"))
        numerator = tl.exp(values - tl.max(values, axis=0))
        tl.store(out + row * out_stride + offsets, numerator / tl.sum(numerator, axis=0), mask=mask)


@triton.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.jit
def tile_of_group(tile, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, GROUP: tl.constexpr):
    """Which tile of the product comes at this place where GROUP rows of tiles are gone through together."""
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    in_group = GROUP * tiles_n
    first = tile // in_group * GROUP
    size = min(tiles_m - first, GROUP)
    return first + tile % in_group % size, tile % in_group // size


@launched({"a": "*fp16:16", "b": "*fp16:16", "c": "*fp16:16", "M": "i32:16", "N": "i32:16", "K": "i32:16", "stride_am": "i32:16",
           "stride_ak": 1, "stride_bk": "i32:16", "stride_bn": 1, "stride_cm": "i32:16", "stride_cn": 1,
           "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "GROUP": 8},
          grid=[64], args={"M": 512, "N": 512, "K": 512, "stride_am": 512, "stride_bk": 512, "stride_cm": 512},
          buffers={"a": 524288, "b": 524288, "c": 524288})
def matmul(a, b, c, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
           BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP: tl.constexpr):
    tile_m, tile_n = tile_of_group(tl.program_id(0), M, N, BLOCK_M, BLOCK_N, GROUP)
    rows = (tile_m * BLOCK_M + tl.arange(0, BLOCK_M)) % M
    columns = (tile_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N
    inner = tl.arange(0, BLOCK_K)
    from_a = a + rows[:, None] * stride_am + inner[None, :] * stride_ak
    from_b = b + inner[:, None] * stride_bk + columns[None, :] * stride_bn
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        part_a = tl.load(from_a, mask=inner[None, :] < K - k * BLOCK_K, other=0.0)
        part_b = tl.load(from_b, mask=inner[:, None] < K - k * BLOCK_K, other=0.0)
        sums = tl.dot(part_a, part_b, sums)
        from_a += BLOCK_K * stride_ak
        from_b += BLOCK_K * stride_bk
    to_m = tile_m * BLOCK_M + tl.arange(0, BLOCK_M)
    to_n = tile_n * BLOCK_N + tl.arange(0, BLOCK_N)
    mask = (to_m[:, None] < M) & (to_n[None, :] < N)
    tl.store(c + stride_cm * to_m[:, None] + stride_cn * to_n[None, :], leaky_relu(sums).to(tl.float16), mask=mask)


@launched({"a": "*fp32:16", "b": "*fp32:16", "c": "*fp32:16", "M": "i32:16", "N": "i32:16", "K": "i32:16",
           "BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32},
          grid=[16, 16], args={"M": 512, "N": 512, "K": 512}, buffers={"a": 1048576, "b": 1048576, "c": 1048576})
def matmul_float(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """Without tensor cores."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inner = tl.arange(0, BLOCK_K)
    sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        part_a = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        part_b = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
        sums = tl.dot(part_a, part_b, sums, input_precision="ieee")
    tl.store(c + rows[:, None] * N + columns[None, :], sums)


@launched({"x": "*fp32:16", "out": "*fp32:16", "n": "i32:16", "p": "fp32", "seed": "i32", "BLOCK": 1024},
          grid=[64], args={"n": 65536}, buffers={"x": 262144, "out": 262144})
def seeded_dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    values = tl.load(x + offsets, mask=mask)
    tl.store(out + offsets, tl.where(tl.rand(seed, offsets) > p, values / (1 - p), 0.0), mask=mask)


@launched({"x": "*fp16:16", "y": "*fp16:16", "weight": "*fp16:16", "bias": "*fp16:16", "mean": "*fp32:16", "rstd": "*fp32:16",
           "stride": "i32:16", "N": "i32:16", "epsilon": "fp32", "BLOCK": 1024},
          grid=[512], warps=8, args={"stride": 4096, "N": 4096},
          buffers={"x": 4194304, "y": 4194304, "weight": 8192, "bias": 8192, "mean": 2048, "rstd": 2048})
def layer_norm_forward(x, y, weight, bias, mean, rstd, stride, N, epsilon, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    y += row * stride
    x += row * stride
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, N, BLOCK):
        columns = begin + tl.arange(0, BLOCK)
        total += tl.load(x + columns, mask=columns < N, other=0.0).to(tl.float32)
    average = tl.sum(total, axis=0) / N
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, N, BLOCK):
        columns = begin + tl.arange(0, BLOCK)
        values = tl.load(x + columns, mask=columns < N, other=0.0).to(tl.float32)
        distance = tl.where(columns < N, values - average, 0.0)
        squares += distance * distance
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / N + epsilon)
    tl.store(mean + row, average)
    tl.store(rstd + row, scale)
    for begin in range(0, N, BLOCK):
        columns = begin + tl.arange(0, BLOCK)
        mask = columns < N
        values = tl.load(x + columns, mask=mask, other=0.0).to(tl.float32)
        result = (values - average) * scale * tl.load(weight + columns, mask=mask) + tl.load(bias + columns, mask=mask)
        tl.store(y + columns, result, mask=mask)


@launched({"dx": "*fp16:16", "dy": "*fp16:16", "dw": "*fp32:16", "db": "*fp32:16", "x": "*fp16:16", "weight": "*fp16:16",
           "mean": "*fp32:16", "rstd": "*fp32:16", "lock": "*i32:16", "stride": "i32:16", "N": "i32:16", "GROUP": 64, "BLOCK": 1024},
          grid=[512], warps=8, args={"stride": 1024, "N": 1024},
          buffers={"dx": 1048576, "dy": 1048576, "dw": 262144, "db": 262144, "x": 1048576, "weight": 2048, "mean": 2048,
                   "rstd": 2048, "lock": 512})
def layer_norm_backward_locked(dx, dy, dw, db, x, weight, mean, rstd, lock, stride, N, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    """Sums of GROUP rows are added up one block after another: who comes waits for a lock."""
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < N
    offsets = row * stride + columns
    values = tl.load(x + offsets, mask=mask, other=0).to(tl.float32)
    slope = tl.load(dy + offsets, mask=mask, other=0).to(tl.float32)
    scale = tl.load(rstd + row)
    normal = tl.where(mask, (values - tl.load(mean + row)) * scale, 0.0)
    weighted = tl.where(mask, tl.load(weight + columns, mask=mask).to(tl.float32) * slope, 0.0)
    along = tl.sum(normal * weighted, axis=0) / N
    average = tl.sum(weighted, axis=0) / N
    tl.store(dx + offsets, (weighted - (normal * along + average)) * scale, mask=mask)
    group = row % GROUP
    mine = lock + group
    count = lock + GROUP + group
    to_weight = dw + group * N + columns
    to_bias = db + group * N + columns
    part_weight = slope * normal
    part_bias = slope
    while tl.atomic_cas(mine, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        part_weight += tl.load(to_weight, mask=mask)
        part_bias += tl.load(to_bias, mask=mask)
    tl.store(to_weight, part_weight, mask=mask)
    tl.store(to_bias, part_bias, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(mine, 0)


@launched({"dw": "*fp32:16", "db": "*fp32:16", "out_w": "*fp32:16", "out_b": "*fp32:16", "M": "i32:16", "N": "i32:16",
           "BLOCK_M": 32, "BLOCK_N": 128},
          grid=[8], args={"M": 64, "N": 1024}, buffers={"dw": 262144, "db": 262144, "out_w": 4096, "out_b": 4096})
def layer_norm_backward_sums(dw, db, out_w, out_b, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    sum_w = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    sum_b = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for begin in range(0, M, BLOCK_M):
        rows = begin + tl.arange(0, BLOCK_M)
        mask = (rows[:, None] < M) & (columns[None, :] < N)
        offsets = rows[:, None] * N + columns[None, :]
        sum_w += tl.load(dw + offsets, mask=mask, other=0.0)
        sum_b += tl.load(db + offsets, mask=mask, other=0.0)
    tl.store(out_w + columns, tl.sum(sum_w, axis=0), mask=columns < N)
    tl.store(out_b + columns, tl.sum(sum_b, axis=0), mask=columns < N)


@launched({"q": "*fp16:16", "k": "*fp16:16", "v": "*fp16:16", "out": "*fp16:16", "scale": "fp32", "context": "i32:16",
           "DIM": 64, "BLOCK_M": 64, "BLOCK_N": 32},
          grid=[8, 16], stages=2, args={"context": 512},
          buffers={"q": 1048576, "k": 1048576, "v": 1048576, "out": 1048576})
def attention_forward(q, k, v, out, scale, context, DIM: tl.constexpr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    """Causal: first the blocks of keys before those of the queries, then those on the diagonal."""
    head = tl.program_id(1) * context * DIM
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    inner = tl.arange(0, DIM)
    keys = tl.arange(0, BLOCK_N)
    queries = tl.load(q + head + rows[:, None] * DIM + inner[None, :])
    largest = tl.full([BLOCK_M], -float("inf"), dtype=tl.float32)
    total = tl.full([BLOCK_M], 1.0, dtype=tl.float32)
    sums = tl.zeros([BLOCK_M, DIM], dtype=tl.float32)
    for begin in range(0, (tl.program_id(0) + 1) * BLOCK_M, BLOCK_N):
        columns = begin + keys
        part_k = tl.load(k + head + columns[None, :] * DIM + inner[:, None])
        scores = tl.dot(queries, part_k) * scale
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -1.0e6)
        new_largest = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp2(scores - new_largest[:, None])
        shrink = tl.exp2(largest - new_largest)
        total = total * shrink + tl.sum(weights, 1)
        part_v = tl.load(v + head + columns[:, None] * DIM + inner[None, :])
        sums = tl.dot(weights.to(tl.float16), part_v, sums * shrink[:, None])
        largest = new_largest
    tl.store(out + head + rows[:, None] * DIM + inner[None, :], (sums / total[:, None]).to(tl.float16))


@launched({"a_pointers": "*i64:16", "b_pointers": "*i64:16", "c_pointers": "*i64:16", "sizes": "*i32:16", "groups": "i32",
           "BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "PROGRAMS": 84},
          grid=[84], args={"groups": 4}, buffers={"a_pointers": 32, "b_pointers": 32, "c_pointers": 32, "sizes": 48})
def grouped_gemm(a_pointers, b_pointers, c_pointers, sizes, groups, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                 BLOCK_K: tl.constexpr, PROGRAMS: tl.constexpr):
    """Sizes of the matrices are in memory, and so is how often its loops run."""
    tile = tl.program_id(0)
    end = 0
    for group in range(groups):
        M = tl.load(sizes + group * 3)
        N = tl.load(sizes + group * 3 + 1)
        K = tl.load(sizes + group * 3 + 2)
        tiles_n = tl.cdiv(N, BLOCK_N)
        tiles = tl.cdiv(M, BLOCK_M) * tiles_n
        while tile >= end and tile < end + tiles:
            a = tl.load(a_pointers + group).to(tl.pointer_type(tl.float16))
            b = tl.load(b_pointers + group).to(tl.pointer_type(tl.float16))
            c = tl.load(c_pointers + group).to(tl.pointer_type(tl.float16))
            rows = (tile - end) // tiles_n * BLOCK_M + tl.arange(0, BLOCK_M)
            columns = (tile - end) % tiles_n * BLOCK_N + tl.arange(0, BLOCK_N)
            inner = tl.arange(0, BLOCK_K)
            from_a = a + rows[:, None] * K + inner[None, :]
            from_b = b + inner[:, None] * N + columns[None, :]
            sums = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
            for _ in range(0, tl.cdiv(K, BLOCK_K)):
                sums += tl.dot(tl.load(from_a), tl.load(from_b))
                from_a += BLOCK_K
                from_b += BLOCK_K * N
            tl.store(c + rows[:, None] * N + columns[None, :], sums.to(tl.float16))
            tile += PROGRAMS
        end = end + tiles


@launched({"x": "*fp32:16", "out": "*fp32:16", "n": "i32:16", "BLOCK": 1024},
          grid=[128], args={"n": 1048576}, buffers={"x": 4194304, "out": 4})
def sum_atomic(x, out, n, BLOCK: tl.constexpr):
    """A grid-stride loop, then one atomic for each block."""
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        offsets = begin + tl.arange(0, BLOCK)
        total += tl.load(x + offsets, mask=offsets < n, other=0.0)
    tl.atomic_add(out, tl.sum(total, axis=0))


@triton.jit
def linear_recurrence(a_left, b_left, a_right, b_right):
    return a_left * a_right, b_left * a_right + b_right


@launched({"a": "*fp32:16", "b": "*fp32:16", "out": "*fp32:16", "sums": "*fp32:16", "columns": "i32:16", "BLOCK": 512},
          grid=[256], args={"columns": 2048}, buffers={"a": 2097152, "b": 2097152, "out": 2097152, "sums": 2097152})
def scan_rows(a, b, out, sums, columns, BLOCK: tl.constexpr):
    """Sums and a linear recurrence along rows, with what a block of columns hands to the next."""
    row = tl.program_id(0) * columns
    carry = 0.0
    for begin in range(0, columns, BLOCK):
        offsets = row + begin + tl.arange(0, BLOCK)
        factors = tl.load(a + offsets)
        addends = tl.load(b + offsets)
        running = tl.cumsum(addends, axis=0) + carry
        carry += tl.sum(addends, axis=0)
        _, recurrence = tl.associative_scan((factors, addends), 0, linear_recurrence)
        tl.store(sums + offsets, running)
        tl.store(out + offsets, recurrence)


@launched({"x": "*i32:16", "out": "*i32:16", "n": "i32:16", "BLOCK": 2048, "BINS": 256},
          grid=[64], args={"n": 131072}, buffers={"x": 524288, "out": 1024})
def histogram(x, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    counts = tl.histogram(tl.load(x + offsets, mask=offsets < n, other=0), BINS)
    tl.atomic_add(out + tl.arange(0, BINS), counts)


@launched({"x": "*fp32:16", "out": "*fp32:16", "M": "i32:16", "N": "i32:16", "BLOCK": 64},
          grid=[16, 8], args={"M": 512, "N": 1024}, buffers={"x": 2097152, "out": 2097152})
def transpose(x, out, M, N, BLOCK: tl.constexpr):
    rows = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < M) & (columns[None, :] < N)
    tile = tl.load(x + rows[:, None] * N + columns[None, :], mask=mask)
    tl.store(out + columns[:, None] * M + rows[None, :], tl.trans(tile), mask=tl.trans(mask))


@launched({"table": "*fp16:16", "indices": "*i64:16", "out": "*fp16:16", "dim": "i32:16", "BLOCK": 256},
          grid=[1024], args={"dim": 768}, buffers={"table": 46080000, "indices": 8192, "out": 1572864})
def embedding_gather(table, indices, out, dim, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    index = tl.load(indices + token)
    for begin in range(0, dim, BLOCK):
        columns = begin + tl.arange(0, BLOCK)
        mask = columns < dim
        tl.store(out + token * dim + columns, tl.load(table + index * dim + columns, mask=mask), mask=mask)


@launched({"x": "*fp32:16", "out": "*i32:16", "columns": "i32:16", "BLOCK": 1024},
          grid=[256], args={"columns": 1000}, buffers={"x": 1024000, "out": 1024})
def argmax_rows(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + offsets, mask=offsets < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(values, axis=0))


@launched({"logits": "*fp32:16", "labels": "*i64:16", "losses": "*fp32:16", "classes": "i32", "smoothing": "fp32", "BLOCK": 4096},
          grid=[128], warps=8, args={"classes": 50257}, buffers={"logits": 25731584, "labels": 1024, "losses": 512})
def cross_entropy(logits, labels, losses, classes, smoothing, BLOCK: tl.constexpr):
    """The maximum and the sum of exponentials in one pass."""
    row = tl.program_id(0).to(tl.int64)
    logits += row * classes
    label = tl.load(labels + row)
    largest = -float("inf")
    total = 0.0
    smooth = 0.0
    for begin in range(0, classes, BLOCK):
        offsets = begin + tl.arange(0, BLOCK)
        values = tl.load(logits + offsets, mask=offsets < classes, other=-float("inf"))
        new_largest = tl.maximum(largest, tl.max(values, axis=0))
        total = total * tl.exp(largest - new_largest) + tl.sum(tl.exp(values - new_largest), axis=0)
        smooth += tl.sum(tl.where(offsets < classes, values, 0.0), axis=0)
        largest = new_largest
    logarithm = largest + tl.log(total)
    exact = logarithm - tl.load(logits + label)
    tl.store(losses + row, (1 - smoothing) * exact + smoothing * (logarithm - smooth / classes))


@launched({"x": "*fp32:16", "y": "*fp32:16", "out": "*fp32:16", "tiles": "i32", "n": "i32", "BLOCK": 512},
          grid=[108], args={"tiles": 1000, "n": 511900}, buffers={"x": 2047600, "y": 2047600, "out": 2047600})
def persistent_gelu(x, y, out, tiles, n, BLOCK: tl.constexpr):
    """As many blocks as fit go through all tiles; mathematics of the library."""
    for tile in range(tl.program_id(0), tiles, tl.num_programs(0)):
        offsets = tile * BLOCK + tl.arange(0, BLOCK)
        mask = offsets < n
        a = tl.load(x + offsets, mask=mask)
        b = tl.load(y + offsets, mask=mask)
        gelu = 0.5 * a * (1.0 + libdevice.tanh(0.7978845608 * (a + 0.044715 * a * a * a)))
        tl.store(out + offsets, gelu * libdevice.erf(b), mask=mask)


@launched({"x": "*fp32:16", "out": "*fp32:16", "columns": "i32:16", "BLOCK": 256},
          grid=[64], args={"columns": 256}, buffers={"x": 65536, "out": 65536})
def sort_rows(x, out, columns, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * columns + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.sort(tl.load(x + offsets), 0))
