// The TLBs of one side and the hardware page walker, which both sides share.
#pragma once

#include "models/core/ia64/hierarchy.h"
#include "models/core/parts/tlb.h"

namespace pmusim::core::ia64 {

/// Reads the hashed page table through L2, one walk after the other.
class Walker {
 public:
  Walker(Machine& machine, Hierarchy& hierarchy) : machine_(machine), hierarchy_(hierarchy) {}
  /// Walks the page table for a request that was made in cycle `at`. Returns the cycle in which the translation is
  /// available, or in which the walker gives up.
  Cycle walk(Access& request, std::uint64_t page, bool data_side, bool fault, Cycle at);

 private:
  Machine& machine_;
  Hierarchy& hierarchy_;
  Cycle free_ = 0;
};

/// Two levels of fully associative buffers. The first has granules of 4 KB, the second whole pages.
class Translation {
 public:
  static constexpr std::uint64_t granule_bytes = 4096;
  Translation(Machine& machine, std::uint64_t first_entries, std::uint64_t second_entries)
      : machine_(machine),
        first_(1, static_cast<std::uint32_t>(first_entries)),
        second_(1, static_cast<std::uint32_t>(second_entries)) {}

  /// The source of the translation of an address: a level, the walker, or a fault. Installs nothing.
  [[nodiscard]] act::Translation find(std::uint64_t address, bool use_first, trace::TlbOutcome forced);
  /// True if it was found last in the first level: finding it again changes nothing.
  [[nodiscard]] bool is_latest(std::uint64_t address) const { return address / granule_bytes == last_granule_; }
  /// Installs a translation in the second level and, if `in_first`, in the first one.
  void install(std::uint64_t address, bool in_first);
  /// Another process of the active thread.
  void set_process(std::uint32_t process) {
    processes_[thread_] = process;
    space_ = process << 1 | thread_;
    forget_last();
    first_.clear();
  }
  /// The other thread is active; translations are tagged with the thread.
  void set_thread(unsigned thread) {
    thread_ = thread;
    space_ = processes_[thread] << 1 | thread;
    forget_last();
  }
  /// A purge: all translations go.
  void clear() {
    forget_last();
    first_.clear();
    second_.clear();
  }
  [[nodiscard]] std::uint64_t page_of(std::uint64_t address) const { return address / machine_.settings.page_bytes; }

 private:
  void forget_last() { last_granule_ = last_page_ = ~std::uint64_t{0}; }
  Machine& machine_;
  Tlb first_, second_;
  unsigned thread_ = 0;
  std::array<std::uint32_t, 2> processes_{};
  std::uint32_t space_ = 0;                         ///< process and thread
  std::uint64_t last_granule_ = ~std::uint64_t{0};  ///< found or installed last in the first level: no search needed
  std::uint64_t last_page_ = ~std::uint64_t{0};     ///< the same of the second level
};

}  // namespace pmusim::core::ia64
