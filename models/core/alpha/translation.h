// The translation buffers. Where a page goes is MemoryMap's business; page tables are looked at through the DTB, so
// that a miss may find the page of its table entry missing, too (double miss).
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

  /// Looks the page of a data access up. A miss is recorded (Signal::translation) and the page is there for the next
  /// try: the caller enters PALcode. `forced` is the trace's word for it; once it was followed, the caller passes
  /// unset.
  Translated data(NamedRequest& request, trace::TlbOutcome forced);
  /// The same for a line of instructions that is not in the (virtual) Icache.
  Translated code(NamedRequest& request, trace::TlbOutcome forced);
  /// Address space number of what follows.
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
