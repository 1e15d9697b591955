// Formats instructions and directives for the text interchange.
#include <array>
#include <charconv>

#include "keys.h"
#include "pmusim/trace/text.h"

namespace pmusim::trace {
namespace {

void append_number(std::string& line, std::uint64_t value, int base) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value, base);
  line.append(digits.data(), end);
}

void append_annotations(std::string& line, const Annotations& annotations) {
  auto use = annotations.registers.begin();
  auto deferral = annotations.deferrals.begin();
  for (const Key key : keys_of(annotations)) {
    line.append(" ").append(key_names[static_cast<std::size_t>(key)]).append("=");
    if (key == Key::rd || key == Key::wr) {
      line.append(use->name);
      if (key == Key::wr) line.append(use->prefixed ? ":0x" : ":");
      if (key == Key::wr) append_number(line, use->value, 16);
      ++use;
    } else if (key == Key::defer) {
      append_number(line, deferral->slot, 10);
      line.push_back(':');
      append_number(line, deferral++->address, 16);
    }
    visit_value(key, annotations, [&]<typename Value>(const Value& value) {
      if constexpr (std::is_enum_v<Value>) {
        line.append(word_of(value));
      } else {
        append_number(line, *value, number_key(key).base);
      }
    });
  }
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
