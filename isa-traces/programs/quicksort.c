/* Quicksort with median of three, insertion sort for short ranges. */
#include "kernel.h"

enum { COUNT = 1600 };
static int values[COUNT];

static void swap(int* a, int* b) {
  const int t = *a;
  *a = *b;
  *b = t;
}

static void insertion_sort(int* v, int n) {
  for (int i = 1; i < n; ++i) {
    const int x = v[i];
    int j = i - 1;
    while (j >= 0 && v[j] > x) {
      v[j + 1] = v[j];
      --j;
    }
    v[j + 1] = x;
  }
}

static void quicksort(int* v, int n) {
  while (n > 12) {
    const int middle = n / 2;
    if (v[middle] < v[0]) swap(&v[middle], &v[0]);
    if (v[n - 1] < v[0]) swap(&v[n - 1], &v[0]);
    if (v[n - 1] < v[middle]) swap(&v[n - 1], &v[middle]);
    const int pivot = v[middle];
    int i = 0, j = n - 1;
    while (i <= j) {
      while (v[i] < pivot) ++i;
      while (v[j] > pivot) --j;
      if (i <= j) swap(&v[i++], &v[j--]);
    }
    quicksort(v, j + 1);
    v += i;
    n -= i;
  }
  insertion_sort(v, n);
}

unsigned kernel(void) {
  u32 seed = 20;
  for (int i = 0; i < COUNT; ++i) values[i] = (int)next_random(&seed) - 30000;
  quicksort(values, COUNT);
  u32 sum = 0;
  for (int i = 0; i < COUNT; ++i) {
    if (i > 0 && values[i - 1] > values[i]) return 0;
    sum = sum * 31u + (u32)values[i];
  }
  return fold(sum);
}
