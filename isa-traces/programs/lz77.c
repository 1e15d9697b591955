/* LZ77 compression of generated text with hash chains, decompression, and comparison of the result. */
#include "kernel.h"

enum { SIZE = 4500, HASHES = 512, SHORTEST = 3, LONGEST = 66, DEPTH = 12 };

static u8 input[SIZE], packed[2 * SIZE], output[SIZE];
static short head[HASHES], previous[SIZE];

static void make_text(void) {
  static const char* const words[] = {"counter ", "of ",   "the ",   "cycle ", "cache ", "line ", "a ",    "miss ",
                                      "is ",      "and ",  "branch ", "taken ", "not ",   "when ", "event ", "unit.\n"};
  u32 seed = 11;
  for (int at = 0; at < SIZE;) {
    const u32 r = next_random(&seed);
    const char* w = words[(r & 15u) < 9u ? r % 5u : r % 16u];
    while (*w && at < SIZE) input[at++] = (u8)*w++;
    if ((r & 0x700u) == 0 && at < SIZE) input[at++] = (u8)('0' + r % 10u);
  }
}

static u32 hash_at(int at) { return (input[at] * 331u ^ input[at + 1] * 31u ^ input[at + 2]) % HASHES; }

static void remember(int at) {
  if (at + SHORTEST > SIZE) return;
  const u32 h = hash_at(at);
  previous[at] = head[h];
  head[h] = (short)at;
}

static int match_length(int a, int b) {
  int n = 0;
  while (n < LONGEST && b + n < SIZE && input[a + n] == input[b + n]) ++n;
  return n;
}

/* Tokens: 0xxxxxxx is a literal; 1nnnnnnn with two bytes of distance is a copy of n bytes. */
static int pack(void) {
  int out = 0;
  for (int i = 0; i < HASHES; ++i) head[i] = -1;
  for (int at = 0; at < SIZE;) {
    int best = 0, from = 0;
    if (at + SHORTEST <= SIZE) {
      int depth = 0;
      for (int i = head[hash_at(at)]; i >= 0 && depth < DEPTH; i = previous[i], ++depth) {
        const int n = match_length(i, at);
        if (n > best) best = n, from = i;
      }
    }
    if (best < SHORTEST) {
      packed[out++] = input[at];
      best = 1;
    } else {
      const int distance = at - from;
      packed[out++] = (u8)(0x80 | best);
      packed[out++] = (u8)(distance >> 8);
      packed[out++] = (u8)distance;
    }
    for (int i = 0; i < best; ++i) remember(at++);
  }
  return out;
}

static int unpack(int size) {
  int out = 0;
  for (int at = 0; at < size;) {
    const u8 token = packed[at++];
    if (token < 0x80) {
      output[out++] = token;
      continue;
    }
    const int distance = packed[at] << 8 | packed[at + 1];
    at += 2;
    for (int n = token & 0x7F; n > 0; --n, ++out) output[out] = output[out - distance];
  }
  return out;
}

unsigned kernel(void) {
  make_text();
  const int size = pack();
  if (unpack(size) != SIZE) return 0;
  u32 checksum = (u32)size;
  for (int i = 0; i < SIZE; ++i) {
    if (input[i] != output[i]) return 0;
    checksum = checksum * 31u + output[i];
  }
  for (int i = 0; i < size; ++i) checksum = checksum * 33u + packed[i];
  return fold(checksum);
}
