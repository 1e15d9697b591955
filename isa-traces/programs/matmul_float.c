/* Matrix products in double and single precision, divisions and square roots with Newton's method. All values are
 * small multiples of 1/16, or are truncated to an integer that rounding errors cannot change, so that all
 * machines give the same result. */
#include "kernel.h"

enum { N = 24 };
static double a[N][N], b[N][N], c[N][N];
static float sa[N][N], sb[N][N], sc[N][N];

static double square_root(double x) {
  double r = x > 1.0 ? x : 1.0;
  for (int i = 0; i < 14; ++i) r = 0.5 * (r + x / r);
  return r;
}

unsigned kernel(void) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      a[i][j] = (i * 3 - j) * 0.25;
      b[i][j] = (i + j * 2) * 0.5;
      sa[i][j] = (float)((i - j) * 0.5);
      sb[i][j] = (float)(i * j % 13) * 0.25f;
    }
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      double sum = 0.0;
      float single = 0.0f;
      for (int k = 0; k < N; ++k) {
        sum += a[i][k] * b[k][j];
        single += sa[i][k] * sb[k][j];
      }
      c[i][j] = sum;
      sc[i][j] = single;
    }
  }
  u32 checksum = 0;
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      checksum = checksum * 13u + (u32)(int)(c[i][j] * 8.0);
      checksum = checksum * 13u + (u32)(int)(sc[i][j] * 8.0f);
    }
  }
  for (int i = 1; i < 100; ++i) {
    const double root = square_root(i * i + 0.5);
    checksum = checksum * 7u + (u32)(int)root; /* between i and i + 1/2 */
  }
  return fold(checksum);
}
