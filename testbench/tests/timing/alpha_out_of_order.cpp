// Measurements of the Alpha 21264 and 21264A.
#include <fmt/format.h>

#include "alpha.h"
#include "measures.h"
#include "testbench/tests/core_alpha/words.h"

namespace pmusim::timing {
namespace {

using namespace alpha;             // NOLINT
using namespace testbench::alpha;  // NOLINT

constexpr unsigned block_bytes = 64;

Lines of(std::string (*word)(unsigned, unsigned, unsigned)) {
  return lines(10, 8, [word](unsigned c) { return word(1, 2, c); });
}

/// A branch that waits for the operate before it, mispredicted compared with correctly predicted.
Clocks misprediction(const Programs& chip) {
  const auto branch = [](const std::string& how) {
    return Lines{{addq(1, 1, 1)}, {beq(1, 4), "", "mispredict=" + how}, {nop()}, {nop()}};
  };
  return chip.more(branch("none"), branch("path"));
}

/// The largest number of operations between two loads from memory that are still in flight at the same time. Half are
/// no-operations, which hold no register, and a quarter floating-point: map waits for 8 free registers of each kind.
double in_flight(const Programs& chip) {
  const auto clocks = [&](unsigned between) {
    constexpr auto from_memory = "dtlb=hit data=mem";
    Code code;
    code.op(ldq(3, 9), "L 100000 8", from_memory);
    for (unsigned i = 0; i < between; ++i) {
      code.op(i % 2 == 0 ? nop() : i % 4 == 1 ? addq(1, 2, 10 + i % 8) : addt(1, 2, 10 + i % 8));
    }
    return chip.chip().clocks(code.op(ldq(4, 9), "L 200000 8", from_memory).text());
  };
  const double together = clocks(0), much = 50;
  return largest(1, 256, [&](unsigned between) { return clocks(between) < together + much; });
}

Measures ev6_alone(const Programs& chip) {
  return {
      {"integer", "throughput", chip.stream(of(addq))},
      {"multiply", "throughput", chip.stream(of(mulq))},
  };
}

Measures ev67_alone(const Programs& chip) {
  return {
      {"shift", "throughput", chip.stream(of(shift))},
      {"load", "throughput", chip.stream({load(ldq(3, 9), "1000"), load(ldq(4, 9), "1008")})},
      {"square root S", "latency", chip.chain(sqrts(1, 1))},
      {"square root T", "latency", chip.chain(sqrtt(1, 1))},
      {"square root T", "throughput", chip.stream(lines(10, 8, [](unsigned c) { return sqrtt(1, c); }))},
      {"ITOF and FTOI", "latency", chip.repeated({{itoft(1, 1)}, {ftoit(1, 1)}})},
      {"ITOF, add, FTOI", "latency", chip.repeated({{itoft(1, 1)}, {addt(1, 1, 1)}, {ftoit(1, 1)}})},
      {"MVI", "latency", chip.chain(minub8(1, 1, 1))},
  };
}

}  // namespace

Measures alpha_out_of_order(std::string_view target) {
  const Programs chip = programs_of(target);
  Measures all = {
      {"integer", "latency", chip.chain(addq(1, 1, 1))},
      {"multiply", "latency", chip.chain(mulq(1, 1, 1))},
      {"conditional move", "latency", chip.chain(cmov(1, 2, 1))},
      {"load", "latency", chip.repeated({load(ldq(1, 1), "1000")})},
      {"FP add", "latency", chip.chain(addt(1, 1, 1))},
      {"FP multiply", "latency", chip.chain(mult(1, 1, 1))},
      {"FP divide S", "latency", chip.chain(divs(1, 1, 1))},
      {"FP divide T", "latency", chip.chain(divt(1, 1, 1))},
      {"FP divide S", "throughput", chip.stream(of(divs))},
      {"FP divide T", "throughput", chip.stream(of(divt))},
      {"FP conditional move", "latency", chip.chain(fcmov(1, 1, 1))},
      {"L1D", "size", chip.fit(block_bytes, 64, 4096, block_bytes)},
      {"DTB", "size", chip.pages(page_bytes, 1, 256)},
      {"return stack", "size", return_stack(chip)},
      {"mispredicted branch", "penalty", misprediction(chip)},
      {"Bcache", "latency", chip.walk(512 * kilobyte, block_bytes)},
      {"in flight", "size", [chip] { return in_flight(chip); }},
  };
  const Measures more = target == "alpha-ev6" ? ev6_alone(chip) : ev67_alone(chip);
  all.insert(all.end(), more.begin(), more.end());
  const Measures loops = alpha_loops(target);
  all.insert(all.end(), loops.begin(), loops.end());
  return all;
}

}  // namespace pmusim::timing
