"""Kernels in the style of Numba's examples, each with what it is compiled for and launched with.

'KERNELS' has for each: the function; the types of its arguments; block and grid; integers, and shapes of arrays, by the
names of arguments.
"""
import math

import numba
from numba import cuda

KERNELS = []
FLOATS = numba.float32[::1]
IMAGE = numba.float32[:, ::1]


def launched(*types, block, grid, **arguments):
    """Notes how the kernel below is compiled and launched."""
    def note(function):
        KERNELS.append({"function": function, "types": types, "block": block, "grid": grid, "arguments": arguments})
        return function
    return note


@launched(numba.float32, FLOATS, FLOATS, block=[256], grid=[64], x=[100000], y=[100000])
def saxpy(a, x, y):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        y[i] = a * x[i] + y[i]


@launched(IMAGE, IMAGE, block=[16, 16], grid=[32, 32], image=[512, 512], out=[512, 512])
def stencil(image, out):
    x, y = cuda.grid(2)
    if 1 <= y < image.shape[0] - 1 and 1 <= x < image.shape[1] - 1:
        out[y, x] = 0.25 * (image[y - 1, x] + image[y + 1, x] + image[y, x - 1] + image[y, x + 1])


@launched(FLOATS, FLOATS, block=[256], grid=[128], x=[1048576], sums=[1])
def block_sum(x, sums):
    shared = cuda.shared.array(256, numba.float32)
    lane = cuda.threadIdx.x
    total = numba.float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    shared[lane] = total
    cuda.syncthreads()
    step = cuda.blockDim.x // 2
    while step > 0:
        if lane < step:
            shared[lane] += shared[lane + step]
        cuda.syncthreads()
        step //= 2
    if lane == 0:
        cuda.atomic.add(sums, 0, shared[0])


@launched(IMAGE, IMAGE, IMAGE, block=[16, 16], grid=[16, 16], a=[256, 256], b=[256, 256], c=[256, 256])
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((16, 16), numba.float32)
    tile_b = cuda.shared.array((16, 16), numba.float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = numba.float32(0)
    for tile in range((a.shape[1] + 15) // 16):
        tile_a[ty, tx] = 0
        tile_b[ty, tx] = 0
        if y < a.shape[0] and tx + tile * 16 < a.shape[1]:
            tile_a[ty, tx] = a[y, tx + tile * 16]
        if x < b.shape[1] and ty + tile * 16 < b.shape[0]:
            tile_b[ty, tx] = b[ty + tile * 16, x]
        cuda.syncthreads()
        for i in range(16):
            total += tile_a[ty, i] * tile_b[i, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


@launched(numba.float32, numba.float32, numba.float32, numba.float32, numba.uint8[:, ::1], numba.int32, block=[32, 8], grid=[8, 16],
          image=[256, 512], limit=64)
def mandelbrot(left, right, top, bottom, image, limit):
    start_x, start_y = cuda.grid(2)
    step_x = (right - left) / image.shape[1]
    step_y = (bottom - top) / image.shape[0]
    for x in range(start_x, image.shape[1], cuda.gridDim.x * cuda.blockDim.x):
        for y in range(start_y, image.shape[0], cuda.gridDim.y * cuda.blockDim.y):
            c = complex(left + x * step_x, top + y * step_y)
            z = 0j
            count = limit
            for i in range(limit):
                z = z * z + c
                if z.real * z.real + z.imag * z.imag >= 4:
                    count = i
                    break
            image[y, x] = count


@launched(IMAGE, IMAGE, numba.float32, block=[128], grid=[16], positions=[2048, 3], velocities=[2048, 3])
def particle_step(positions, velocities, dt):
    i = cuda.grid(1)
    if i < positions.shape[0]:
        ax = numba.float32(0)
        ay = numba.float32(0)
        az = numba.float32(0)
        for j in range(positions.shape[0]):
            dx = positions[j, 0] - positions[i, 0]
            dy = positions[j, 1] - positions[i, 1]
            dz = positions[j, 2] - positions[i, 2]
            inverse = numba.float32(1) / math.sqrt(dx * dx + dy * dy + dz * dz + numba.float32(1e-3))
            cube = inverse * inverse * inverse
            ax += dx * cube
            ay += dy * cube
            az += dz * cube
        velocities[i, 0] += ax * dt
        velocities[i, 1] += ay * dt
        velocities[i, 2] += az * dt


@launched(numba.int32[::1], numba.int32[::1], block=[256], grid=[32], values=[65536], bins=[256])
def histogram(values, bins):
    private = cuda.shared.array(256, numba.int32)
    lane = cuda.threadIdx.x
    private[lane] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(private, values[i] & 255, 1)
    cuda.syncthreads()
    cuda.atomic.add(bins, lane, private[lane])
