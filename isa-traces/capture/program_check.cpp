#include "program_check.h"

#include <elf.h>
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "capture.h"

namespace pmusim::trace {
namespace {

/// Fields of an ELF file of either class and byte order, at byte offsets.
class Image {
 public:
  explicit Image(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] bool is_elf() const {
    return bytes_.size() >= sizeof(Elf32_Ehdr) && bytes_.compare(0, SELFMAG, ELFMAG) == 0;
  }
  [[nodiscard]] bool wide() const { return bytes_[EI_CLASS] == ELFCLASS64; }
  [[nodiscard]] std::uint64_t number(std::size_t offset, std::size_t size) const {
    std::uint64_t value = 0;
    if (offset + size > bytes_.size()) return 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = bytes_[EI_DATA] == ELFDATA2MSB ? i : size - 1 - i;
      value = value << 8U | static_cast<unsigned char>(bytes_[offset + at]);
    }
    return value;
  }
  [[nodiscard]] std::uint64_t type() const { return number(offsetof(Elf32_Ehdr, e_type), 2); }
  [[nodiscard]] std::uint64_t machine() const { return number(offsetof(Elf32_Ehdr, e_machine), 2); }
  [[nodiscard]] bool has_segment(std::uint64_t wanted) const {
    const std::uint64_t start =
        wide() ? number(offsetof(Elf64_Ehdr, e_phoff), 8) : number(offsetof(Elf32_Ehdr, e_phoff), 4);
    const std::uint64_t size =
        number(wide() ? offsetof(Elf64_Ehdr, e_phentsize) : offsetof(Elf32_Ehdr, e_phentsize), 2);
    const std::uint64_t count = number(wide() ? offsetof(Elf64_Ehdr, e_phnum) : offsetof(Elf32_Ehdr, e_phnum), 2);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (number(start + i * size, 4) == wanted) return true;
    }
    return false;
  }

 private:
  std::string bytes_;
};

struct Machine {
  Isa isa;
  std::uint64_t number;
  std::string_view what;
};
constexpr std::array machines{Machine{Isa::ppc, EM_PPC, "32-bit PowerPC"}, Machine{Isa::i386, EM_386, "i386"},
                              Machine{Isa::alpha, EM_ALPHA, "Alpha"}};

}  // namespace

void check_program(Isa isa, const std::filesystem::path& program) {
  std::ifstream file(program, std::ios::binary);
  if (!file) throw CaptureError(fmt::format("{}: cannot be read; right: a program file", program.string()));
  const Image image(std::string(std::istreambuf_iterator<char>(file), {}));
  for (const Machine& machine : machines) {
    if (machine.isa != isa) continue;
    if (!image.is_elf() || image.machine() != machine.number) {
      throw CaptureError(fmt::format("{}: is not an ELF program for {}; right: one built by a cross compiler for it",
                                     program.string(), machine.what));
    }
    if (image.type() != ET_EXEC || image.has_segment(PT_INTERP)) {
      throw CaptureError(
          fmt::format("{}: is not a statically linked program at a fixed address; right: link it with -static -no-pie",
                      program.string()));
    }
    return;
  }
  throw CaptureError(
      fmt::format("{}: programs of this instruction set cannot be recorded; right: ppc, i386 or alpha", name_of(isa)));
}

}  // namespace pmusim::trace
