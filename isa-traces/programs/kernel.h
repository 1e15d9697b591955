/* Shared parts of the kernels. A kernel runs without a library and input and returns its checksum, whose low
 * eight bits become the exit status. */
#ifndef PMUSIM_KERNEL_H
#define PMUSIM_KERNEL_H

typedef unsigned char u8;
typedef unsigned int u32; /* 32 bits on every machine of the project */

unsigned kernel(void);

/* A linear congruential generator. Returns the high half, which is more random. */
static inline u32 next_random(u32* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

/* Folds a word into eight bits, so that all bits of a checksum affect the exit status. */
static inline unsigned fold(u32 x) { return (x ^ x >> 8 ^ x >> 16 ^ x >> 24) & 0xFFu; }

#endif
