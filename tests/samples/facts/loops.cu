extern "C" __global__ void w(const float* a, float* c, int n, int m)
{
  float s = 1;
  while (n > 1)
  {
    s *= a[n];
    n = (int)a[n];
    if (s > 3)
      continue;
    s += 2;
  }
  for (int i = 0;
       i < m;
       i += 3)
  {
    s += a[i];
    if (s < 4)
      break;
  }
  do
  {
    s += 5;
    m -= (int)s;
  }
  while (m > 7);
#pragma unroll 4
  for (int j = 0; j < n * m; ++j)
    for (int k = j; k < m; ++k)
      s += a[k] * a[j];
  while (true) {
    s = a[(int)s];
    if (s < 0) break;
    if (s > 4) { s = s - 5; continue; }
    s = s + 1;
  }
  c[0] = s;
}

// What compilers write of these loops, without the sections for debuggers and with this file's name alone in .file:
//   nvcc -ptx -arch=sm_80 -lineinfo loops.cu             loops.nvcc-lineinfo.ptx
//   nvcc -ptx -arch=sm_80 -G loops.cu                    loops.nvcc-G.ptx
//   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_60 -nocudainc -nocudalib -gline-tables-only -S -O0 and -O2,
//   version 14, with samples/cuda_subset.h               loops.clang-O0.ptx, loops.clang-O2.ptx
