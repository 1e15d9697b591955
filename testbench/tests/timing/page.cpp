#include "page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "measures.h"
#include "silicon.h"

namespace pmusim::timing {
namespace {

/// With up to two decimal places.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

constexpr auto introduction = R"(# Timing of the cores against published figures

Small programs run on each target's core; what they take is set beside what documents, compilers' machine descriptions
and measurements on silicon say. Figures are clocks per instruction or repetition unless the class says otherwise: `size`
is in the unit of its figure (bytes, KB, ways, entries). `LEAST..MOST` is a range, because the source gives one or sources
disagree. The tolerance is what the way of measuring allows.

The rows of documents were ours to choose. So each target's share of them stands beside its share of the loops that
others wrote and timed on the chip (kind `loop`, tolerance 10 %): loops of the same mix of instructions, in an order of
our own unless the row says otherwise. The published order was often tuned by hand.

The page is written by `timing_page` from `testbench/tests/timing/`; the suite there fails when the page is not
current, when less than 97 % of a target's figures of documents, two thirds of its loops or 90 % of all loops are within
tolerance, and when a figure that is not has no reason below.
)";

/// Figures of one kind of a target: how many hold.
struct Share {
  std::size_t holds = 0, all = 0;
  Share& operator+=(const Share& other) {
    holds += other.holds;
    all += other.all;
    return *this;
  }
};

Share share_of(const std::vector<Row>& rows, std::string_view target, bool loops) {
  Share share;
  for (const Row& row : rows) {
    if (row.reference.target != target || row.reference.is_loop() != loops) continue;
    ++share.all;
    share.holds += row.holds() ? 1 : 0;
  }
  return share;
}

std::string loops_text(const Share& share) {
  if (share.all == 0) return "no loop of others is expressed here";
  return fmt::format("{} of {} loops of others", share.holds, share.all);
}

/// The table of single instructions: how many hold, and those that do not, with reasons.
std::string silicon_section() {
  const std::vector<SiliconResult> results = measure_silicon();
  const std::vector<SiliconMiss> misses = read_misses();
  std::size_t met = 0;
  std::string others;
  for (const SiliconResult& result : results) {
    if (result.holds()) {
      ++met;
      continue;
    }
    const auto miss = std::find_if(misses.begin(), misses.end(),
                                   [&](const SiliconMiss& m) { return m.form + " " + m.kind == result.row.name(); });
    others += fmt::format("| {} | {} | {} | {} | {} |\n", result.row.form, result.row.kind, number(result.row.cycles),
                          number(result.clocks), miss == misses.end() ? "" : miss->why);
  }
  return fmt::format(
      "\n## Single instructions of a real Athlon\n\nLatency (L) and throughput (T) of {} forms, measured by InstLatX64 "
      "on an Athlon XP (`k7_silicon.csv`): {} are\nwithin 15 %. The others:\n\n| form | kind | silicon | core | why "
      "|\n|---|---|---|---|---|\n{}",
      results.size(), met, others);
}

/// The shares of all targets, and the number of figures by source.
std::string summary(const std::vector<Row>& rows) {
  std::string text = "\n| target | figures of documents | loops of others |\n|---|---|---|\n";
  std::vector<std::string> targets;
  std::map<std::string, std::size_t> sources;
  for (const Row& row : rows) {
    if (targets.empty() || targets.back() != row.reference.target) targets.push_back(row.reference.target);
    ++sources[row.reference.source];
  }
  Share all_documents, all_loops;
  for (const std::string& target : targets) {
    const Share documents = share_of(rows, target, false), loops = share_of(rows, target, true);
    text += fmt::format("| {} | {} of {} | {} |\n", target, documents.holds, documents.all,
                        loops.all == 0 ? "-" : fmt::format("{} of {}", loops.holds, loops.all));
    all_documents += documents;
    all_loops += loops;
  }
  text += fmt::format("| all | {} of {} | {} of {} |\n", all_documents.holds, all_documents.all, all_loops.holds,
                      all_loops.all);
  text += "\nWhere the figures come from:\n\n| source | figures |\n|---|---|\n";
  for (const auto& [source, count] : sources) text += fmt::format("| {} | {} |\n", source, count);
  return text;
}

}  // namespace

std::vector<Row> measure_all() {
  std::map<std::string, Measures> tables;
  std::vector<Row> rows;
  for (const Reference& reference : read_references()) {
    const auto table = tables.try_emplace(reference.target);
    Measures& measures = table.first->second;
    if (table.second) measures = measures_of(reference.target);
    const auto measure = std::find_if(measures.begin(), measures.end(), [&](const Measure& m) {
      return m.class_name == reference.class_name && m.kind == reference.kind;
    });
    if (measure != measures.end()) rows.push_back({reference, measure->clocks()});
  }
  // Groups the rows of a target; targets are in the order of their first line in the table.
  std::map<std::string, std::size_t> places;
  for (const Row& row : rows) places.try_emplace(row.reference.target, places.size());
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row& a, const Row& b) { return places[a.reference.target] < places[b.reference.target]; });
  return rows;
}

std::string page(const std::vector<Row>& rows) {
  const std::vector<Remark> reasons = read_disagreements();
  std::string text = introduction + summary(rows);
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    const std::string& target = rows[begin].reference.target;
    while (end < rows.size() && rows[end].reference.target == target) ++end;
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = rows.begin() + static_cast<std::ptrdiff_t>(end);
    const Share documents = share_of(rows, target, false);
    text += fmt::format("\n## {}\n\nWithin tolerance: {} of {} figures of documents, {}.\n\n", target, documents.holds,
                        documents.all, loops_text(share_of(rows, target, true)));
    text += "| class | kind | reference | tolerance | measured | how | source |\n|---|---|---|---|---|---|---|\n";
    std::string differences;
    for (auto row = first; row != last; ++row) {
      const Reference& r = row->reference;
      text +=
          fmt::format("| {} | {} | {} | {} | {}{} | {} | {} |\n", r.class_name, r.kind, r.figure, number(r.tolerance),
                      number(row->measured), row->holds() ? "" : " (differs)", r.how, r.source);
      if (row->holds()) continue;
      const auto reason = std::find_if(reasons.begin(), reasons.end(), [&](const Remark& m) { return m.of(r); });
      if (reason != reasons.end()) differences += fmt::format("- {}, {}: {}\n", r.class_name, r.kind, reason->why);
    }
    if (!differences.empty()) text += "\nWhat differs, and why:\n\n" + differences;
  }
  return text + silicon_section();
}

}  // namespace pmusim::timing
