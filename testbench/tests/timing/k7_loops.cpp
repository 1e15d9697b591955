// Clocks of the loops in k7_loops.txt.
#include "k7_loops.h"

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "loops.h"
#include "silicon.h"

namespace pmusim::timing {
namespace {

/// An address of a loop: `a+8` is byte 8 of a turn's part of stream a, `=8` byte 8 of what every turn accesses.
std::string place_of(const std::string& word, int step) {
  static const std::map<char, unsigned> streams{{'a', 0}, {'b', 0x800}, {'d', 0x1000}, {'=', 0x2000}};
  const auto stream = streams.find(word.front());
  if (stream == streams.end()) throw std::runtime_error("k7_loops.txt: expected a, b, d or =, not " + word);
  const auto bytes = static_cast<unsigned>(std::stoul(word.substr(word.front() == '=' ? 1 : 2)));
  return fmt::format("{{{}+{:x}}}", word.front() == '=' ? 0 : step, stream->second + bytes);
}

SiliconStep step_of(const std::string& line, int step) {
  const std::size_t at = line.find(" @");
  SiliconStep result{line.substr(0, at), "", ""};
  if (at == std::string::npos) return result;
  std::istringstream words(line.substr(at + 2));
  for (std::string direction, place, size; words >> direction >> place >> size;)
    result.accesses += fmt::format("{} {} {} ", direction, place_of(place, step), size);
  return result;
}

/// All loops of the file, assembled by one run of the assembler.
std::map<std::string, SiliconProgram> assembled() {
  std::vector<SiliconProgram> programs;
  for (const LoopText& loop : read_loops("k7_loops.txt")) {
    SiliconProgram& program = programs.emplace_back();
    program.form = loop.name;
    program.kind = "loop";
    for (const std::string& line : loop.lines) program.steps.push_back(step_of(line, loop.step));
  }
  assemble(programs);
  std::map<std::string, SiliconProgram> by_name;
  for (SiliconProgram& program : programs) by_name.emplace(program.form, std::move(program));
  return by_name;
}

}  // namespace

Measures k7_loops() {
  return loop_measures("athlon", "k7_loops.txt", [](const LoopText& loop) {
    static const std::map<std::string, SiliconProgram> programs = assembled();
    return measure(programs.at(loop.name)) / loop.parts;
  });
}

}  // namespace pmusim::timing
