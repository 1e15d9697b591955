// What measures the figures of the Athlon.
#include <fmt/format.h>

#include "bench.h"
#include "measures.h"

namespace pmusim::timing {
namespace {

struct Line {
  std::string bytes, accesses = "";
};
using Lines = std::vector<Line>;

/// Each access hits, unless a program says otherwise.
constexpr auto hits = "dtlb=hit data=l1";

const Chip& chip() {
  static const Chip athlon("athlon");
  return athlon;
}

/// Clocks of a group of instructions, repeated.
double group(const Lines& lines) {
  return chip().each([&](unsigned n) {
    Code code;
    for (; n != 0; --n) {
      for (const auto& [bytes, accesses] : lines) code.op(bytes, accesses, accesses.empty() ? "" : hits);
    }
    return code.text();
  });
}

/// Clocks of an instruction that waits for the one before it.
std::function<double()> chain(const std::string& bytes, const std::string& accesses = "") {
  return [=] { return group({{bytes, accesses}}); };
}

std::function<double()> repeated(const Lines& lines) {
  return [=] { return group(lines); };
}

/// Clocks of each of these instructions, of which none waits for another.
std::function<double()> stream(const Lines& lines) {
  return [=] { return group(lines) / static_cast<double>(lines.size()); };
}

// add r,1 of six registers; nothing else writes or reads them.
const Lines additions = {{"83c001"}, {"83c101"}, {"83c201"}, {"83c301"}, {"83c601"}, {"83c701"}};
const Lines fp_additions = {{"dcc1"}, {"dcc2"}, {"dcc3"}, {"dcc4"}};
const Lines fp_mixture = {{"dcc1"}, {"dccd"}, {"dcc2"}, {"dcce"}, {"dcc3"}, {"dccf"}, {"dcc4"}};
// paddd of mm0 to mm3.
const Lines mmx_additions = {{"0ffec0"}, {"0ffec9"}, {"0ffed2"}, {"0ffedb"}};

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

/// Entries of the first-level TLB, or of all.
double pages(bool second_level) {
  constexpr std::uint64_t page = 4096;
  const Walk walk(chip(), [](const auto& addresses) { return loads(addresses, "data=l1"); });
  // In the second level already when there are too many for the first one.
  return second_level ? walk.fit(page, 64, 512) : walk.fit(page, 1, 64);
}

/// Calls inside one another, then as many returns, in a loop; the deepest nest of which all returns are predicted.
double return_stack() {
  const auto nest = [](unsigned depth) {
    return chip().each(
        [&](unsigned n) {
          Code code;
          for (; n != 0; --n) {
            // call +0xfb at 0x10000, 0x10100, ..., with a ret behind each; the deepest ret; jmp to the start.
            for (unsigned i = 0; i < depth; ++i) code.go("e8fb000000", 0x10100 + 0x100 * i, "S 8000 4", hits);
            for (unsigned i = depth; i != 0; --i) code.go("c3", 0x10005 + 0x100 * (i - 1), "L 8000 4", hits);
            code.go("e9f6ffffff", 0x10000);
          }
          return code.op("90").text();
        },
        8);
  };
  const double least_penalty = 5, level = nest(3) - nest(2);
  return largest(2, 64, [&](unsigned depth) { return nest(depth) - nest(depth - 1) < level + least_penalty; });
}

/// What a branch that was predicted wrongly takes more than one that was not.
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

/// Jumps between two lines, each known to the branch target buffer.
double jumps() {
  return chip().each([](unsigned n) {
    Code code;
    for (; n != 0; --n) code.go("eb7e", 0x10080).go("e97bffffff", 0x10000);
    return code.op("90").text();
  }) / 2;
}

}  // namespace

Measures athlon() {
  return {
      {"integer ALU", "latency", chain("01c0")},
      {"integer ALU", "throughput", stream(additions)},
      {"shift", "latency", chain("d1e0")},
      {"mul high word", "latency",
       [] {
         return group({{"f7e1"}, {"89d0"}}) - 1;
       }},
      {"mul", "throughput", repeated({{"89d8"}, {"f7e1"}})},
      {"load and operate", "latency", chain("2300", "L 1000 4")},
      {"store", "throughput", stream({{"8903", "S 1000 4"}, {"894b04", "S 1004 4"}})},
      {"fchs", "latency", chain("d9e0")},
      {"fadd", "throughput", stream(fp_additions)},
      {"fadd beside fmul", "pairing", stream(fp_mixture)},
      {"MMX add", "latency", chain("0ffec0")},
      {"MMX add", "throughput", stream(mmx_additions)},
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
}

}  // namespace pmusim::timing
