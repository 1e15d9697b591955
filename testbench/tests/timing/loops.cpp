#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "bench.h"
#include "measures.h"
#include "reference.h"

namespace pmusim::timing {

namespace {

LoopText header(std::istringstream& in) {
  LoopText loop;
  for (std::string word; in >> word;) {
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    if (equals == std::string::npos) {
      loop.name += (loop.name.empty() ? "" : " ") + word;
    } else if (key == "parts") {
      loop.parts = std::stod(word.substr(equals + 1));
    } else if (key == "step") {
      loop.step = std::stoi(word.substr(equals + 1));
    } else {
      throw std::runtime_error("expected parts=N or step=BYTES, not " + word);
    }
  }
  return loop;
}

std::vector<LoopText> read_loops(const std::string& file, const std::string& machine, const std::string& options) {
  std::vector<LoopText> loops;
  for (const std::string& line : read_lines<std::string>(file, [](const std::string& text) { return text; })) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "loop") {
      loops.push_back(header(words));
    } else if (loops.empty()) {
      throw std::runtime_error(file + ": expected a line loop NAME before " + line);
    } else if (!line.empty()) {
      loops.back().lines.push_back(line);
    }
  }
  std::vector<std::string> lines;
  for (const LoopText& loop : loops) lines.insert(lines.end(), loop.lines.begin(), loop.lines.end());
  const std::vector<std::string> encodings = assembled(machine, lines, options);
  auto at = encodings.begin();
  for (LoopText& loop : loops) {
    const auto begin = std::exchange(at, at + static_cast<std::ptrdiff_t>(loop.lines.size()));
    loop.encodings.assign(begin, at);
  }
  return loops;
}

}  // namespace

Measures loop_measures(std::string_view target, const std::string& file, const LoopClocks& clocks,
                       const std::string& machine, const std::string& options) {
  const auto loops = std::make_shared<const std::vector<LoopText>>(read_loops(file, machine, options));
  Measures measures;
  for (const Reference& reference : read_references()) {
    if (reference.target != target || reference.kind != "loop") continue;
    for (const LoopText& loop : *loops) {
      if (loop.name != reference.class_name) continue;
      measures.push_back({loop.name, "loop", [loops, &loop, clocks] { return clocks(loop); }});
    }
  }
  return measures;
}

Measures measures_of(std::string_view target) {
  if (target == "athlon") return athlon();
  if (target == "ppc750gx") return ppc750gx();
  if (target == "alpha-ev4" || target == "alpha-ev5" || target == "alpha-pca56") return alpha_in_order(target);
  if (target == "alpha-ev6" || target == "alpha-ev67") return alpha_out_of_order(target);
  if (target == "itanium2" || target == "montecito") return ia64(target);
  return {};
}

}  // namespace pmusim::timing
