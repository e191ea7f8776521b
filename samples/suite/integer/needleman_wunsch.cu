// A tile of 32 x 32 scores of a sequence alignment after Needleman and Wunsch, diagonal by diagonal: a warp a tile, of
// the tiles of one anti-diagonal of the matrix.
#include "../suite_subset.h"

constexpr int kTile = 32;

extern "C" __global__ void __launch_bounds__(kTile)
    needleman_wunsch(int* scores, const signed char* a, const signed char* b, int width, int diagonal, int penalty) {
  __shared__ int tile[kTile + 1][kTile + 1];
  const int tile_x = blockIdx.x;
  const int tile_y = diagonal - blockIdx.x;
  const int left = tile_x * kTile;
  const int top = tile_y * kTile;
  const int i = threadIdx.x;

  tile[0][i + 1] = scores[top * width + left + i + 1];
  tile[i + 1][0] = scores[(top + i + 1) * width + left];
  if (i == 0) {
    tile[0][0] = scores[top * width + left];
  }
  const signed char mine = a[left + i];
  __syncthreads();
  for (int step = 0; step < 2 * kTile - 1; ++step) {
    const int j = step - i;
    if (j >= 0 && j < kTile) {
      const int match = tile[j][i] + (mine == b[top + j] ? 3 : -1);
      const int gap = max(tile[j][i + 1], tile[j + 1][i]) - penalty;
      tile[j + 1][i + 1] = max(match, gap);
    }
    __syncthreads();
  }
  for (int j = 0; j < kTile; ++j) {
    scores[(top + j + 1) * width + left + i + 1] = tile[j + 1][i + 1];
  }
}
