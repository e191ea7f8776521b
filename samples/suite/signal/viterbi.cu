// Viterbi decoding of a convolutional code with 64 states: a block a frame, a thread a state. Each step takes the better
// of two ways into a state; at the end one thread goes back along the decisions.
#include "../suite_subset.h"

constexpr int kStates = 64;

extern "C" __global__ void __launch_bounds__(kStates)
    viterbi(const int* received, const int* symbols, unsigned char* decisions, unsigned char* bits, int steps) {
  __shared__ int costs[2][kStates];
  const int state = threadIdx.x;
  const int* frame = received + blockIdx.x * steps;
  unsigned char* history = decisions + blockIdx.x * steps * kStates;
  const int symbol_0 = symbols[2 * state];
  const int symbol_1 = symbols[2 * state + 1];

  costs[0][state] = state == 0 ? 0 : 1000000;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const int* old = costs[step % 2];
    const int got = frame[step];
    const int way_0 = old[2 * state % kStates] + __popc(got ^ symbol_0);
    const int way_1 = old[2 * state % kStates + 1] + __popc(got ^ symbol_1);
    costs[(step + 1) % 2][state] = min(way_0, way_1);
    history[step * kStates + state] = way_1 < way_0;
    __syncthreads();
  }
  if (state == 0) {
    int at = 0;
    for (int step = steps - 1; step >= 0; --step) {
      bits[blockIdx.x * steps + step] = at / (kStates / 2);
      at = (2 * at + history[step * kStates + at]) % kStates;
    }
  }
}
