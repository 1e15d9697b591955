// ELF files of either class and byte order: whose program it is, and the bytes that are loaded at an address.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pmusim::trace {

class ElfFile {
 public:
  /// Reads the file whole. Throws TraceError if it cannot be read. What is no ELF file has is_elf() false; fields that
  /// a cut file lacks are 0.
  explicit ElfFile(const std::filesystem::path& file);

  [[nodiscard]] bool is_elf() const { return is_elf_; }
  [[nodiscard]] std::uint64_t machine() const { return machine_; }  ///< EM_386, ...
  /// Is loaded anywhere: a position-independent executable or a shared object.
  [[nodiscard]] bool is_movable() const;
  [[nodiscard]] bool is_executable() const;                     ///< of a fixed address
  [[nodiscard]] std::uint64_t entry() const { return entry_; }  ///< 0: none
  /// The dynamic linker that it asks for; empty if none.
  [[nodiscard]] const std::string& interpreter() const { return interpreter_; }
  /// The bytes from an address on, as far as the file has them in one segment; empty if none. Addresses are those of
  /// the file.
  [[nodiscard]] std::span<const std::uint8_t> bytes_at(std::uint64_t address) const;
  /// Addresses of the defined symbols by name; of a name that has several, all.
  [[nodiscard]] std::multimap<std::string, std::uint64_t> symbols() const;

 private:
  struct Segment {
    std::uint64_t address = 0, offset = 0, size = 0;
  };
  [[nodiscard]] std::uint64_t number(std::uint64_t offset, unsigned size) const;
  void read_segments();

  std::string bytes_;
  bool is_elf_ = false;
  std::uint64_t machine_ = 0, type_ = 0, entry_ = 0;
  std::string interpreter_;
  std::vector<Segment> segments_;
};

}  // namespace pmusim::trace
