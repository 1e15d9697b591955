// The data event address register of IA-64 PMUs: which load, TLB miss or failed ALAT check it captures.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/ia64/capture.h"
#include "models/ia64/tags.h"

namespace pmusim::pmu::ia64 {

enum class DataEarMode : std::uint8_t { off, cache, tlb, alat };

/// What the configuration register says, and what the documents leave open.
struct DataEarSetup {
  DataEarMode mode = DataEarMode::off;
  unsigned umask = 0;           ///< cache: latency of at least 4 << umask; TLB: bits 1 L2 TLB, 2 walker, 3 fault
  unsigned thread = 0;          ///< whose accesses
  bool after_branches = false;  ///< the branch buffer is configured, which disturbs the TLB and ALAT modes
  // choices
  unsigned valid_stat = 1;        ///< stat in cache and ALAT mode
  bool high_umask_is_10 = false;  ///< cache mode, umask above 10: as 10; else nothing
  bool semaphores = false;        ///< semaphores are candidates
  bool wrong_path = false;        ///< loads of the wrong path are candidates
  bool random = false;            ///< a shift register decides whether a candidate is taken
  bool from_last_pass = false;    ///< latency counts from the load's last passage of the pipe; else from its first
  bool keeps_valid = false;       ///< the disturbance above does not clear vl
  bool clears_address = false;    ///< chk.a clears the data address; else keeps the old one
  bool keeps_youngest = false;    ///< of a cycle's captures in TLB and ALAT mode the youngest stays; else the oldest
  bool keeps_latency = false;     ///< these modes leave the latency alone; else clear it
  bool follows_on = false;        ///< a new configuration does not end what is followed
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

  /// A new configuration: a load on its way is forgotten, unless it says otherwise.
  void set(const DataEarSetup& setup) {
    busy_ = busy_ && setup.follows_on && setup.mode == DataEarMode::cache;
    setup_ = setup;
  }
  /// A load on its way is not followed any more.
  void forget() { busy_ = false; }
  /// May a cycle do anything at all?
  [[nodiscard]] bool idle() const { return setup_.mode == DataEarMode::off; }
  /// Goes through the cycles [from, to). `runs`: its monitor runs; `frozen`: nothing is captured. Appends every
  /// capture.
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
  // the load on its way
  bool busy_ = false;
  std::uint64_t request_ = 0;  ///< RequestRecord::id
  std::uint64_t address_ = 0;
  std::uint64_t instruction_ = 0;
  Cycle issued_ = 0;
  Cycle free_from_ = 0;
  std::uint16_t lfsr_ = 1;
  // the last mispredicted branch, as far as it matters
  Cycle behind_mispredict_ = 0;  ///< cycle after it; 0: none
};

}  // namespace pmusim::pmu::ia64
