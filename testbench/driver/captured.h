// Contents of the event address registers and of the branch buffer of an IA-64 PMU, as software reads them: which
// registers a programming fills, and how to decode their values into accesses and branches.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/ia64/branch_ring.h"
#include "models/ia64/ip_ear.h"
#include "testbench/driver/session.h"
#include "testbench/driver/session_facts.h"

namespace pmusim::testbench {

/// What an event address register (EAR) captured.
struct CapturedAccess {
  enum class Mode : std::uint8_t { cache, tlb, alat };
  bool data = true;    ///< captured by the data EAR; otherwise by the instruction EAR
  bool valid = false;  ///< something was captured since the register was cleared
  Mode mode = Mode::cache;
  std::uint64_t address = 0;            ///< of the data, or of the fetch in steps of 32 bytes
  std::optional<std::uint64_t> bundle;  ///< data EAR: of the instruction, if the register says that it is known
  unsigned slot = 0;                    ///< of the instruction in its bundle
  std::uint64_t latency = 0;            ///< cache mode: core cycles
  bool latency_overflow = false;        ///< the latency did not fit and is the lower part
  std::string_view served_by;           ///< TLB mode: l2, vhpt or fault
};

/// Bundles that ran one after the other.
struct CodeStretch {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  friend bool operator==(const CodeStretch&, const CodeStretch&) = default;
};
/// Code executed from each taken branch to the next, oldest first, from a buffer that records all taken branches. If
/// the first branch has no recorded target, the stretch begins at the next branch, whose window contains the target, so
/// it begins up to one bundle late. Interruptions are not recorded.
[[nodiscard]] std::vector<CodeStretch> path_of(std::span<const pmu::ia64::RecordedBranch> branches);

/// The contents of all units that a programming turns on.
struct Captured {
  std::vector<CapturedAccess> accesses;                            ///< one for each EAR that is on
  std::optional<std::vector<pmu::ia64::RecordedBranch>> branches;  ///< if the buffer is on; oldest first
  std::optional<std::vector<pmu::ia64::RetiredGroup>> retired;     ///< if it is the IP-EAR; oldest first
};

/// The units that a programming turns on. A target without such units has none.
class CaptureUnits {
 public:
  CaptureUnits() = default;
  CaptureUnits(std::string_view target, std::span<const RegisterWrite> writes);

  /// Names of the registers that hardware fills.
  [[nodiscard]] const std::vector<std::string_view>& registers() const { return registers_; }
  /// Registers to which a handler writes 0 after each sample, so that the next sample has no stale values.
  [[nodiscard]] const std::vector<std::string_view>& cleared() const { return cleared_; }
  [[nodiscard]] bool empty() const { return registers_.empty(); }
  /// Whether the buffer records all taken branches. path_of() requires that.
  [[nodiscard]] bool records_path() const { return records_path_; }
  [[nodiscard]] Captured decode(const std::function<std::uint64_t(std::string_view)>& value_of) const;

 private:
  const CaptureRegisters* layout_ = nullptr;
  std::optional<CapturedAccess::Mode> data_, fetch_;
  bool branches_ = false;
  bool ip_ear_ = false;
  bool records_path_ = false;
  std::vector<std::string_view> registers_;
  std::vector<std::string_view> cleared_;
};

}  // namespace pmusim::testbench
