// Facts for judging the PowerPC 750GX: the instruction breakpoint, reserved codes.
#include "testbench/targets/ppc750gx/judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pmusim::testbench {

using oracle::Request;

namespace {

void complete(Group& group, const Landmarks& landmarks);

void add_iabr(Group& group, const Landmarks& landmarks) {
  for (Check& check : group.checks) {
    if (check.request.event != "IABR_MATCHES") continue;
    check.request.address = landmarks.instruction;
    check.request.breakpoint = oracle::breakpoint_translation;
    // IABR[0:29] word address, bit 30 BE, bit 31 TE; the core runs with translation, so TE is set.
    group.extra.push_back({"IABR", (landmarks.instruction & 0xfffffffc) | 1});
  }
}

constexpr std::string_view reserved_row = "PM_RSVD_";

/// The write that selects processor cycles on a counter.
ExtraWrite cycles_before(unsigned counter) {
  const std::array before{ExtraWrite{"MMCR0", 1u << 6}, ExtraWrite{"MMCR0", 1}, ExtraWrite{"MMCR1", 1u << 27},
                          ExtraWrite{"MMCR1", 1u << 22}};
  return before.at(counter - 1);
}

/// Every reserved code of every selector: the counter must hold, even if it counted before, or follow pmu.reserved_code
/// (user's manual, tables 11-2 to 11-5). Codes beyond the last row with a name are reported under that row.
void reserved_codes(const std::string& target, std::vector<Group>& groups) {
  struct Range {
    unsigned counter, first, last;
  };
  const std::vector<std::string> rows = row_names(target);
  for (const Range& range : {Range{1, 13, 127}, Range{2, 9, 9}, Range{2, 17, 63}, Range{3, 9, 9}, Range{3, 14, 14},
                             Range{3, 18, 31}, Range{4, 7, 7}, Range{4, 9, 9}, Range{4, 15, 31}}) {
    std::string row;
    for (unsigned code = range.first; code <= range.last; ++code) {
      const std::string own = fmt::format("{}{}_{}", reserved_row, range.counter, code);
      if (std::find(rows.begin(), rows.end(), own) != rows.end()) row = own;
      Group& group = groups.emplace_back();
      Check check = plain_check({.event = row, .umasks = {}}, all_levels[0]);
      check.raw = fmt::format("PMC{}={}", range.counter, code);
      group.extra.push_back(cycles_before(range.counter));
      group.checks.push_back(std::move(check));
    }
  }
}

void apart(const std::string& target, const std::vector<Request>&, const Landmarks&, std::vector<Group>& groups) {
  reserved_codes(target, groups);
}

void complete(Group& group, const Landmarks& landmarks) { add_iabr(group, landmarks); }

constexpr std::string_view traces[] = {"ppc750gx"};

}  // namespace

namespace targets {
namespace ppc750gx {
extern const JudgingFacts judging{.events = {events()},
                                  .apart = apart,
                                  .complete = complete,
                                  .traces = traces,
                                  .identities = {identities()},
                                  .teller = make_teller};
}  // namespace ppc750gx
// The 750GL has the facts of the 750GX.
namespace ppc750gl {
extern const JudgingFacts judging = ppc750gx::judging;
}  // namespace ppc750gl
}  // namespace targets

}  // namespace pmusim::testbench
