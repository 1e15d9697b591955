// Modifier matrix of the Itanium 2: levels, instruction sets, thresholds, code and data ranges, opcodes, tag channels,
// and what the address registers and the branch buffer take in.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "testbench/validate/plan_family.h"

namespace pmusim::testbench {
namespace {

using oracle::Request;
using Rows = std::vector<Request>;
namespace ia64 = oracle::ia64;

// --- rows -------------------------------------------------------------------------------------------------------

bool is_data_ear(const Request& row) { return row.event.starts_with("DATA_EAR_"); }
bool is_fetch_ear(const Request& row) { return row.event.starts_with("L1I_EAR_"); }
/// Rows that set up a unit of the whole PMU: two that want it differently cannot share a run.
bool is_capture(const Request& row) { return is_data_ear(row) || is_fetch_ear(row) || row.event == "BRANCH_EVENT"; }
bool is_tagged(const Request& row) { return row.event.starts_with("IA64_TAGGED_INST_RETIRED_"); }
/// Channel 0 is that of ordinary events.
bool is_of_other_channel(const Request& row) { return is_tagged(row) && !row.event.ends_with("IBRP0_PMC8"); }
bool is_breakpoint(const Request& row) { return row.event.starts_with("DATA_DEBUG_REGISTER_"); }
/// Rows that the second code range serves, and those that it serves as far as prefetches are counted.
bool is_prefetch(const Request& row) {
  static const std::set<std::string> rows{"L1I_PREFETCHES", "L1I_STRM_PREFETCHES", "L2_INST_PREFETCHES"};
  return rows.contains(row.event);
}
bool is_any_fetch(const Request& row) {
  static const std::set<std::string> rows{"L1I_FILLS", "ISB_BUNPAIRS_IN", "L1I_FETCH_RAB_HIT", "L1I_FETCH_ISB_HIT"};
  return rows.contains(row.event);
}

struct Honours {
  bool code, opcode, data;
};
Honours honours_of(const Request& row) {
  static const std::map<std::string_view, Honours> all = [] {
    std::map<std::string_view, Honours> found;
    for (const oracle::EventName& event : oracle::events("itanium2")) {
      found[event.name] = {event.by_code, event.by_opcode, event.by_data};
    }
    return found;
  }();
  return all.at(row.event);
}

template <class Condition>
Rows select(const Rows& rows, Condition condition) {
  Rows chosen;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(chosen), condition);
  return chosen;
}

// --- filters ----------------------------------------------------------------------------------------------------

/// Filters of a run. All ranges are such that registers can cover them exactly, or, in fine mode, such that it is known
/// that pairs of bundles are covered.
enum Filter : unsigned {
  none,
  fine,        ///< two pairs of bundles
  fine_odd,    ///< ... that begins and ends within a pair
  fine_twice,  ///< the same for both kinds of fetches
  fine_inverse,
  coarse,  ///< a block by mask
  coarse_inverse,
  large,        ///< a block beyond a page
  other_level,  ///< the range holds at level 0 only
  load_kind,    ///< the major opcode of the first load, in M slots
  load_itself,  ///< all bits that can be compared
  m_slots,
  i_slots,
  f_slots,
  b_slots,
  data_block,
  data_two_pairs,  ///< a range that takes two pairs
  data_two_ranges,
  code_and_opcode,
  code_and_data,
  code_and_two_pairs,
  opcode_and_data,
  everything,
  channels_coarse,  ///< a range for each channel
  channels_fine,    ///< one for channels 0 and 2, one for 1 and 3
  channels_opcode,  ///< a matcher for channels 0 and 2, one for 1 and 3
};

constexpr std::uint64_t uncompared_opcode = 0x7ffe000;  ///< bits 26:13
constexpr std::uint64_t whole_opcode = (std::uint64_t{1} << 41) - 1;
constexpr std::uint64_t major_opcode = std::uint64_t{0xf} << 37;
constexpr std::uint64_t page = 4096;

/// Fills a group's filters and what its checks ask of the oracle.
class Places {
 public:
  Places(Group& group, const Landmarks& landmarks) : group_(group), marks_(landmarks) {
    encoder::QualifierTexts& texts = group.filters;
    texts.irange.clear(), texts.drange.clear(), texts.opcode.clear();
    texts.no_fine = texts.inverse = false;
    for (Check& check : group.checks) {
      ia64::Qualifiers& q = check.request.ia64;
      q.code.clear(), q.data.clear(), q.opcodes.clear();
      q.fine_mode = q.outside = false;
    }
  }

  void put(Filter filter) {
    const std::uint64_t block = 64, hot = marks_.hot_code, data = marks_.hot_data & ~std::uint64_t{127};
    // Whole pairs of bundles inside the page of the hot block, and a block that is not all of it.
    switch (filter) {
      case none:
        return;
      case fine:
        return put_fine(hot, hot + block);
      case fine_odd:
        return put_fine(hot + 16, hot + block - 16);
      case fine_twice:
        put_fine(hot, hot + block);
        return put_fine(hot, hot + block);
      case fine_inverse:
        group_.filters.inverse = true;
        each([](ia64::Qualifiers& q) { q.outside = true; });
        return put_fine(hot, hot + block / 2);
      case coarse:
        return put_coarse(hot, hot + block);
      case coarse_inverse:
        group_.filters.inverse = true;
        each([](ia64::Qualifiers& q) { q.outside = true; });
        return put_coarse(hot, hot + block / 2);
      case large:
        return put_coarse(hot & ~(2 * page - 1), (hot & ~(2 * page - 1)) + 2 * page);
      case other_level:
        return put_code(hot, hot + block, hot, hot + block, true, 1);
      case load_kind:
        return put_opcode(marks_.load_syllable, whole_opcode & ~major_opcode, "m");
      case load_itself:
        return put_opcode(marks_.load_syllable, uncompared_opcode, "mifb");
      case m_slots:
        return put_opcode(0, whole_opcode, "m");
      case i_slots:
        return put_opcode(0, whole_opcode, "i");
      case f_slots:
        return put_opcode(0, whole_opcode, "f");
      case b_slots:
        return put_opcode(0, whole_opcode, "b");
      case data_block:
        return put_data(marks_.hot_data, marks_.hot_data + block);
      case data_two_pairs:
        return put_data(data, data + 3 * block);
      case data_two_ranges:
        put_data(marks_.hot_data, marks_.hot_data + block / 8);
        return put_data(marks_.hot_data + block / 2, marks_.hot_data + block);
      case code_and_opcode:
        put_fine(hot, hot + block);
        return put_opcode(0, whole_opcode, "m");
      case code_and_data:
        put_coarse(hot, hot + block);
        return put_data(marks_.hot_data, marks_.hot_data + block);
      case code_and_two_pairs:
        put_fine(hot, hot + block);
        return put_data(data, data + 3 * block);
      case opcode_and_data:
        put_opcode(marks_.load_syllable, whole_opcode & ~major_opcode, "m");
        return put_data(marks_.hot_data, marks_.hot_data + block);
      case everything:
        put_fine(hot, hot + block);
        put_opcode(0, whole_opcode, "m");
        return put_data(marks_.hot_data, marks_.hot_data + block);
      case channels_coarse:
        return put_channels();
      case channels_fine:
        put_fine(hot, hot + block / 2);
        return put_fine(hot + block / 2, hot + block);
      case channels_opcode:
        put_opcode(0, whole_opcode, "m");
        return put_opcode(0, whole_opcode, "ib");
    }
  }

 private:
  template <class Change>
  void each(Change change) {
    for (Check& check : group_.checks) change(check.request.ia64);
  }

  /// Asked for [start, end); covered [from, to).
  void put_code(std::uint64_t start, std::uint64_t end, std::uint64_t from, std::uint64_t to, bool no_fine,
                unsigned levels = 0) {
    std::string text = fmt::format("{:#x}-{:#x}", start, end);
    if (levels != 0) text += fmt::format(":{}", levels);
    group_.filters.irange.push_back(std::move(text));
    group_.filters.no_fine = no_fine;
    each([&](ia64::Qualifiers& q) {
      q.code.push_back({from, to, levels != 0 ? levels : 15});
      q.fine_mode = !no_fine;
    });
  }
  void put_fine(std::uint64_t start, std::uint64_t end) {
    constexpr std::uint64_t pair = 32;
    put_code(start, end, start & ~(pair - 1), (end + pair - 1) & ~(pair - 1), false);
  }
  void put_coarse(std::uint64_t start, std::uint64_t end) { put_code(start, end, start, end, true); }
  void put_channels() {
    constexpr std::uint64_t block = 32;
    for (std::uint64_t k = 0; k < 4; ++k) put_coarse(marks_.hot_code + k * block, marks_.hot_code + (k + 1) * block);
  }
  void put_data(std::uint64_t start, std::uint64_t end) {
    group_.filters.drange.push_back(fmt::format("{:#x}-{:#x}", start, end));
    each([&](ia64::Qualifiers& q) { q.data.push_back({start, end}); });
  }
  void put_opcode(std::uint64_t match, std::uint64_t mask, std::string_view slots) {
    mask |= uncompared_opcode;
    group_.filters.opcode.push_back(fmt::format("{:#x}/{:#x}:{}", match, mask, slots));
    const auto compared = [](std::uint64_t bits) {
      return static_cast<std::uint32_t>((bits & 0x1fff) | (bits >> 27 & 0x3fff) << 13);
    };
    const auto has = [&](char slot) { return slots.find(slot) != std::string_view::npos; };
    each([&](ia64::Qualifiers& q) {
      q.opcodes.push_back({compared(match), compared(mask), has('m'), has('i'), has('f'), has('b')});
    });
  }

  Group& group_;
  const Landmarks& marks_;
};

// --- groups -----------------------------------------------------------------------------------------------------

/// What all checks of a group have in common.
struct Setting {
  std::vector<Attribute> attributes = {};
  unsigned levels = 9;
  std::uint32_t threshold = 0;
  bool privileged = false;
  ia64::InstructionSet instruction_set = ia64::InstructionSet::both;
  Filter filter = none;
};
Setting at_levels(const Levels& levels) {
  Setting setting;
  setting.levels = (levels.kernel ? 1u : 0) | (levels.user ? 8u : 0);
  if (!levels.kernel) setting.attributes = {{"u", 1}};
  if (!levels.user) setting.attributes = {{"k", 1}};
  return setting;
}
Setting at_levels(unsigned mask) { return {.attributes = {{"plm", mask}}, .levels = mask}; }
Setting filtered(Filter filter) { return {.filter = filter}; }

Check check_of(const Request& row, const Setting& setting) {
  Check check{.request = row, .attributes = setting.attributes, .raw = {}};
  check.request.threshold = setting.threshold;
  check.request.ia64.levels = setting.levels;
  check.request.ia64.privileged_monitor = setting.privileged;
  check.request.ia64.instruction_set = setting.instruction_set;
  return check;
}

Group group_of(const Rows& rows, const Setting& setting, const Landmarks& landmarks) {
  Group group;
  for (const Request& row : rows) group.checks.push_back(check_of(row, setting));
  group.filter = setting.filter;
  itanium2_complete(group, landmarks);
  return group;
}

/// The rows in as few runs as fit the counters.
void deal(const Rows& rows, const Setting& setting, const Landmarks& landmarks, std::vector<Group>& groups) {
  std::vector<std::string> texts;
  std::map<std::string, const Request*> by_name;
  for (const Request& row : rows) {
    texts.push_back(row.event);
    by_name[row.event] = &row;
  }
  if (texts.empty()) return;
  for (const std::vector<std::string>& pass : passes_of("itanium2", texts)) {
    Rows together;
    for (const std::string& text : pass) together.push_back(*by_name.at(text));
    groups.push_back(group_of(together, setting, landmarks));
  }
}

/// How an EAR event that names no setup has its register set up, and what that is called.
struct Arming {
  const char* text;
  const char* row;
};
constexpr std::array data_armings{Arming{"unit=data,mode=cache,latency=4", "DATA_EAR_CACHE_LAT4"},
                                  Arming{"unit=data,mode=tlb,level=l2+vhpt+fault", "DATA_EAR_TLB_ALL"},
                                  Arming{"unit=data,mode=alat", "DATA_EAR_ALAT"}};
constexpr std::array fetch_armings{Arming{"unit=instruction,mode=cache,latency=0", "L1I_EAR_CACHE_LAT0"},
                                   Arming{"unit=instruction,mode=tlb,level=l2+vhpt+fault", "L1I_EAR_TLB_ALL"},
                                   Arming{"unit=instruction,mode=cache,latency=rab", "L1I_EAR_CACHE_RAB"}};

/// The units' own events: one of each unit in a run, and the branch buffer where the data EAR leaves it.
void deal_captures(const Rows& rows, const Setting& setting, const Landmarks& landmarks, std::vector<Group>& groups) {
  const auto named = [](const Request& row) { return !row.event.ends_with("_EAR_EVENTS"); };
  const Rows data = select(rows, [&](const Request& row) { return is_data_ear(row) && named(row); });
  const Rows fetch = select(rows, [&](const Request& row) { return is_fetch_ear(row) && named(row); });
  const Rows branch = select(rows, [](const Request& row) { return row.event == "BRANCH_EVENT"; });
  for (std::size_t i = 0; i < std::max({data.size(), fetch.size(), branch.size()}); ++i) {
    Rows together;
    if (i < data.size()) together.push_back(data[i]);
    if (i < fetch.size()) together.push_back(fetch[i]);
    const bool ear_allows = i >= data.size() || data[i].event.starts_with("DATA_EAR_CACHE");
    if (i < branch.size() && ear_allows) together.push_back(branch[i]);
    if (!together.empty()) groups.push_back(group_of(together, setting, landmarks));
    if (i < branch.size() && !ear_allows) groups.push_back(group_of({branch[i]}, setting, landmarks));
  }
  const Rows plain =
      select(rows, [&](const Request& row) { return is_capture(row) && row.event.ends_with("_EAR_EVENTS"); });
  for (std::size_t i = 0; !plain.empty() && i < data_armings.size(); ++i) {
    Group group = group_of(plain, setting, landmarks);
    for (Check& check : group.checks) {
      const Arming& arming = is_data_ear(check.request) ? data_armings[i] : fetch_armings[i];
      check.request.ia64.armed = arming.row;
      std::string text = arming.text;
      if (setting.instruction_set != ia64::InstructionSet::both) {
        text += setting.instruction_set == ia64::InstructionSet::ia32 ? ",ism=ia32" : ",ism=ia64";
      }
      group.filters.ear.push_back(std::move(text));
    }
    groups.push_back(std::move(group));
  }
}

/// All rows that honour what the setting asks of them.
void add_all(const Rows& rows, const Setting& setting, const Landmarks& landmarks, std::vector<Group>& groups) {
  const auto of_counters = [](const Request& row) { return !is_capture(row); };
  deal(select(rows, of_counters), setting, landmarks, groups);
  deal_captures(rows, setting, landmarks, groups);
}

// --- the matrix -------------------------------------------------------------------------------------------------

void add_levels(const Rows& rows, const Landmarks& landmarks, std::vector<Group>& groups) {
  add_all(rows, at_levels(15), landmarks, groups);
  add_all(rows, at_levels(6), landmarks, groups);
  // Every level mask, on events of each kind.
  static const std::set<std::string> kinds{"IA64_INST_RETIRED", "LOADS_RETIRED", "CPU_CYCLES", "L1I_READS"};
  const Rows few = select(rows, [](const Request& row) { return kinds.contains(row.event); });
  for (unsigned mask = 1; mask < 16; ++mask) deal(few, at_levels(mask), landmarks, groups);
}

void add_modes(const Rows& rows, const Landmarks& landmarks, std::vector<Group>& groups) {
  add_all(rows, {.attributes = {{"pm", 1}}, .privileged = true}, landmarks, groups);
  add_all(rows, {.attributes = {{"ism", 1}}, .instruction_set = ia64::InstructionSet::ia32}, landmarks, groups);
  add_all(rows, {.attributes = {{"ism", 2}}, .instruction_set = ia64::InstructionSet::ia64}, landmarks, groups);
}

void add_thresholds(const Rows& rows, const Landmarks& landmarks, std::vector<Group>& groups) {
  constexpr std::uint32_t largest_threshold = 7;
  const auto largest = largest_per_cycle("itanium2");
  const Rows counted = select(rows, [](const Request& row) { return !is_capture(row); });
  for (std::uint32_t t = 1; t <= largest_threshold; ++t) {
    // Up to the most that can happen in a cycle, where the count must stay 0.
    const Rows reach = select(counted, [&](const Request& row) { return largest.at(row.event) >= t; });
    deal(reach, {.attributes = {{"t", t}}, .threshold = t}, landmarks, groups);
  }
}

void add_filters(const Rows& rows, const Landmarks& landmarks, std::vector<Group>& groups) {
  const auto by = [&](Filter filter, auto honours) {
    add_all(
        select(rows, [&](const Request& row) { return !is_of_other_channel(row) && honours(honours_of(row), row); }),
        filtered(filter), landmarks, groups);
  };
  const auto by_code = [](const Honours& h, const Request& row) {
    return h.code && !is_prefetch(row) && !is_any_fetch(row);
  };
  for (const Filter filter : {fine, fine_odd, fine_inverse, coarse, coarse_inverse, large, other_level}) {
    by(filter, by_code);
  }
  // Prefetches are tagged by channel 1: they need a run of their own, or a range of their own.
  for (const Filter filter : {fine, fine_odd, coarse, large}) {
    by(filter, [](const Honours&, const Request& row) { return is_prefetch(row); });
  }
  by(fine_twice, [](const Honours&, const Request& row) { return is_any_fetch(row); });
  for (const Filter filter : {load_kind, load_itself, m_slots, i_slots, f_slots, b_slots}) {
    by(filter, [](const Honours& h, const Request&) { return h.opcode; });
  }
  for (const Filter filter : {data_block, data_two_pairs, data_two_ranges}) {
    by(filter, [](const Honours& h, const Request&) { return h.data; });
  }
  by(code_and_opcode, [](const Honours& h, const Request&) { return h.code && h.opcode; });
  by(code_and_data, [](const Honours& h, const Request&) { return h.code && h.data; });
  by(code_and_two_pairs, [](const Honours& h, const Request&) { return h.code && h.data; });
  by(opcode_and_data, [](const Honours& h, const Request&) { return h.opcode && h.data; });
  by(everything, [](const Honours& h, const Request&) { return h.code && h.opcode && h.data; });
}

/// The four rows that tell the tag channels apart share a run, so that every channel has its event.
void add_channels(const Rows& rows, const Landmarks& landmarks, std::vector<Group>& groups) {
  const Rows tagged = select(rows, is_tagged);
  for (const Filter filter : {channels_coarse, channels_fine, channels_opcode}) {
    groups.push_back(group_of(tagged, filtered(filter), landmarks));
  }
}

// --- captures ---------------------------------------------------------------------------------------------------

Group capture_group(const Request& row, Captures captures, const Setting& setting, const Landmarks& landmarks) {
  Group group = group_of({row}, setting, landmarks);
  group.captures = captures;
  return group;
}

void add_ear_captures(const Rows& rows, std::uint64_t period, const Setting& setting, const Landmarks& landmarks,
                      std::vector<Group>& groups) {
  for (const Request& row : rows) {
    if (!is_capture(row) || row.event == "BRANCH_EVENT" || row.event.ends_with("_EAR_EVENTS")) continue;
    const Captures::Unit unit = is_data_ear(row) ? Captures::Unit::data_ear : Captures::Unit::fetch_ear;
    groups.push_back(capture_group(row, {unit, period}, setting, landmarks));
  }
}

/// The branch buffer under one filter: each field as the user names it, which is also its register value.
Group branch_group(const Request& row, std::uint64_t period, const std::array<unsigned, 5>& fields,
                   const Landmarks& landmarks) {
  const auto [tm, ptm, ppm, brt, ds] = fields;
  Group group = capture_group(row, {Captures::Unit::branch_buffer, period, ds == 1}, {}, landmarks);
  group.filters.btb = {fmt::format("tm={},ptm={},ppm={},brt={},ds={}", tm, ptm, ppm, brt, ds)};
  ia64::BranchFilter& filter = group.checks.front().request.ia64.branches;
  filter = {.taken = (tm & 2) != 0,
            .not_taken = (tm & 1) != 0,
            .path_right = (ppm & 2) != 0,
            .path_wrong = (ppm & 1) != 0,
            .target_right = (ptm & 2) != 0,
            .target_wrong = (ptm & 1) != 0,
            .type = static_cast<ia64::BranchFilter::Type>(brt)};
  return group;
}

const Request& branch_event(const Rows& rows) {
  return *std::find_if(rows.begin(), rows.end(), [](const Request& row) { return row.event == "BRANCH_EVENT"; });
}

void add_captures(const Rows& rows, const Landmarks& landmarks, std::vector<Group>& groups) {
  for (const Filter filter : {none, fine, load_kind, data_block}) {
    Rows honouring = select(rows, [&](const Request& row) {
      if (!is_capture(row)) return false;
      const Honours honours = honours_of(row);
      return filter == none || (filter == fine ? honours.code : filter == load_kind ? honours.opcode : honours.data);
    });
    add_ear_captures(honouring, 1, filtered(filter), landmarks, groups);
  }
  const Request& row = branch_event(rows);
  for (unsigned fields = 0; fields < 256; ++fields) {
    for (const unsigned ds : {0u, 1u}) {
      groups.push_back(branch_group(row, 1 + fields % 5,
                                    {fields & 3, fields >> 2 & 3, fields >> 4 & 3, fields >> 6, ds}, landmarks));
    }
  }
}

}  // namespace

void itanium2_matrix(const std::string&, const Rows& rows, const Landmarks& landmarks, std::vector<Group>& groups) {
  for (const Request& row : rows) {
    if (!is_capture(row)) groups.push_back(group_of({row}, {}, landmarks));
  }
  add_levels(rows, landmarks, groups);
  add_modes(rows, landmarks, groups);
  add_thresholds(rows, landmarks, groups);
  add_filters(rows, landmarks, groups);
  add_channels(rows, landmarks, groups);
  add_captures(rows, landmarks, groups);
}

void itanium2_sampled(const std::string&, const Rows& rows, const Landmarks& landmarks, std::vector<Group>& groups) {
  static const std::set<std::string> kinds{
      "IA64_INST_RETIRED",  "NOPS_RETIRED", "LOADS_RETIRED", "L1I_READS", "BR_MISPRED_DETAIL_ALL_ALL_PRED",
      "L1D_READ_MISSES_ALL"};
  add_filters(select(rows, [](const Request& row) { return kinds.contains(row.event); }), landmarks, groups);
  add_channels(rows, landmarks, groups);
  constexpr std::uint64_t period = 997;
  static const std::set<std::string> armed{"DATA_EAR_CACHE_LAT4", "DATA_EAR_TLB_ALL", "L1I_EAR_CACHE_LAT0"};
  add_ear_captures(select(rows, [](const Request& row) { return armed.contains(row.event); }), period, {}, landmarks,
                   groups);
  const Request& row = branch_event(rows);
  groups.push_back(branch_group(row, period, {3, 3, 3, 0, 0}, landmarks));
  groups.push_back(branch_group(row, period, {2, 3, 3, 1, 0}, landmarks));
  groups.push_back(branch_group(row, period, {3, 3, 1, 0, 0}, landmarks));
}

std::vector<Group> itanium2_sets(const std::string&, const Rows& rows, const Landmarks& landmarks,
                                 const Levels& levels) {
  std::vector<Group> groups;
  add_all(rows, at_levels(levels), landmarks, groups);
  return groups;
}

void itanium2_complete(Group& group, const Landmarks& landmarks) {
  Places(group, landmarks).put(static_cast<Filter>(group.filter));
  // Breakpoints on the first load's octet, in the last pair: no data range of the plan takes it.
  for (Check& check : group.checks) {
    if (!is_breakpoint(check.request)) continue;
    constexpr std::uint64_t octet = ~std::uint64_t{7}, mask_bits = (std::uint64_t{1} << 56) - 1;
    constexpr std::uint64_t all_levels = std::uint64_t{15} << 56, read_and_write = std::uint64_t{3} << 62;
    const std::uint64_t at = landmarks.load & octet;
    check.request.ia64.breakpoints = {{{at, at + 8}}};
    group.extra = {{"DBR6", at}, {"DBR7", (octet & mask_bits) | all_levels | read_and_write}};
  }
}

// No trace makes these happen in the core as it is: it names one cause for each syllable that is held; its processor
// makes neither I/O nor locked transactions; no directive sets PSR.db; and a buffer that fetch finds full, of bundles
// or of branches, is short of none at its exit.
bool itanium2_holds(std::string_view row) {
  const std::string_view exit = row.starts_with("IDEAL_") ? row.substr(6) : row;
  const bool never_short = exit == "BE_LOST_BW_DUE_TO_FE_IBFULL" || exit == "BE_LOST_BW_DUE_TO_FE_BRQ";
  return never_short || row.starts_with("SYLL_OVERCOUNT_") || row == "BUS_RD_IO_SELF" || row == "BUS_IO_SELF" ||
         row == "BUS_LOCK_SELF" || row == "DATA_DEBUG_REGISTER_FAULT";
}

bool itanium2_nameless(std::string_view) { return false; }

}  // namespace pmusim::testbench
