// SPDX-License-Identifier: GPL-3.0-or-later
// The first thread of a block waits for all blocks, and that of the grid adds what they have left. ptxas negates the rank
// in the block, of 64 bits, on both sides of a WARPSYNC.
//   nvcc -cubin -arch=sm_90 -Xptxas -O1 -o after_all.sm_90.cubin after_all.cu
#include <cooperative_groups.h>
extern "C" __global__ void after_all(float* out, unsigned n) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  cooperative_groups::sync(grid);
  if (grid.thread_rank() == 0)
    for (int b = 1; b < gridDim.x; b++) out[0] += out[b];
}
