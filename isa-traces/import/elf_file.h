// ELF files of both classes and byte orders: the machine of the program, and the bytes that are loaded at an address.
#pragma once

#include <elf.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace {

/// Throws TraceError for a folder, a device, a pipe: reading it might not end, or not begin. A file that does not exist
/// passes.
void check_regular(const std::filesystem::path& file);

/// The instruction sets with their machines in the ELF header.
inline constexpr std::pair<Isa, unsigned> machines[] = {
    {Isa::i386, EM_386}, {Isa::ppc, EM_PPC}, {Isa::alpha, EM_ALPHA}, {Isa::ia64, EM_IA_64}};

class ElfFile {
 public:
  /// Reads the whole file. Throws TraceError if it is no regular file or cannot be read. is_elf() is false if it is not
  /// an ELF file or ends within the header. Missing program headers do not count.
  explicit ElfFile(const std::filesystem::path& file);

  [[nodiscard]] bool is_elf() const { return is_elf_; }
  [[nodiscard]] unsigned machine() const { return machine_; }  ///< EM_386, ...
  [[nodiscard]] std::optional<Isa> isa() const;                ///< empty for another machine, or if it is no ELF file
  /// True for a position-independent executable or a shared object.
  [[nodiscard]] bool is_movable() const;
  [[nodiscard]] bool is_executable() const;                     ///< an executable with fixed addresses
  [[nodiscard]] std::uint64_t entry() const { return entry_; }  ///< 0: none
  /// Path of the dynamic linker; empty if there is none.
  [[nodiscard]] const std::string& interpreter() const { return interpreter_; }
  /// The bytes from an address of the file on, up to the end of the segment's bytes in the file; empty if there are
  /// none.
  [[nodiscard]] std::span<const std::uint8_t> bytes_at(std::uint64_t address) const;
  /// The address of the byte at an offset of the file; empty if it is not loaded.
  [[nodiscard]] std::optional<std::uint64_t> address_of(std::uint64_t offset) const;
  /// Addresses of the defined symbols by name. A name may have several addresses.
  [[nodiscard]] std::multimap<std::string, std::uint64_t> symbols() const;

 private:
  struct Segment {
    std::uint64_t address = 0, offset = 0, size = 0;
  };

  std::string bytes_;
  bool is_elf_ = false;
  unsigned machine_ = 0, type_ = 0;
  std::uint64_t entry_ = 0;
  std::string interpreter_;
  std::vector<Segment> segments_;
};

}  // namespace pmusim::trace
