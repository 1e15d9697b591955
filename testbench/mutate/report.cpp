#include "testbench/mutate/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <ostream>

#include "testbench/mutate/equivalence.h"

namespace pmusim::testbench::mutate {
namespace {

struct Line {
  std::string registers;
  std::string field;
  unsigned bits = 0;      ///< 0: the whole register
  unsigned reserved = 0;  ///< bits of them that the manual reserves
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

/// Fields of a register from the top down, the whole register last.
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
    std::vector<Field> fields = layouts[names[0]];
    fields.push_back({"", 0, 0});
    for (const Field& field : fields) {
      Line line{label_of(names), field.name, field.width, 0, {}};
      for (const std::string& name : names) {
        const auto found = score.fields.find({name, field.name});
        if (found != score.fields.end()) line.cell.add(found->second);
        if (field.width != 0)
          line.reserved = static_cast<unsigned>(std::popcount(reserved_bits(target, name) & field.mask()));
      }
      if (line.cell.made() != 0) lines.push_back(std::move(line));
    }
  }
  return lines;
}

/// Mutants of bits that the manual reserves, fixes or gives no function; they are not part of the score.
std::uint64_t padding_of(const std::string& target, const Cell& cell) {
  const auto rules = rules_of(target);
  const auto found = rules.empty() ? cell.by_rule.end() : cell.by_rule.find(std::string(rules.front().name));
  return found == cell.by_rule.end() ? 0 : found->second;
}
std::uint64_t live_of(const std::string& target, const Cell& cell) { return cell.made() - padding_of(target, cell); }
/// Live mutants that a rule makes equivalent to the original.
std::uint64_t equal_of(const std::string& target, const Cell& cell) {
  return cell.equivalent - padding_of(target, cell);
}

std::string rules_text(const std::string& target, const Cell& cell) {
  std::string text;
  for (const auto& [rule, count] : cell.by_rule) {
    if (rule != rules_of(target).front().name) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", rule, count);
  }
  return text;
}

std::string share(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? "" : fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

Table fields_table(const Scores& scores, const Told& told) {
  Table table({{"target", "target"},
               {"registers", "registers"},
               {"field", "field"},
               {"made", "made", true},
               {"padding", "padding", true},
               {told, told, true},
               {"equivalent", "equal by a rule", true},
               {"survived", "not " + told, true},
               {"equivalent_share", "equal % of live", true},
               {"reserved_bits", "reserved bits", true},
               {"rules", "equal by"}});
  for (const auto& [target, score] : scores) {
    for (const Line& line : lines_of(target, score)) {
      const std::string reserved = line.bits == 0 ? "" : fmt::format("{} of {}", line.reserved, line.bits);
      const std::uint64_t equal = equal_of(target, line.cell);
      table.row({target, line.registers, line.bits == 0 ? "(whole)" : line.field, line.cell.made(),
                 padding_of(target, line.cell), line.cell.killed, equal, line.cell.survived,
                 share(equal, live_of(target, line.cell)), reserved, rules_text(target, line.cell)});
    }
  }
  return table;
}

Table totals_table(const Scores& scores, const Told& told) {
  Table table({{"target", "target"},
               {"requests", "requests", true},
               {"made", "made", true},
               {"padding", "padding", true},
               {"live", "live", true},
               {told, told, true},
               {"equivalent", "equal by a rule", true},
               {"survived", "not " + told, true},
               {"score", told + " of the others", true},
               {"verified", "unchanged, compared", true},
               {"contradictions", "rules contradicted", true}});
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    table.row({target, score.requests, all.made(), padding_of(target, all), live_of(target, all), all.killed,
               equal_of(target, all), all.survived, share(all.killed, all.killed + all.survived), score.verified,
               score.contradictions.size()});
  }
  return table;
}

/// Live mutants by the rule that excuses them, in the order of the rules; then by rules that depend on the question.
std::vector<std::pair<std::string, std::uint64_t>> excused_by_rule(const std::string& target, const Cell& cell) {
  std::vector<std::pair<std::string, std::uint64_t>> excused;
  auto others = cell.by_rule;
  for (const Rule& rule : rules_of(target)) {
    const auto found = others.find(std::string(rule.name));
    if (found == others.end()) continue;
    if (&rule != &rules_of(target).front()) excused.emplace_back(*found);
    others.erase(found);
  }
  excused.insert(excused.end(), others.begin(), others.end());
  return excused;
}

/// The share of live mutants that each rule excuses.
Table rules_table(const Scores& scores) {
  Table table({{"target", "target"},
               {"rule", "rule"},
               {"excused", "live mutants excused", true},
               {"share", "of all live ones", true}});
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    for (const auto& [rule, excused] : excused_by_rule(target, all))
      table.row({target, rule, excused, share(excused, live_of(target, all))});
  }
  return table;
}

Table kinds_table(const Scores& scores, const Told& told) {
  Table table({{"target", "target"},
               {"kind", "kind"},
               {"made", "made", true},
               {told, told, true},
               {"equivalent", "equal by a rule", true},
               {"survived", "not " + told, true}});
  for (const auto& [target, score] : scores) {
    for (std::size_t k = 0; k < kinds; ++k) {
      const Cell& cell = score.by_kind[k];
      table.row({target, std::string(name_of(static_cast<Kind>(k))), cell.made(), cell.killed, cell.equivalent,
                 cell.survived});
    }
  }
  return table;
}

void print_problems(std::ostream& out, const Scores& scores, const Told& told) {
  for (const auto& [target, score] : scores) {
    for (const std::string& text : score.disagreements)
      out << fmt::format("unchanged, and wrong: {} {}\n", target, text);
    for (const std::string& text : score.contradictions) out << fmt::format("contradicted: {} {}\n", target, text);
    for (const Survivor& s : score.survivors) {
      out << fmt::format("not {}: {} {}: {} ({})\n", told, target, s.request, s.change, s.registers);
    }
  }
}

std::string markdown_row(std::initializer_list<std::string> cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += ' ' + cell + " |";
  return text + '\n';
}

}  // namespace

void print_scores(std::ostream& out, const Scores& scores, const Told& told, Format format) {
  if (format != Format::text) {
    fields_table(scores, told).print(out, format);
    if (format == Format::csv) return;
    rules_table(scores).print(out, format);
    totals_table(scores, told).print(out, format);
    for (const auto& [target, score] : scores) {
      for (const std::string& text : score.disagreements)
        out << Json{{"target", target}, {"disagreement", text}}.dump() << '\n';
      for (const std::string& text : score.contradictions)
        out << Json{{"target", target}, {"contradiction", text}}.dump() << '\n';
      for (const Survivor& s : score.survivors) {
        out << Json{{"target", target}, {"survivor", s.request}, {"change", s.change}, {"registers", s.registers}}
                   .dump()
            << '\n';
      }
    }
    return;
  }
  fields_table(scores, told).print(out, format);
  out << '\n';
  kinds_table(scores, told).print(out, format);
  out << '\n';
  rules_table(scores).print(out, format);
  out << '\n';
  print_problems(out, scores, told);
  totals_table(scores, told).print(out, format);
}

void print_markdown(std::ostream& out, const Scores& scores, const Told& told) {
  out << markdown_row({"target", "requests", "mutants", "padding", "live", told, "equal by a rule", "not " + told})
      << "|---|---|---|---|---|---|---|---|\n";
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    out << markdown_row({target, grouped(score.requests), grouped(all.made()), grouped(padding_of(target, all)),
                         grouped(live_of(target, all)), grouped(all.killed), grouped(equal_of(target, all)),
                         grouped(all.survived)});
  }
  out << '\n'
      << markdown_row({"target", "registers", "field", "mutants", "padding", told, "equal by a rule", "not " + told,
                       "reserved bits", "equal by"})
      << "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [target, score] : scores) {
    for (const Line& line : lines_of(target, score)) {
      const std::uint64_t equal = equal_of(target, line.cell), live = live_of(target, line.cell);
      out << markdown_row(
          {target, line.registers, line.bits == 0 ? "(whole)" : line.field, grouped(line.cell.made()),
           grouped(padding_of(target, line.cell)), grouped(line.cell.killed),
           live == 0 ? "" : fmt::format("{} ({})", grouped(equal), share(equal, live)), grouped(line.cell.survived),
           line.bits == 0 ? "" : fmt::format("{} of {}", line.reserved, line.bits), rules_text(target, line.cell)});
    }
  }
  out << "\n| rule | live mutants excused | of all live ones | source | choices of the model that it rests on |\n"
         "|---|---|---|---|---|\n";
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    for (const Rule& rule : rules_of(target)) {
      const auto found = all.by_rule.find(std::string(rule.name));
      const bool of_padding = &rule == &rules_of(target).front();
      const std::uint64_t excused = of_padding || found == all.by_rule.end() ? 0 : found->second;
      out << markdown_row({std::string(rule.name), grouped(excused), share(excused, live_of(target, all)),
                           std::string(rule.source), std::string(rule.choices)});
    }
  }
}

}  // namespace pmusim::testbench::mutate
