// Prices of European options after Black and Scholes, the normal distribution by a polynomial.
#include "../suite_subset.h"

__device__ float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.39894228f * expf(-0.5f * d * d) * polynomial;
  return d > 0.0f ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float* prices, const float* strikes, const float* years, float* calls,
                                         float* puts, float rate, float volatility, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const float price = prices[i];
    const float strike = strikes[i];
    const float root = sqrtf(years[i]);
    const float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float discounted = strike * expf(-rate * years[i]);
    const float call = price * normal_distribution(d1) - discounted * normal_distribution(d2);
    calls[i] = call;
    puts[i] = call + discounted - price;
  }
}
