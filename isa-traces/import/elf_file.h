// ELF files of both classes and byte orders: the machine of the program, and the bytes that are loaded at an address.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pmusim::trace {

/// Throws TraceError for a folder, a device, a pipe: reading it might not end, or not begin. A file that does not exist
/// passes.
void check_regular(const std::filesystem::path& file);

class ElfFile {
 public:
  /// Reads the whole file. Throws TraceError if it is no regular file or cannot be read. is_elf() is false if it is not
  /// an ELF file. Missing fields of a truncated file are 0.
  explicit ElfFile(const std::filesystem::path& file);

  [[nodiscard]] bool is_elf() const { return is_elf_; }
  [[nodiscard]] std::uint64_t machine() const { return machine_; }  ///< EM_386, ...
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
  [[nodiscard]] std::uint64_t number(std::uint64_t offset, unsigned size) const;
  void read_segments();

  std::string bytes_;
  bool is_elf_ = false;
  std::uint64_t machine_ = 0, type_ = 0, entry_ = 0;
  std::string interpreter_;
  std::vector<Segment> segments_;
};

}  // namespace pmusim::trace
