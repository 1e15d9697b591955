// Layouts of the Itanium 2: Linux ia64 perfmon and libpfm-3; SDM volume 2, chapter 7, for the level masks.
#include "testbench/driver/captured.h"

#include <array>

#include "models/itanium2/itanium2.h"

namespace pmusim::testbench {
namespace {

using Mode = CapturedAccess::Mode;

constexpr std::uint64_t level_mask = 0xf;
constexpr unsigned fetch_ear = 10, data_ear = 11, branch_buffer = 12;  ///< PMC numbers
constexpr std::array<std::string_view, 8> entries{"PMD8", "PMD9", "PMD10", "PMD11", "PMD12", "PMD13", "PMD14", "PMD15"};

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

}  // namespace

CaptureUnits::CaptureUnits(std::string_view target, std::span<const RegisterWrite> writes) {
  if (target != "itanium2") return;
  data_ = data_mode(control(writes, data_ear));
  fetch_ = fetch_mode(control(writes, fetch_ear));
  branches_ = (control(writes, branch_buffer) & level_mask) != 0;
  if (fetch_) registers_.insert(registers_.end(), {"PMD0", "PMD1"});
  if (data_) registers_.insert(registers_.end(), {"PMD2", "PMD3", "PMD17"});
  if (branches_) {
    registers_.insert(registers_.end(), entries.begin(), entries.end());
    registers_.emplace_back("PMD16");
  }
  // A stat of 0 is "nothing", and so is an index of 0 with no wrap. PMD2 stays: a chk.a has no address and keeps it.
  if (fetch_) cleared_.emplace_back("PMD0");
  if (data_) cleared_.insert(cleared_.end(), {"PMD3", "PMD17"});
  if (branches_) cleared_.emplace_back("PMD16");
}

Captured CaptureUnits::decode(const std::function<std::uint64_t(std::string_view)>& value_of) const {
  Captured captured;
  if (data_) {
    const std::uint64_t status = value_of("PMD3"), origin = value_of("PMD17");
    CapturedAccess access{true, (status >> 14 & 3) != 0, *data_, value_of("PMD2"), {}, 0, 0, false, {}};
    access.slot = origin & 3;
    if ((origin >> 3 & 1) != 0) access.bundle = (origin & ~std::uint64_t{0xf}) + (origin >> 2 & 1) * 16;
    if (*data_ == Mode::cache) access.latency = status & 0x1fff;
    access.latency_overflow = *data_ == Mode::cache && (status >> 13 & 1) != 0;
    access.served_by = served_by(*data_, status >> 14);
    captured.accesses.push_back(access);
  }
  if (fetch_) {
    const std::uint64_t fetch = value_of("PMD0"), latency = value_of("PMD1");
    CapturedAccess access{false, (fetch & 3) != 0, *fetch_, fetch & ~std::uint64_t{0x1f}, {}, 0, 0, false, {}};
    if (*fetch_ == Mode::cache) access.latency = latency & 0xfff;
    access.latency_overflow = *fetch_ == Mode::cache && (latency >> 12 & 1) != 0;
    access.served_by = served_by(*fetch_, fetch);
    captured.accesses.push_back(access);
  }
  if (branches_) {
    std::array<std::uint64_t, entries.size()> ring{};
    for (std::size_t i = 0; i < entries.size(); ++i) ring[i] = value_of(entries[i]);
    captured.branches = pmu::ia64::decode_branch_ring(pmu::itanium2_branch_ring(ring, value_of("PMD16")));
  }
  return captured;
}

}  // namespace pmusim::testbench
