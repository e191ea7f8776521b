// The functions of the device library, in double and single precision.
// nvcc sm_80
// nvcc sm_75 -lineinfo
// nvcc sm_90 -G

__global__ void double_trigonometry(const double* in, double* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    out[i] = sin(in[i]) * cos(in[i]) + tan(in[i]);
}

__global__ void double_exponentials(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = exp(in[i]) + log(in[i]) + pow(in[i], 1.7);
}

__global__ void float_trigonometry(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sinf(in[i]) + cosf(in[i]);
}

__global__ void float_special(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = powf(in[i], 2.5f) + erff(in[i]) + cbrtf(in[i]) + tanhf(in[i]);
}

__global__ void gamma_functions(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = lgamma(in[i]) + tgamma(in[i]) + erf(in[i]);
}

__global__ void float_remainders(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fmodf(a[i], b[i]) + remainderf(a[i], b[i]);
}

__global__ void double_remainders(const double* a, const double* b, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fmod(a[i], b[i]);
}

__global__ void bessel(const float* in, float* out, int order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = j0f(in[i]) + jnf(order, in[i]);
}

__global__ void divisions(const long long* a, const long long* b, long long* out, double* quotients, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a[i] / b[i] + a[i] % 10;
  quotients[i] = (double)a[i] / (double)b[i] + sqrt((double)a[i]);
}

__global__ void black_scholes_double(const double* spot, const double* strike, double* call, double* put, int n,
                                     double rate, double vol, double years) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    double root = sqrt(years);
    double d1 = (log(spot[i] / strike[i]) + (rate + 0.5 * vol * vol) * years) / (vol * root), d2 = d1 - vol * root;
    double discount = strike[i] * exp(-rate * years);
    call[i] = spot[i] * normcdf(d1) - discount * normcdf(d2);
    put[i] = discount * normcdf(-d2) - spot[i] * normcdf(-d1);
  }
}

// Kepler's equation: Newton, until the step is small.
__global__ void kepler_newton(const double* mean_anomaly, double* anomaly, int n, double e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double m = mean_anomaly[i], x = m, step;
  do {
    step = (x - e * sin(x) - m) / (1 - e * cos(x));
    x -= step;
  } while (fabs(step) > 1e-12);
  anomaly[i] = x;
}

// Simpson's rule with a step that a caller chooses.
__global__ void integrate(double* out, double begin, double end, double h) {
  double sum = 0;
  for (double x = begin + threadIdx.x * h; x < end; x += blockDim.x * h) sum += exp(-x * x);
  out[threadIdx.x] = sum;
}
