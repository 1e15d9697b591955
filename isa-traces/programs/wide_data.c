/* Large data footprint: 3 MB accessed by pages, by lines, and at random. The data cache, the L2 cache and both
 * levels of the data TLB miss, dirty lines are written back, and there are streams of stores. */
#include "kernel.h"

enum { WORDS = 3 * 1024 * 1024 / 4, PAGE = 4096 / 4, LINE = 64 / 4 };
static u32 memory[WORDS];

unsigned kernel(void) {
  u32 sum = 0, seed = 99;
  /* One word of each of 768 pages; four rounds, each on a different line. */
  for (u32 round = 0; round < 4; ++round) {
    for (u32 at = round * LINE; at < WORDS; at += PAGE) memory[at] += at + round;
  }
  for (u32 at = 0; at < WORDS; at += PAGE) sum = sum * 3u + memory[at];
  /* Every line of the first 256 KB and of the last: written, then read in the other direction. */
  for (u32 at = 0; at < 64 * 1024; at += LINE) memory[at] = at ^ sum;
  for (u32 at = WORDS - 64 * 1024; at < WORDS; at += LINE) memory[at] = at + 1u;
  for (u32 at = 64 * 1024; at >= LINE; at -= LINE) sum += memory[at - LINE];
  /* A copy of 32 KB, word by word. */
  for (u32 at = 0; at < 8 * 1024; ++at) memory[WORDS / 2 + at] = memory[at] + 1u;
  /* Random reads and writes in the whole array. */
  for (u32 i = 0; i < 8000; ++i) {
    const u32 at = (next_random(&seed) << 4 ^ seed) % WORDS;
    if (i & 1u) {
      memory[at] ^= i;
    } else {
      sum += memory[at] + i;
    }
  }
  for (u32 at = 0; at < WORDS; at += 3 * LINE) sum = (sum << 5 | sum >> 27) ^ memory[at];
  return fold(sum);
}
