extern "C" __global__ void eight_cases(int* o, const int* a, const int* b, int m) {
  int t = threadIdx.x, x = t, y = 0;
  for (int j = 0; j < m; j++) {
    switch (a[j + t]) {
      case 0:
        x = x * 3 + b[j + 0];
        y ^= x >> 1;
        break;
      case 1:
        x = x * 4 + b[j + 1];
        y ^= x >> 2;
        break;
      case 2:
        x = x * 5 + b[j + 2];
        y ^= x >> 3;
        break;
      case 3:
        x = x * 6 + b[j + 3];
        y ^= x >> 4;
        break;
      case 4:
        x = x * 7 + b[j + 4];
        y ^= x >> 5;
        break;
      case 5:
        x = x * 8 + b[j + 5];
        y ^= x >> 6;
        break;
      case 6:
        x = x * 9 + b[j + 6];
        y ^= x >> 7;
        break;
      case 7:
        x = x * 10 + b[j + 7];
        y ^= x >> 8;
        break;
      default: y++;
    }
  }
  o[t] = x + y;
}
