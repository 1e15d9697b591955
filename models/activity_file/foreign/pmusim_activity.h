/* Writes activity files (.pma) from any program; docs/activity.md describes the format. Needs C99 and its
 * standard library only. Blocks are stored unpacked; all pmusim commands read them so.
 *
 *     #define PMUSIM_ACTIVITY_IMPLEMENTATION          in one source file
 *     #include "pmusim_activity.h"
 *
 *     pma_writer* w = pma_open("a.pma", "athlon");
 *     int retire = pma_signal(w, "retire");
 *     int clock = pma_state(w, "clock");
 *     int instruction = pma_table(w, "instruction", "id ip length");
 *     uint64_t on = pma_field(w, clock, "on", 1, NULL);
 *     pma_change(w, clock, 0, on);
 *     for each cycle: uint32_t ref = pma_row(w, instruction, (uint64_t[]){id, ip, 4});
 *                     pma_occur(w, retire, cycle, ref, 1, 0);
 *     every few thousand cycles: pma_end_block(w, cycle + 1);
 *     if (pma_close(w, last + 1) != 0) ...
 *
 * Names are those of `pmusim activity dump` and of docs/activity.md; numbers are the writer's own. The data goes
 * to a temporary file beside FILE, which is renamed to FILE when it is complete. A symbolic link is followed to its
 * target (with -std=c99: if this header is included first, or _POSIX_C_SOURCE is defined). A device or a pipe is
 * written directly. All functions may be called after an error: they do nothing, and pma_close() reports the error. */
#ifndef PMUSIM_ACTIVITY_H
#define PMUSIM_ACTIVITY_H

#if defined(__linux__) && defined(__STRICT_ANSI__) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* for readlink() */
#endif
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pma_writer pma_writer;

#define PMA_NO_REF UINT32_MAX
#define PMA_NOT_TOLD UINT64_MAX

/* Creates a file with activity of a target. Returns NULL if there is not enough memory. */
pma_writer* pma_open(const char* file, const char* target);
/* Adds a property of the file, such as "trace.0" or "parameter.core.l1d_ways". Call it before the first block. */
void pma_property(pma_writer* writer, const char* key, const char* value);

/* Declare a signal, a state or a table. Call them before the first block. They return the number that identifies it in
 * the other functions. */
int pma_signal(pma_writer* writer, const char* name);
int pma_state(pma_writer* writer, const char* name);
/* `columns`: names, separated by blanks. A column that is left out has its default value in every row. */
int pma_table(pma_writer* writer, const char* name, const char* columns);
/* Names the next free bits of a signal's detail or a state's value, or of a column of a table. `values`: names of 0, 1,
 * 2, ..., separated by blanks; NULL: a number, or a flag if it is one bit. Returns the mask of the field. To encode a
 * value, multiply it by the lowest bit of the mask. */
uint64_t pma_field(pma_writer* writer, int number, const char* name, unsigned bits, const char* values);
uint64_t pma_column_field(pma_writer* writer, int table, const char* column, const char* name, unsigned bits,
                          const char* values);

/* Adds a record to this block, with one number for each column. Returns its reference, valid until pma_end_block(). */
uint32_t pma_row(pma_writer* writer, int table, const uint64_t* values);
/* Adds an occurrence. Those of one signal must be added in the order of their cycles. `ref`: an instruction or a
 * request, depending on the signal, or PMA_NO_REF. */
void pma_occur(pma_writer* writer, int signal, uint64_t cycle, uint32_t ref, unsigned amount, uint64_t detail);
/* Sets the value of a state from `cycle` on. The changes of one state must be made in the order of their cycles. */
void pma_change(pma_writer* writer, int state, uint64_t cycle, uint64_t value);
/* Sets the number of instructions that a hardware thread (0 or 1) has retired so far. */
void pma_retired(pma_writer* writer, int thread, uint64_t instructions);
/* Ends the block: all cycles before `end` are complete. The block must have at least one cycle. */
void pma_end_block(pma_writer* writer, uint64_t end);
/* Ends the last block, if it has any cycles, and the file. Frees the writer. Returns 0 if everything was written. */
int pma_close(pma_writer* writer, uint64_t end);

#ifdef __cplusplus
}
#endif
#endif

#ifdef PMUSIM_ACTIVITY_IMPLEMENTATION
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
} pma_bytes;

typedef struct {
  uint64_t* data;
  size_t size, room;
} pma_numbers;

typedef struct {
  char name[64];
  pma_bytes fields;
  unsigned field_count, bits;
} pma_name;

/* Signals have at, amount, detail, ref; states at, value; tables their columns. */
typedef struct {
  pma_name name;
  pma_name* column_names;
  pma_numbers* columns;
  unsigned column_count;
  uint64_t value, initial; /* of a state: current, and at the beginning of the block */
} pma_list;

typedef struct {
  pma_list* data;
  size_t size;
} pma_lists;

struct pma_writer {
  FILE* file;
  char *name, *part; /* part: NULL if the file is written in place */
  pma_bytes properties, index, payload;
  unsigned property_count;
  pma_lists lists[3]; /* signals, states, tables */
  uint64_t begin, end, offset, blocks, retired[2];
  int failed, begun;
};

static int pma_grow(pma_writer* w, void** data, size_t* room, size_t size, size_t one) {
  size_t wanted = *room;
  void* grown;
  if (size <= *room) return 1;
  while (wanted < size) wanted = wanted == 0 ? 64 : 2 * wanted;
  grown = realloc(*data, wanted * one);
  if (grown == NULL) {
    w->failed = 1;
    return 0;
  }
  *data = grown;
  *room = wanted;
  return 1;
}

static void pma_put(pma_writer* w, pma_bytes* to, const void* bytes, size_t size) {
  if (size == 0 || !pma_grow(w, (void**)&to->data, &to->room, to->size + size, 1)) return;
  memcpy(to->data + to->size, bytes, size);
  to->size += size;
}

static void pma_put_fixed(pma_writer* w, pma_bytes* to, uint64_t value, unsigned bytes) {
  for (; bytes > 0; --bytes, value >>= 8) {
    const unsigned char byte = (unsigned char)value;
    pma_put(w, to, &byte, 1);
  }
}

static void pma_put_varint(pma_writer* w, pma_bytes* to, uint64_t value) {
  unsigned char byte;
  for (; value >= 0x80; value >>= 7) {
    byte = (unsigned char)(value | 0x80);
    pma_put(w, to, &byte, 1);
  }
  byte = (unsigned char)value;
  pma_put(w, to, &byte, 1);
}

static void pma_put_text(pma_writer* w, pma_bytes* to, const char* text, size_t size) {
  pma_put_varint(w, to, size);
  pma_put(w, to, text, size);
}

static void pma_add(pma_writer* w, pma_numbers* to, uint64_t value) {
  if (pma_grow(w, (void**)&to->data, &to->room, to->size + 1, sizeof *to->data)) to->data[to->size++] = value;
}

static uint32_t pma_crc(uint32_t crc, const unsigned char* bytes, size_t size) {
  int bit;
  crc = ~crc;
  for (; size > 0; --size) {
    crc ^= *bytes++;
    for (bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

static void pma_write(pma_writer* w, const pma_bytes* bytes) {
  if (w->failed) return;
  if (bytes->size != 0 && fwrite(bytes->data, 1, bytes->size, w->file) != bytes->size) w->failed = 1;
  w->offset += bytes->size;
}

static void pma_name_it(pma_writer* w, pma_name* to, const char* name, size_t size) {
  memset(to, 0, sizeof *to);
  if (size >= sizeof to->name) {
    w->failed = 1;
    return;
  }
  memcpy(to->name, name, size);
}

static char* pma_join(const char* first, const char* second) {
  const size_t size = strlen(first) + strlen(second) + 1;
  char* const joined = (char*)malloc(size);
  if (joined != NULL) {
    strcpy(joined, first);
    strcat(joined, second);
  }
  return joined;
}

/* Returns the file name that `name` leads to through symbolic links; NULL: no memory. */
static char* pma_behind_links(const char* name) {
  char* at = pma_join(name, "");
#ifdef S_ISLNK
  char to[4096];
  int links;
  for (links = 0; at != NULL && links < 40; ++links) {
    const ssize_t size = readlink(at, to, sizeof to - 1);
    char *slash = strrchr(at, '/'), *next;
    if (size <= 0) break;
    to[size] = 0;
    *(to[0] == '/' || slash == NULL ? at : slash + 1) = 0;
    next = pma_join(at, to);
    free(at);
    at = next;
  }
#endif
  return at;
}

/* Opens a new temporary file beside the final one, under an unused name; opens a device or a pipe directly. */
static void pma_open_file(pma_writer* w, const char* file) {
  char end[16];
  unsigned number;
#ifdef S_ISREG
  struct stat there;
  if (stat(file, &there) == 0 && !S_ISREG(there.st_mode)) {
    w->file = fopen(file, "wb");
    return;
  }
#endif
  w->name = pma_behind_links(file);
  for (number = 0; w->name != NULL && w->file == NULL && number < 100; ++number) {
    free(w->part);
    sprintf(end, number == 0 ? ".part" : ".part%u", number);
    w->part = pma_join(w->name, end);
    if (w->part != NULL) w->file = fopen(w->part, "wbx");
  }
}

pma_writer* pma_open(const char* file, const char* target) {
  pma_writer* const w = (pma_writer*)calloc(1, sizeof *w);
  if (w == NULL) return NULL;
  pma_open_file(w, file);
  w->failed = w->file == NULL;
  w->retired[0] = w->retired[1] = PMA_NOT_TOLD;
  pma_property(w, "target", target);
  return w;
}

void pma_property(pma_writer* w, const char* key, const char* value) {
  if (w->begun) {
    w->failed = 1;
    return;
  }
  pma_put_text(w, &w->properties, key, strlen(key));
  pma_put_text(w, &w->properties, value, strlen(value));
  ++w->property_count;
}

static int pma_list_add(pma_writer* w, unsigned kind, const char* name, unsigned columns) {
  pma_lists* const lists = &w->lists[kind];
  pma_list* grown;
  if (w->begun) w->failed = 1;
  if (w->failed) return 0;
  grown = (pma_list*)realloc(lists->data, (lists->size + 1) * sizeof *grown);
  if (grown == NULL) {
    w->failed = 1;
    return 0;
  }
  lists->data = grown;
  grown += lists->size;
  memset(grown, 0, sizeof *grown);
  pma_name_it(w, &grown->name, name, strlen(name));
  grown->columns = (pma_numbers*)calloc(columns, sizeof *grown->columns);
  grown->column_names = (pma_name*)calloc(columns, sizeof *grown->column_names);
  grown->column_count = columns;
  if (grown->columns == NULL || grown->column_names == NULL) w->failed = 1;
  return (int)lists->size++;
}

/* The number of a list contains its kind, which pma_field() needs. */
int pma_signal(pma_writer* w, const char* name) { return 4 * pma_list_add(w, 0, name, 4); }
int pma_state(pma_writer* w, const char* name) { return 4 * pma_list_add(w, 1, name, 2) + 1; }

int pma_table(pma_writer* w, const char* name, const char* columns) {
  unsigned count = 0, i = 0;
  const char* p;
  size_t size;
  int number;
  for (p = columns + strspn(columns, " "); *p != 0; ++count) {
    p += strcspn(p, " ");
    p += strspn(p, " ");
  }
  number = pma_list_add(w, 2, name, count);
  for (p = columns + strspn(columns, " "); *p != 0 && !w->failed; ++i, p += size, p += strspn(p, " ")) {
    size = strcspn(p, " ");
    pma_name_it(w, &w->lists[2].data[number].column_names[i], p, size);
  }
  return 4 * number + 2;
}

static pma_list* pma_find(pma_writer* w, int number, int kind) {
  if (w->failed || number < 0 || number % 4 != kind || (size_t)number / 4 >= w->lists[kind].size) {
    w->failed = 1;
    return NULL;
  }
  return &w->lists[kind].data[number / 4];
}

static uint64_t pma_add_field(pma_writer* w, pma_name* to, const char* name, unsigned bits, const char* values) {
  const char* p;
  size_t size;
  unsigned count = 0;
  uint64_t mask;
  if (bits == 0 || bits + to->bits > 64 || w->begun) {
    w->failed = 1;
    return 0;
  }
  mask = (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1) << to->bits;
  to->bits += bits;
  ++to->field_count;
  pma_put_text(w, &to->fields, name, strlen(name));
  pma_put_varint(w, &to->fields, mask);
  if (values == NULL) values = "";
  for (p = values + strspn(values, " "); *p != 0; ++count) {
    p += strcspn(p, " ");
    p += strspn(p, " ");
  }
  pma_put_varint(w, &to->fields, count);
  for (p = values + strspn(values, " "); *p != 0; p += size, p += strspn(p, " ")) {
    size = strcspn(p, " ");
    pma_put_text(w, &to->fields, p, size);
  }
  return mask;
}

uint64_t pma_field(pma_writer* w, int number, const char* name, unsigned bits, const char* values) {
  pma_list* const list = pma_find(w, number, number % 4 == 1);
  return list == NULL ? 0 : pma_add_field(w, &list->name, name, bits, values);
}

uint64_t pma_column_field(pma_writer* w, int table, const char* column, const char* name, unsigned bits,
                          const char* values) {
  pma_list* const list = pma_find(w, table, 2);
  unsigned i;
  for (i = 0; list != NULL && i < list->column_count; ++i) {
    if (strcmp(list->column_names[i].name, column) == 0)
      return pma_add_field(w, &list->column_names[i], name, bits, values);
  }
  w->failed = 1;
  return 0;
}

static void pma_put_name(pma_writer* w, pma_bytes* to, const pma_name* name, int is_column) {
  pma_put_text(w, to, name->name, strlen(name->name));
  if (is_column) pma_put_fixed(w, to, 0, 1);
  pma_put_varint(w, to, name->field_count);
  pma_put(w, to, name->fields.data, name->fields.size);
}

static void pma_begin(pma_writer* w) {
  pma_bytes description = {NULL, 0, 0}, header = {NULL, 0, 0};
  size_t kind, i, c;
  if (w->begun) return;
  w->begun = 1;
  pma_put_varint(w, &description, w->property_count);
  pma_put(w, &description, w->properties.data, w->properties.size);
  for (kind = 0; kind < 3; ++kind) {
    pma_put_varint(w, &description, w->lists[kind].size);
    for (i = 0; i < w->lists[kind].size; ++i) {
      const pma_list* const list = &w->lists[kind].data[i];
      if (kind < 2) {
        pma_put_name(w, &description, &list->name, 0);
        continue;
      }
      pma_put_text(w, &description, list->name.name, strlen(list->name.name));
      pma_put_varint(w, &description, list->column_count);
      for (c = 0; c < list->column_count; ++c) pma_put_name(w, &description, &list->column_names[c], 1);
    }
  }
  pma_put(w, &header, "\x89PMA\r\n\x1a\n", 8);
  pma_put_fixed(w, &header, 1, 4);
  pma_put_fixed(w, &header, description.size, 4);
  pma_put(w, &header, description.data, description.size);
  if (!w->failed) pma_put_fixed(w, &header, pma_crc(0, header.data, header.size), 4);
  pma_write(w, &header);
  free(description.data);
  free(header.data);
}

uint32_t pma_row(pma_writer* w, int table, const uint64_t* values) {
  pma_list* const list = pma_find(w, table, 2);
  unsigned c;
  if (list == NULL || list->column_count == 0) return PMA_NO_REF;
  for (c = 0; c < list->column_count; ++c) pma_add(w, &list->columns[c], values[c]);
  return (uint32_t)(list->columns[0].size - 1);
}

void pma_occur(pma_writer* w, int signal, uint64_t cycle, uint32_t ref, unsigned amount, uint64_t detail) {
  pma_list* const list = pma_find(w, signal, 0);
  if (list == NULL) return;
  if (cycle < w->begin) w->failed = 1;
  pma_add(w, &list->columns[0], cycle - w->begin);
  pma_add(w, &list->columns[1], amount);
  pma_add(w, &list->columns[2], detail);
  pma_add(w, &list->columns[3], ref == PMA_NO_REF ? 0 : (uint64_t)ref + 1);
}

void pma_change(pma_writer* w, int state, uint64_t cycle, uint64_t value) {
  pma_list* const list = pma_find(w, state, 1);
  if (list == NULL) return;
  if (cycle < w->begin) w->failed = 1;
  list->value = value;
  if (cycle == w->begin) {
    list->initial = value;
  } else if (list->columns[0].size > 0 && list->columns[0].data[list->columns[0].size - 1] == cycle - w->begin) {
    list->columns[1].data[list->columns[1].size - 1] = value;
  } else {
    pma_add(w, &list->columns[0], cycle - w->begin);
    pma_add(w, &list->columns[1], value);
  }
}

void pma_retired(pma_writer* w, int thread, uint64_t instructions) { w->retired[thread & 1] = instructions; }

static void pma_put_column(pma_writer* w, pma_numbers* column) {
  size_t i;
  if (column->size == 0) return;
  pma_put_fixed(w, &w->payload, 1, 1); /* column mode: a varint for each entry */
  for (i = 0; i < column->size; ++i) pma_put_varint(w, &w->payload, column->data[i]);
  column->size = 0;
}

void pma_end_block(pma_writer* w, uint64_t end) {
  static const unsigned columns[] = {4, 2, 0};
  pma_bytes head = {NULL, 0, 0};
  size_t kind, i;
  unsigned c;
  pma_begin(w);
  if (end <= w->begin) w->failed = 1;
  if (w->failed) return;
  w->payload.size = 0;
  for (kind = 0; kind < 3; ++kind) {
    const pma_lists* const lists = &w->lists[kind];
    size_t told = 0;
    for (i = 0; i < lists->size; ++i)
      told += kind == 1 || (lists->data[i].column_count > 0 && lists->data[i].columns[0].size > 0);
    pma_put_varint(w, &w->payload, told);
    for (i = 0; i < lists->size; ++i) {
      pma_list* const list = &lists->data[i];
      const size_t rows = list->column_count > 0 ? list->columns[0].size : 0;
      if (kind != 1 && rows == 0) continue;
      pma_put_varint(w, &w->payload, i);
      if (kind == 1) pma_put_varint(w, &w->payload, list->initial);
      pma_put_varint(w, &w->payload, rows);
      for (c = 0; c < (kind == 2 ? list->column_count : columns[kind]); ++c) pma_put_column(w, &list->columns[c]);
      list->initial = list->value;
    }
  }
  pma_put(w, &head, "BLCK", 4);
  pma_put_fixed(w, &head, w->payload.size, 4);
  pma_put_fixed(w, &head, w->payload.size, 4);
  pma_put_fixed(w, &head, 0, 1); /* packing: stored */
  pma_put_fixed(w, &head, w->begin, 8);
  pma_put_fixed(w, &head, end, 8);
  pma_put_fixed(w, &head, w->retired[0], 8);
  pma_put_fixed(w, &head, w->retired[1], 8);
  if (!w->failed)
    pma_put_fixed(w, &head, pma_crc(pma_crc(0, head.data + 4, head.size - 4), w->payload.data, w->payload.size), 4);
  pma_put_fixed(w, &w->index, w->offset, 8);
  pma_put_fixed(w, &w->index, w->begin, 8);
  ++w->blocks;
  pma_write(w, &head);
  pma_write(w, &w->payload);
  free(head.data);
  w->begin = end;
}

static void pma_free_name(pma_name* name) { free(name->fields.data); }

int pma_close(pma_writer* w, uint64_t end) {
  pma_bytes tail = {NULL, 0, 0};
  uint64_t at;
  size_t kind, i, c;
  int failed;
  if (w == NULL) return 1;
  if (end > w->begin) pma_end_block(w, end);
  pma_begin(w);
  at = w->offset;
  pma_put_fixed(w, &w->index, w->begin, 8);
  pma_put(w, &tail, "INDX", 4);
  pma_put_fixed(w, &tail, w->blocks, 8);
  pma_put(w, &tail, w->index.data, w->index.size);
  if (!w->failed) pma_put_fixed(w, &tail, pma_crc(0, w->index.data, w->index.size), 4);
  pma_put_fixed(w, &tail, at, 8);
  pma_put(w, &tail, "PMAEND\r\n", 8);
  pma_write(w, &tail);
  if (w->file != NULL && fclose(w->file) != 0) w->failed = 1;
  if (!w->failed && w->part != NULL && rename(w->part, w->name) != 0) w->failed = 1;
  if (w->failed && w->file != NULL && w->part != NULL) remove(w->part);
  for (kind = 0; kind < 3; ++kind) {
    for (i = 0; i < w->lists[kind].size; ++i) {
      pma_list* const list = &w->lists[kind].data[i];
      for (c = 0; c < list->column_count; ++c) {
        if (list->columns != NULL) free(list->columns[c].data);
        if (list->column_names != NULL) pma_free_name(&list->column_names[c]);
      }
      free(list->columns);
      free(list->column_names);
      pma_free_name(&list->name);
    }
    free(w->lists[kind].data);
  }
  free(w->name);
  free(w->part);
  free(w->properties.data);
  free(w->index.data);
  free(w->payload.data);
  free(tail.data);
  failed = w->failed;
  free(w);
  return failed;
}
#endif
