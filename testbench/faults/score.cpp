#include "testbench/faults/score.h"

#include <nlohmann/json.hpp>

namespace pmusim::testbench::faults {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Cell, noticed, equivalent, missed, by_rule)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Missed, question, change, registers)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Score, fields, questions, verified, disagreements, checked, contradictions, missed)

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

std::string packed(const Score& score) { return nlohmann::json(score).dump(); }
Score unpacked(const std::string& text) { return nlohmann::json::parse(text).get<Score>(); }

}  // namespace pmusim::testbench::faults
