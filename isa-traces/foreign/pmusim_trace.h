/* Writes instruction traces (.pmt) from any program; isa-traces/README.md describes the format. Needs C99 with its
 * library only (on POSIX also stat() and readlink()). The trace is not compressed; `pmusim trace convert FILE -o
 * SMALL.pmt` compresses it.
 *
 *     #define PMUSIM_TRACE_IMPLEMENTATION          in one source file
 *     #include "pmusim_trace.h"
 *
 *     pmt_writer* w = pmt_open("a.pmt", "i386", "a.out");
 *     pmt_directive(w, "cpl 3");
 *     for each executed instruction, in program order:
 *         pmt_instruction(w, pc, bytes, length);
 *         pmt_access(w, 0, address, size);                     a load; 1: a store
 *         if it was a branch that was taken: pmt_taken(w, target);
 *     if (pmt_close(w) != 0) ...
 *
 * A temporary file in the same folder is written and renamed when it is complete. A symbolic link is replaced at its
 * target (with -std=c99: if this header comes first, or _POSIX_C_SOURCE is defined); a device is refused. All functions
 * may be called after an error: they do nothing, and pmt_close() reports the error. The writer does not check the rules
 * of isa-traces/README.md; `pmusim trace info FILE` reads and checks the whole trace. */
#ifndef PMUSIM_TRACE_H
#define PMUSIM_TRACE_H

#if defined(__linux__) && defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* for readlink() */
#endif
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmt_writer pmt_writer;

/* Creates a trace of an instruction set: "alpha", "ppc", "i386" or "ia64". NULL if out of memory. */
pmt_writer* pmt_open(const char* file, const char* isa, const char* program);

/* Begins an instruction (ia64: a bundle). The functions below apply to this instruction. */
void pmt_instruction(pmt_writer* writer, uint64_t pc, const void* bytes, unsigned length);
/* A memory access: address, and size of the whole operand in bytes. */
void pmt_access(pmt_writer* writer, int store, uint64_t address, unsigned size);
/* The instruction branched to `target`. */
void pmt_taken(pmt_writer* writer, uint64_t target);
/* ia64: a letter for each slot: x executed, p predicated off, - not reached. Example: "xp-"; default: "xxx". */
void pmt_mask(pmt_writer* writer, const char* mask);
/* ia64: pmt_access() for a slot. */
void pmt_slot_access(pmt_writer* writer, unsigned slot, int store, uint64_t address, unsigned size);

/* Keys of a line. Outcomes are numbers: PMT_MISPREDICT 1 none, 2 path, 3 target; PMT_DATA and PMT_FETCH 1 l1, 2 l2,
 * 3 l3, 4 mem; PMT_DTLB and PMT_ITLB 1 hit, 2 l2, 3 walk, 4 fault; PMT_TRAP 1 arithmetic. */
enum pmt_key {
  PMT_MISPREDICT = 2,
  PMT_LAT = 3,
  PMT_DATA = 4,
  PMT_DTLB = 5,
  PMT_FETCH = 6,
  PMT_ITLB = 7,
  PMT_CFM = 16,
  PMT_BSP = 17,
  PMT_LOADRS = 18,
  PMT_FTZ = 20,
  PMT_TRAP = 21
};
void pmt_key(pmt_writer* writer, enum pmt_key key, uint64_t value);
/* The instruction accesses a register of the PMU: rd=NAME, or with `write` wr=NAME:VALUE. */
void pmt_register(pmt_writer* writer, int write, const char* name, uint64_t value);
/* ia64: defer=SLOT:ADDRESS. */
void pmt_deferral(pmt_writer* writer, unsigned slot, uint64_t address);

/* A directive before the next instruction, as in the text form after `! `: "msr pr=1". */
void pmt_directive(pmt_writer* writer, const char* line);

/* Ends the file and frees the writer. Returns 0 on success. */
int pmt_close(pmt_writer* writer);

#ifdef __cplusplus
}
#endif
#endif

#ifdef PMUSIM_TRACE_IMPLEMENTATION
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#include <unistd.h>
#endif

typedef struct {
  unsigned char* data;
  size_t size, room;
} pmt_bytes;

struct pmt_writer {
  FILE* file;
  char *name, *part;
  pmt_bytes header, payload, index, directives, accesses, keys, code;
  uint64_t offset, chunks, instructions, expected;
  uint64_t pc, target, first_pc;
  uint32_t in_chunk, directive_count, access_count, key_count;
  char mask[3];
  int failed, waiting, taken, ia64, wide;
};

enum { pmt_most_in_chunk = 65536, pmt_full_payload = 1 << 20, pmt_block = 128 << 10 };

static void pmt_put(pmt_writer* w, pmt_bytes* to, const void* bytes, size_t size) {
  if (size == 0 || w->failed) return;
  if (to->size + size > to->room) {
    size_t room = to->room == 0 ? 64 : to->room;
    unsigned char* grown;
    while (room < to->size + size) room *= 2;
    grown = (unsigned char*)realloc(to->data, room);
    if (grown == NULL) {
      w->failed = 1;
      return;
    }
    to->data = grown;
    to->room = room;
  }
  memcpy(to->data + to->size, bytes, size);
  to->size += size;
}

static void pmt_put_fixed(pmt_writer* w, pmt_bytes* to, uint64_t value, unsigned bytes) {
  unsigned char out[8];
  unsigned i;
  for (i = 0; i < bytes; ++i) out[i] = (unsigned char)(value >> 8 * i);
  pmt_put(w, to, out, bytes);
}

static void pmt_put_varint(pmt_writer* w, pmt_bytes* to, uint64_t value) {
  unsigned char out[10];
  unsigned size = 0;
  for (; value >= 0x80; value >>= 7) out[size++] = (unsigned char)(value | 0x80);
  out[size++] = (unsigned char)value;
  pmt_put(w, to, out, size);
}

/* Writes a difference modulo 2^64 in zigzag order (0, -1, 1, -2, ...). */
static void pmt_put_signed(pmt_writer* w, pmt_bytes* to, uint64_t value) {
  pmt_put_varint(w, to, value << 1 ^ (0 - (value >> 63)));
}

static void pmt_put_text(pmt_writer* w, pmt_bytes* to, const char* text, size_t size) {
  pmt_put_varint(w, to, size);
  pmt_put(w, to, text, size);
}

static uint32_t pmt_crc(uint32_t crc, const unsigned char* bytes, size_t size) {
  int bit;
  crc = ~crc;
  for (; size > 0; --size) {
    crc ^= *bytes++;
    for (bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

static void pmt_write(pmt_writer* w, const pmt_bytes* bytes) {
  if (w->failed) return;
  if (bytes->size != 0 && fwrite(bytes->data, 1, bytes->size, w->file) != bytes->size) w->failed = 1;
  w->offset += bytes->size;
}

static char* pmt_join(const char* first, const char* second) {
  const size_t size = strlen(first) + strlen(second) + 1;
  char* const joined = (char*)malloc(size);
  if (joined != NULL) {
    strcpy(joined, first);
    strcat(joined, second);
  }
  return joined;
}

/* Resolves symbolic links. The caller must free the result. */
static char* pmt_behind_links(const char* name) {
  char* at = pmt_join(name, "");
#ifdef S_ISLNK
  char to[4096];
  int links;
  for (links = 0; at != NULL && links < 40; ++links) {
    const ssize_t size = readlink(at, to, sizeof to - 1);
    char *slash = strrchr(at, '/'), *next;
    if (size <= 0) break;
    to[size] = 0;
    *(to[0] == '/' || slash == NULL ? at : slash + 1) = 0;
    next = pmt_join(at, to);
    free(at);
    at = next;
  }
#endif
  return at;
}

/* Creates a file with a new name in the folder of `name`. */
static FILE* pmt_open_beside(const char* name, char** part) {
  char end[16];
  unsigned number;
  FILE* file = NULL;
  for (number = 0; file == NULL && number < 100; ++number) {
    free(*part);
    sprintf(end, number == 0 ? ".part" : ".part%u", number);
    *part = pmt_join(name, end);
    if (*part == NULL) return NULL;
    file = fopen(*part, "wbx");
  }
  return file;
}

pmt_writer* pmt_open(const char* file, const char* isa, const char* program) {
  static const char* const names[] = {"alpha", "ppc", "i386", "ia64"};
  pmt_writer* const w = (pmt_writer*)calloc(1, sizeof *w);
  unsigned number = 0;
  if (w == NULL) return NULL;
  while (number < 4 && strcmp(names[number], isa) != 0) ++number;
  w->ia64 = number == 3;
  w->wide = number == 0 || number == 3;
  w->name = pmt_behind_links(file);
  w->failed = number == 4 || strlen(program) > 65535 || w->name == NULL;
#ifdef S_ISREG
  if (!w->failed) { /* a device is not replaced */
    struct stat there;
    if (stat(file, &there) == 0 && !S_ISREG(there.st_mode)) w->failed = 1;
  }
#endif
  if (!w->failed) w->file = pmt_open_beside(w->name, &w->part);
  if (w->file == NULL) w->failed = 1;
  pmt_put(w, &w->header, "\x89PMT\r\n\x1a\n", 8);
  pmt_put_fixed(w, &w->header, 1, 4); /* version */
  pmt_put_fixed(w, &w->header, number, 1);
  pmt_put_fixed(w, &w->header, 1, 1); /* the text has `! isa` */
  pmt_put_fixed(w, &w->header, strlen(program), 2);
  pmt_put_fixed(w, &w->header, pmt_most_in_chunk, 4);
  pmt_put_fixed(w, &w->header, 0, 8); /* number of instructions, not known yet */
  pmt_put(w, &w->header, program, strlen(program));
  if (!w->failed) pmt_put_fixed(w, &w->header, pmt_crc(0, w->header.data, w->header.size), 4);
  pmt_write(w, &w->header);
  return w;
}

static void pmt_end_chunk(pmt_writer* w) {
  pmt_bytes head = {NULL, 0, 0}, frame = {NULL, 0, 0};
  size_t at = 0;
  if (w->payload.size == 0) return;
  /* A zstd frame of raw blocks: magic, a single segment with its size in four bytes, a three-byte header per block. */
  pmt_put(w, &frame, "\x28\xb5\x2f\xfd\xa0", 5);
  pmt_put_fixed(w, &frame, w->payload.size, 4);
  while (at < w->payload.size) {
    const size_t left = w->payload.size - at, size = left < pmt_block ? left : pmt_block;
    pmt_put_fixed(w, &frame, size << 3 | (size == left), 3);
    pmt_put(w, &frame, w->payload.data + at, size);
    at += size;
  }
  pmt_put(w, &head, "CHNK", 4);
  pmt_put_fixed(w, &head, w->payload.size, 4);
  pmt_put_fixed(w, &head, frame.size, 4);
  pmt_put_fixed(w, &head, w->in_chunk, 4);
  pmt_put_fixed(w, &head, w->in_chunk > 0 ? w->first_pc : 0, 8);
  if (!w->failed) pmt_put_fixed(w, &head, pmt_crc(pmt_crc(0, head.data + 4, 20), w->payload.data, w->payload.size), 4);
  pmt_put_fixed(w, &w->index, w->offset, 8);
  pmt_put_fixed(w, &w->index, w->instructions - w->in_chunk, 8);
  ++w->chunks;
  pmt_write(w, &head);
  pmt_write(w, &frame);
  free(head.data);
  free(frame.data);
  w->payload.size = 0;
  w->in_chunk = 0;
}

/* Writes the current instruction, which is complete. All its data is written, as for a new address. */
static void pmt_end_instruction(pmt_writer* w) {
  const int moved = w->in_chunk > 0 && w->pc != w->expected;
  const int other_mask = w->ia64 && memcmp(w->mask, "xxx", 3) != 0;
  const unsigned rare = (w->directive_count > 0) | (unsigned)moved << 1 | (unsigned)(w->key_count > 0) << 2;
  unsigned slot, packed = 0;
  if (!w->waiting || w->failed) return;
  if (w->in_chunk == 0) w->first_pc = w->expected = w->pc;
  pmt_put_fixed(w, &w->payload,
                1u | (w->taken ? 2u | 4u : 0u) | (w->access_count > 0 ? 8u | 16u : 0u) | (rare != 0 ? 32u : 0u) |
                    (other_mask ? 64u : 0u),
                1);
  if (rare != 0) {
    pmt_put_fixed(w, &w->payload, rare, 1);
    if (w->directive_count > 0) pmt_put_varint(w, &w->payload, w->directive_count);
    pmt_put(w, &w->payload, w->directives.data, w->directives.size);
    if (moved) pmt_put_signed(w, &w->payload, w->pc - w->expected);
    if (w->key_count > 0) pmt_put_varint(w, &w->payload, w->key_count);
    pmt_put(w, &w->payload, w->keys.data, w->keys.size);
  }
  pmt_put_text(w, &w->payload, (const char*)w->code.data, w->code.size);
  if (other_mask) {
    for (slot = 0; slot < 3; ++slot) packed |= (w->mask[slot] == 'x' ? 2u : w->mask[slot] == 'p' ? 1u : 0u) << 2 * slot;
    pmt_put_fixed(w, &w->payload, packed, 1);
  }
  if (w->taken) pmt_put_signed(w, &w->payload, w->target);
  if (w->access_count > 0) {
    /* First all shapes, then all addresses: `accesses` has pairs of a shape and an address. */
    const unsigned char* at = w->accesses.data;
    uint64_t before = 0;
    uint32_t i;
    int part;
    pmt_put_varint(w, &w->payload, w->access_count);
    for (part = 0; part < 2; ++part) {
      for (i = 0; i < w->access_count; ++i) {
        uint64_t value = 0;
        int byte;
        for (byte = 7; byte >= 0; --byte) value = value << 8 | at[16 * i + (unsigned)(8 * part + byte)];
        if (part == 0) pmt_put_varint(w, &w->payload, value);
        if (part == 1) pmt_put_signed(w, &w->payload, value - before);
        before = value;
      }
      before = 0;
    }
  }
  w->expected = w->taken ? w->target : w->pc + w->code.size;
  if (!w->wide) w->expected &= 0xffffffffu;
  w->directives.size = w->accesses.size = w->keys.size = w->code.size = 0;
  w->directive_count = w->access_count = w->key_count = 0;
  w->taken = w->waiting = 0;
  ++w->in_chunk;
  ++w->instructions;
  if (w->in_chunk == pmt_most_in_chunk || w->payload.size >= pmt_full_payload) pmt_end_chunk(w);
}

void pmt_instruction(pmt_writer* w, uint64_t pc, const void* bytes, unsigned length) {
  pmt_end_instruction(w);
  if (length == 0 || length > 16) w->failed = 1;
  w->waiting = 1;
  w->pc = pc;
  memcpy(w->mask, "xxx", 3);
  pmt_put(w, &w->code, bytes, length);
}

void pmt_slot_access(pmt_writer* w, unsigned slot, int store, uint64_t address, unsigned size) {
  if (!w->waiting || size == 0 || size > 65535 || slot > (w->ia64 ? 2u : 0u)) w->failed = 1;
  pmt_put_fixed(w, &w->accesses, (uint64_t)(w->ia64 ? size << 2 | slot : size) << 1 | (store != 0), 8);
  pmt_put_fixed(w, &w->accesses, address, 8);
  ++w->access_count;
}

void pmt_access(pmt_writer* w, int store, uint64_t address, unsigned size) {
  pmt_slot_access(w, 0, store, address, size);
}

void pmt_taken(pmt_writer* w, uint64_t target) {
  if (!w->waiting) w->failed = 1;
  w->taken = 1;
  w->target = target;
}

void pmt_mask(pmt_writer* w, const char* mask) {
  if (!w->waiting || !w->ia64 || strlen(mask) != 3 || strspn(mask, "xp-") != 3) {
    w->failed = 1;
    return;
  }
  memcpy(w->mask, mask, 3);
}

static void pmt_begin_key(pmt_writer* w, unsigned key) {
  if (!w->waiting) w->failed = 1;
  pmt_put_fixed(w, &w->keys, key, 1);
  ++w->key_count;
}

void pmt_key(pmt_writer* w, enum pmt_key key, uint64_t value) {
  pmt_begin_key(w, (unsigned)key);
  pmt_put_varint(w, &w->keys, value);
}

void pmt_register(pmt_writer* w, int write, const char* name, uint64_t value) {
  pmt_begin_key(w, write ? 9 : 0); /* 9: wr with a value that has 0x in the text form */
  pmt_put_text(w, &w->keys, name, strlen(name));
  if (write) pmt_put_varint(w, &w->keys, value);
}

void pmt_deferral(pmt_writer* w, unsigned slot, uint64_t address) {
  pmt_begin_key(w, 19);
  pmt_put_varint(w, &w->keys, slot);
  pmt_put_varint(w, &w->keys, address);
}

/* A directive belongs to the instruction after it. */
void pmt_directive(pmt_writer* w, const char* line) {
  const char *p = line + strspn(line, " "), *equals;
  size_t size = strcspn(p, " ");
  uint32_t operands = 0;
  const char* q = p + size;
  pmt_end_instruction(w);
  pmt_put_text(w, &w->directives, p, size);
  for (q += strspn(q, " "); *q != 0; q += strspn(q, " ")) {
    ++operands;
    q += strcspn(q, " ");
  }
  pmt_put_varint(w, &w->directives, operands);
  for (p += size, p += strspn(p, " "); *p != 0; p += size, p += strspn(p, " ")) {
    size = strcspn(p, " ");
    equals = (const char*)memchr(p, '=', size);
    pmt_put_text(w, &w->directives, p, equals == NULL ? 0 : (size_t)(equals - p));
    if (equals == NULL) {
      pmt_put_text(w, &w->directives, p, size);
    } else {
      pmt_put_text(w, &w->directives, equals + 1, size - (size_t)(equals - p) - 1);
    }
  }
  ++w->directive_count;
}

int pmt_close(pmt_writer* w) {
  pmt_bytes tail = {NULL, 0, 0};
  pmt_bytes* all[8];
  uint64_t at;
  int failed, i;
  if (w == NULL) return 1;
  pmt_end_instruction(w);
  if (w->directive_count > 0) { /* after the last instruction */
    pmt_put_varint(w, &w->payload, w->directive_count);
    pmt_put(w, &w->payload, w->directives.data, w->directives.size);
  }
  pmt_end_chunk(w);
  at = w->offset;
  pmt_put_fixed(w, &w->index, w->instructions, 8);
  pmt_put(w, &tail, "INDX", 4);
  pmt_put_fixed(w, &tail, w->chunks, 8);
  pmt_put(w, &tail, w->index.data, w->index.size);
  if (!w->failed) pmt_put_fixed(w, &tail, pmt_crc(0, w->index.data, w->index.size), 4);
  pmt_put_fixed(w, &tail, at, 8);
  pmt_put(w, &tail, "PMTEND\r\n", 8);
  pmt_write(w, &tail);
  if (!w->failed) { /* the header again, with the number of instructions */
    uint64_t count = w->instructions;
    for (i = 0; i < 8; ++i, count >>= 8) w->header.data[20 + i] = (unsigned char)count;
    w->header.size -= 4;
    pmt_put_fixed(w, &w->header, pmt_crc(0, w->header.data, w->header.size), 4);
    if (fseek(w->file, 0, SEEK_SET) != 0) w->failed = 1;
    pmt_write(w, &w->header);
  }
  if (w->file != NULL && fclose(w->file) != 0) w->failed = 1;
  if (!w->failed && rename(w->part, w->name) != 0) w->failed = 1;
  if (w->failed && w->file != NULL) remove(w->part);
  all[0] = &w->header, all[1] = &w->payload, all[2] = &w->index, all[3] = &w->directives;
  all[4] = &w->accesses, all[5] = &w->keys, all[6] = &w->code, all[7] = &tail;
  for (i = 0; i < 8; ++i) free(all[i]->data);
  free(w->name);
  free(w->part);
  failed = w->failed;
  free(w);
  return failed;
}
#endif
