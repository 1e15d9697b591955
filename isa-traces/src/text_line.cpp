// How instructions and directives are spelled in the text interchange.
#include <array>
#include <charconv>

#include "pmusim/trace/text.h"
#include "words.h"

namespace pmusim::trace {
namespace {

void append_number(std::string& line, std::uint64_t value, int base) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value, base);
  line.append(digits.data(), end);
}

template <typename Outcome>
void append_outcome(std::string& line, std::string_view key, Outcome outcome) {
  if (outcome == Outcome::unset) return;
  line.append(" ").append(key).append("=").append(word_of(outcome));
}

void append_annotations(std::string& line, const Annotations& annotations) {
  for (const RegisterUse& use : annotations.registers) {
    line.append(use.write ? " wr=" : " rd=").append(use.name);
    if (use.write) {
      line.append(use.prefixed ? ":0x" : ":");
      append_number(line, use.value, 16);
    }
  }
  append_outcome(line, "mispredict", annotations.mispredict);
  if (annotations.latency) {
    line.append(" lat=");
    append_number(line, *annotations.latency, 10);
  }
  append_outcome(line, "data", annotations.data);
  append_outcome(line, "dtlb", annotations.dtlb);
  append_outcome(line, "fetch", annotations.fetch);
  append_outcome(line, "itlb", annotations.itlb);
}

}  // namespace

void append_line(std::string& line, Isa isa, const Instruction& instruction) {
  constexpr char digits[] = "0123456789abcdef";
  const bool slots = isa == Isa::ia64;
  append_number(line, instruction.code->pc, 16);
  line.push_back(' ');
  for (unsigned i = 0; i < instruction.code->length; ++i) {
    line.push_back(digits[instruction.code->bytes[i] >> 4]);
    line.push_back(digits[instruction.code->bytes[i] & 15]);
  }
  if (slots) line.append(" ").append(instruction.mask.data(), instruction.mask.size());
  for (const Access& access : instruction.accesses) {
    line.append(access.store ? " S" : " L");
    if (slots) line.push_back(static_cast<char>('0' + access.slot));
    line.push_back(' ');
    append_number(line, access.address, 16);
    line.push_back(' ');
    append_number(line, access.size, 10);
  }
  if (instruction.taken) {
    line.append(" T");
    if (slots) line.push_back(static_cast<char>('0' + taken_slot(instruction.mask)));
    line.push_back(' ');
    append_number(line, instruction.target, 16);
  }
  if (instruction.annotations != nullptr) append_annotations(line, *instruction.annotations);
}

void append_line(std::string& line, const Directive& directive) {
  line.append("! ").append(directive.name);
  for (const auto& [key, value] : directive.operands) {
    line.push_back(' ');
    if (!key.empty()) line.append(key).append("=");
    line.append(value);
  }
}

}  // namespace pmusim::trace
