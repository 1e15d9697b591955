#include "testbench/mutate/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <ostream>
#include <set>

#include "testbench/mutate/equivalence.h"

namespace pmusim::testbench::mutate {
namespace {

struct Line {
  std::string registers;
  std::string field;
  unsigned bits = 0;      ///< 0: the whole register
  unsigned reserved = 0;  ///< of them, by the manual
  Cell cell;
};

/// `0-3`, or `0, 2, 4` where numbers are left out.
std::string numbers_of(const std::vector<std::string>& names, std::size_t at) {
  std::vector<unsigned long> numbers;
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

/// Fields from the top of a register down, the whole register last.
std::vector<Line> lines_of(const std::string& target, const Score& score) {
  std::map<std::string, std::vector<Field>> layouts;
  for (const auto& [place, cell] : score.fields) {
    if (!layouts.contains(place.first))
      layouts[place.first] = fields_of(target, place.first, register_width(target, place.first));
  }
  // Registers of one kind, with the same fields.
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
               {"killed", "killed", true},
               {"equivalent", "equivalent", true},
               {"survived", "survived", true},
               {"equivalent_share", "equivalent %", true},
               {"reserved_bits", "reserved bits", true},
               {"rules", "equivalent by"}});
  for (const auto& [target, score] : scores) {
    for (const Line& line : lines_of(target, score)) {
      const std::string reserved = line.bits == 0 ? "" : fmt::format("{} of {}", line.reserved, line.bits);
      table.row({target, line.registers, line.bits == 0 ? "(whole)" : line.field, line.cell.made(), line.cell.killed,
                 line.cell.equivalent, line.cell.survived, share(line.cell.equivalent, line.cell.made()), reserved,
                 rules_text(line.cell)});
    }
  }
  return table;
}

Table totals_table(const Scores& scores) {
  Table table({{"target", "target"},
               {"requests", "requests", true},
               {"made", "made", true},
               {"killed", "killed", true},
               {"equivalent", "equivalent", true},
               {"survived", "survived", true},
               {"score", "killed of the others", true},
               {"verified", "unchanged, compared", true},
               {"contradictions", "rules contradicted", true}});
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    table.row({target, score.requests, all.made(), all.killed, all.equivalent, all.survived,
               share(all.killed, all.killed + all.survived), score.verified, score.contradictions.size()});
  }
  return table;
}

Table kinds_table(const Scores& scores) {
  Table table({{"target", "target"},
               {"kind", "kind"},
               {"made", "made", true},
               {"killed", "killed", true},
               {"equivalent", "equivalent", true},
               {"survived", "survived", true}});
  for (const auto& [target, score] : scores) {
    for (std::size_t k = 0; k < kinds; ++k) {
      const Cell& cell = score.by_kind[k];
      table.row({target, std::string(name_of(static_cast<Kind>(k))), cell.made(), cell.killed, cell.equivalent,
                 cell.survived});
    }
  }
  return table;
}

void print_problems(std::ostream& out, const Scores& scores) {
  for (const auto& [target, score] : scores) {
    for (const std::string& text : score.disagreements)
      out << fmt::format("unchanged, and wrong: {} {}\n", target, text);
    for (const std::string& text : score.contradictions) out << fmt::format("contradicted: {} {}\n", target, text);
    for (const Survivor& s : score.survivors) {
      out << fmt::format("survived: {} {}: {} ({})\n", target, s.request, s.change, s.registers);
    }
  }
}

std::string markdown_row(std::initializer_list<std::string> cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += ' ' + cell + " |";
  return text + '\n';
}

}  // namespace

void print_scores(std::ostream& out, const Scores& scores, Format format) {
  if (format != Format::text) {
    fields_table(scores).print(out, format);
    if (format == Format::csv) return;
    totals_table(scores).print(out, format);
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
  fields_table(scores).print(out, format);
  out << '\n';
  kinds_table(scores).print(out, format);
  out << '\n';
  print_problems(out, scores);
  totals_table(scores).print(out, format);
}

void print_markdown(std::ostream& out, const Scores& scores) {
  out << "| target | requests | mutants | killed | equivalent | survived |\n|---|---|---|---|---|---|\n";
  for (const auto& [target, score] : scores) {
    const Cell all = score.total();
    out << markdown_row({target, grouped(score.requests), grouped(all.made()), grouped(all.killed),
                         grouped(all.equivalent), grouped(all.survived)});
  }
  out << "\n| target | registers | field | mutants | killed | equivalent | survived | reserved bits | equivalent by |\n"
         "|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [target, score] : scores) {
    for (const Line& line : lines_of(target, score)) {
      out << markdown_row(
          {target, line.registers, line.bits == 0 ? "(whole)" : line.field, grouped(line.cell.made()),
           grouped(line.cell.killed),
           fmt::format("{} ({})", grouped(line.cell.equivalent), share(line.cell.equivalent, line.cell.made())),
           grouped(line.cell.survived), line.bits == 0 ? "" : fmt::format("{} of {}", line.reserved, line.bits),
           rules_text(line.cell)});
    }
  }
  out << "\n| rule | source | choices of the model that it rests on |\n|---|---|---|\n";
  std::set<std::string_view> named;
  for (const auto& [target, score] : scores) {
    for (const Rule& rule : rules_of(target)) {
      if (named.insert(rule.source).second)
        out << markdown_row({std::string(rule.name), std::string(rule.source), std::string(rule.choices)});
    }
  }
}

}  // namespace pmusim::testbench::mutate
