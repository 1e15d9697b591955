#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "models/targets.h"
#include "testbench/faults/equivalence.h"
#include "testbench/faults/fault.h"
#include "testbench/faults/fields.h"
#include "testbench/faults/wrong_bits.h"
#include "testbench/support/error.h"
#include "testbench/support/progress.h"

namespace pmusim::testbench::faults {

namespace {

struct Line {
  std::string registers;
  std::string field;
  Cell cell;
};

/// `0-3`, or `0, 2, 4` for numbers with gaps.
std::string numbers_of(const std::vector<std::string>& names, std::size_t at) {
  std::vector<unsigned long> numbers;
  numbers.reserve(names.size());
  for (const std::string& name : names) numbers.push_back(std::stoul(name.substr(at)));
  std::sort(numbers.begin(), numbers.end());
  if (numbers.size() > 2 && numbers.back() - numbers.front() + 1 == numbers.size()) {
    return fmt::format("{}-{}", numbers.front(), numbers.back());
  }
  return fmt::format("{}", fmt::join(numbers, ", "));
}

std::string label_of(const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  const std::size_t at = names[0].find_first_of("0123456789");
  const bool numbered =
      at != std::string::npos && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.find_first_not_of("0123456789", at) == std::string::npos;
      });
  return numbered ? names[0].substr(0, at) + numbers_of(names, at) : fmt::format("{}", fmt::join(names, ", "));
}

/// Fields of a register from the top down.
std::vector<Line> lines_of(const std::string& target, const Score& score) {
  std::map<std::string, std::vector<Field>> layouts;
  for (const auto& [place, cell] : score.fields) {
    if (!layouts.contains(place.first))
      layouts[place.first] = fields_of(target, place.first, register_width(target, place.first));
  }
  // Registers of one kind with the same fields.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> alike;
  for (const auto& [name, fields] : layouts) {
    std::string names;
    for (const Field& field : fields) names += field.name + ' ';
    alike[{stem(name), names}].push_back(name);
  }
  std::vector<Line> lines;
  for (const auto& [kind, names] : alike) {
    for (const Field& field : layouts[names[0]]) {
      Line line{label_of(names), field.name, {}};
      for (const std::string& name : names) {
        const auto found = score.fields.find({name, field.name});
        if (found != score.fields.end()) line.cell.add(found->second);
      }
      if (line.cell.made() != 0) lines.push_back(std::move(line));
    }
  }
  return lines;
}

std::string rules_text(const Cell& cell) {
  std::string text;
  for (const auto& [rule, count] : cell.by_rule) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rule, count);
  return text;
}

std::string share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? "" : fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

Table fields_table(const Scores& scores) {
  Table table({{"target", "target"},
               {"registers", "registers"},
               {"field", "field"},
               {"made", "made", true},
               {"noticed", "noticed", true},
               {"equivalent", "equal by a rule", true},
               {"survived", "not noticed", true},
               {"equivalent_share", "equal %", true},
               {"rules", "equal by"}});
  for (const auto& [target, score] : scores) {
    for (const Line& line : lines_of(target, score)) {
      table.row({target, line.registers, line.field, line.cell.made(), line.cell.noticed, line.cell.equivalent,
                 line.cell.missed, share(line.cell.equivalent, line.cell.made()), rules_text(line.cell)});
    }
  }
  return table;
}

Table totals_table(const Scores& scores) {
  Table table({{"target", "target"},
               {"requests", "questions", true},
               {"made", "made", true},
               {"noticed", "noticed", true},
               {"equivalent", "equal by a rule", true},
               {"survived", "not noticed", true},
               {"score", "noticed of the others", true},
               {"verified", "unchanged, judged", true},
               {"checked", "equal, judged", true},
               {"contradictions", "rules contradicted", true}});
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    table.row({target, score.questions, all.made(), all.noticed, all.equivalent, all.missed,
               share(all.noticed, all.noticed + all.missed), score.questions, score.checked,
               score.contradictions.size()});
  }
  return table;
}

/// The share that each rule excuses, in the order of the rules; then rules that depend on the question.
Table rules_table(const Scores& scores, Format format) {
  std::vector<Table::Column> columns{
      {"target", "target"}, {"rule", "rule"}, {"excused", "excused", true}, {"share", "of all", true}};
  if (format == Format::json) columns.insert(columns.end(), {{"source", "source"}, {"choices", "choices"}});
  Table table(std::move(columns));
  const auto add = [&](const std::string& target, const Cell& all, const Rule& rule, std::uint64_t excused) {
    std::vector<Json> row{target, std::string(rule.name), excused, share(excused, all.made())};
    if (format == Format::json) row.insert(row.end(), {std::string(rule.source), std::string(rule.choices)});
    table.row(std::move(row));
  };
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    auto others = all.by_rule;
    for (const Rule& rule : rules_of(target)) {
      if (const auto found = others.find(std::string(rule.name)); found != others.end()) {
        add(target, all, rule, found->second);
        others.erase(found);
      }
    }
    for (const auto& [name, excused] : others) add(target, all, {name, {}, nullptr}, excused);
  }
  return table;
}

void print_problems(std::ostream& out, const Scores& scores, bool as_text) {
  for (const auto& [target, score] : scores) {
    const auto say = [&, &target = target](std::string_view words, const char* key, const std::string& problem) {
      out << (as_text ? fmt::format("{}: {} {}", words, target, problem)
                      : Json{{"target", target}, {key, problem}}.dump())
          << '\n';
    };
    for (const std::string& text : score.disagreements) say("unchanged, and wrong", "disagreement", text);
    for (const std::string& text : score.contradictions) say("contradicted", "contradiction", text);
    for (const Missed& m : score.missed) {
      if (as_text)
        say("not noticed", "survivor", fmt::format("{}: {} ({})", m.question, m.change, m.registers));
      else
        out << Json{{"target", target}, {"survivor", m.question}, {"change", m.change}, {"registers", m.registers}}
            << '\n';
    }
  }
}

}  // namespace

void print_scores(std::ostream& out, const Scores& scores, Format format) {
  fields_table(scores).print(out, format);
  if (format == Format::csv) return;
  const bool is_text = format == Format::text;
  if (is_text) out << '\n';
  rules_table(scores, format).print(out, format);
  if (is_text) {
    out << '\n';
    print_problems(out, scores, true);
  }
  totals_table(scores).print(out, format);
  if (!is_text) print_problems(out, scores, false);
}

void print_markdown(std::ostream& out, const Scores& scores) {
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    out << fmt::format("| {} | {} | {} | {} | {} | {} |\n", target, grouped(all.noticed + all.missed),
                       grouped(all.noticed), grouped(all.missed), share(all.noticed, all.noticed + all.missed),
                       grouped(all.equivalent));
  }
}

std::vector<std::string> scored_targets() {
  std::vector<std::string> names;
  for (const models::Target& target : models::targets()) {
    if (!rules_of(target.name).empty()) names.emplace_back(target.name);
  }
  return names;
}

int run_mutations(const std::vector<std::string>& targets, const WrongBitOptions& options, double floor,
                  std::optional<Format> format) {
  for (const std::string& target : targets) {
    if (rules_of(target).empty()) {
      throw UsageError(fmt::format("--mutate: {} has no rules of equivalence; targets with rules: {}", target,
                                   fmt::join(scored_targets(), ", ")));
    }
  }
  Scores scores;
  for (const std::string& target : targets) {
    std::optional<Progress> progress;
    const auto advance = [&](std::size_t done, std::size_t all) {
      if (!progress) progress.emplace("mutate", all);
      progress->advance(fmt::format("{} part {}", target, done));
    };
    scores.emplace_back(target, noticed_by_questions(target, options, advance));
    if (progress) progress->finish();
  }
  if (format) {
    print_scores(std::cout, scores, *format);
  } else {
    print_markdown(std::cout, scores);
  }
  const bool good =
      std::all_of(scores.begin(), scores.end(), [&](const auto& entry) { return entry.second.good(floor); });
  return good ? exit_good : exit_mismatch;
}

}  // namespace pmusim::testbench::faults
