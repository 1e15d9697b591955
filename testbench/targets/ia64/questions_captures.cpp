// Captures of IA-64 monitors: event address registers by name and by text, every field of the branch buffer, and the
// Montecito's address trace. Counters show the number of captures; their contents are judged by the registers that a
// handler reads.
#include <fmt/format.h>

#include <array>

#include "testbench/judge/question/covering.h"
#include "testbench/targets/ia64/questions.h"

namespace pmusim::testbench::questions::ia64 {
namespace {

using testbench::ia64::is_data_ear;
using testbench::ia64::is_fetch_ear;

/// Captures between two that freeze the monitor.
constexpr std::uint64_t period = 3;
/// The trace with addresses in which each bit is 0 and 1.
constexpr const char* every_bit = "every_address_bit";
/// The trace with code at all levels.
constexpr const char* every_level = "levels_in_turn";

/// A field of the branch buffer's register: its values by number. `everything` is the value that selects all branches,
/// 3 or 0.
struct Field {
  const char* name;
  unsigned everything;
  void (*put)(asked::BranchFilter& filter, unsigned value);
};
constexpr std::array fields{Field{"tm", 3,
                                  [](asked::BranchFilter& filter, unsigned value) {
                                    filter.not_taken = (value & 1) != 0;
                                    filter.taken = (value & 2) != 0;
                                  }},
                            Field{"ptm", 3,
                                  [](asked::BranchFilter& filter, unsigned value) {
                                    filter.target_wrong = (value & 1) != 0;
                                    filter.target_right = (value & 2) != 0;
                                  }},
                            Field{"ppm", 3,
                                  [](asked::BranchFilter& filter, unsigned value) {
                                    filter.path_wrong = (value & 1) != 0;
                                    filter.path_right = (value & 2) != 0;
                                  }},
                            Field{"brt", 0, [](asked::BranchFilter& filter, unsigned value) {
                                    filter.type = static_cast<asked::BranchFilter::Type>(value);
                                  }}};

/// Adds an element to a text such as `tm=1,brt=2`.
void add_word(std::vector<std::string>& texts, const std::string& word) {
  if (texts.empty()) {
    texts.push_back(word);
  } else {
    texts.front() += ',' + word;
  }
}

Dimension dimension_of(const Processor& processor, const Field& field) {
  Dimension dimension{field.name, {{"left out", {}}}};
  for (unsigned value = 0; value < 4; ++value) {
    if (value == field.everything) continue;
    dimension.values.push_back({std::to_string(value), [&processor, &field, value](Question& question) {
                                  add_word(question.group.filters.*processor.branch_texts,
                                           fmt::format("{}={}", field.name, value));
                                  field.put(check_of(question).request.ia64.branches, value);
                                }});
  }
  return dimension;
}

/// The buffer holds the prediction in place of the target (Itanium 2).
Dimension predictions(const Processor& processor) {
  return {"ds", {{"left out", {}}, {"1", [&processor](Question& question) {
                                      add_word(question.group.filters.*processor.branch_texts, "ds=1");
                                      question.group.captures->prediction = true;
                                    }}}};
}

Dimension levels() {
  return {"levels",
          {{"both", {}}, at_levels("u", {"u", 1}, 8), at_levels("k", {"k", 1}, 1), at_levels("plm=6", {"plm", 6}, 6)}};
}

Dimension privileged() {
  return flag("pm", [](oracle::Request& request) { request.ia64.privileged_monitor = true; });
}

Group group_of(const Check& row, Captures::Unit unit) {
  Group group{{row}};
  group.filter = testbench::ia64::as_asked;
  group.captures = Captures{unit, period};
  return group;
}

/// Adds every pair of attributes, on one counter after the other, starting with `counter`.
void add_all(const Form& form, std::size_t counters, std::vector<Question>& questions, unsigned counter = 0) {
  const auto shared = std::make_shared<const Form>(form);
  std::vector<std::size_t> sizes;
  for (const Dimension& dimension : form.dimensions) sizes.push_back(dimension.values.size());
  for (const auto& values : covering_array(sizes))
    questions.push_back(on_counter(make(shared, values), counter++ % static_cast<unsigned>(counters), counters));
}

/// The text of the setup that the name of an EAR row gives: DATA_EAR_CACHE_LAT4, L1I_EAR_TLB_L2TLB_OR_VHPT.
std::string setup_of(const std::string& row) {
  const std::string text = row.starts_with("DATA") ? "unit=data,mode=" : "unit=instruction,mode=";
  const auto has = [&](std::string_view word) { return row.find(word) != std::string::npos; };
  if (has("_ALAT")) return text + "alat";
  if (has("_RAB")) return text + "cache,latency=rab";
  if (const std::size_t latency = row.find("_LAT"); latency != std::string::npos)
    return text + "cache,latency=" + row.substr(latency + 4);
  std::string levels;
  for (const auto& [word, level] : {std::pair{"_L2", "l2"}, {"VHPT", "vhpt"}, {"FAULT", "fault"}}) {
    if (has(word) || row.ends_with("_ALL")) levels += (levels.empty() ? "" : "+") + std::string(level);
  }
  return text + "tlb,level=" + levels;
}

/// Adds the events that name no setup, with the setup of each row as a text.
void add_armed(const Family& family, const oracle::Request& row, std::vector<Question>& questions) {
  Question question;
  question.group.checks = {row_named(family, is_data_ear(row) ? "DATA_EAR_EVENTS" : "L1I_EAR_EVENTS")};
  question.group.filter = testbench::ia64::as_asked;
  question.group.filters.ear = {setup_of(row.event)};
  check_of(question).request.ia64.armed = row.event;
  questions.push_back(std::move(question));
}

void add_address_traces(const Family& family, Extent extent, std::vector<Question>& questions) {
  Check retired = row_named(family, "IA64_INST_RETIRED");
  retired.request.ia64.traces_addresses = true;
  Dimension delays{"delay", {}};
  for (const unsigned delay : {0u, 1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 255u}) {
    delays.values.push_back({std::to_string(delay), [delay](Question& question) {
                               question.group.filters.ipear = {fmt::format("delay={}", delay)};
                               check_of(question).request.ia64.trace_delay = delay;
                             }});
  }
  Form form{group_of(retired, Captures::Unit::ip_ear), {delays}};
  form.group.captures->period = 10;
  form.trace = extent == Extent::full ? every_level : every_bit;  // both traces are longer than any delay
  if (extent == Extent::full) {
    form.dimensions.push_back(levels());
    form.dimensions.push_back(privileged());
  }
  add_all(form, family.counters.size(), questions);
  if (extent == Extent::full) return;
  form.dimensions = {levels(), privileged()};
  form.trace = every_level;
  form.group.filters.ipear = {"delay=20"};
  form.group.checks.front().request.ia64.trace_delay = 20;
  add_all(form, family.counters.size(), questions);
}

}  // namespace

Dimension instruction_set() {
  const auto only = [](std::string name, std::uint32_t value, asked::InstructionSet set) {
    return questions::asked(std::move(name), {{"ism", value}},
                            [set](oracle::Request& request) { request.ia64.instruction_set = set; });
  };
  return {"ism",
          {{"both", {}}, only("ia32", 1, asked::InstructionSet::ia32), only("ia64", 2, asked::InstructionSet::ia64)}};
}

void add_captures(const Family& family, Extent extent, std::vector<Question>& questions) {
  const Processor& processor = processor_of(family);
  const std::size_t counters = family.counters.size();
  std::size_t number = 0;
  for (Check row : rows_of(family.target)) {
    if (row.request.event.ends_with("_EAR_EVENTS")) continue;
    if (!is_data_ear(row.request) && !is_fetch_ear(row.request)) continue;
    row.request.ia64.levels = default_levels;
    add_armed(family, row.request, questions);
    const bool data = is_data_ear(row.request);
    Form form{group_of(row, data ? Captures::Unit::data_ear : Captures::Unit::fetch_ear), {levels(), privileged()}};
    if (processor.has_ia32) form.dimensions.push_back(instruction_set());
    if (extent == Extent::full) {
      add_all(form, counters, questions);
    } else {
      // Each value with some row.
      const auto shared = std::make_shared<const Form>(form);
      std::vector<std::size_t> values{number % 4, number / 4 % 2};
      if (processor.has_ia32) values.push_back(number % 3);
      questions.push_back(on_counter(make(shared, values), static_cast<unsigned>(number % counters), counters));
    }
    ++number;
  }
  Form branches{group_of(row_named(family, std::string(processor.branch_event)), Captures::Unit::branch_buffer),
                {levels(), privileged()}};
  for (const Field& field : fields) branches.dimensions.push_back(dimension_of(processor, field));
  if (processor.has_prediction_details) branches.dimensions.push_back(predictions(processor));
  add_all(branches, counters, questions);
  // A prediction occupies the position of high bits of the target.
  branches.dimensions = {levels()};
  if (processor.has_prediction_details) branches.dimensions.push_back(predictions(processor));
  branches.trace = every_bit;
  add_all(branches, counters, questions, static_cast<unsigned>(counters / 2));
  if (processor.traces_addresses) add_address_traces(family, extent, questions);
}

}  // namespace pmusim::testbench::questions::ia64
