#include "testbench/explain/code_text.h"

#include <Zydis/Zydis.h>
#include <fmt/format.h>

namespace pmusim::testbench {
namespace {

using trace::Code;
using trace::Isa;

std::uint64_t little_endian(const Code& code, unsigned first, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{code.bytes.at(first + i)} << (8 * i);
  return value;
}

std::string x86_text(const Code& code) {
  ZydisDecoder decoder;
  ZydisFormatter formatter;
  ZydisDecodedInstruction instruction;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
  std::array<char, 128> text{};
  if (!ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32)) ||
      !ZYAN_SUCCESS(ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL)) ||
      !ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code.bytes.data(), code.length, &instruction, operands.data())) ||
      !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&formatter, &instruction, operands.data(),
                                                    instruction.operand_count_visible, text.data(), text.size(),
                                                    code.pc, nullptr)))
    return "";
  return text.data();
}

/// Syllables have 41 bits, after 5 of the template.
std::string syllable_text(const Code& code, unsigned slot) {
  constexpr unsigned template_bits = 5, syllable_bits = 41;
  if (slot > 2) return "";
  const unsigned first = template_bits + slot * syllable_bits;
  std::uint64_t value = 0;
  for (unsigned i = 0; i < syllable_bits; ++i) {
    const unsigned bit = first + i;
    value |= std::uint64_t{code.bytes.at(bit / 8)} >> (bit % 8) % 8 << i & std::uint64_t{1} << i;
  }
  return fmt::format("0x{:011x}", value);
}

}  // namespace

std::string instruction_text(const Code& code, Isa isa, unsigned slot) {
  switch (isa) {
    case Isa::i386:
      return x86_text(code);
    case Isa::ia64:
      return syllable_text(code, slot);
    case Isa::ppc:
      return fmt::format("0x{:08x}", __builtin_bswap32(static_cast<std::uint32_t>(little_endian(code, 0, 4))));
    case Isa::alpha:
      return fmt::format("0x{:08x}", little_endian(code, 0, 4));
  }
  return "";
}

void add_code_text(trace::Reader& trace, std::map<Culprit, std::string>& wanted) {
  std::size_t missing = wanted.size();
  trace::Item item;
  while (missing != 0 && trace.next(item)) {
    if (item.directive != nullptr) continue;
    const Code& code = *item.instruction.code;
    for (auto one = wanted.lower_bound({code.pc, 0, false}); one != wanted.end() && one->first.ip == code.pc; ++one) {
      if (!one->first.instruction || !one->second.empty()) continue;
      one->second = instruction_text(code, trace.info().isa, one->first.slot);
      --missing;
    }
  }
}

}  // namespace pmusim::testbench
