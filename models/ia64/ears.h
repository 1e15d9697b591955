// The data event address register (D-EAR) of IA-64 PMUs. It captures loads, TLB misses or failed ALAT checks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/ia64/tags.h"

namespace pmusim::pmu::ia64 {

enum class DataEarMode : std::uint8_t { off, cache, tlb, alat };

/// The settings of the configuration register, and the behaviours that the documents do not specify.
struct DataEarSetup {
  DataEarMode mode = DataEarMode::off;
  unsigned umask = 0;           ///< cache: latency of at least 4 << umask; TLB: bits 1 L2 TLB, 2 walker, 3 fault
  unsigned thread = 0;          ///< hardware thread whose accesses are captured
  bool after_branches = false;  ///< the branch buffer is configured, which disturbs the TLB and ALAT modes
  // behaviours that the documents do not specify
  unsigned valid_stat = 1;        ///< stat in cache and ALAT mode
  bool high_umask_is_10 = false;  ///< cache mode, umask above 10: as 10; else nothing is captured
  bool semaphores = false;        ///< semaphores are candidates
  bool random = false;            ///< a shift register decides whether a candidate is taken
  bool keeps_valid = false;       ///< `after_branches` does not clear vl
  bool clears_address = false;    ///< chk.a clears the data address; else the address does not change
};

/// The registers that a capture writes: PMD2, PMD3, PMD17 (Itanium 2); PMD32, PMD33, PMD36 (Montecito).
struct DataEarRegisters {
  std::uint64_t address = 0;
  std::uint64_t latency = 0;      ///< 12:0 cycles, 13 overflow, 15:14 stat
  std::uint64_t instruction = 0;  ///< 1:0 slot, 2 bn, 3 vl, 63:4 window
};

class DataEar {
 public:
  DataEarRegisters registers;

  /// Sets the configuration and drops the tracked load.
  void set(const DataEarSetup& setup) {
    busy_ = false;
    setup_ = setup;
  }
  /// Drops the tracked load.
  void forget() { busy_ = false; }
  /// True if it cannot capture.
  [[nodiscard]] bool idle() const { return setup_.mode == DataEarMode::off; }
  /// Processes the cycles [from, to) and appends the captures. `runs`: its gate is open; `frozen`: nothing is captured.
  void advance(const activity::Block& block, Cycle from, Cycle to, bool runs, bool frozen, const Tagger& tagger,
               const Mode& mode, std::vector<Capture>& captures);

 private:
  void advance_cache(const activity::Block& block, Cycle from, Cycle to, bool runs, bool frozen, const Tagger& tagger,
                     const Mode& mode, std::vector<Capture>& captures);
  void advance_tlb(const activity::Block& block, Cycle from, Cycle to, const Tagger& tagger, const Mode& mode,
                   std::vector<Capture>& captures);
  void advance_alat(const activity::Block& block, Cycle from, Cycle to, const Tagger& tagger, const Mode& mode,
                    std::vector<Capture>& captures);
  void take(const activity::Block& block, std::span<const activity::Occurrence>& issues, const Tagger& tagger,
            const Mode& mode);
  void capture_load(Capture returned, std::vector<Capture>& captures);
  [[nodiscard]] bool candidate(const Origin& origin) const;
  [[nodiscard]] bool mispredicted_branch(const Origin& origin) const;
  [[nodiscard]] bool disturbed(const activity::Block& block, Cycle from, Cycle at) const;
  void note_branches(const activity::Block& block, Cycle from, Cycle to);
  void capture_at_retirement(std::uint64_t instruction, unsigned stat, bool valid);
  [[nodiscard]] static std::uint64_t instruction_word(const Origin& origin);
  bool drawn();

  DataEarSetup setup_;
  // the tracked load
  bool busy_ = false;
  std::uint64_t request_ = 0;  ///< RequestRecord::id
  std::uint64_t address_ = 0;
  std::uint64_t instruction_ = 0;
  Cycle issued_ = 0;
  Cycle free_from_ = 0;
  std::uint16_t lfsr_ = 1;
  Cycle behind_mispredict_ = 0;  ///< cycle after the last mispredicted branch; 0: none
};

// The instruction event address register (I-EAR) of IA-64 PMUs. It captures demand fetches.

enum class FetchEarMode : std::uint8_t { off, cache, tlb };

struct FetchEarSetup {
  FetchEarMode mode = FetchEarMode::off;
  unsigned umask = 0;   ///< cache: a pattern of 8 bits; TLB: bits 0 L2 TLB, 1 walker, 2 fault
  unsigned thread = 0;  ///< hardware thread whose fetches are captured
  // behaviours that the documents do not specify
  bool exact_umasks = false;  ///< cache mode: only the listed unit masks capture; else bits after the first 0 are free
  unsigned valid_stat = 1;    ///< stat in cache mode
};

/// The registers that a capture writes: PMD0, PMD1 (Itanium 2); PMD34, PMD35 (Montecito).
struct FetchEarRegisters {
  std::uint64_t fetch = 0;    ///< 1:0 stat, 63:5 address
  std::uint64_t latency = 0;  ///< 11:0 cycles, 12 overflow
};

class FetchEar {
 public:
  FetchEarRegisters registers;

  /// Sets the configuration and drops the tracked miss.
  void set(const FetchEarSetup& setup) {
    busy_ = false;
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
