#include "silicon.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "bench.h"
#include "measures.h"
#include "reference.h"

namespace pmusim::timing {

namespace {

constexpr auto silicon_file = "k7_silicon.csv", programs_file = "k7_programs.txt";
constexpr auto machine = "i686-linux-gnu", options = "-msyntax=intel -mnaked-reg";
constexpr double tolerance = 0.15;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(trimmed(part));
  return parts;
}

SiliconProgram program_of(const std::string& line) {
  const std::vector<std::string> fields = split(line, '|');
  if (fields.size() != 4) throw std::runtime_error("expected form | kind | result per | program");
  SiliconProgram program{fields[0], fields[1], static_cast<unsigned>(number_of(fields[2])), {}};
  for (const std::string& step : split(fields[3], ';')) {
    const std::size_t at = step.find('@');
    program.steps.push_back(
        {trimmed(step.substr(0, at)), at == std::string::npos ? "" : trimmed(step.substr(at + 1)), ""});
  }
  return program;
}

/// Replaces each {N} or {N+HEX} by the address of this repetition.
std::string accesses_of(const SiliconStep& step, unsigned repetition) {
  constexpr unsigned start = 0x1000, bytes = 512;
  std::string text = step.accesses;
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{')) {
    const std::size_t close = text.find('}', open);
    const std::vector<std::string> terms = split(text.substr(open + 1, close - open - 1), '+');
    const auto apart = static_cast<unsigned>(number_of(terms.at(0)));
    const unsigned more = terms.size() > 1 ? static_cast<unsigned>(std::stoul(terms[1], nullptr, 16)) : 0;
    text.replace(open, close - open + 1, fmt::format("{:x}", start + more + repetition * apart % bytes));
  }
  return text;
}

/// The repetitions as a text trace. Those of a repeated string instruction are its iterations.
std::string trace_of(const SiliconProgram& program, unsigned repetitions) {
  constexpr auto hits = "dtlb=hit data=l1";
  Code code;
  const std::uint64_t start = code.pc();
  for (unsigned n = 0; n < repetitions; ++n) {
    for (const SiliconStep& step : program.steps) {
      const std::string accesses = accesses_of(step, n), keys = accesses.empty() ? "" : hits;
      const bool closes = program.is_loop() && &step == &program.steps.back();
      if ((closes || step.code.starts_with("rep")) && n + 1 < repetitions) {
        code.go(step.bytes, closes ? start : code.pc(), accesses, keys);
      } else {
        code.op(step.bytes, accesses, keys);
      }
    }
  }
  return code.text();
}

}  // namespace

bool SiliconProgram::is_loop() const { return kind == "loop"; }

bool SiliconRow::holds(double measured) const { return std::abs(measured - cycles) <= tolerance * cycles; }

std::vector<SiliconRow> read_silicon() {
  return read_table<SiliconRow>(silicon_file, "form,kind,cycles,class,remark", [](const auto& f) {
    return SiliconRow{f[0], f[1], number_of(f[2])};
  });
}

std::vector<SiliconMiss> read_misses() {
  return read_table<SiliconMiss>("k7_misses.csv", "form,kind,why", [](const auto& f) {
    return SiliconMiss{f[0], f[1], f[2]};
  });
}

std::vector<SiliconProgram> read_programs() { return read_lines<SiliconProgram>(programs_file, program_of); }

namespace {

/// Encodes the steps of all programs with one run of the assembler.
void assemble(std::vector<SiliconProgram>& programs) {
  std::vector<std::string> lines;
  for (const SiliconProgram& program : programs) {
    lines.emplace_back("back = .");
    for (const SiliconStep& step : program.steps) lines.push_back(step.code);
  }
  const std::vector<std::string> encodings = assembled(machine, lines, options);
  auto next = encodings.begin();
  for (SiliconProgram& program : programs) {
    ++next;
    for (SiliconStep& step : program.steps) step.bytes = *next++;
  }
}

}  // namespace

double measure(const SiliconProgram& program) {
  static const Chip athlon("athlon");
  constexpr unsigned repetitions = 64;
  return athlon.each([&](unsigned n) { return trace_of(program, n); }, repetitions) / program.per;
}

std::vector<SiliconResult> measure_silicon() {
  std::vector<SiliconProgram> programs = read_programs();
  assemble(programs);
  std::map<std::string, double> clocks;
  for (const SiliconProgram& program : programs) clocks[program.form + " " + program.kind] = measure(program);
  std::vector<SiliconResult> results;
  for (const SiliconRow& row : read_silicon()) {
    const auto found = clocks.find(row.name());
    if (found == clocks.end()) throw std::runtime_error(row.name() + ": no program in k7_programs.txt");
    results.push_back({row, found->second});
  }
  return results;
}

// Clocks of the loops in k7_loops.txt.

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

}  // namespace

Measures k7_loops() {
  const auto clocks = [](const LoopText& loop) {
    SiliconProgram program{loop.name, "loop", 1, {}};
    for (std::size_t i = 0; i < loop.lines.size(); ++i) {
      if (loop.encodings[i].empty()) continue;
      program.steps.push_back(step_of(loop.lines[i], loop.step));
      program.steps.back().bytes = loop.encodings[i];
    }
    return measure(program) / loop.parts;
  };
  return loop_measures("athlon", "k7_loops.txt", clocks, machine, options);
}

}  // namespace pmusim::timing
