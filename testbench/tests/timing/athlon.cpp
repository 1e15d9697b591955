// Measurements of the Athlon.
#include <fmt/format.h>

#include <utility>

#include "bench.h"
#include "measures.h"
#include "silicon.h"

namespace pmusim::timing {
namespace {

struct Line {
  std::string bytes, accesses = "";
};
using Lines = std::vector<Line>;

/// Each access hits, unless a program specifies otherwise.
constexpr auto hits = "dtlb=hit data=l1";

const Chip& chip() {
  static const Chip athlon("athlon");
  return athlon;
}

/// Clocks of a repeated group of instructions.
double group(const Lines& lines) {
  return chip().each([&](unsigned n) {
    Code code;
    for (; n != 0; --n) {
      for (const auto& [bytes, accesses] : lines) code.op(bytes, accesses, accesses.empty() ? "" : hits);
    }
    return code.text();
  });
}

/// Clocks of an instruction that waits for the previous one.
std::function<double()> chain(const std::string& bytes, const std::string& accesses = "") {
  return [=] { return group({{bytes, accesses}}); };
}

std::function<double()> repeated(const Lines& lines) {
  return [=] { return group(lines); };
}

/// Half the clocks of a group that consists of two equal groups with different registers.
std::function<double()> halved(const Lines& lines) {
  return [=] { return group(lines) / 2; };
}

/// Clocks of each of these instructions, which are independent of one another.
std::function<double()> stream(const Lines& lines) {
  return [=] { return group(lines) / static_cast<double>(lines.size()); };
}

// add r,1 of six registers; nothing else writes or reads them.
const Lines additions = {{"83c001"}, {"83c101"}, {"83c201"}, {"83c301"}, {"83c601"}, {"83c701"}};
const Lines fp_additions = {{"dcc1"}, {"dcc2"}, {"dcc3"}, {"dcc4"}};
const Lines fp_mixture = {{"dcc1"}, {"dccd"}, {"dcc2"}, {"dcce"}, {"dcc3"}, {"dccf"}, {"dcc4"}};
// paddd of mm0 to mm3; pmullw of mm0 to mm3.
const Lines mmx_additions = {{"0ffec0"}, {"0ffec9"}, {"0ffed2"}, {"0ffedb"}};
const Lines mmx_products = {{"0fd5c0"}, {"0fd5c9"}, {"0fd5d2"}, {"0fd5db"}};

/// mov eax,[eax], once for each address.
std::string loads(const std::vector<std::uint64_t>& addresses, const std::string& keys) {
  Code code;
  for (const std::uint64_t address : addresses) {
    code.op("8b00", fmt::format("L {:x} 4", address), keys);
  }
  return code.text();
}

const Walk& caches() {
  static const Walk walk(chip(), [](const auto& addresses) { return loads(addresses, "dtlb=hit"); });
  return walk;
}

/// Entries of the first-level TLB, or of both levels.
double pages(bool second_level) {
  constexpr std::uint64_t page = 4096;
  const Walk walk(chip(), [](const auto& addresses) { return loads(addresses, "data=l1"); });
  // From 64 pages on, which the first level does not hold, the walk measures the second level.
  return second_level ? walk.fit(page, 64, 512) : walk.fit(page, 1, 64);
}

/// Nested calls, then their returns, in a loop: the largest depth at which all returns are predicted.
double return_stack() {
  const auto word = [](const char* access, unsigned depth) {
    return fmt::format("{} {:x} 4", access, 0x8000 - 4 * depth);
  };
  const auto nest = [&](unsigned depth) {
    return chip().each(
        [&](unsigned n) {
          Code code;
          for (; n != 0; --n) {
            // call +0x1b at 0x10000, 0x10020, ..., with a ret after each; the innermost ret; jmp to the start. No two
            // of them share an entry of the branch target buffer.
            for (unsigned i = 0; i < depth; ++i) code.go("e81b000000", 0x10020 + 0x20 * i, word("S", i), hits);
            for (unsigned i = depth; i != 0; --i) code.go("c3", 0x10005 + 0x20 * (i - 1), word("L", i - 1), hits);
            code.go("e9f6ffffff", 0x10000);
          }
          return code.op("90").text();
        },
        8);
  };
  const double least_penalty = 5, level = nest(3) - nest(2);
  return largest(2, 64, [&](unsigned depth) { return nest(depth) - nest(depth - 1) < level + least_penalty; });
}

/// Additional clocks of a mispredicted branch.
double misprediction() {
  const auto branches = [](const std::string& how) {
    return chip().each([&](unsigned n) {
      Code code("");
      for (; n != 0; --n) code.op("7400", "", "mispredict=" + how).op("90").go("ebfb", 0x10000);
      return code.op("90").text();
    });
  };
  return branches("path") - branches("none");
}

/// Jumps between two lines, both in the branch target buffer.
double jumps() {
  return chip().each([](unsigned n) {
    Code code;
    for (; n != 0; --n) code.go("eb7e", 0x10080).go("e97bffffff", 0x10000);
    return code.op("90").text();
  }) / 2;
}

}  // namespace

Measures athlon() {
  Measures all{
      {"integer ALU", "latency", chain("01c0")},
      {"integer ALU", "throughput", stream(additions)},
      {"shift", "latency", chain("d1e0")},
      {"lea", "latency", chain("8d048500000000")},
      {"mul low word", "latency", chain("f7e1")},
      {"mul high word", "latency",
       [] {
         return group({{"f7e1"}, {"89d0"}}) - 1;
       }},
      {"mul", "throughput", repeated({{"89d8"}, {"f7e1"}})},
      {"imul r,r", "latency", chain("0fafc1")},
      {"div r32", "latency", chain("f7f1")},
      {"idiv r32", "latency", chain("f7f9")},
      {"load and operate", "latency", chain("2300", "L 1000 4")},
      {"store", "throughput", stream({{"8903", "S 1000 4"}, {"894b04", "S 1004 4"}})},
      {"read-modify-write", "latency", chain("010b", "L 1000 4 S 1000 4")},
      {"store to load", "latency", repeated({{"8903", "S 1000 4"}, {"8b03", "L 1000 4"}})},
      {"shrd cl", "latency", chain("0fadd0")},
      {"xor r,r", "rule", repeated({{"0fafc1"}, {"31c0"}})},
      {"fdiv", "latency", chain("d8f1")},
      {"fsqrt", "latency", chain("d9fa")},
      {"fchs", "latency", chain("d9e0")},
      {"fcmov", "latency", chain("dac1")},
      {"fadd", "throughput", stream(fp_additions)},
      {"fadd beside fmul", "pairing", stream(fp_mixture)},
      {"MMX add", "latency", chain("0ffec0")},
      {"MMX multiply", "latency", chain("0fd5c0")},
      {"MMX add", "throughput", stream(mmx_additions)},
      {"MMX load beside two adds", "pairing",
       halved({{"0f6f23", "L 1000 8"}, {"0ffec0"}, {"0ffec9"}, {"0f6f23", "L 1000 8"}, {"0ffed2"}, {"0ffedb"}})},
      {"MMX store beside two adds", "pairing",
       halved({{"0f7f23", "S 1000 8"}, {"0ffec0"}, {"0ffec9"}, {"0f7f23", "S 1000 8"}, {"0ffed2"}, {"0ffedb"}})},
      {"MMX multiply", "throughput", stream(mmx_products)},
      {"3DNow add", "latency", chain("0f0fc09e")},
      {"three decoders", "throughput", chain("90")},
      {"VectorPath alone", "rule", repeated({{"91"}, {"90"}, {"90"}, {"90"}})},
      {"L1D", "size", [] { return caches().fit(64, 64, 4096) * 64; }},
      {"L1D ways", "size", [] { return caches().fit(65536, 1, 16); }},
      {"L1D line", "size", [] { return caches().line(131072); }},
      {"L1 DTLB", "size", [] { return pages(false); }},
      {"L2 DTLB", "size", [] { return pages(true); }},
      {"return stack", "size", return_stack},
      {"mispredicted branch", "penalty", misprediction},
      {"taken branch", "throughput", jumps},
  };
  for (Measure& loop : k7_loops()) all.push_back(std::move(loop));
  return all;
}

}  // namespace pmusim::timing
