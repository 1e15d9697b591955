#include "testbench/explain/disassembler.h"

#include <Zydis/Zydis.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include "testbench/explain/code_image.h"

namespace pmusim::testbench {
namespace {

/// The environment, with the locale replaced.
std::vector<char*> in_c_locale() {
  static std::array<char, 9> locale{"LC_ALL=C"};
  std::vector<char*> environment{locale.data()};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("LC_ALL=")) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  return environment;
}

/// Reads to the end of the file.
std::string text_from(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

/// Runs words[0], found along PATH, in the C locale and without a shell. Returns its standard output; empty if the
/// program does not exist or fails. Its error output is discarded.
std::optional<std::string> tool_output(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), in_c_locale().data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  if (failed == 0) text = text_from(ends[0]);
  ::close(ends[0]);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return text;
}

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

/// The template has 5 bits, and each syllable 41.
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

/// An objdump for the instruction set: of the cross binutils, or the system's if binutils-multiarch is installed.
struct Objdump {
  Isa isa;
  std::string_view name;
  std::string_view package;
};
constexpr std::array objdumps{Objdump{Isa::ppc, "powerpc-linux-gnu-objdump", "binutils-powerpc-linux-gnu"},
                              Objdump{Isa::alpha, "alpha-linux-gnu-objdump", "binutils-alpha-linux-gnu"},
                              Objdump{Isa::ia64, "ia64-linux-gnu-objdump", "binutils-ia64-linux-gnu"}};

/// The output of objdump for the image. Empty if no objdump supports the instruction set.
std::optional<std::string> listing(Isa isa, const std::vector<Code>& codes) {
  const auto tool = std::find_if(objdumps.begin(), objdumps.end(), [&](const Objdump& o) { return o.isa == isa; });
  if (tool == objdumps.end()) return std::nullopt;
  const CodeImage image(isa, codes);
  for (const std::string_view name : {tool->name, std::string_view("objdump")}) {
    auto text = tool_output({std::string(name), "-d", "-z", "-w", "--no-show-raw-insn", image.path()});
    if (text) return text;
  }
  return std::nullopt;
}

/// One blank between words, none at the ends.
std::string spaced(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && (result.empty() || result.back() == ' ')) continue;
    result += blank ? ' ' : c;
  }
  if (!result.empty() && result.back() == ' ') result.pop_back();
  return result;
}

/// Removes the template at the beginning, and `<symbol+offset>` of the image, which has no symbols.
std::string plain(std::string text) {
  if (text.starts_with('[')) text.erase(0, text.find(']') + 1);
  for (std::size_t open = text.find('<'); open != text.npos; open = text.find('<', open)) {
    const std::size_t close = text.find('>', open);
    if (close == text.npos) break;
    text.erase(open, close + 1 - open);
  }
  return spaced(text);
}

/// objdump prints the slots of IA-64 bundles at offsets 0, 6 and 12.
std::pair<std::uint64_t, unsigned> place_of(Isa isa, std::uint64_t address) {
  if (isa != Isa::ia64) return {address, 0};
  return {address & ~std::uint64_t{15}, static_cast<unsigned>((address & 15) / 6)};
}

void add_listing(Isa isa, const std::string& text, InstructionTexts& texts) {
  constexpr std::string_view separator = ":\t";
  std::istringstream lines(text);
  bool long_bundle = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(separator);
    const std::size_t begin = line.find_first_not_of(' ');
    if (colon == std::string::npos || begin >= colon) continue;
    std::uint64_t address = 0;
    const auto [end, error] = std::from_chars(line.data() + begin, line.data() + colon, address, 16);
    if (error != std::errc{} || end != line.data() + colon) continue;
    const std::string rest = line.substr(colon + separator.size());
    const auto place = place_of(isa, address);
    if (place.second == 0) long_bundle = rest.starts_with("[MLX]");
    const std::string instruction = plain(rest);
    if (instruction.empty()) continue;  // the rest of an MLX bundle
    texts.emplace(place, instruction);
    if (long_bundle && place.second == 1) texts.emplace(std::pair{place.first, 2u}, instruction);
  }
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

InstructionTexts disassemble(Isa isa, const std::vector<Code>& codes) {
  InstructionTexts texts;
  if (codes.empty()) return texts;
  InstructionTexts listed;
  if (const auto text = listing(isa, codes)) add_listing(isa, *text, listed);
  const unsigned slots = isa == Isa::ia64 ? 3 : 1;
  for (const Code& code : codes) {
    for (unsigned slot = 0; slot < slots; ++slot) {
      const auto found = listed.find({code.pc, slot});
      texts.emplace(std::pair{code.pc, slot},
                    found != listed.end() ? found->second : instruction_text(code, isa, slot));
    }
  }
  return texts;
}

std::string missing_disassembler(Isa isa) {
  for (const Objdump& tool : objdumps) {
    if (tool.isa != isa || tool_output({std::string(tool.name), "--version"})) continue;
    const auto known = tool_output({"objdump", "-i"});
    if (!known || known->find(trace::name_of(isa) == "ppc" ? "powerpc" : trace::name_of(isa)) == std::string::npos)
      return fmt::format("no {}: instructions are shown by their encodings; install {}", tool.name, tool.package);
  }
  return "";
}

}  // namespace pmusim::testbench
