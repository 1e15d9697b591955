#include "testbench/validate/report.h"

#include <fmt/format.h>

#include <fstream>
#include <ostream>

#include "testbench/cli/command.h"

namespace pmusim::testbench {
namespace {

std::string verdict_of(const TargetVerdict& target, const std::string& name, const RowVerdict& row) {
  if (row.mismatches != 0) return "MISMATCH";
  for (const std::string& missing : target.unexercised) {
    if (missing == name) return "NOT EXERCISED";
  }
  return row.exercised ? "ok" : "ok (holds)";
}

Table rows_table(const std::vector<TargetVerdict>& verdicts) {
  Table table({{"target", "target"}, {"event", "event"}, {"registers", "registers"}, {"counted", "counted", true},
               {"expected", "expected", true}, {"checks", "checks", true}, {"vacuous", "vacuous", true},
               {"trace", "on trace"}, {"verdict", "verdict"}});
  for (const TargetVerdict& target : verdicts) {
    for (const auto& [name, row] : target.rows) {
      table.row({target.target, name, row.best.registers, row.best.counted, row.best.expected, row.checks, row.vacuous,
                 row.best.trace, verdict_of(target, name, row)});
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

Json summary(const TargetVerdict& target) {
  Json mismatches = Json::array();
  for (const Mismatch& m : target.mismatches) {
    mismatches.push_back({{"event", m.sample.event}, {"trace", m.sample.trace}, {"registers", m.sample.registers},
                          {"counter", m.sample.counter}, {"counted", m.sample.counted}, {"expected", m.sample.expected},
                          {"problem", m.problem}, {"diagnosis", m.diagnosis}, {"reproduce", m.reproduce}});
  }
  Json object{{"target", target.target}, {"events", target.rows.size()}, {"checks", target.checks},
              {"vacuous", target.vacuous}, {"mismatches", target.mismatched}, {"unexercised", target.unexercised},
              {"not_modelled", target.not_modelled}, {"unsupported", target.unsupported},
              {"exercised_by", shares(target)}, {"details", mismatches}};
  if (target.driver.counts != 0) {
    object["driver"] = {{"counts", target.driver.counts}, {"ticks", target.driver.ticks},
                        {"untaken", target.driver.untaken}, {"remainder", target.driver.remainder}};
  }
  return object;
}

void print_text(std::ostream& out, const std::vector<TargetVerdict>& verdicts) {
  rows_table(verdicts).print(out, Format::text);
  for (const TargetVerdict& target : verdicts) {
    for (const Mismatch& m : target.mismatches) {
      out << fmt::format("\nmismatch: {} {} on {}: {}\n  {}\n  {}\n  reproduce: {}\n", target.target, m.sample.event, m.sample.trace,
                         m.problem.empty() ? fmt::format("{} counted {}, expected {}", m.sample.counter, m.sample.counted, m.sample.expected) : m.problem,
                         m.diagnosis, m.sample.registers, m.reproduce);
    }
    if (target.mismatched > target.mismatches.size()) {
      out << fmt::format("\n{} more mismatches of {} are not listed; every row that has any is\n",
                         target.mismatched - target.mismatches.size(), target.target);
    }
    for (const std::string& name : target.unexercised) out << fmt::format("\nnot exercised: {} {}: no trace makes it happen\n", target.target, name);
    if (const DriverCounts& d = target.driver; d.counts != 0) {
      out << fmt::format("\ndriver: {}: {} counts of floor(events / frequency): {} interrupts, {} requests without one, {} events remain\n",
                         target.target, d.counts, d.ticks, d.untaken, d.remainder);
    }
    for (const std::string& text : target.not_modelled) out << fmt::format("\nnot modelled: {} {}\n", target.target, text);
  }
  out << '\n';
  Table totals({{"target", "target"}, {"events", "events", true}, {"checks", "checks", true}, {"vacuous", "vacuous", true},
                {"mismatches", "mismatches", true}, {"unexercised", "not exercised", true}, {"not_modelled", "not modelled", true},
                {"unsupported", "unsupported", true}, {"real", "by real traces", true}, {"text", "by text", true},
                {"directive", "by directives", true}, {"verdict", "verdict"}});
  for (const TargetVerdict& target : verdicts) {
    const Json by = shares(target);
    totals.row({target.target, target.rows.size(), target.checks, target.vacuous, target.mismatched, target.unexercised.size(),
                target.not_modelled.size(), target.unsupported, by["real"], by["text"], by["directive"], target.good() ? "ok" : "FAILED"});
  }
  totals.print(out, Format::text);
}

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += c;
    }
  }
  return result;
}

}  // namespace

void print_report(std::ostream& out, const std::vector<TargetVerdict>& verdicts, Format format) {
  if (format == Format::text) {
    print_text(out, verdicts);
  } else if (format == Format::csv) {
    rows_table(verdicts).print(out, format);
  } else {
    for (const TargetVerdict& target : verdicts) out << summary(target).dump() << '\n';
  }
}

void write_junit(const std::filesystem::path& file, const std::vector<TargetVerdict>& verdicts) {
  const std::filesystem::path partial = file.string() + ".partial";
  {
    std::ofstream out(partial);
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const TargetVerdict& target : verdicts) {
      std::string cases;
      std::size_t failures = 0;
      for (const auto& [name, row] : target.rows) {
        const std::string verdict = verdict_of(target, name, row);
        cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", target.target, escaped(name));
        if (verdict.starts_with("ok")) {
          cases += "/>\n";
        } else {
          ++failures;
          std::string text;
          for (const Mismatch& m : target.mismatches) {
            if (m.sample.event.starts_with(name)) text += fmt::format("{}: counted {}, expected {}; {}\n{}\n", m.sample.event, m.sample.counted, m.sample.expected, m.diagnosis, m.reproduce);
          }
          cases += fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n", verdict, escaped(text));
        }
      }
      out << fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n", target.target, target.rows.size(), failures, cases);
    }
    out << "</testsuites>\n";
    out.close();
    if (!out) throw UsageError(fmt::format("cannot write {}", partial.string()));
  }
  std::filesystem::rename(partial, file);
}

}  // namespace pmusim::testbench
