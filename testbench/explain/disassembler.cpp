#include "testbench/explain/disassembler.h"

#include <Zydis/Zydis.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace pmusim::testbench {
namespace {

/// A stretch of code; bytes between executed instructions are zeros.
struct Section {
  std::uint64_t address = 0;
  std::string bytes;
};
constexpr std::uint64_t widest_gap = 4096;

std::vector<Section> sections_of(const std::vector<trace::Code>& codes) {
  std::map<std::uint64_t, const trace::Code*> by_address;
  for (const trace::Code& code : codes) by_address.emplace(code.pc, &code);
  std::vector<Section> sections;
  for (const auto& [address, code] : by_address) {
    if (sections.empty() || address - sections.back().address > sections.back().bytes.size() + widest_gap)
      sections.push_back({address, ""});
    Section& section = sections.back();
    const std::size_t at = address - section.address;
    if (at + code->length > section.bytes.size()) section.bytes.resize(at + code->length);
    section.bytes.replace(at, code->length, reinterpret_cast<const char*>(code->bytes.data()), code->length);
  }
  return sections;
}

/// Writes numbers in the byte order of the file.
class Writer {
 public:
  Writer(bool big, bool wide) : big_(big), wide_(wide) {}
  void put(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) text_ += static_cast<char>(value >> 8 * (big_ ? bytes - 1 - i : i));
  }
  void half(std::uint64_t value) { put(value, 2); }
  void word(std::uint64_t value) { put(value, 4); }
  void address(std::uint64_t value) { put(value, wide_ ? 8 : 4); }
  void raw(std::string_view bytes) { text_ += bytes; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  bool big_, wide_;
  std::string text_;
};

void header(Writer& out, bool big, bool wide, unsigned machine, std::uint64_t table, std::size_t sections) {
  out.raw({ELFMAG, SELFMAG});
  out.put(wide ? ELFCLASS64 : ELFCLASS32, 1);
  out.put(big ? ELFDATA2MSB : ELFDATA2LSB, 1);
  out.put(EV_CURRENT, 1);
  out.raw(std::string(EI_NIDENT - EI_OSABI, '\0'));
  out.half(ET_EXEC);
  out.half(machine);
  out.word(EV_CURRENT);
  out.address(0);  // entry
  out.address(0);  // no segments
  out.address(table);
  out.word(0);
  out.half(wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
  out.half(0);
  out.half(0);
  out.half(wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
  out.half(sections);
  out.half(1);  // names of sections
}

struct SectionHeader {
  std::uint64_t name, type, flags, address, offset, size, alignment;
};
void put(Writer& out, const SectionHeader& s) {
  out.word(s.name);
  out.word(s.type);
  out.address(s.flags);
  out.address(s.address);
  out.address(s.offset);
  out.address(s.size);
  out.word(0);
  out.word(0);
  out.address(s.alignment);
  out.address(0);
}

/// First an empty section, then the names, then the code.
std::string file_of(trace::Isa isa, const std::vector<trace::Code>& codes) {
  const bool big = isa == trace::Isa::ppc, wide = !big;
  const unsigned machine = isa == trace::Isa::ppc ? EM_PPC : isa == trace::Isa::alpha ? EM_ALPHA : EM_IA_64;
  constexpr std::string_view names{"\0.text\0.shstrtab\0", 17};
  constexpr std::uint64_t name_of_code = 1, name_of_names = 7, alignment = 16;
  const std::vector<Section> sections = sections_of(codes);
  constexpr std::size_t most_sections = SHN_LORESERVE - 2;
  if (sections.size() > most_sections) throw std::runtime_error("code in too many places for a disassembler");
  const auto aligned = [](std::uint64_t offset) { return (offset + alignment - 1) / alignment * alignment; };
  std::string content;
  const std::uint64_t first = aligned(wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
  std::vector<std::uint64_t> offsets;
  for (const Section& section : sections) {
    offsets.push_back(first + content.size());
    content += section.bytes;
    content.resize(aligned(content.size()));
  }
  const std::uint64_t names_at = first + content.size(), table = aligned(names_at + names.size());
  Writer out(big, wide);
  header(out, big, wide, machine, table, sections.size() + 2);
  out.raw(std::string(first - out.text().size(), '\0'));
  out.raw(content);
  out.raw(names);
  out.raw(std::string(table - out.text().size(), '\0'));
  put(out, {0, SHT_NULL, 0, 0, 0, 0, 0});
  put(out, {name_of_names, SHT_STRTAB, 0, 0, names_at, names.size(), 1});
  for (std::size_t i = 0; i < sections.size(); ++i)
    put(out, {name_of_code, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, sections[i].address, offsets[i],
              sections[i].bytes.size(), 4});
  return out.text();
}

/// The instructions at their addresses, as an ELF file in memory without a name. For ppc, alpha and ia64 only.
class CodeImage {
 public:
  /// Of several instructions at one address the first is used. Throws std::runtime_error if memory is short.
  CodeImage(trace::Isa isa, const std::vector<trace::Code>& codes)
      : descriptor_(::memfd_create("pmusim-code", MFD_CLOEXEC)) {
    const std::string file = file_of(isa, codes);
    std::size_t written = 0;
    while (descriptor_ >= 0 && written < file.size()) {
      const ssize_t n = ::write(descriptor_, file.data() + written, file.size() - written);
      if (n <= 0) break;
      written += static_cast<std::size_t>(n);
    }
    if (written == file.size()) return;
    if (descriptor_ >= 0) ::close(descriptor_);
    throw std::runtime_error("no memory for the code that is to be disassembled");
  }
  ~CodeImage() { ::close(descriptor_); }
  CodeImage(const CodeImage&) = delete;
  CodeImage& operator=(const CodeImage&) = delete;
  /// Path under which this process and its children can open it.
  [[nodiscard]] std::string path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_); }

 private:
  int descriptor_ = -1;
};

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
