#include "testbench/sweep/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <ostream>

#include "pmusim/trace/output_file.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/judge/trial/identities.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

std::string verdict_of(const TargetVerdict& target) {
  if (target.none_known()) return "does not know this target";
  if (!target.good()) return "FAILED";
  return target.unknown.empty() ? "ok" : "ok (of what it knows)";
}

std::string verdict_of(const TargetVerdict& target, const std::string& name, const RowVerdict& row) {
  if (row.mismatches != 0) return "MISMATCH";
  if (std::ranges::find(target.unknown, name) != target.unknown.end()) return "unsupported";
  if (std::ranges::find(target.unexercised, name) != target.unexercised.end()) return "NOT EXERCISED";
  return row.exercised ? "ok" : "ok (holds)";
}

/// `asked`: only rows of which something was asked.
Table rows_table(const std::vector<TargetVerdict>& verdicts, bool asked) {
  Table table({{"target", "target"},
               {"event", "event"},
               {"registers", "registers", false, Table::Fit::below},
               {"counted", "counted", true},
               {"expected", "expected", true},
               {"checks", "checks", true},
               {"vacuous", "vacuous", true, Table::Fit::drop},
               {"trace", "on trace", false, Table::Fit::drop},
               {"verdict", "verdict"}});
  for (const TargetVerdict& target : verdicts) {
    for (const auto& [name, row] : target.rows) {
      if (asked && row.checks == 0 && row.unsupported == 0) continue;
      const Comparison& shown = row.mismatches != 0 ? row.failed : row.best;
      table.row({target.target, name, shown.registers, shown.counted, shown.expected, row.checks, row.vacuous,
                 shown.trace, verdict_of(target, name, row)});
    }
  }
  return table;
}

Json shares(const TargetVerdict& target) {
  Json object = Json::object();
  for (const Provenance p : {Provenance::real, Provenance::text, Provenance::directive}) {
    const auto found = target.exercised_by.find(p);
    object[std::string(name_of(p))] = found == target.exercised_by.end() ? 0 : found->second;
  }
  return object;
}

std::string_view source_of(const std::string& target, const std::string& relation) {
  for (const Identity& identity : identities_of(target)) {
    if (identity.relation == relation) return identity.source;
  }
  return "";
}

/// The number of identities that hold; if one is broken, followed by the total.
std::string holding(const TargetVerdict& target) {
  const std::size_t all = target.identities.size();
  const std::uint64_t broken = target.broken_identities();
  return broken == 0 ? fmt::format("{}", all) : fmt::format("{} of {}", all - broken, all);
}

Json summary(const TargetVerdict& target) {
  Json mismatches = Json::array();
  for (const Mismatch& m : target.mismatches) {
    mismatches.push_back({{"event", m.sample.event},
                          {"trace", m.sample.trace},
                          {"registers", m.sample.registers},
                          {"counter", m.sample.counter},
                          {"counted", m.sample.counted},
                          {"expected", m.sample.expected},
                          {"problem", m.problem},
                          {"diagnosis", m.diagnosis},
                          {"cause", m.cause},
                          {"reproduce", m.reproduce}});
  }
  Json object{{"target", target.target},
              {"events", target.rows.size()},
              {"checks", target.checks},
              {"vacuous", target.vacuous},
              {"mismatches", target.mismatched},
              {"unexercised", target.unexercised},
              {"not_modelled", target.not_modelled},
              {"unsupported", target.unsupported},
              {"exercised_by", shares(target)},
              {"details", mismatches}};
  object["unknown"] = target.unknown;
  object["causes"] = target.causes;
  object["policies"] = Json::array();
  for (const auto& [policy, answers] : target.policies)
    object["policies"].push_back({{"policy", policy}, {"answers", answers}, {"cost", cost_of(policy)}});
  object["identities"] = Json::array();
  for (const IdentityVerdict& identity : target.identities) {
    object["identities"].push_back({{"relation", identity.relation},
                                    {"source", source_of(target.target, identity.relation)},
                                    {"traces", identity.traces},
                                    {"exercised", identity.exercised},
                                    {"broken", identity.broken},
                                    {"example", identity.example}});
  }
  object["questions"] = Json::array();
  for (const QuestionVerdict& question : target.questions) {
    object["questions"].push_back({{"question", question.question},
                                   {"verdict", question.verdict},
                                   {"detail", question.detail},
                                   {"traces", question.traces}});
  }
  if (target.driver.counts != 0) {
    object["driver"] = {{"counts", target.driver.counts},
                        {"ticks", target.driver.ticks},
                        {"untaken", target.driver.untaken},
                        {"remainder", target.driver.remainder}};
  }
  return object;
}

/// A mismatch as a few lines.
void print_mismatch(std::ostream& out, const std::string& target, const Mismatch& m) {
  const std::string what = m.problem.empty() ? fmt::format("{} counted {}, expected {}", m.sample.counter,
                                                           m.sample.counted, m.sample.expected)
                                             : m.problem;
  out << fmt::format("    {} {}{}: {}\n", target, m.sample.event, m.sample.trace.empty() ? "" : " on " + m.sample.trace,
                     what);
  if (m.diagnosis != what) out << fmt::format("      {}\n", m.diagnosis);
  if (!m.sample.registers.empty()) out << fmt::format("      {}\n", m.sample.registers);
  out << fmt::format("      reproduce: {}\n", m.reproduce);
}

/// Prints the causes, the one with the most mismatches first, each with its shortest example.
void print_causes(std::ostream& out, const TargetVerdict& target, bool verbose) {
  if (target.causes.empty()) return;
  std::vector<std::pair<std::string, std::uint64_t>> causes(target.causes.begin(), target.causes.end());
  std::ranges::stable_sort(causes, [](const auto& a, const auto& b) {
    return std::pair(a.first == not_diagnosed, b.second) < std::pair(b.first == not_diagnosed, a.second);
  });
  std::uint64_t all = 0;
  for (const auto& [cause, count] : causes) all += count;
  constexpr std::size_t shown_causes = 5;
  out << fmt::format("\n{}: {} {}\n", target.target, grouped(target.mismatched),
                     target.mismatched == 1 ? "mismatch" : "mismatches");
  for (std::size_t i = 0; i < causes.size() && (verbose || i < shown_causes); ++i) {
    out << fmt::format("  {}: {}{} of {}\n", causes[i].first, causes[i].first == not_diagnosed ? "" : "explains ",
                       grouped(causes[i].second), grouped(all));
    std::vector<const Mismatch*> examples;
    for (const Mismatch& m : target.mismatches) {
      if (m.cause == causes[i].first) examples.push_back(&m);
    }
    std::ranges::stable_sort(
        examples, [](const Mismatch* a, const Mismatch* b) { return a->sample.event.size() < b->sample.event.size(); });
    if (!verbose && examples.size() > 1) examples.resize(1);
    for (const Mismatch* const m : examples) print_mismatch(out, target.target, *m);
  }
  if (!verbose && causes.size() > shown_causes)
    out << fmt::format("  {} more reasons; --verbose lists them\n", causes.size() - shown_causes);
}

/// A list of names, shortened to the first ones.
void print_names(std::ostream& out, const std::string& what, const std::vector<std::string>& names, bool verbose) {
  constexpr std::size_t shown_names = 8;
  if (names.empty()) return;
  const std::size_t count = verbose ? names.size() : std::min(names.size(), shown_names);
  out << fmt::format("\n{}: {}\n", what, names.size());
  for (std::size_t i = 0; i < count; ++i) out << fmt::format("  {}\n", names[i]);
  if (count < names.size()) out << fmt::format("  {} more; --verbose lists them\n", names.size() - count);
}

/// What no trace shows is no fault: its number is a column of the table, and --verbose lists it.
void print_unexercised_questions(std::ostream& out, const TargetVerdict& target, bool verbose) {
  if (!verbose) return;
  std::vector<std::string> questions;
  for (const QuestionVerdict& question : target.questions) {
    if (question.verdict == "not exercised")
      questions.push_back(fmt::format("{}: {}", question.question, question.detail));
  }
  print_names(out, fmt::format("{}: questions not exercised", target.target), questions, verbose);
}

/// True if a question is about several events. Their names begin with a capital letter, no other word does.
bool asks_for_several(const std::string& question) {
  const std::vector<std::string_view> words = split(question, " ");
  return std::ranges::count_if(
             words, [](std::string_view word) { return !word.empty() && word[0] >= 'A' && word[0] <= 'Z'; }) > 1;
}

/// False if the encoder was asked about several events together, and knows them all in no question.
bool any_set_judged(const TargetVerdict& target) {
  const auto is_set = [](const QuestionVerdict& question) { return asks_for_several(question.question); };
  const auto is_judged = [](const QuestionVerdict& question) {
    return question.verdict != "unsupported" && !question.at_once;
  };
  return std::ranges::none_of(target.questions, is_set) ||
         std::ranges::any_of(target.questions, [&](const auto& q) { return is_set(q) && is_judged(q); });
}

void print_unknown(std::ostream& out, const TargetVerdict& target, bool verbose) {
  if (target.unknown.empty() || target.none_known()) return;
  if (verbose)
    print_names(out, fmt::format("{}: events that the encoder does not know", target.target), target.unknown, verbose);
  else
    out << fmt::format("\n{}: the encoder does not know {} of {} events{}; --verbose lists them\n", target.target,
                       target.unknown.size(), target.rows.size(),
                       any_set_judged(target) ? "" : ", so that no question about several was judged");
}

/// Prints hints after the table: the commands that show what its numbers count.
void print_legend(std::ostream& out, const std::vector<TargetVerdict>& verdicts, bool verbose) {
  std::uint64_t open = 0;
  bool without_counters = false;
  for (const TargetVerdict& target : verdicts) {
    open += target.questions_with("not exercised");
    without_counters |= std::ranges::any_of(target.mismatches, [](const Mismatch& m) {
      const std::size_t at = m.sample.event.find(" -");
      return at != std::string::npos && std::isdigit(static_cast<unsigned char>(m.sample.event[at + 2])) != 0;
    });
  }
  if (without_counters) out << "-N in a question: counter N must not be used; counters are numbered from 0.\n";
  if (open != 0 && !verbose)
    out << fmt::format("not exercised: {} {}, whose attributes no trace shows; --verbose lists them.\n", grouped(open),
                       open == 1 ? "question" : "questions");
}

void print_text(std::ostream& out, const std::vector<TargetVerdict>& verdicts, bool verbose) {
  if (verbose) rows_table(verdicts, true).print(out, Format::text);
  for (const TargetVerdict& target : verdicts) {
    print_causes(out, target, verbose);
    print_names(out, fmt::format("{}: exercised by no trace", target.target), target.unexercised, verbose);
    print_unexercised_questions(out, target, verbose);
    std::vector<std::string> broken;
    for (const IdentityVerdict& identity : target.identities) {
      if (identity.broken != 0)
        broken.push_back(fmt::format("{} ({})\n    on {} of {} traces, as {}", identity.relation,
                                     source_of(target.target, identity.relation), identity.broken, identity.traces,
                                     identity.example));
    }
    print_names(out, fmt::format("{}: identities that do not hold", target.target), broken, verbose);
    print_unknown(out, target, verbose);
    for (const auto& [policy, answers] : target.policies)
      out << fmt::format("\n{}: policy of the encoder, in {} answers: {}; {}\n", target.target, grouped(answers),
                         policy, cost_of(policy));
    if (const DriverCounts& d = target.driver; verbose && d.counts != 0) {
      out << fmt::format(
          "\ndriver: {}: {} counts of floor(events / frequency): {} interrupts, {} requests without one, {} events "
          "remain\n",
          target.target, d.counts, d.ticks, d.untaken, d.remainder);
    }
    for (const std::string& text : target.not_modelled)
      out << fmt::format("\nnot modelled: {} {}\n", target.target, text);
  }
  if (verbose || std::ranges::any_of(verdicts, [](const TargetVerdict& t) { return !t.good(); })) out << '\n';
  Table totals({{"target", "target"},
                {"events", "events", true},
                {"questions", "questions", true, Table::Fit::drop},
                {"open", "not exercised", true, Table::Fit::drop},
                {"checks", "checks", true},
                {"vacuous", "vacuous", true, Table::Fit::drop},
                {"mismatches", "mismatches", true},
                {"unexercised", "events not exercised", true},
                {"identities", "identities", true, Table::Fit::drop},
                {"unsupported", "unsupported", true},
                {"verdict", "verdict"}});
  totals.complete_in("json");
  for (const TargetVerdict& target : verdicts) {
    totals.row({target.target, target.rows.size(), target.questions.size(), target.questions_with("not exercised"),
                target.checks, target.vacuous, target.mismatched, target.unexercised.size(), holding(target),
                target.unsupported, verdict_of(target)});
  }
  totals.print(out, Format::text);
  print_legend(out, verdicts, verbose);
}

/// True if a question begins with this event, and not with another event whose name has it as a prefix.
bool asks_for(std::string_view question, std::string_view row) {
  return question.starts_with(row) &&
         (question.size() == row.size() ||
          (std::isalnum(static_cast<unsigned char>(question[row.size()])) == 0 && question[row.size()] != '_'));
}

constexpr std::pair<char, std::string_view> entities[] = {
    {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : printable(text, "\n\t")) {
    const auto entity = std::ranges::find(entities, c, &std::pair<char, std::string_view>::first);
    result += entity == std::end(entities) ? std::string(1, c) : std::string(entity->second);
  }
  return result;
}

}  // namespace

void print_report(std::ostream& out, const std::vector<TargetVerdict>& verdicts, Format format, bool verbose,
                  const std::function<Json(const TargetVerdict&)>& coverage) {
  if (format == Format::text) {
    print_text(out, verdicts, verbose);
  } else if (format == Format::csv) {
    rows_table(verdicts, false).print(out, format);
  } else {
    for (const TargetVerdict& target : verdicts) {
      Json object = summary(target);
      if (coverage) object["question_coverage"] = coverage(target);
      out << line_of(object) << '\n';
    }
  }
}

void write_junit(const std::filesystem::path& file, const std::vector<TargetVerdict>& verdicts) {
  trace::OutputFile out(file);
  out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  for (const TargetVerdict& target : verdicts) {
    std::string cases;
    std::size_t failures = 0, skipped = 0;
    double seconds = 0;
    for (const auto& [name, row] : target.rows) {
      const std::string verdict = verdict_of(target, name, row);
      seconds += row.seconds;
      cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", target.target, escaped(name),
                           row.seconds);
      if (verdict.starts_with("ok")) {
        cases += "/>\n";
      } else if (verdict == "unsupported") {
        ++skipped;
        cases += ">\n      <skipped message=\"the encoder does not know it\"/>\n    </testcase>\n";
      } else {
        ++failures;
        std::string text;
        if (!row.failed.trace.empty())
          text = fmt::format("{} on {}: {} counted {}, expected {}; {} of {} checks failed\n", row.failed.event,
                             row.failed.trace, row.failed.counter, row.failed.counted, row.failed.expected,
                             row.mismatches, row.checks);
        for (const Mismatch& m : target.mismatches) {
          if (asks_for(m.sample.event, name))
            text += fmt::format("{}: counted {}, expected {}; {}\n{}\n", m.sample.event, m.sample.counted,
                                m.sample.expected, m.diagnosis, m.reproduce);
        }
        cases +=
            fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n", verdict, escaped(text));
      }
    }
    out.write(
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}"
                    "  </testsuite>\n",
                    target.target, target.rows.size(), failures, skipped, seconds, cases));
  }
  out.write("</testsuites>\n");
  out.close();
}

}  // namespace pmusim::testbench
