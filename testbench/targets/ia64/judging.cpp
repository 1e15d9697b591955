#include "testbench/targets/ia64/judging.h"

#include <fmt/format.h>

#include <bit>

namespace pmusim::testbench::ia64 {
namespace {

bool is_tagged(const Request& row) { return row.event.starts_with("IA64_TAGGED_INST_RETIRED_"); }

/// The default setup of a register whose EAR event names none, and the row with the same setup.
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

/// Their builds with optimization and the unoptimized builds of the other programs cause the same events in a fraction
/// of the cycles.
constexpr std::string_view on_request[] = {"ia64-matmul-O0", "ia64-quicksort-O0"};

}  // namespace

const std::vector<TraceVariant>& variants() {
  // Syllables with a single cause are never counted twice; a buffer that is filled faster than it is emptied never
  // lacks bundles at its exit.
  static const std::vector<TraceVariant> list{
      {"held_twice", {"core.held_causes=all", "pmu.syllable_overcount=both_stops"}},
      {"full_buffer", {"core.fetch_to_buffer=8", "core.immediate_bubbles=0", "core.multiway_bubbles=0"}},
  };
  return list;
}

JudgingFacts common_facts(const Processor& processor, const RingLayout& ring) {
  JudgingFacts facts;
  facts.variants = &variants();
  facts.on_request = on_request;
  facts.line_counter = make_line_counter;
  facts.ring = &ring;
  facts.ia64 = &processor;
  return facts;
}

bool is_data_ear(const Request& row) { return row.event.starts_with("DATA_EAR_"); }
bool is_fetch_ear(const Request& row) { return row.event.starts_with("L1I_EAR_"); }
bool is_capture(const Processor& processor, const Request& row) {
  return is_data_ear(row) || is_fetch_ear(row) || row.event == processor.branch_event;
}

Filters filters_of(const Processor& processor, const Request& row) {
  return event_facts(processor.target, row.event).filters;
}

Rows named(const Rows& rows, const std::set<std::string>& names) {
  return select(rows, [&](const Request& row) { return names.contains(row.event); });
}

Setting at_levels(const Levels& levels) {
  Setting setting;
  setting.levels = (levels.kernel ? 1u : 0) | (levels.user ? 8u : 0);
  if (!levels.kernel) setting.attributes = {{"u", 1}};
  if (!levels.user) setting.attributes = {{"k", 1}};
  return setting;
}

bool memory_is_tagged_by_code(const Processor& processor, const Check& check) {
  const asked::Qualifiers& q = check.request.ia64;
  return filters_of(processor, check.request).data() && !(q.code.empty() && q.opcodes.empty());
}

bool data_take_several_pairs(const Processor& processor, const Check& check) {
  const auto is_one_block = [](const asked::DataRange& range) {
    const std::uint64_t size = range.end - range.start;
    return std::has_single_bit(size) && range.start % size == 0;
  };
  const auto& data = check.request.ia64.data;
  return filters_of(processor, check.request).data() && !std::all_of(data.begin(), data.end(), is_one_block);
}

// --- groups -----------------------------------------------------------------------------------------------------

Check Planner::check_of(const Request& row, const Setting& setting) const {
  Check check{.request = row, .attributes = setting.attributes, .raw = {}};
  if (filters_of(processor_, row).lines()) {
    for (const char* state : {"M", "E", "S", "I"}) check.attributes.emplace_back(state, 1);
  }
  asked::Qualifiers& q = check.request.ia64;
  q.levels = setting.levels;
  q.all_threads = setting.all_threads;
  return check;
}

Group Planner::group_of(const Rows& rows, const Setting& setting) const {
  Group group;
  for (const Request& row : rows) group.checks.push_back(check_of(row, setting));
  group.filter = setting.filter;
  complete(processor_, group, landmarks_);
  return group;
}

void Planner::deal(const Rows& rows, const Setting& setting) {
  for (const std::vector<std::size_t>& pass : passes_of(std::string(processor_.target), rows)) {
    Rows together;
    for (const std::size_t row : pass) together.push_back(rows[row]);
    groups_.push_back(group_of(together, setting));
  }
}

/// The units' own events: one of each unit in a run, and the branch buffer if the data EAR does not use it.
void Planner::deal_captures(const Rows& rows, const Setting& setting) {
  const auto has_name = [&](const Request& row) { return !row.event.ends_with("_EAR_EVENTS"); };
  const Rows data = select(rows, [&](const Request& row) { return is_data_ear(row) && has_name(row); });
  const Rows fetch = select(rows, [&](const Request& row) { return is_fetch_ear(row) && has_name(row); });
  const Rows branch = select(rows, [&](const Request& row) { return row.event == processor_.branch_event; });
  for (std::size_t i = 0; i < std::max({data.size(), fetch.size(), branch.size()}); ++i) {
    Rows together;
    if (i < data.size()) together.push_back(data[i]);
    if (i < fetch.size()) together.push_back(fetch[i]);
    const bool ear_allows = i >= data.size() || data[i].event.starts_with("DATA_EAR_CACHE");
    if (i < branch.size() && ear_allows) together.push_back(branch[i]);
    if (!together.empty()) groups_.push_back(group_of(together, setting));
    if (i < branch.size() && !ear_allows) groups_.push_back(group_of({branch[i]}, setting));
  }
  const Rows plain = select(rows, [&](const Request& row) { return is_capture(processor_, row) && !has_name(row); });
  for (std::size_t i = 0; !plain.empty() && i < data_armings.size(); ++i) {
    Group group = group_of(plain, setting);
    for (Check& check : group.checks) {
      const Arming& arming = is_data_ear(check.request) ? data_armings[i] : fetch_armings[i];
      check.request.ia64.armed = arming.row;
      group.filters.ear.emplace_back(arming.text);
    }
    groups_.push_back(std::move(group));
  }
}

void Planner::add_short(const Rows& rows) {
  const Rows counted = select(rows, [&](const Request& row) { return !is_capture(processor_, row); });
  add_filters(counted);
  add_ignored_filters(counted);
  add_channels(rows);
  add_captures(rows);
}

void Planner::add_all(const Rows& rows, const Setting& setting) {
  deal(select(rows, [&](const Request& row) { return !is_capture(processor_, row); }), setting);
  deal_captures(rows, setting);
}

// --- filters ----------------------------------------------------------------------------------------------------

void Planner::add_filters(const Rows& rows, unsigned every) {
  std::uint64_t turn = landmarks_.turn();
  // Ordinary events use channel 0.
  const auto of_other_channel = [&](const Request& row) {
    return is_tagged(row) && row.event != processor_.first_channel_row;
  };
  const auto by = [&](Filter filter, auto wanted) {
    if (turn++ % every != 0) return;
    add_all(
        select(rows, [&](const Request& row) { return !of_other_channel(row) && wanted(filters_of(processor_, row)); }),
        filtered(filter));
  };
  const auto by_code = [](Filters f) { return f.code() && !f.second_range() && !f.both_ranges(); };
  const auto any_fetch = [](Filters f) { return f.both_ranges(); };
  for (const Filter filter : {fine, fine_odd, fine_inverse, coarse, coarse_inverse, large, other_level}) {
    by(filter, by_code);
  }
  // Prefetches are tagged by channel 1: they need a separate run or a separate range.
  for (const Filter filter : {fine, fine_odd, coarse, large}) {
    by(filter, [](Filters f) { return f.second_range(); });
  }
  by(fine_twice, any_fetch);
  by(fine_demand, any_fetch);
  if (processor_.names_fetches) by(fine_prefetch, any_fetch);
  for (const Filter filter : {load_kind, load_itself, m_slots, i_slots, f_slots, b_slots}) {
    by(filter, [](Filters f) { return f.opcode(); });
  }
  for (const Filter filter : {data_block, data_two_pairs, data_two_ranges}) {
    by(filter, [](Filters f) { return f.data(); });
  }
  by(code_and_opcode, [](Filters f) { return f.code() && f.opcode(); });
  by(code_and_data, [](Filters f) { return f.code() && f.data(); });
  by(code_and_two_pairs, [](Filters f) { return f.code() && f.data(); });
  by(opcode_and_data, [](Filters f) { return f.opcode() && f.data(); });
  by(everything, [](Filters f) { return f.code() && f.opcode() && f.data(); });
}

void Planner::add_ignored_filters(const Rows& rows) {
  const auto by = [&](Filter filter, auto ignores) {
    const auto wanted = [&](const Request& row) { return ignores(filters_of(processor_, row)); };
    deal(select(rows, wanted), {.attributes = {{"unchecked", 1}}, .filter = filter});
  };
  // Both ranges, also for events that do not need the second one.
  by(fine_again, [](Filters f) { return !f.code(); });
  by(b_slots, [](Filters f) { return !f.opcode(); });
  by(data_block, [](Filters f) { return !f.data(); });
}

/// The four rows of the tag channels share a run, so that every channel has its event.
void Planner::add_channels(const Rows& rows) {
  const Rows tagged = select(rows, is_tagged);
  for (const Filter filter : {channels_coarse, channels_fine, channels_opcode}) {
    groups_.push_back(group_of(tagged, filtered(filter)));
    groups_.back().whole = filter != channels_opcode;  // each range needs its event
  }
}

// --- captures ---------------------------------------------------------------------------------------------------

void Planner::add_ear_captures(const Rows& rows, std::uint64_t period, const Setting& setting) {
  for (const Request& row : rows) {
    if ((!is_data_ear(row) && !is_fetch_ear(row)) || row.event.ends_with("_EAR_EVENTS")) continue;
    const Captures::Unit unit = is_data_ear(row) ? Captures::Unit::data_ear : Captures::Unit::fetch_ear;
    Group group = group_of({row}, setting);
    group.captures = Captures{unit, period};
    groups_.push_back(std::move(group));
  }
}

void Planner::add_branch_capture(const Rows& rows, std::uint64_t period, const std::array<unsigned, 5>& fields) {
  const auto [tm, ptm, ppm, brt, ds] = fields;
  Group group = group_of(named(rows, {std::string(processor_.branch_event)}), {});
  group.captures = Captures{Captures::Unit::branch_buffer, period, ds == 1};
  group.filters.*processor_.branch_texts = {fmt::format("tm={},ptm={},ppm={},brt={},ds={}", tm, ptm, ppm, brt, ds)};
  group.checks.front().request.ia64.branches = {.taken = (tm & 2) != 0,
                                                .not_taken = (tm & 1) != 0,
                                                .path_right = (ppm & 2) != 0,
                                                .path_wrong = (ppm & 1) != 0,
                                                .target_right = (ptm & 2) != 0,
                                                .target_wrong = (ptm & 1) != 0,
                                                .type = static_cast<asked::BranchFilter::Type>(brt)};
  groups_.push_back(std::move(group));
}

void Planner::add_captures(const Rows& rows) {
  for (const Filter filter : {none, fine, load_kind, data_block}) {
    const Rows honouring = select(rows, [&](const Request& row) {
      if (!is_data_ear(row) && !is_fetch_ear(row)) return false;
      const Filters by = filters_of(processor_, row);
      return filter == none || (filter == fine ? by.code() : filter == load_kind ? by.opcode() : by.data());
    });
    add_ear_captures(honouring, 1, filtered(filter));
  }
  for (unsigned fields = 0; fields < 256; ++fields) {
    for (unsigned ds = 0; ds <= (processor_.has_prediction_details ? 1u : 0u); ++ds) {
      add_branch_capture(rows, 1 + fields % 5, {fields & 3, fields >> 2 & 3, fields >> 4 & 3, fields >> 6, ds});
    }
  }
}

void Planner::add_sampled(const Rows& rows, std::uint64_t period) {
  add_filters(named(rows, {"IA64_INST_RETIRED", "NOPS_RETIRED", "LOADS_RETIRED", "L1I_READS",
                           "BR_MISPRED_DETAIL_ALL_ALL_PRED", "L1D_READ_MISSES_ALL"}),
              turns_on_long);
  add_channels(rows);
  add_sampled_captures(rows, period);
}

void Planner::add_sampled_captures(const Rows& rows, std::uint64_t period) {
  add_ear_captures(named(rows, {"DATA_EAR_CACHE_LAT4", "DATA_EAR_TLB_ALL", "L1I_EAR_CACHE_LAT0"}), period);
  add_branch_capture(rows, period, {3, 3, 3, 0, 0});
  add_branch_capture(rows, period, {2, 3, 3, 1, 0});
  add_branch_capture(rows, period, {3, 3, 1, 0, 0});
}

}  // namespace pmusim::testbench::ia64
