#include "testbench/explain/code_image.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <map>
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

}  // namespace

CodeImage::CodeImage(trace::Isa isa, const std::vector<trace::Code>& codes)
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

CodeImage::~CodeImage() { ::close(descriptor_); }

std::string CodeImage::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), descriptor_); }

}  // namespace pmusim::testbench
