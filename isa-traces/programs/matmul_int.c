/* Matrix product of 32-bit integers. */
#include "kernel.h"

enum { N = 26 };
static int a[N][N], b[N][N], c[N][N];

unsigned kernel(void) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      a[i][j] = i * 7 + j * 3 + 1;
      b[i][j] = i * 5 - j * 11 + 2;
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      int sum = 0;
      for (int k = 0; k < N; ++k) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
  u32 checksum = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) checksum = checksum * 17u + (u32)c[i][j];
  }
  return fold(checksum);
}
