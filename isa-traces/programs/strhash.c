/* Strings and hashing: numbers are written as words, inserted into a hash table with chains, looked up, compared. */
#include "kernel.h"

enum { WORDS = 260, BUCKETS = 64, LENGTH = 24 };

static char text[WORDS][LENGTH];
static int chain[WORDS];
static int bucket[BUCKETS];

static int length_of(const char* s) {
  int n = 0;
  while (s[n]) ++n;
  return n;
}

static int compare(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return (u8)*a - (u8)*b;
}

static u32 hash(const char* s) {
  u32 h = 2166136261u;
  while (*s) h = (h ^ (u8)*s++) * 16777619u;
  return h;
}

static void write_number(char* to, u32 value) {
  static const char digits[] = "zotufvsxen";
  char reversed[12];
  int n = 0;
  do {
    reversed[n++] = digits[value % 10];
    value /= 10;
  } while (value);
  *to++ = 'w';
  while (n) *to++ = reversed[--n];
  *to = 0;
}

static int find(const char* word) {
  for (int i = bucket[hash(word) % BUCKETS]; i >= 0; i = chain[i]) {
    if (compare(text[i], word) == 0) return i;
  }
  return -1;
}

unsigned kernel(void) {
  for (int i = 0; i < BUCKETS; ++i) bucket[i] = -1;
  u32 seed = 3, found = 0, checksum = 0;
  for (int i = 0; i < WORDS; ++i) {
    write_number(text[i], next_random(&seed) % 4000u * 37u);
    if (find(text[i]) >= 0) ++found;
    const u32 b = hash(text[i]) % BUCKETS;
    chain[i] = bucket[b];
    bucket[b] = i;
  }
  char probe[LENGTH];
  for (u32 i = 0; i < 400; ++i) {
    write_number(probe, i * 37u);
    const int at = find(probe);
    if (at >= 0) found += 1000u + (u32)length_of(text[at]);
    checksum = checksum * 33u + hash(probe);
  }
  return fold(checksum + found);
}
