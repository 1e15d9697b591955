// Windows of fetch, probes and translations, in the order that the program gives them.
#include <fmt/format.h>

#include "pmusim/trace/reader.h"
#include "testbench/tests/list_models/athlon_program.h"

namespace pmusim::testbench::athlon_lists {

namespace {

constexpr std::uint64_t window_bytes = 16, octet = 8;
using Found = TwoLevelTlb::Found;

std::string differs(const char* what, std::size_t number, const FrontEndRun::Translation* got, std::uint64_t address,
                    Found wanted) {
  const char* const names[] = {"a hit", "the second level", "a walk"};
  return fmt::format("{} {} of {:x}: wanted {}, got {}", what, number, address, names[static_cast<int>(wanted)],
                     got == nullptr ? "none"
                                    : fmt::format("{} of {:x} in cycle {}",
                                                  got->walk ? "a walk"
                                                            : "the second "
                                                              "level",
                                                  got->address, got->cycle));
}

/// Compares a lookup with the next translation of the run, which has those that miss the first level.
class Translations {
 public:
  Translations(const char* what, const std::vector<FrontEndRun::Translation>& run, TwoLevelTlb& tlb)
      : what_(what), run_(run), tlb_(tlb) {}
  /// `reported`: the address that the request of the translation has.
  bool look_up(std::uint64_t page, std::uint64_t reported) {
    const Found wanted = tlb_.look_up(page);
    ++lookups_;
    if (wanted == Found::first) return true;
    const auto* const got = next_ < run_.size() ? &run_[next_] : nullptr;
    ++next_;
    if (got != nullptr && got->address == reported && got->walk == (wanted == Found::walk)) return true;
    error_ = differs(what_, lookups_, got, reported, wanted);
    return false;
  }
  [[nodiscard]] std::string finish() const {
    if (!error_.empty() || next_ == run_.size()) return error_;
    return differs(what_, next_, &run_[next_], run_[next_].address, Found::first);
  }
  [[nodiscard]] std::uint64_t lookups() const { return lookups_; }

 private:
  const char* what_;
  const std::vector<FrontEndRun::Translation>& run_;
  TwoLevelTlb& tlb_;
  std::size_t next_ = 0;
  std::uint64_t lookups_ = 0;
  std::string error_;
};

}  // namespace

WindowModel::WindowModel(const models::Parameters& p)
    : tlb_(number(p, "core.itlb_entries"), number(p, "core.itlb2_entries"), number(p, "core.itlb2_ways")) {}

std::string WindowModel::check(const FrontEndRun& run) {
  Translations pages("lookup of the ITLB", run.code_pages, tlb_);
  std::size_t next = 0;
  bool restarts = true, looks_up = true;
  std::uint64_t read_to = 0, page = 0;
  for (const Retired& r : run.program) {
    if (run.new_process.contains(r.id)) {
      tlb_.clear();
      looks_up = true;
    }
    if (restarts) read_to = r.ip;
    while (read_to < r.end()) {
      const auto* const got = next < run.windows.size() ? &run.windows[next] : nullptr;
      ++next;
      if (got == nullptr || got->address != read_to) {
        return fmt::format("window {}: wanted {:x} for instruction {} at {:x}, got {}", next, read_to, r.id, r.ip,
                           got == nullptr ? "none" : fmt::format("{:x} in cycle {}", got->address, got->cycle));
      }
      // A change of course or of the page looks the page up.
      looks_up |= restarts || read_to / page_bytes != page;
      if (looks_up && !pages.look_up(read_to / page_bytes, read_to)) return pages.finish();
      page = read_to / page_bytes;
      restarts = looks_up = false;
      read_to = (read_to / window_bytes + 1) * window_bytes;
    }
    const BranchKind kind = kind_of(r.encoding);
    const bool far = kind == BranchKind::far || kind == BranchKind::far_call;
    restarts = kind != BranchKind::none && (far ? r.taken : r.predicted_taken || r.mispredicted);
  }
  if (next != run.windows.size()) return fmt::format("{} windows, wanted {}", run.windows.size(), next);
  lookups = pages.lookups();
  return pages.finish();
}

DataModel::DataModel(const models::Parameters& p)
    : tlb_(number(p, "core.dtlb_entries"), number(p, "core.dtlb2_entries"), number(p, "core.dtlb2_ways")) {}

std::string DataModel::check(const FrontEndRun& run, trace::Reader& program) {
  Translations pages("lookup of the DTLB", run.data_pages, tlb_);
  std::size_t next = 0;
  const auto probe = [&](const trace::Access& a, bool prefetch, bool second) {
    const auto* const got = next < run.probes.size() ? &run.probes[next] : nullptr;
    ++next;
    return got != nullptr && got->address == a.address && got->store == (a.store && !prefetch) &&
           got->prefetch == prefetch && got->second == second;
  };
  for (trace::Item item; program.next(item);) {
    if (item.directive != nullptr) {
      if (item.directive->name == "process") tlb_.clear();
      continue;
    }
    const auto& bytes = item.instruction.code->bytes;
    const bool prefetch = bytes[0] == 0x0f && (bytes[1] == 0x0d || bytes[1] == 0x18);
    for (const trace::Access& a : item.instruction.accesses) {
      const std::uint64_t last = a.address + std::max<std::uint64_t>(a.size, 1) - 1;
      const bool splits = !prefetch && a.address / octet != last / octet;
      if (!pages.look_up(a.address / page_bytes, a.address)) return pages.finish();
      bool same = probe(a, prefetch, false);
      if (same && splits) {
        const bool two_pages = a.address / page_bytes != last / page_bytes;
        if (two_pages && !pages.look_up(last / page_bytes, a.address)) return pages.finish();
        same = probe(a, prefetch, true);
      }
      if (!same) {
        const auto* const got = next <= run.probes.size() ? &run.probes[next - 1] : nullptr;
        return fmt::format("probe {}: wanted {:x} of the instruction at {:x}, got {}", next, a.address,
                           item.instruction.code->pc,
                           got == nullptr ? "none" : fmt::format("{:x} in cycle {}", got->address, got->cycle));
      }
    }
  }
  if (next != run.probes.size()) return fmt::format("{} probes, wanted {}", run.probes.size(), next);
  return pages.finish();
}

}  // namespace pmusim::testbench::athlon_lists
