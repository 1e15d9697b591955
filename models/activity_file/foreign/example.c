/* An invented processor: it retires an instruction in every second cycle; every tenth instruction is a load that
 * misses. It runs at user level except for 100 cycles. To count its instructions and misses, use
 * `pmusim run --activity FILE -e RETIRED_INSTRUCTIONS -e DATA_CACHE_MISSES`.
 *
 *     cc -std=c99 example.c -o example && ./example FILE.pma [INSTRUCTIONS] */
#define PMUSIM_ACTIVITY_IMPLEMENTATION
#include "pmusim_activity.h"

int main(int argc, char** argv) {
  const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 5000;
  const uint64_t block = 4096;
  pma_writer* w;
  uint64_t i, cycle = 0, on, user, load, miss, next_block = block;
  int retire, lookup, clock, cpl, instruction, request;
  if (argc < 2) return fputs("usage: example FILE.pma [INSTRUCTIONS]\n", stderr), 2;
  w = pma_open(argv[1], "athlon");
  if (w == NULL) return 1;
  pma_property(w, "program", "example.c");
  retire = pma_signal(w, "retire");
  lookup = pma_signal(w, "dcache_lookup");
  clock = pma_state(w, "clock");
  cpl = pma_state(w, "cpl");
  on = pma_field(w, clock, "on", 1, NULL);
  user = pma_field(w, cpl, "level", 2, NULL); /* level 3 */
  load = pma_field(w, lookup, "load", 1, NULL);
  miss = pma_field(w, lookup, "miss", 1, NULL);
  instruction = pma_table(w, "instruction", "id ip next_ip length");
  request = pma_table(w, "request", "id address size has_instruction instruction");
  pma_change(w, clock, 0, on);
  pma_change(w, cpl, 0, user);
  pma_change(w, cpl, 1000, 0);
  pma_change(w, cpl, 1100, user);
  for (i = 0; i < count; ++i) {
    uint64_t fields[5];
    uint32_t ref;
    cycle = 2 * i;
    for (; cycle >= next_block; next_block += block) pma_end_block(w, next_block);
    fields[0] = i;
    fields[1] = 0x1000 + 4 * i;
    fields[2] = fields[1] + 4;
    fields[3] = 4;
    ref = pma_row(w, instruction, fields);
    pma_occur(w, retire, cycle, ref, 1, 0);
    if (i % 10 != 0) continue;
    fields[0] = i / 10;
    fields[1] = 0x80000 + 64 * i;
    fields[2] = 4;
    fields[3] = 1;
    fields[4] = i;
    pma_occur(w, lookup, cycle, pma_row(w, request, fields), 1, load | miss);
  }
  pma_retired(w, 0, count);
  return pma_close(w, cycle + 1);
}
