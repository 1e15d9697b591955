#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "capture.h"
#include "ia64_capture.h"
#include "isa-traces/import/facts.h"

namespace pmusim::trace::ppc {
bool lacks_operand(Kind kind) {
  using enum Kind;
  constexpr std::array kinds{load_multiple, store_multiple, load_string, store_string, dcbz, dcbt, dcbtst};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

std::vector<std::string> log_switches(const std::set<std::uint64_t>& addresses, const std::filesystem::path& log) {
  std::string filter;
  for (const std::uint64_t address : addresses) {
    filter += fmt::format("{}0x{:x}..0x{:x}", filter.empty() ? "" : ",", address, address);
  }
  // -singlestep: one instruction for each translated block, so that the logged state belongs to the instruction.
  return {"-singlestep", "-d", "exec,cpu,nochain", "-dfilter", filter, "-D", log.string()};
}

RegisterLog::RegisterLog(const std::filesystem::path& log) : file_(log) {}

std::optional<RegisterLog::State> RegisterLog::next_state() {
  State state;
  bool started = false;
  for (std::string line; std::getline(file_, line);) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    if (word == "NIP") {
      std::string link, link_value, count, count_value, xer;
      in >> std::hex >> state.pc >> link >> link_value >> count >> count_value >> xer >> state.xer;
      started = true;
    } else if (started && word.starts_with("GPR")) {
      const unsigned first = static_cast<unsigned>(std::stoul(word.substr(3)));
      for (unsigned i = first; i < first + 4 && i < state.general.size(); ++i) {
        std::uint64_t value = 0;
        in >> std::hex >> value;
        state.general[i] = static_cast<std::uint32_t>(value);
      }
      if (first == 28) return state;
    }
  }
  return std::nullopt;
}

std::vector<Access> RegisterLog::next_operand(const Code& code, const Operation& operation) {
  const auto state = next_state();
  if (!state || state->pc != code.pc) {
    throw CaptureError(
        "{:x}: {}: the second run took another way than the first; expected a program that always "
        "does the same",
        code.pc, operation.mnemonic);
  }
  const std::uint32_t word = word_of(code);
  const unsigned a = word >> 16U & 31U, b = word >> 11U & 31U;
  const std::uint32_t base = a == 0 ? 0 : state->general[a];
  const auto displacement = static_cast<std::uint32_t>(static_cast<std::int16_t>(word & 0xFFFFU));
  const std::uint32_t indexed = base + state->general[b];
  const bool immediate_string = operation.mnemonic.ends_with("i");
  switch (operation.kind) {
    case Kind::load_multiple:
    case Kind::store_multiple:
      return words(base + displacement, 4 * words_moved(code), operation.kind == Kind::store_multiple);
    case Kind::load_string:
    case Kind::store_string: {
      const bool store = operation.kind == Kind::store_string;
      return immediate_string ? words(base, b == 0 ? 32 : b, store) : words(indexed, state->xer & 0x7FU, store);
    }
    default:
      return {normal_form(operation.kind, indexed).value()};
  }
}

}  // namespace pmusim::trace::ppc
