// Measures one figure of docs/benchmarks.md for one target and prints it as a JSON object: two times in seconds, the
// second of which is the reference, and their ratio. Both are measured in the same run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "testbench/bench/workload.h"

namespace {

using namespace pmusim::testbench;
using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;

int rounds() {
  const char* wish = std::getenv("PMUSIM_BENCH_ROUNDS");
  return wish != nullptr ? std::max(1, std::atoi(wish)) : 5;
}

void require_same(const std::vector<Measurement>& m, std::string_view what) {
  if (m.at(0).digest != m.at(1).digest) throw std::runtime_error(fmt::format("{} differ", what));
}

Json systemc_tax(const Arguments& a) {
  const Workload work(a.at(0), a.at(1));
  const auto m =
      measure({[&] { return work.run(Engine::blocks); }, [&] { return work.run(Engine::direct); }}, rounds());
  require_same(m, "registers with SystemC and without");
  return {{"systemc", m[0].seconds}, {"called", m[1].seconds}, {"ratio", ratio(m[0], m[1])}};
}

Json block_gain(const Arguments& a) {
  const Workload work(a.at(0), a.at(1));
  const ActivityLog log = work.record();
  const auto m = measure(
      {[&] { return work.replay(log, Engine::signals); }, [&] { return work.replay(log, Engine::blocks); }}, rounds());
  require_same(m, "registers clock by clock and in blocks");
  return {{"signals", m[0].seconds}, {"blocks", m[1].seconds}, {"ratio", ratio(m[0], m[1])}, {"cycles", log.cycles()}};
}

Json whole_run(const Arguments& a) {
  const Workload work(a.at(0), a.at(1));
  const auto m = measure({[&] { return work.run(Engine::blocks); }, [&] { return work.decode(); }}, rounds());
  const auto n = static_cast<double>(work.instructions());
  return {{"run", m[0].seconds},
          {"decode", m[1].seconds},
          {"ratio", ratio(m[0], m[1])},
          {"run_per_second", n / m[0].seconds},
          {"decode_per_second", n / m[1].seconds}};
}

/// Decoding only, for comparison with another program.
Json decode(const Arguments& a) {
  const Workload work(a.at(0), a.at(1));
  const auto m = measure({[&] { return work.decode(); }}, rounds());
  return {{"decode", m[0].seconds}, {"instructions", work.instructions()}};
}

/// Time per instruction of the longer trace divided by that of the shorter one, both without the start.
Json scale(const Arguments& a) {
  const Workload shorter(a.at(0), a.at(1)), longer(a.at(0), a.at(2));
  const double start = measure({[&] { return shorter.run_nothing(); }}, rounds())[0].seconds;
  const auto m =
      measure({[&] { return longer.run(Engine::blocks); }, [&] { return shorter.run(Engine::blocks); }}, rounds());
  const double instructions = static_cast<double>(longer.instructions()) / static_cast<double>(shorter.instructions());
  return {{"longer", m[0].seconds},
          {"shorter", m[1].seconds},
          {"start", start},
          {"ratio", ratio(m[0], m[1], start) / instructions}};
}

struct Figure {
  std::string_view name, arguments;
  std::size_t count;
  Json (*measure)(const Arguments&);
};
constexpr Figure figures[] = {{"systemc-tax", "TARGET TRACE", 2, systemc_tax},
                              {"block-gain", "TARGET TRACE", 2, block_gain},
                              {"whole-run", "TARGET TRACE", 2, whole_run},
                              {"decode", "TARGET TRACE", 2, decode},
                              {"scale", "TARGET SHORTER LONGER", 3, scale}};

}  // namespace

int main(int argc, char** argv) {
  const Arguments given(argv + 1, argv + argc);
  for (const Figure& f : figures) {
    if (given.empty() || given[0] != f.name || given.size() != f.count + 1) continue;
    try {
      std::cout << f.measure({given.begin() + 1, given.end()}).dump() << "\n";
      return 0;
    } catch (const std::exception& error) {
      std::cerr << "bench_ratios " << f.name << ": " << error.what() << "\n";
      return 2;
    }
  }
  for (const Figure& f : figures) std::cerr << "usage: bench_ratios " << f.name << " " << f.arguments << "\n";
  return 2;
}
