// The instruction event address register (I-EAR) of IA-64 PMUs. It captures demand fetches.
#pragma once

#include <cstdint>
#include <vector>

#include "models/ia64/capture.h"
#include "models/ia64/tags.h"

namespace pmusim::pmu::ia64 {

enum class FetchEarMode : std::uint8_t { off, cache, tlb };

struct FetchEarSetup {
  FetchEarMode mode = FetchEarMode::off;
  unsigned umask = 0;   ///< cache: a pattern of 8 bits; TLB: bits 0 L2 TLB, 1 walker, 2 fault
  unsigned thread = 0;  ///< hardware thread whose fetches are captured
  // behaviours that the documents do not specify
  bool exact_umasks = false;  ///< cache mode: only the listed unit masks capture; else bits after the first 0 are free
  bool captures_squashed = false;  ///< a miss that is given up is captured in this cycle; else dropped
  bool follows_on = false;         ///< a new configuration does not drop the tracked miss
  unsigned valid_stat = 1;         ///< stat in cache mode
};

/// The registers that a capture writes: PMD0, PMD1 (Itanium 2); PMD34, PMD35 (Montecito).
struct FetchEarRegisters {
  std::uint64_t fetch = 0;    ///< 1:0 stat, 63:5 address
  std::uint64_t latency = 0;  ///< 11:0 cycles, 12 overflow
};

class FetchEar {
 public:
  FetchEarRegisters registers;

  /// Sets the configuration. A tracked miss is dropped, unless follows_on is set.
  void set(const FetchEarSetup& setup) {
    busy_ = busy_ && setup.follows_on && setup.mode == FetchEarMode::cache;
    setup_ = setup;
  }
  /// Drops the tracked miss.
  void forget() { busy_ = false; }
  [[nodiscard]] bool idle() const { return setup_.mode == FetchEarMode::off; }
  /// As DataEar::advance().
  void advance(const activity::Block& block, Cycle from, Cycle to, bool runs, bool frozen, const Tagger& tagger,
               const Mode& mode, std::vector<Capture>& captures);

 private:
  void advance_cache(const activity::Block& block, Cycle from, Cycle to, bool takes, bool frozen, const Tagger& tagger,
                     const Mode& mode, std::vector<Capture>& captures);
  void advance_tlb(const activity::Block& block, Cycle from, Cycle to, const Tagger& tagger, const Mode& mode,
                   std::vector<Capture>& captures);
  [[nodiscard]] bool wanted(Cycle latency) const;
  void capture(Capture capture, std::vector<Capture>& captures);

  FetchEarSetup setup_;
  // the tracked miss
  bool busy_ = false;
  bool outstanding_ = false;   ///< its line had already been requested
  std::uint64_t request_ = 0;  ///< RequestRecord::id
  std::uint64_t address_ = 0;
  Cycle missed_ = 0;
};

}  // namespace pmusim::pmu::ia64
