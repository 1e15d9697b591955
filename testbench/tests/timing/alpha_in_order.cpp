// Measurements of the in-order Alphas: 21064, 21164, 21164PC.
#include <fmt/format.h>

#include "alpha.h"
#include "measures.h"
#include "testbench/tests/core_alpha/words.h"

namespace pmusim::timing {
namespace {

using namespace alpha;             // NOLINT
using namespace testbench::alpha;  // NOLINT

constexpr unsigned line_bytes = 32;
/// Repetitions of stores: many, because at the end one store more or less may be waited for.
constexpr unsigned many = 4096;

const Lines additions = lines(10, 8, [](unsigned c) { return addq(1, 2, c); });
const Lines shifts = lines(10, 8, [](unsigned c) { return shift(1, 2, c); });
const Lines longword_multiplies = lines(10, 8, [](unsigned c) { return mull(1, 2, c); });
const Lines quadword_multiplies = lines(10, 8, [](unsigned c) { return mulq(1, 2, c); });
const Lines high_multiplies = lines(10, 8, [](unsigned c) { return umulh(1, 2, c); });

/// Clocks from issue to issue for a consumer without bypass: a branch, which waits for the result or for no result. The
/// pair after it keeps the branch unit free.
Clocks to_branch(const Programs& chip, const std::string& word, unsigned result) {
  return [chip, word, result] {
    const auto pairs = [&word](unsigned of) { return Lines{{word}, {fbeq(of, 4)}, {unop()}, {unop()}}; };
    return chip.group(pairs(result)) - chip.group(pairs(31));
  };
}

/// A mispredicted branch at the end of a block, compared with a correctly predicted one.
Clocks misprediction(const Programs& chip, unsigned block) {
  const auto branch = [block](const std::string& how) {
    Lines all(block - 1, Line{unop()});
    all.push_back({beq(1, 4), "", "mispredict=" + how});
    all.insert(all.end(), block, Line{unop()});
    return all;
  };
  return chip.more(branch("none"), branch("path"));
}

/// Consecutive stores to different lines.
double stores_to_lines(const Programs& chip) {
  constexpr unsigned lines = 64;
  return chip.chip().each(
             [](unsigned n) {
               Code code;
               for (unsigned i = 0; i < n * lines; ++i) {
                 code.op(stq(1, 2), fmt::format("S {:x} 8", 0x100000 + i % lines * line_bytes), "dtlb=hit");
               }
               return code.text();
             },
             16) /
         lines;
}

/// A load two clocks after a store, compared with one two clocks after an operate; the next store comes a clock later.
Clocks load_behind_store(const Programs& chip) {
  const auto program = [](const Line& first) {
    Lines all;
    for (const Line& line : {first, Line{addq(1, 2, 3)}, load(ldq(4, 9), "2000")}) {
      all.push_back(line);
      all.insert(all.end(), 3, Line{unop()});
    }
    return all;
  };
  return chip.more(program({addq(1, 2, 5)}), program(store(stq(5, 9), "1000")));
}

Measures ev4(const Programs& chip) {
  const Line operate{addq(1, 2, 3)}, fp{addt(1, 2, 3)}, integer_load = load(ldq(4, 9), "1000"),
                                                        integer_store = store(stq(5, 9), "2000"),
                                                        fp_store = store(stt(5, 9), "2000");
  return {
      {"add", "throughput", chip.stream(additions)},
      {"shift", "latency", chip.chain(shift(1, 1, 1))},
      {"compare", "latency", chip.chain(compare(1, 1, 1))},
      {"mull", "latency", chip.chain(mull(1, 1, 1))},
      {"FP add", "latency", to_branch(chip, addt(1, 2, 3), 3)},
      {"FP multiply", "latency", to_branch(chip, mult(1, 2, 3), 3)},
      {"FP divide S", "latency", chip.chain(divs(1, 1, 1))},
      {"FP divide T", "latency", chip.chain(divt(1, 1, 1))},
      {"op and fp", "pairing", chip.repeated({operate, fp})},
      {"op and store", "pairing", chip.repeated({operate, integer_store}, many)},
      {"fp and load", "pairing", chip.repeated({fp, integer_load})},
      {"fp and fpstore", "pairing", chip.repeated({fp, fp_store}, many)},
      {"op and fpstore", "pairing", chip.repeated({operate, fp_store}, many)},
      {"load and load", "pairing", chip.repeated({integer_load, load(ldq(6, 9), "1008")})},
      {"store bandwidth", "throughput", [chip] { return stores_to_lines(chip); }},
      {"L1D", "size", chip.fit(line_bytes, 64, 1024, line_bytes)},
      {"L1D ways", "size", chip.fit(8 * kilobyte, 1, 8)},
      {"DTB", "size", chip.pages(page_bytes, 1, 64)},
      {"mispredicted branch", "penalty", misprediction(chip, 2)},
  };
}

/// Measurements common to the 21164 and the 21164PC.
Measures ev5(const Programs& chip) {
  return {
      {"add", "throughput", chip.stream(additions)},
      {"shift", "throughput", chip.stream(shifts)},
      {"mulq after its operand", "latency", chip.chain(mulq(1, 1, 1))},
      {"umulh after its operand", "latency", chip.chain(umulh(1, 1, 1))},
      {"mull", "throughput", chip.stream(longword_multiplies)},
      {"load", "latency", chip.repeated({load(ldq(1, 1), "1000")})},
      {"load", "throughput", chip.stream({load(ldq(3, 9), "1000"), load(ldq(4, 9), "1008")})},
      {"load two cycles after a store", "rule", load_behind_store(chip)},
      {"load with a store", "pairing", chip.repeated({load(ldq(4, 9), "1000"), store(stq(5, 9), "2000")})},
      {"FP add", "latency", chip.chain(addt(1, 1, 1))},
      {"FP divide T", "latency", chip.chain(divt(1, 1, 1))},
      {"mispredicted branch", "penalty", misprediction(chip, 4)},
  };
}

Measures ev5_alone(const Programs& chip) {
  return {
      {"mull after its operand", "latency", chip.chain(mull(1, 1, 1))},
      {"FP multiply", "latency", chip.chain(mult(1, 1, 1))},
      {"FP add beside multiply", "throughput", chip.stream({{addt(1, 2, 3)}, {mult(1, 2, 4)}})},
      {"L1D", "size", chip.fit(line_bytes, 64, 1024, line_bytes)},
      {"DTB", "size", chip.pages(page_bytes, 1, 128)},
      {"Scache", "latency", chip.walk(48 * kilobyte, 64)},
      {"Bcache", "latency", chip.walk(384 * kilobyte, 64)},
      {"Scache", "size", chip.fit(64, 256, 4096, 64.0 / kilobyte)},
  };
}

Measures pca56_alone(const Programs& chip) {
  return {
      {"store", "throughput", chip.repeated({store(stq(5, 9), "2000")}, many)},
      {"FP divide S", "latency", chip.chain(divs(1, 1, 1))},
      {"MVI", "latency", chip.chain(minub8(1, 1, 1))},
  };
}

}  // namespace

Measures alpha_in_order(std::string_view target) {
  const Programs chip = programs_of(target);
  Measures all = {
      {"add", "latency", chip.chain(addq(1, 1, 1))},
      {"conditional move", "latency", chip.chain(cmov(1, 1, 1))},
      {"mulq", "throughput", chip.stream(quadword_multiplies)},
      {"umulh", "throughput", chip.stream(high_multiplies)},
      {"return stack", "size", return_stack(chip)},
  };
  const auto add = [&](const Measures& more) { all.insert(all.end(), more.begin(), more.end()); };
  if (target == "alpha-ev4") {
    add(ev4(chip));
  } else {
    add(ev5(chip));
    add(target == "alpha-ev5" ? ev5_alone(chip) : pca56_alone(chip));
  }
  add(alpha_loops(target));
  return all;
}

}  // namespace pmusim::timing
