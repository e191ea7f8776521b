"""Kernels in the style of Warp's examples, each with what it is launched with.

'KERNELS' has for each: the kernel; its number of threads by dimension; integers, and shapes of arrays, by the names of
parameters.
"""
import warp as wp

KERNELS = []


def launched(dim, **arguments):
    """Notes how the kernel below is launched."""
    def note(function):
        kernel = wp.kernel(function, enable_backward=False)
        KERNELS.append({"kernel": kernel, "dim": dim, "arguments": arguments})
        return kernel
    return note


@launched([1000000], x=[1000000], y=[1000000])
def saxpy(a: wp.float32, x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32)):
    i = wp.tid()
    y[i] = a * x[i] + y[i]


@launched([512, 512], field=[512, 512], out=[512, 512])
def heat_stencil(field: wp.array2d(dtype=wp.float32), out: wp.array2d(dtype=wp.float32), alpha: wp.float32):
    i, j = wp.tid()
    if i > 0 and i < field.shape[0] - 1 and j > 0 and j < field.shape[1] - 1:
        around = field[i - 1, j] + field[i + 1, j] + field[i, j - 1] + field[i, j + 1]
        out[i, j] = field[i, j] + alpha * (around - 4.0 * field[i, j])


@launched([65536], values=[65536], total=[1])
def sum_of_squares(values: wp.array(dtype=wp.float32), total: wp.array(dtype=wp.float32)):
    i = wp.tid()
    wp.atomic_add(total, 0, values[i] * values[i])


@launched([16384], positions=[16384], velocities=[16384])
def particle_step(positions: wp.array(dtype=wp.vec3), velocities: wp.array(dtype=wp.vec3), gravity: wp.vec3, dt: wp.float32,
                  radius: wp.float32):
    """A step of time, and a bounce off a sphere and the ground."""
    i = wp.tid()
    velocity = velocities[i] + gravity * dt
    position = positions[i] + velocity * dt
    distance = wp.length(position) - radius
    if distance < 0.0:
        normal = wp.normalize(position)
        position = position - normal * distance
        velocity = velocity - normal * (1.5 * wp.dot(normal, velocity))
    if position[1] < 0.0:
        position = wp.vec3(position[0], 0.0, position[2])
        velocity = wp.vec3(velocity[0], -0.5 * velocity[1], velocity[2])
    positions[i] = position
    velocities[i] = velocity


@launched([4096], offsets=[4097], columns=[65536], matrix=[65536], x=[4096], y=[4096], most=64)
def sparse_rows(offsets: wp.array(dtype=wp.int32), columns: wp.array(dtype=wp.int32), matrix: wp.array(dtype=wp.float32),
                x: wp.array(dtype=wp.float32), y: wp.array(dtype=wp.float32), most: wp.int32):
    """Rows in memory, of which no more than so many entries are taken."""
    row = wp.tid()
    total = float(0.0)
    begin = offsets[row]
    count = wp.min(offsets[row + 1] - begin, most)
    for k in range(count):
        total += matrix[begin + k] * x[columns[begin + k]]
    y[row] = total


@launched([8192], seeds=[8192], heights=[8192], octaves=6)
def noise_octaves(seeds: wp.array(dtype=wp.vec3), heights: wp.array(dtype=wp.float32), octaves: wp.int32, seed: wp.int32):
    """Random numbers and noise of the library."""
    i = wp.tid()
    state = wp.rand_init(seed, i)
    point = seeds[i] + wp.vec3(wp.randf(state), wp.randf(state), wp.randf(state)) * 0.01
    total = float(0.0)
    scale = float(1.0)
    for _ in range(octaves):
        total += scale * wp.noise(wp.uint32(seed), point)
        point = point * 2.0
        scale = scale * 0.5
    heights[i] = total


@launched([256, 256], a=[512, 512], b=[512, 512], c=[512, 512])
def matrix_tile(a: wp.array2d(dtype=wp.float32), b: wp.array2d(dtype=wp.float32), c: wp.array2d(dtype=wp.float32)):
    """A tile of 2 by 2 of the product by each thread."""
    i, j = wp.tid()
    for row in range(2):
        for column in range(2):
            total = float(0.0)
            for k in range(a.shape[1]):
                total += a[i * 2 + row, k] * b[k, j * 2 + column]
            c[i * 2 + row, j * 2 + column] = total
