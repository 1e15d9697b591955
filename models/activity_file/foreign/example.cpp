// The processor of example.c, written in C++.
//
//     c++ -std=c++17 example.cpp -o example && ./example FILE.pma
#define PMUSIM_ACTIVITY_IMPLEMENTATION
#include <cstdio>

#include "pmusim_activity.hpp"

int main(int argc, char** argv) try {
  constexpr std::uint64_t count = 5000, block = 4096;
  if (argc < 2) throw std::runtime_error("usage: example FILE.pma");
  pmusim_activity::Writer writer(argv[1], "athlon");
  writer.property("program", "example.cpp");
  const int retire = writer.signal("retire"), lookup = writer.signal("dcache_lookup");
  const int clock = writer.state("clock"), cpl = writer.state("cpl");
  const std::uint64_t on = writer.field(clock, "on"), user = writer.field(cpl, "level", 2);
  const std::uint64_t load = writer.field(lookup, "load"), miss = writer.field(lookup, "miss");
  const int instruction = writer.table("instruction", "id ip next_ip length");
  const int request = writer.table("request", "id address size has_instruction instruction");
  writer.change(clock, 0, on);
  writer.change(cpl, 0, user);
  writer.change(cpl, 1000, 0);
  writer.change(cpl, 1100, user);
  std::uint64_t next_block = block;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t cycle = 2 * i, ip = 0x1000 + 4 * i;
    for (; cycle >= next_block; next_block += block) writer.end_block(next_block);
    writer.occur(retire, cycle, writer.row(instruction, {i, ip, ip + 4, 4}));
    if (i % 10 == 0) writer.occur(lookup, cycle, writer.row(request, {i / 10, 0x80000 + 64 * i, 4, 1, i}), load | miss);
  }
  writer.retired(0, count);
  writer.close(2 * count - 1);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
