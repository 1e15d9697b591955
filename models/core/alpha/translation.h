// The translation buffers. MemoryMap maps the pages. Page tables are read through the DTB, so the page of the table
// entry may miss, too (double miss).
#pragma once

#include <cstdint>

#include "models/core/alpha/machine.h"
#include "models/core/parts/tlb.h"
#include "pmusim/trace/instruction.h"

namespace pmusim::core::alpha {

enum class Translated : std::uint8_t { hit, miss, double_miss, fault };

class Translation {
 public:
  explicit Translation(Machine& machine);

  /// Looks up the page of a data access. A miss is recorded (Signal::translation) and fills the buffer for the next
  /// try; the caller enters PALcode. `forced` is the trace's annotation; after it has been followed once, the caller
  /// passes unset.
  Translated data(NamedRequest& request, trace::TlbOutcome forced);
  /// The same for a line of instructions that is not in the (virtual) Icache.
  Translated code(NamedRequest& request, trace::TlbOutcome forced);
  /// Sets the address space number of the following accesses.
  void set_space(std::uint32_t asn) {
    space_ = asn;
    last_page_ = none;
  }
  void clear();

 private:
  /// True if the buffer has the page. Buffers that fill their entries in turn do not record uses.
  [[nodiscard]] bool finds(Tlb& buffer, std::uint64_t page) const;
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  Machine& machine_;
  Tlb itb_, dtb_;
  std::uint32_t space_ = 0;
  std::uint64_t last_page_ = none;  ///< of the previous data access
};

}  // namespace pmusim::core::alpha
