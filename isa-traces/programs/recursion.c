/* Recursion: Fibonacci numbers, towers of Hanoi, Ackermann function, n-queens problem. */
#include "kernel.h"

static u32 fibonacci(u32 n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static u32 moves;
static void hanoi(int discs, int from, int to, int spare) {
  if (discs == 0) return;
  hanoi(discs - 1, from, spare, to);
  moves += (u32)(from * 3 + to);
  hanoi(discs - 1, spare, to, from);
}

static u32 ackermann(u32 m, u32 n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static u32 queens(u32 size, u32 columns, u32 left, u32 right) {
  const u32 all = (1u << size) - 1u;
  if (columns == all) return 1;
  u32 solutions = 0;
  for (u32 free = all & ~(columns | left | right); free; free &= free - 1u) {
    const u32 place = free & (0u - free);
    solutions += queens(size, columns | place, (left | place) << 1, (right | place) >> 1);
  }
  return solutions;
}

unsigned kernel(void) {
  u32 sum = fibonacci(14);           /* 377 */
  hanoi(8, 0, 2, 1);                 /* 255 moves */
  sum = sum * 31u + moves;
  sum = sum * 31u + ackermann(2, 12); /* 27 */
  sum = sum * 31u + queens(6, 0, 0, 0); /* 4 */
  return fold(sum);
}
