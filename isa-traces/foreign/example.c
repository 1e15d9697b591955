/* Writes the trace of a loop that adds the words of an array, as another simulator could record it. `pmusim run -t
 * athlon --trace FILE -e RETIRED_INSTRUCTIONS` counts its instructions.
 *
 *     cc -std=c99 example.c -o example && ./example FILE.pmt [ROUNDS] */
#define PMUSIM_TRACE_IMPLEMENTATION
#include "pmusim_trace.h"

int main(int argc, char** argv) {
  static const unsigned char add[] = {0x03, 0x04, 0x8e}; /* add (%esi,%ecx,4),%eax */
  static const unsigned char dec[] = {0x49};             /* dec %ecx */
  static const unsigned char jns[] = {0x79, 0xfa};       /* jns to the add */
  static const unsigned char ret[] = {0xc3};
  const unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000;
  pmt_writer* w;
  unsigned i;
  if (argc < 2 || rounds == 0) return fputs("usage: example FILE.pmt [ROUNDS]\n", stderr), 2;
  w = pmt_open(argv[1], "i386", "example");
  if (w == NULL) return 1;
  pmt_directive(w, "cpl 3");
  for (i = rounds; i-- > 0;) {
    pmt_instruction(w, 0x8049000, add, sizeof add);
    pmt_access(w, 0, 0x804c000 + 4 * i, 4);
    pmt_instruction(w, 0x8049003, dec, sizeof dec);
    pmt_instruction(w, 0x8049004, jns, sizeof jns);
    if (i > 0) pmt_taken(w, 0x8049000);
  }
  pmt_instruction(w, 0x8049006, ret, sizeof ret);
  pmt_access(w, 0, 0xbffff7fc, 4);
  pmt_taken(w, 0x8048100); /* target of the last line: the trace ends here */
  return pmt_close(w);
}
