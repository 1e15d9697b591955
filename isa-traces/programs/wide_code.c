/* Large code footprint: 512 contiguous functions (about 100 KB), and 320 functions on separate pages. They are called
 * through tables in a pseudo-random order and in chains of 24 calls, so that the instruction cache, both levels of
 * the instruction TLB, the branch target tables and the return stack overflow. */
#include "kernel.h"

typedef u32 (*function)(u32, u32);
extern const function packed_functions[512], paged_functions[320];

static u32 descend(u32 x, u32 depth) {
  if (depth == 0) return x;
  const function f = depth & 1u ? packed_functions[(x >> 3) % 512u] : paged_functions[(x >> 5) % 320u];
  return f(x + depth, depth - 1);
}

/* The body of a function. K determines its constants, so that the code of each function is different. */
#define BODY(K)                                            \
  x ^= (K) * 40503u + 12345u;                              \
  if (x & 1u << (K) % 13) x = x * 5u + (K);                \
  else x = (x >> 3 | x << 29) - (K);                       \
  if ((x & 0x300u) == 0) x += depth * ((K) | 1u);          \
  for (u32 i = (K) % 3u; i > 0; --i) x += x << 7 ^ i;       \
  return depth ? descend(x ^ x >> 15, depth) + (K) : x + ((K) ^ x << 4)

#define PACKED(K) static __attribute__((noinline)) u32 packed_##K(u32 x, u32 depth) { BODY(0##K##u); }
#define PAGED(K) static __attribute__((noinline, aligned(4096))) u32 paged_##K(u32 x, u32 depth) { BODY(0##K##u + 777u); }

/* Octal digits build the names: 512 = 8 * 8 * 8, 320 = 5 * 8 * 8. */
#define EACH8(F, P) F(P##0) F(P##1) F(P##2) F(P##3) F(P##4) F(P##5) F(P##6) F(P##7)
#define EACH64(F, P) \
  EACH8(F, P##0) EACH8(F, P##1) EACH8(F, P##2) EACH8(F, P##3) EACH8(F, P##4) EACH8(F, P##5) EACH8(F, P##6) EACH8(F, P##7)
#define EACH320(F) EACH64(F, 0) EACH64(F, 1) EACH64(F, 2) EACH64(F, 3) EACH64(F, 4)
#define EACH512(F) EACH320(F) EACH64(F, 5) EACH64(F, 6) EACH64(F, 7)

EACH512(PACKED)
EACH320(PAGED)

#define PACKED_NAME(K) packed_##K,
#define PAGED_NAME(K) paged_##K,
const function packed_functions[512] = {EACH512(PACKED_NAME)};
const function paged_functions[320] = {EACH320(PAGED_NAME)};

unsigned kernel(void) {
  u32 sum = 0, seed = 6;
  for (u32 i = 0; i < 512; ++i) sum = packed_functions[i](sum, 0);
  for (u32 i = 0; i < 320; ++i) sum = paged_functions[i](sum, 0);
  for (u32 i = 0; i < 2500; ++i) {
    const u32 r = next_random(&seed);
    sum = r & 64u ? packed_functions[r % 512u](sum, 0) : paged_functions[r % 320u](sum, 0);
  }
  for (u32 i = 0; i < 120; ++i) sum = descend(sum + i, 24);
  return fold(sum);
}
