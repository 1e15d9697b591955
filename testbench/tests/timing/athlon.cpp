// Measurements of the Athlon.
#include <fmt/format.h>

#include <utility>

#include "measures.h"
#include "programs.h"
#include "silicon.h"

namespace pmusim::timing {
namespace {

/// The load is mov eax,[eax].
const Programs& k7() {
  static const Programs athlon("athlon", {"8b00", 4});
  return athlon;
}

/// Half the clocks of a group that consists of two equal groups with different registers.
std::function<double()> halved(const Lines& lines) {
  return [=] { return k7().group(lines) / 2; };
}

// add r,1 of six registers; nothing else writes or reads them.
const Lines integer_additions = {{"83c001"}, {"83c101"}, {"83c201"}, {"83c301"}, {"83c601"}, {"83c701"}};
const Lines fp_additions = {{"dcc1"}, {"dcc2"}, {"dcc3"}, {"dcc4"}};
const Lines fp_mixture = {{"dcc1"}, {"dccd"}, {"dcc2"}, {"dcce"}, {"dcc3"}, {"dccf"}, {"dcc4"}};
// paddd of mm0 to mm3; pmullw of mm0 to mm3.
const Lines mmx_additions = {{"0ffec0"}, {"0ffec9"}, {"0ffed2"}, {"0ffedb"}};
const Lines mmx_products = {{"0fd5c0"}, {"0fd5c9"}, {"0fd5d2"}, {"0fd5db"}};

/// Nested calls, then their returns, in a loop: the largest depth at which all returns are predicted.
double nested_calls() {
  const auto word = [](const char* access, unsigned depth) {
    return fmt::format("{} {:x} 4", access, 0x8000 - 4 * depth);
  };
  const auto nest = [&](unsigned depth) {
    return k7().chip().each(
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
  constexpr double least_penalty = 5;
  return return_stack(nest, least_penalty);
}

/// Additional clocks of a mispredicted branch.
double misprediction_of_k7() {
  const auto branches = [](const std::string& how) {
    return k7().chip().each([&](unsigned n) {
      Code code("");
      for (; n != 0; --n) code.op("7400", "", "mispredict=" + how).op("90").go("ebfb", 0x10000);
      return code.op("90").text();
    });
  };
  return branches("path") - branches("none");
}

/// Jumps between two lines, both in the branch target buffer.
double jumps() {
  return k7().chip().each([](unsigned n) {
    Code code;
    for (; n != 0; --n) code.go("eb7e", 0x10080).go("e97bffffff", 0x10000);
    return code.op("90").text();
  }) / 2;
}

}  // namespace

Measures athlon() {
  constexpr std::uint64_t page = 4096;
  Measures all{
      {"integer ALU", "latency", k7().chain("01c0")},
      {"integer ALU", "throughput", k7().stream(integer_additions)},
      {"shift", "latency", k7().chain("d1e0")},
      {"lea", "latency", k7().chain("8d048500000000")},
      {"mul low word", "latency", k7().chain("f7e1")},
      {"mul high word", "latency",
       [] {
         return k7().group({{"f7e1"}, {"89d0"}}) - 1;
       }},
      {"mul", "throughput", k7().repeated({{"89d8"}, {"f7e1"}})},
      {"imul r,r", "latency", k7().chain("0fafc1")},
      {"div r32", "latency", k7().chain("f7f1")},
      {"idiv r32", "latency", k7().chain("f7f9")},
      {"load and operate", "latency", k7().chain("2300", "L 1000 4")},
      {"store", "throughput", k7().stream({{"8903", "S 1000 4"}, {"894b04", "S 1004 4"}})},
      {"read-modify-write", "latency", k7().chain("010b", "L 1000 4 S 1000 4")},
      {"store to load", "latency", k7().repeated({{"8903", "S 1000 4"}, {"8b03", "L 1000 4"}})},
      {"shrd cl", "latency", k7().chain("0fadd0")},
      {"xor r,r", "rule", k7().repeated({{"0fafc1"}, {"31c0"}})},
      {"fdiv", "latency", k7().chain("d8f1")},
      {"fsqrt", "latency", k7().chain("d9fa")},
      {"fchs", "latency", k7().chain("d9e0")},
      {"fcmov", "latency", k7().chain("dac1")},
      {"fadd", "throughput", k7().stream(fp_additions)},
      {"fadd beside fmul", "pairing", k7().stream(fp_mixture)},
      {"MMX add", "latency", k7().chain("0ffec0")},
      {"MMX multiply", "latency", k7().chain("0fd5c0")},
      {"MMX add", "throughput", k7().stream(mmx_additions)},
      {"MMX load beside two adds", "pairing",
       halved({{"0f6f23", "L 1000 8"}, {"0ffec0"}, {"0ffec9"}, {"0f6f23", "L 1000 8"}, {"0ffed2"}, {"0ffedb"}})},
      {"MMX store beside two adds", "pairing",
       halved({{"0f7f23", "S 1000 8"}, {"0ffec0"}, {"0ffec9"}, {"0f7f23", "S 1000 8"}, {"0ffed2"}, {"0ffedb"}})},
      {"MMX multiply", "throughput", k7().stream(mmx_products)},
      {"3DNow add", "latency", k7().chain("0f0fc09e")},
      {"three decoders", "throughput", k7().chain("90")},
      {"VectorPath alone", "rule", k7().repeated({{"91"}, {"90"}, {"90"}, {"90"}})},
      {"L1D", "size", k7().fit(64, 64, 4096, 64)},
      {"L1D ways", "size", k7().fit(65536, 1, 16)},
      {"L1D line", "size", k7().line(131072)},
      {"L1 DTLB", "size", k7().pages(page, 1, 64)},
      // From 64 pages on, which the first level does not hold, the walk measures the second level.
      {"L2 DTLB", "size", k7().pages(page, 64, 512)},
      {"return stack", "size", nested_calls},
      {"mispredicted branch", "penalty", misprediction_of_k7},
      {"taken branch", "throughput", jumps},
  };
  for (Measure& loop : k7_loops()) all.push_back(std::move(loop));
  return all;
}

}  // namespace pmusim::timing
