#include "testbench/judge/question/coverage.h"

#include <algorithm>
#include <set>
#include <utility>

#include "testbench/judge/question/attributes.h"

namespace pmusim::testbench::questions {
namespace {

using Names = std::set<std::string>;

std::string name_of(const Dimension& dimension, std::size_t value) {
  return dimension.name + '=' + dimension.values[value].name;
}

/// Adds all values and pairs of values of a form.
void add_all(const Form& form, Names& values, Names& pairs) {
  const auto& dimensions = form.dimensions;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    for (std::size_t a = 0; a < dimensions[i].values.size(); ++a) {
      values.insert(name_of(dimensions[i], a));
      for (std::size_t j = i + 1; j < dimensions.size(); ++j) {
        for (std::size_t b = 0; b < dimensions[j].values.size(); ++b)
          pairs.insert(name_of(dimensions[i], a) + " with " + name_of(dimensions[j], b));
      }
    }
  }
}

/// Sets of unit masks and of events are not counted: they use few values of the other attributes, and each mask or
/// event alone is combined with all.
bool is_counted(const Question& question) {
  if (!question.form || question.form->dimensions.size() < 2) return false;
  const auto& dimensions = question.form->dimensions;
  return std::none_of(dimensions.begin(), dimensions.end(),
                      [](const Dimension& d) { return d.name == "unit mask" || d.name.starts_with(of_one_event); });
}

}  // namespace

AttributeCoverage attribute_coverage(const std::vector<Question>& questions) {
  Names values, pairs, values_asked, pairs_asked;
  std::set<const Form*> known;
  for (const Question& question : questions) {
    if (!is_counted(question)) continue;
    const auto& dimensions = question.form->dimensions;
    if (known.insert(question.form.get()).second) add_all(*question.form, values, pairs);
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      values_asked.insert(name_of(dimensions[i], question.values[i]));
      for (std::size_t j = i + 1; j < dimensions.size(); ++j)
        pairs_asked.insert(name_of(dimensions[i], question.values[i]) + " with " +
                           name_of(dimensions[j], question.values[j]));
    }
  }
  AttributeCoverage coverage{values.size(), values_asked.size(), pairs.size(), pairs_asked.size(), {}};
  std::set_difference(values.begin(), values.end(), values_asked.begin(), values_asked.end(),
                      std::back_inserter(coverage.missing));
  std::set_difference(pairs.begin(), pairs.end(), pairs_asked.begin(), pairs_asked.end(),
                      std::back_inserter(coverage.missing));
  return coverage;
}

}  // namespace pmusim::testbench::questions
