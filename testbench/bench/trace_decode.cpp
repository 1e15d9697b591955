// Measures how fast traces are read and written. A synthetic trace of nested loops with strided and irregular accesses,
// about as predictable as a small kernel. Each benchmark reports items (instructions) per second.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "pmusim/trace/reader.h"
#include "pmusim/trace/writer.h"

namespace {

using namespace pmusim::trace;

constexpr std::uint64_t instructions = 4'000'000;

/// Straight lines of 20 instructions in loops of 40 iterations; 500 such loops in sequence, repeated: 10,000 static
/// instructions. Six instructions of each line load or store: four with strides, two irregularly.
void write_trace(Writer& writer) {
  constexpr std::uint64_t line = 20, rounds = 40, loops = 500, base = 0x10000000;
  std::mt19937 random(1);
  Code code;
  code.length = 4;
  Access access;
  for (std::uint64_t i = 0; i < instructions; ++i) {
    const std::uint64_t place = i % line, round = i / line % rounds, loop = i / line / rounds % loops;
    code.pc = base + 4 * (loop * line + place);
    const std::uint64_t number = code.pc * 0x9e3779b97f4a7c15u;
    for (unsigned b = 0; b < 4; ++b) code.bytes[b] = static_cast<std::uint8_t>(number >> (32 + 8 * b));
    Item item;
    item.instruction.code = &code;
    if (place % 3 == 1 && place < 18) {
      access.size = 4;
      access.store = place % 2 == 0;
      access.address = 0x20000000 + 0x10000 * loop + (place < 12 ? 4096 * place + 4 * round : random() % 0x8000);
      item.instruction.accesses = {&access, 1};
    }
    if (place + 1 == line && i + 1 < instructions) {
      const std::uint64_t next_loop = (i + 1) / line / rounds % loops;
      const std::uint64_t next = base + 4 * next_loop * line;
      item.instruction.taken = next != code.pc + 4;
      item.instruction.target = next;
    }
    writer.write(item);
  }
  writer.close();
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The trace in both formats, in memory.
struct Sample {
  std::string pmt, text;
  Sample() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pmusim-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    const std::filesystem::path folder(pattern);
    write_trace(*create_pmt(folder / "t.pmt", Isa::ppc, "synthetic"));
    write_trace(*create_text(folder / "t.txt", Isa::ppc));
    pmt = content_of(folder / "t.pmt");
    text = content_of(folder / "t.txt");
    std::filesystem::remove_all(folder);
  }
};

const Sample& sample() {
  static const Sample made;
  return made;
}

std::uint64_t read(Reader& reader) {
  std::uint64_t sum = 0;
  for (Item item; reader.next(item);) {
    sum += item.instruction.code->pc;
    for (const Access& access : item.instruction.accesses) sum += access.address;
  }
  return sum;
}

void decode_pmt(benchmark::State& state) {
  const std::string& trace = sample().pmt;  // made outside the measured loop
  for (auto _ : state) benchmark::DoNotOptimize(read(*open_memory(trace, "sample")));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * instructions));
  state.counters["bytes_per_instruction"] = static_cast<double>(sample().pmt.size()) / instructions;
}

void parse_text(benchmark::State& state) {
  const std::string& trace = sample().text;
  for (auto _ : state) benchmark::DoNotOptimize(read(*open_memory(trace, "sample")));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * instructions));
  state.counters["bytes_per_instruction"] = static_cast<double>(sample().text.size()) / instructions;
}

void encode_pmt(benchmark::State& state) {
  const auto file = std::filesystem::temp_directory_path() / "pmusim-bench-encode.pmt";
  PmtOptions options;
  options.level = static_cast<int>(state.range(0));
  for (auto _ : state) write_trace(*create_pmt(file, Isa::ppc, "synthetic", options));
  std::filesystem::remove(file);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * instructions));
}

BENCHMARK(decode_pmt)->Unit(benchmark::kMillisecond);
BENCHMARK(parse_text)->Unit(benchmark::kMillisecond);
BENCHMARK(encode_pmt)->Arg(3)->Arg(9)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
