#include "testbench/faults/score.h"

#include <nlohmann/json.hpp>

namespace pmusim::testbench::faults {
namespace {

Json to_json(const Cell& cell) {
  return Json{
      {"noticed", cell.noticed}, {"equivalent", cell.equivalent}, {"missed", cell.missed}, {"by_rule", cell.by_rule}};
}

Cell cell_from_json(const Json& object) {
  return {object.at("noticed"), object.at("equivalent"), object.at("missed"),
          object.at("by_rule").get<std::map<std::string, std::uint64_t>>()};
}

}  // namespace

void Cell::add(const Cell& other) {
  noticed += other.noticed;
  equivalent += other.equivalent;
  missed += other.missed;
  for (const auto& [rule, count] : other.by_rule) by_rule[rule] += count;
}

void Score::add(const Score& other) {
  for (const auto& [field, cell] : other.fields) fields[field].add(cell);
  questions += other.questions;
  verified += other.verified;
  checked += other.checked;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(disagreements, other.disagreements);
  append(contradictions, other.contradictions);
  append(missed, other.missed);
}

Cell Score::total() const {
  Cell all;
  for (const auto& [field, cell] : fields) all.add(cell);
  return all;
}

bool Score::good(double floor) const {
  const Cell all = total();
  const auto noticed = static_cast<double>(all.noticed), due = static_cast<double>(all.noticed + all.missed);
  return noticed * 100 >= floor * due && disagreements.empty() && contradictions.empty();
}

Json to_json(const Score& score) {
  Json fields = Json::array(), missed = Json::array();
  for (const auto& [field, cell] : score.fields)
    fields.push_back({{"register", field.first}, {"field", field.second}, {"cell", to_json(cell)}});
  for (const Missed& m : score.missed)
    missed.push_back({{"question", m.question}, {"change", m.change}, {"registers", m.registers}});
  return Json{{"fields", fields},
              {"questions", score.questions},
              {"verified", score.verified},
              {"disagreements", score.disagreements},
              {"checked", score.checked},
              {"contradictions", score.contradictions},
              {"missed", missed}};
}

Score score_from_json(const Json& object) {
  Score score;
  for (const Json& field : object.at("fields"))
    score.fields[{field.at("register"), field.at("field")}] = cell_from_json(field.at("cell"));
  score.questions = object.at("questions");
  score.verified = object.at("verified");
  score.disagreements = object.at("disagreements").get<std::vector<std::string>>();
  score.checked = object.at("checked");
  score.contradictions = object.at("contradictions").get<std::vector<std::string>>();
  for (const Json& m : object.at("missed"))
    score.missed.push_back({m.at("question"), m.at("change"), m.at("registers")});
  return score;
}

}  // namespace pmusim::testbench::faults
