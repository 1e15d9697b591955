#include "testbench/cli/profiled_code.h"

#include <fmt/format.h>

#include "testbench/cli/command.h"

namespace pmusim::testbench {
namespace {

constexpr unsigned user_mode = 3;

/// The mode of the program, as its directives set it.
class Mode {
 public:
  void directive(const trace::Directive& directive) {
    const std::string& name = directive.name;
    if (name == "cpl" && !directive.operands.empty()) {
      cpl_ = static_cast<unsigned>(parse_number(directive.operands[0].second, "cpl"));
    } else if (name == "interrupt" || name == "mcheck") {
      left_.push_back(cpl_);
      cpl_ = 0;
    } else if (name == "reset") {
      cpl_ = 0;
    } else if (name == "return" && !left_.empty()) {
      cpl_ = left_.back();
      left_.pop_back();
    }
  }
  [[nodiscard]] bool user() const { return cpl_ == user_mode; }

 private:
  unsigned cpl_ = user_mode;
  std::vector<unsigned> left_;
};

}  // namespace

ProfiledCode read_code(const SessionSetup& setup) {
  ProfiledCode code;
  const auto readers = open_traces(setup);
  trace::Item item;
  Mode mode;
  while (readers[0]->next(item)) {
    if (item.directive != nullptr) {
      mode.directive(*item.directive);
      continue;
    }
    const trace::Code& instruction = *item.instruction.code;
    std::uint32_t encoding = 0;
    for (unsigned i = 0; i < instruction_bytes; ++i) encoding |= std::uint32_t{instruction.bytes[i]} << (8 * i);
    ProfiledCode::Word& word = code.words[instruction.pc];
    word.encoding = encoding;
    (mode.user() ? word.user : word.kernel) = true;
    if (item.instruction.taken) code.targets.insert(item.instruction.target);
  }
  if (code.words.empty()) throw UsageError(fmt::format("{}: no instructions to profile", setup.traces[0]));
  return code;
}

std::vector<pfm::Range> images(const ProfiledCode& code, bool kernel, std::uint64_t most_bytes) {
  std::vector<pfm::Range> ranges;
  for (const auto& [address, word] : code.words) {
    if (!(kernel ? word.kernel : word.user)) continue;
    const std::uint64_t end = address + instruction_bytes;
    if (ranges.empty() || address - ranges.back().end > between_images || end - ranges.back().start > most_bytes) {
      ranges.push_back({address, end});
    } else {
      ranges.back().end = end;
    }
  }
  return ranges;
}

std::vector<pfm::Range> parse_ranges(const std::vector<std::string>& texts, std::uint64_t most_bytes) {
  std::vector<pfm::Range> ranges;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos)
      throw UsageError(fmt::format("--range '{}' is not of the form BEGIN:END, addresses", text));
    const pfm::Range range{parse_number(text.substr(0, colon), "begin of --range"),
                           parse_number(text.substr(colon + 1), "end of --range")};
    if (range.start >= range.end) throw UsageError(fmt::format("--range '{}' is empty; BEGIN must be below END", text));
    if (range.start % instruction_bytes != 0 || range.end % instruction_bytes != 0)
      throw UsageError(
          fmt::format("--range '{}': addresses of instructions are multiples of {}", text, instruction_bytes));
    if (range.end - range.start > most_bytes)
      throw UsageError(
          fmt::format("--range '{}' is longer than the {} bytes that the device has memory for; use a larger --stride "
                      "or several ranges",
                      text, most_bytes));
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace pmusim::testbench
