// Modifier matrix of the PowerPC 750GX: privilege and marked-process filters, thresholds, time-base bits, each counter.
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

struct Variant {
  std::vector<Attribute> attributes;
  std::uint32_t threshold = 0;
  unsigned time_base_bit = 0;
};

/// Register-wide settings that change the count of an event.
std::vector<Variant> variants_of(const std::string& event) {
  std::vector<Variant> variants{{}};
  if (event == "L1_LOAD_MISSES") {
    for (const std::uint32_t t : {0u, 1u, 5u, 6u, 7u, 62u, 63u}) variants.push_back({{{"t", t}}, t, 0});
  }
  if (event == "TBL_BIT_TRANSITIONS") {
    for (unsigned bit = 1; bit < 4; ++bit) variants.push_back({{{"tb", bit}}, 0, bit});
  }
  return variants;
}

void row_matrix(const Request& row, const Landmarks& landmarks, std::vector<Group>& groups) {
  for (const Levels& levels : all_levels) {
    for (const std::optional<bool> marked :
         {std::optional<bool>{}, std::optional<bool>{true}, std::optional<bool>{false}}) {
      for (const Variant& variant : variants_of(row.event)) {
        Check check = plain_check(row, levels);
        check.request.marked = marked;
        check.request.threshold = variant.threshold;
        check.request.time_base_bit = variant.time_base_bit;
        if (marked) check.attributes.emplace_back(*marked ? "marked" : "unmarked", 1);
        check.attributes.insert(check.attributes.end(), variant.attributes.begin(), variant.attributes.end());
        Group& group = groups.emplace_back();
        group.checks.push_back(std::move(check));
        complete(group, landmarks);
      }
    }
  }
}

std::vector<unsigned> all_but(unsigned counter) {
  std::vector<unsigned> others;
  for (unsigned i = 0; i < 4; ++i) {
    if (i != counter) others.push_back(i);
  }
  return others;
}

/// The same event on each counter that can count it.
void each_counter(const Landmarks& landmarks, std::vector<Group>& groups) {
  for (const auto& [event, counters] : targets::ppc750gx::counters_of_events()) {
    if (counters.size() < 2) continue;
    for (const unsigned counter : counters) {
      Group& group = groups.emplace_back();
      group.unavailable_counters = all_but(counter);
      group.checks.push_back(plain_check({.event = event, .umasks = {}}, all_levels[0]));
      complete(group, landmarks);
    }
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

void matrix(const std::string& target, const std::vector<Request>& rows, const Landmarks& landmarks,
            std::vector<Group>& groups) {
  for (const Request& row : rows) row_matrix(row, landmarks, groups);
  each_counter(landmarks, groups);
  reserved_codes(target, groups);
}

void complete(Group& group, const Landmarks& landmarks) { add_iabr(group, landmarks); }

std::vector<unsigned> counters(std::string_view, std::string_view row) {
  const auto& events = targets::ppc750gx::counters_of_events();
  const auto found = events.find(std::string(row));
  return found == events.end() ? std::vector<unsigned>{} : found->second;
}

bool nameless(std::string_view row) { return row.starts_with(reserved_row); }

bool holds(std::string_view row) { return row == "NOTHING" || nameless(row); }

constexpr std::string_view traces[] = {"ppc750gx"};

}  // namespace

namespace targets {
namespace ppc750gx {
extern const JudgingFacts judging{.matrix = matrix,
                                  .counters = counters,
                                  .complete = complete,
                                  .holds = holds,
                                  .nameless = nameless,
                                  .traces = traces,
                                  .identities = {identities()},
                                  .told = {told_rows()},
                                  .teller = make_teller};
}  // namespace ppc750gx
// The 750GL has the facts of the 750GX.
namespace ppc750gl {
extern const JudgingFacts judging = ppc750gx::judging;
}  // namespace ppc750gl
}  // namespace targets

}  // namespace pmusim::testbench
