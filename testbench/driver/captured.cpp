// Layouts: Linux ia64 perfmon and libpfm-3; SDM volume 2, chapter 7, for the level masks. Montecito has the Itanium 2's
// units under other numbers.
#include "testbench/driver/captured.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/itanium2/itanium2.h"
#include "models/montecito/montecito.h"

namespace pmusim::testbench {
namespace {

using Mode = CapturedAccess::Mode;
using pmu::ia64::BranchRingRegisters;

constexpr std::uint64_t level_mask = 0xf;

constexpr std::array<std::string_view, 9> itanium2_ring{"PMD8",  "PMD9",  "PMD10", "PMD11", "PMD12",
                                                        "PMD13", "PMD14", "PMD15", "PMD16"};
constexpr std::array<std::string_view, 18> montecito_ring{"PMD48", "PMD49", "PMD50", "PMD51", "PMD52", "PMD53",
                                                          "PMD54", "PMD55", "PMD56", "PMD57", "PMD58", "PMD59",
                                                          "PMD60", "PMD61", "PMD62", "PMD63", "PMD38", "PMD39"};

BranchRingRegisters itanium2_branches(std::span<const std::uint64_t> values) {
  return pmu::itanium2_branch_ring(values.first<8>(), values[8]);
}
BranchRingRegisters montecito_branches(std::span<const std::uint64_t> values) {
  return pmu::montecito_branch_ring(values.first<16>(), values[16], values[17]);
}

/// The last value written to a PMC; 0 if there is none, as after reset.
std::uint64_t control(std::span<const RegisterWrite> writes, unsigned number) {
  std::uint64_t value = 0;
  for (const RegisterWrite& write : writes) {
    if (write.id == pmu::RegisterId{pmu::Space::pmc, number}) value = write.value;
  }
  return value;
}

std::optional<Mode> data_mode(std::uint64_t pmc) {
  if ((pmc & level_mask) == 0) return std::nullopt;
  constexpr Mode modes[4] = {Mode::cache, Mode::tlb, Mode::alat, Mode::alat};
  return modes[pmc >> 7 & 3];
}

std::optional<Mode> fetch_mode(std::uint64_t pmc) {
  if ((pmc & level_mask) == 0) return std::nullopt;
  const unsigned ct = pmc >> 12 & 3;
  if (ct == 1) return std::nullopt;  // nothing is monitored
  return ct == 0 ? Mode::tlb : Mode::cache;
}

std::string_view served_by(Mode mode, std::uint64_t stat) {
  constexpr std::string_view names[4] = {"", "l2", "vhpt", "fault"};
  return mode == Mode::tlb ? names[stat & 3] : "";
}

/// Montecito: mode 10:8 of PMC42 is 4.
bool ip_ear_is_on(std::uint64_t pmc) { return (pmc & level_mask) != 0 && (pmc >> 8 & 7) == 4; }

/// All taken branches whatever their prediction and kind: bit 1 of tm 9:8, ptm 11:10 and ppm 13:12 all, brt 15:14 all,
/// targets and not details of the prediction (ds 7).
bool records_taken_branches(std::uint64_t pmc) { return (pmc & 0xfe80) == 0x3e00; }

}  // namespace

/// Numbers of a family's PMCs and names of its PMDs.
struct CaptureUnits::Layout {
  std::string_view target;
  unsigned fetch_ear, data_ear, branch_buffer;
  unsigned ip_ear;  ///< 0: there is none
  std::string_view fetch_address, fetch_latency;
  std::string_view data_address, data_latency, data_instruction;
  std::span<const std::string_view> ring;  ///< entries, index, flags
  std::string_view ring_index;
  BranchRingRegisters (*ring_of)(std::span<const std::uint64_t>);  ///< from the values of `ring`
};

const CaptureUnits::Layout* CaptureUnits::layout_of(std::string_view target) {
  static constexpr std::array<Layout, 2> layouts{{
      {"itanium2", 10, 11, 12, 0, "PMD0", "PMD1", "PMD2", "PMD3", "PMD17", itanium2_ring, "PMD16", itanium2_branches},
      {"montecito", 37, 40, 39, 42, "PMD34", "PMD35", "PMD32", "PMD33", "PMD36", montecito_ring, "PMD38",
       montecito_branches},
  }};
  const auto found =
      std::find_if(layouts.begin(), layouts.end(), [&](const Layout& layout) { return layout.target == target; });
  return found == layouts.end() ? nullptr : &*found;
}

CaptureUnits::CaptureUnits(std::string_view target, std::span<const RegisterWrite> writes)
    : layout_(layout_of(target)) {
  if (layout_ == nullptr) return;
  data_ = data_mode(control(writes, layout_->data_ear));
  fetch_ = fetch_mode(control(writes, layout_->fetch_ear));
  ip_ear_ = layout_->ip_ear != 0 && ip_ear_is_on(control(writes, layout_->ip_ear));
  const std::uint64_t buffer = control(writes, layout_->branch_buffer);
  branches_ = !ip_ear_ && (buffer & level_mask) != 0;
  records_path_ = branches_ && records_taken_branches(buffer);
  if (fetch_) registers_.insert(registers_.end(), {layout_->fetch_address, layout_->fetch_latency});
  if (data_) {
    registers_.insert(registers_.end(), {layout_->data_address, layout_->data_latency, layout_->data_instruction});
  }
  if (branches_ || ip_ear_) registers_.insert(registers_.end(), layout_->ring.begin(), layout_->ring.end());
  // A stat of 0 is "nothing", and so is an index of 0 with no wrap. The data's address stays: a chk.a has none and
  // keeps it.
  if (fetch_) cleared_.push_back(layout_->fetch_address);
  if (data_) cleared_.insert(cleared_.end(), {layout_->data_latency, layout_->data_instruction});
  if (branches_ || ip_ear_) cleared_.push_back(layout_->ring_index);
}

Captured CaptureUnits::decode(const std::function<std::uint64_t(std::string_view)>& value_of) const {
  Captured captured;
  if (data_) {
    const std::uint64_t status = value_of(layout_->data_latency), origin = value_of(layout_->data_instruction);
    CapturedAccess access{true, (status >> 14 & 3) != 0, *data_, value_of(layout_->data_address), {}, 0, 0, false, {}};
    access.slot = origin & 3;
    if ((origin >> 3 & 1) != 0) access.bundle = (origin & ~std::uint64_t{0xf}) + (origin >> 2 & 1) * 16;
    if (*data_ == Mode::cache) access.latency = status & 0x1fff;
    access.latency_overflow = *data_ == Mode::cache && (status >> 13 & 1) != 0;
    access.served_by = served_by(*data_, status >> 14);
    captured.accesses.push_back(access);
  }
  if (fetch_) {
    const std::uint64_t fetch = value_of(layout_->fetch_address), latency = value_of(layout_->fetch_latency);
    CapturedAccess access{false, (fetch & 3) != 0, *fetch_, fetch & ~std::uint64_t{0x1f}, {}, 0, 0, false, {}};
    if (*fetch_ == Mode::cache) access.latency = latency & 0xfff;
    access.latency_overflow = *fetch_ == Mode::cache && (latency >> 12 & 1) != 0;
    access.served_by = served_by(*fetch_, fetch);
    captured.accesses.push_back(access);
  }
  if (!branches_ && !ip_ear_) return captured;
  std::vector<std::uint64_t> values;
  for (const std::string_view name : layout_->ring) values.push_back(value_of(name));
  const BranchRingRegisters ring = layout_->ring_of(values);
  if (branches_) captured.branches = pmu::ia64::decode_branch_ring(ring);
  if (ip_ear_) captured.retired = pmu::ia64::decode_ip_ear(ring);
  return captured;
}

std::vector<CodeStretch> path_of(std::span<const pmu::ia64::RecordedBranch> branches) {
  std::vector<CodeStretch> path;
  std::optional<std::uint64_t> first;  ///< of the stretch under way
  bool waiting = false;                ///< a branch was taken whose target is not recorded
  for (const pmu::ia64::RecordedBranch& branch : branches) {
    if (std::exchange(waiting, false)) first = branch.bundle;
    if (!branch.taken) continue;
    if (first) path.push_back({*first, branch.bundle});
    first = branch.target;
    waiting = !first;
  }
  return path;
}

}  // namespace pmusim::testbench
