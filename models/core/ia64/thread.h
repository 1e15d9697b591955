// What a hardware thread has of its own: its program, front end, registers and modes. Caches, TLBs and pipes are
// shared.
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/ia64/front_end.h"
#include "models/core/ia64/registers.h"

namespace pmusim::core::ia64 {

// The advanced load address table: one entry per register, fully associative; the oldest entry is replaced.

class Alat {
 public:
  explicit Alat(std::uint64_t entries) : entries_(static_cast<std::size_t>(entries)) {}

  /// An advanced load of this register. Returns true if a valid entry of another register was replaced.
  bool allocate(std::uint32_t reg, std::uint64_t address, std::uint32_t size) {
    Entry* place = nullptr;
    for (Entry& e : entries_) {
      if (e.valid && e.reg == reg) place = &e;
    }
    bool displaced = false;
    if (place == nullptr) {
      place = &entries_.front();
      for (Entry& e : entries_) {
        if (!e.valid) {
          place = &e;
          break;
        }
        if (e.made < place->made) place = &e;
      }
      displaced = place->valid;
    }
    *place = {reg, address, size, ++clock_, true};
    used_ = true;
    return displaced;
  }
  /// A store removes the entries that it overlaps. Returns true if there were any.
  bool store(std::uint64_t address, std::uint32_t size) {
    if (!used_) return false;
    bool found = false;
    for (Entry& e : entries_) {
      if (!e.valid || e.address >= address + size || address >= e.address + e.size) continue;
      e.valid = false;
      found = true;
    }
    return found;
  }
  void remove(std::uint32_t reg) {
    for (Entry& e : entries_) {
      if (e.reg == reg) e.valid = false;
    }
  }
  void clear() {
    for (Entry& e : entries_) e.valid = false;
    used_ = false;
  }

 private:
  struct Entry {
    std::uint32_t reg = 0;
    std::uint64_t address = 0;
    std::uint32_t size = 0;
    std::uint64_t made = 0;
    bool valid = false;
  };
  std::vector<Entry> entries_;
  std::uint64_t clock_ = 0;
  bool used_ = false;  ///< since it was cleared
};

/// PSR.ed: the next speculative load is deferred.
inline constexpr std::uint64_t psr_ed = std::uint64_t{1} << 43;

/// Bits of the default control register.
namespace dcr {
inline constexpr std::uint64_t pp = 1;       ///< PSR.pp at an interruption
inline constexpr std::uint64_t dm = 1 << 8;  ///< speculative loads defer TLB misses
}  // namespace dcr

struct Mode {
  std::uint64_t psr = 0;
  unsigned cpl = 0;
};

struct Thread {
  /// `shared`: the branch prediction of the other thread; null: it has its own.
  Thread(unsigned its_number, std::unique_ptr<trace::Reader> trace, Machine& machine, FetchMemory& fetch_memory,
         BranchPrediction* shared, DirectiveGate& gate)
      : number(its_number),
        program(std::move(trace)),
        bundles(machine.settings),
        prediction(machine.settings),
        front(machine, fetch_memory, shared != nullptr ? *shared : prediction, program, bundles, gate),
        registers(machine.settings),
        stack(machine.settings.stacked_registers),
        alat(machine.settings.alat_entries) {
    frames.set_bsp(machine.settings.backing_store);
  }

  unsigned number;
  Program program;
  Bundles bundles;
  BranchPrediction prediction;
  FrontEnd front;
  Registers registers;
  RegisterStack stack;
  Alat alat;
  isa::FrameTracker frames;

  Mode mode;
  std::vector<Mode> entered_from;
  std::uint64_t dcr = 0, process = 0;
  bool last_was_rfi = false;
  Cycle idle_until = 0;              ///< directives after an idle act then
  std::uint64_t resume_ordinal = 0;  ///< first instruction that has not retired: bundle
  unsigned resume_slot = 0;          ///< ... and slot
  std::uint64_t wrong_path_count = 0, handler_count = 0;

  // of two threads
  Cycle miss_until = 0;    ///< data of its L3 misses
  Cycle sleeps_until = 0;  ///< in low power before
  bool ended = false;      ///< its trace is at its end and all has retired
  unsigned urgency = usual_urgency;
  std::vector<Cycle> returns;  ///< data of its L3 misses comes

  static constexpr unsigned usual_urgency = 5, interrupted_urgency = 6, overtime_urgency = 7;
};

}  // namespace pmusim::core::ia64
