// Questions of the Alphas: each counter has its own events; modes, frequencies and marked processes are settings of
// the run. Manuals of the 21064, 21164, 21164PC, 21264 and 21264A, and the header sys/pfcntr.h.
#include <algorithm>
#include <array>

#include "testbench/questions/covering.h"
#include "testbench/questions/question.h"

namespace pmusim::testbench::questions {
namespace {

bool has_modes(std::string_view target) { return target == "alpha-ev5" || target == "alpha-pca56"; }

/// Counter of a row; names of the 21164 and 21264 say it, those of the 21064 and of the 21264A's pairs do not.
unsigned counter_of(std::string_view target, const std::string& row) {
  static constexpr std::array<std::string_view, 9> first{"PF_ISSUES",     "PF_PIPEDRY",   "PF_LOADI",
                                                         "PF_PIPEFROZEN", "PF_BRANCHI",   "PF_CYCLES",
                                                         "PF_PALMODE",    "PF_NONISSUES", "PF_EXTPIN0"};
  if (target == "alpha-ev4") return std::find(first.begin(), first.end(), row) != first.end() ? 0 : 1;
  const std::size_t mux = row.find("_MUX");
  if (mux != std::string::npos) return static_cast<unsigned>(row[mux + 4] - '0');
  return row == "RETINST" || row == "CYCLES0" ? 0 : 1;
}

Check& check_of(Question& question) { return question.group.checks.front(); }

/// Every combination of Ku, Kp and Kk.
Dimension modes() {
  Dimension dimension{"modes", {{"all", {}}}};
  for (unsigned set = 0; set < 7; ++set) {
    const bool kernel = (set & 1) != 0, user = (set & 2) != 0, pal = (set & 4) != 0;
    dimension.values.push_back({std::to_string(set), [kernel, user, pal](Question& question) {
                                  Check& check = check_of(question);
                                  check.request.kernel = kernel;
                                  check.request.user = user;
                                  check.request.alpha.pal = pal;
                                  check.request.alpha.executive_and_supervisor = !kernel && !user && !pal;
                                  if (kernel) check.attributes.emplace_back("k", 1);
                                  if (user) check.attributes.emplace_back("u", 1);
                                  if (pal) check.attributes.emplace_back("pal", 1);
                                  if (check.attributes.empty()) check.attributes.emplace_back("es", 1);
                                }});
  }
  return dimension;
}

Dimension marked() {
  return {"pme", {{"left out", {}}, {"1", [](Question& question) {
                                       check_of(question).request.marked = true;
                                       check_of(question).attributes.emplace_back("pme", 1);
                                     }}}};
}

/// The 21164's counters interrupt every 256 events, or when they wrap.
Dimension interrupt(unsigned counter) {
  const auto every = [](std::uint32_t period) {
    return [period](Question& question) {
      question.group.sampling = question.interrupts = true;
      if (period != 0) check_of(question).attributes.emplace_back("freq", period);
    };
  };
  return {"interrupt",
          {{"off", {}}, {"sampling", every(0)}, {"wrap", every(counter == 2 ? 16384 : 65536)}, {"256", every(256)}}};
}

/// Sets with an event for each counter: all pairs of events.
void pairs_of(const Family& family, const std::vector<Check>& rows, Extent extent, std::vector<Question>& questions) {
  std::vector<std::vector<Check>> of(family.counters.size());
  for (const Check& row : rows) of[counter_of(family.target, row.request.event)].push_back(row);
  std::vector<std::size_t> sizes;
  for (auto& list : of) sizes.push_back(list.size());
  const auto conflict = [](const std::string& a, const std::string& b) {
    return a == "PF5_MUX1_FLOW_CHANGE" && (b == "PF5_MUX2_C_PC_MISPR" || b == "PF5_MUX2_C_BRANCH_MISPREDICTS");
  };
  const Excluded excluded = [&](std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    return conflict(of[i][a].request.event, of[j][b].request.event);
  };
  std::size_t number = 0;
  for (const auto& values : covering_array(sizes, excluded)) {
    if (extent == Extent::quick && number++ % 8 != 0) continue;
    Question question;
    for (std::size_t i = 0; i < values.size(); ++i) question.group.checks.push_back(of[i][values[i]]);
    questions.push_back(std::move(question));
  }
}

void illegal_ones(const Family& family, const std::vector<Check>& rows, std::vector<Question>& questions) {
  const auto add = [&](const std::string& why, std::vector<Check> checks, std::vector<unsigned> unavailable) {
    Question question;
    question.group.checks = std::move(checks);
    question.group.unavailable_counters = std::move(unavailable);
    question.illegal = why;
    questions.push_back(std::move(question));
  };
  for (unsigned counter = 0; counter < family.counters.size(); ++counter) {
    std::vector<Check> own;
    for (const Check& row : rows) {
      if (counter_of(family.target, row.request.event) == counter) own.push_back(row);
    }
    if (own.size() > 1) add("two events of one counter", {own[0], own[1]}, {});
    if (!own.empty()) add("the event's counter is not available", {own[0]}, {counter});
  }
  if (has_modes(family.target)) {
    Check user = rows.front(), kernel = rows.front();
    for (const Check& row : rows) {
      if (counter_of(family.target, row.request.event) != counter_of(family.target, user.request.event)) kernel = row;
    }
    user.attributes.emplace_back("u", 1);
    kernel.attributes.emplace_back("k", 1);
    add("modes are those of the run", {user, kernel}, {});
  }
}

}  // namespace

std::vector<Question> alpha_questions(const Family& family, Extent extent) {
  const std::vector<Check> rows = rows_of(family.target);
  std::vector<Question> questions;
  for (const Check& row : rows) {
    Form form{row, {marked()}};
    const unsigned counter = counter_of(family.target, row.request.event);
    if (has_modes(family.target)) {
      form.dimensions.push_back(modes());
      form.dimensions.push_back(interrupt(counter));
    }
    add_covered(std::make_shared<const Form>(std::move(form)), {counter}, family.counters.size(), extent, 0, questions);
  }
  if (family.target != "alpha-ev67") pairs_of(family, rows, extent, questions);
  illegal_ones(family, rows, questions);
  return questions;
}

std::string_view alpha_equal(const Question& question, const Question&) {
  return question.group.checks.front().holds ? "a reserved select that counts nothing" : "";
}

}  // namespace pmusim::testbench::questions
