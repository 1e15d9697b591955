// Fields: Linux ia64 perfmon and libpfm-3; SDM volume 2, chapter 7, for the level masks.
#include "testbench/driver/captured.h"

#include <utility>

namespace pmusim::testbench {
namespace {

using Mode = CapturedAccess::Mode;
using pmu::ia64::BranchRingRegisters;

constexpr std::uint64_t level_mask = 0xf;

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

/// Mode 10:8 of its PMC is 4.
bool ip_ear_is_on(std::uint64_t pmc) { return (pmc & level_mask) != 0 && (pmc >> 8 & 7) == 4; }

/// Records all taken branches, whatever their prediction and kind (bit 1 of tm 9:8; ptm 11:10, ppm 13:12 and brt 15:14
/// all), with targets instead of prediction details (ds 7).
bool records_taken_branches(std::uint64_t pmc) { return (pmc & 0xfe80) == 0x3e00; }

}  // namespace

CaptureUnits::CaptureUnits(std::string_view target, std::span<const RegisterWrite> writes) {
  if (const SessionFacts* const facts = find_session_facts(target)) layout_ = facts->captures;
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
