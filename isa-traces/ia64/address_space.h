// Memory of a simulated program: little-endian, with pages for the mapped addresses only. And its loader, for
// statically linked IA-64 programs.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace pmusim::trace::ia64 {

class Memory {
 public:
  static constexpr std::uint64_t page_size = 16384;

  /// Maps the pages of [address, address + size), filled with zeros. A page is allocated at its first access. A page of
  /// several mappings is writable if one of them is writable. All mappings must precede the first access.
  void map(std::uint64_t address, std::uint64_t size, bool writable);
  [[nodiscard]] bool is_mapped(std::uint64_t address, std::uint64_t size) { return usable(address, size, false); }
  [[nodiscard]] bool is_writable(std::uint64_t address, std::uint64_t size) { return usable(address, size, true); }

  /// Reads or writes `size` bytes. If a byte is not mapped (or not writable), returns false without an effect.
  bool read(std::uint64_t address, void* to, std::size_t size) {
    Page* const page = find(address);
    const std::uint64_t offset = address % page_size;
    if (page == nullptr) return false;
    if (offset + size > page_size) return read_across(address, to, size);
    std::memcpy(to, page->bytes.data() + offset, size);
    return true;
  }
  bool write(std::uint64_t address, const void* from, std::size_t size) {
    Page* const page = find(address);
    const std::uint64_t offset = address % page_size;
    if (page == nullptr || !page->writable) return false;
    if (offset + size > page_size) return write_across(address, from, size);
    std::memcpy(page->bytes.data() + offset, from, size);
    return true;
  }
  /// Loads bytes of a program into pages, writable or not. The pages must be mapped.
  void fill(std::uint64_t address, std::span<const std::uint8_t> bytes);

 private:
  struct Page {
    std::array<std::uint8_t, page_size> bytes{};
    bool writable = false;
  };
  Page* find(std::uint64_t address) {
    const std::uint64_t number = address / page_size;
    if (number == last_number_) return last_;
    return find_slowly(number);
  }
  struct Mapping {
    std::uint64_t first = 0, last = 0;  ///< pages
    bool writable = false;
  };
  Page* find_slowly(std::uint64_t number);
  bool usable(std::uint64_t address, std::uint64_t size, bool writable);
  bool read_across(std::uint64_t address, void* to, std::size_t size);
  bool write_across(std::uint64_t address, const void* from, std::size_t size);

  std::vector<Mapping> mappings_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
};

/// An error in the program or in its execution. what() is one line; an error of the execution has the address, bundle
/// and slot.
struct SimulationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Addresses of executable code.
struct CodeRange {
  std::uint64_t begin = 0, end = 0;  ///< multiples of 16
  bool writable = false;
};

struct Program {
  std::uint64_t entry = 0;
  std::vector<CodeRange> code;
};

/// Maps the segments of an ELF64 little-endian executable into memory. The message of a SimulationError begins with
/// `name`.
[[nodiscard]] Program load_elf(std::span<const std::uint8_t> file, const std::string& name, Memory& memory);

}  // namespace pmusim::trace::ia64
