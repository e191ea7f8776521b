// The kernel of the CUDA sample BlackScholes (NVIDIA/cuda-samples, Samples/5_Domain_Specific/BlackScholes), written
// anew with the same launch, accesses and arithmetic: two options for each thread.

__device__ float cumulative_normal(float d) {
  const float k = __fdividef(1.0f, 1.0f + 0.2316419f * fabsf(d));
  const float polynomial =
      k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float tail = 0.3989422804f * __expf(-0.5f * d * d) * polynomial;
  return d > 0 ? 1.0f - tail : tail;
}

__device__ void price(float& call, float& put, float stock, float strike, float years, float rate, float volatility) {
  const float root = __fdividef(1.0f, rsqrtf(years));
  const float d1 =
      __fdividef(__logf(stock / strike) + (rate + 0.5f * volatility * volatility) * years, volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = cumulative_normal(d1);
  const float n2 = cumulative_normal(d2);
  const float discount = __expf(-rate * years);
  call = stock * n1 - strike * discount * n2;
  put = strike * discount * (1.0f - n2) - stock * (1.0f - n1);
}

extern "C" __global__ void __launch_bounds__(128)
    black_scholes(float2* __restrict__ calls, float2* __restrict__ puts, const float2* __restrict__ stocks,
                  const float2* __restrict__ strikes, const float2* __restrict__ years, float rate, float volatility,
                  int options) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < options / 2) {
    float2 call, put;
    price(call.x, put.x, stocks[i].x, strikes[i].x, years[i].x, rate, volatility);
    price(call.y, put.y, stocks[i].y, strikes[i].y, years[i].y, rate, volatility);
    calls[i] = call;
    puts[i] = put;
  }
}
