#include "testbench/judge/question/covering.h"

#include <algorithm>
#include <set>
#include <utility>

#include "testbench/judge/question/attributes.h"

namespace pmusim::testbench::questions {

namespace {

constexpr std::size_t unset = ~std::size_t{0};

/// The pairs that no row contains yet.
class Pairs {
 public:
  Pairs(const std::vector<std::size_t>& sizes, const Excluded& excluded) : sizes_(sizes), excluded_(excluded) {
    for (const std::size_t size : sizes) {
      first_.push_back(values_);
      values_ += size;
    }
    open_.assign(values_ * values_, false);
    each([&](std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
      open_[place(i, a, j, b)] = !is_excluded(i, a, j, b);
    });
  }
  [[nodiscard]] bool is_excluded(std::size_t i, std::size_t a, std::size_t j, std::size_t b) const {
    return excluded_ && (i < j ? excluded_(i, a, j, b) : excluded_(j, b, i, a));
  }
  [[nodiscard]] bool is_open(std::size_t i, std::size_t a, std::size_t j, std::size_t b) const {
    return i < j ? open_[place(i, a, j, b)] : open_[place(j, b, i, a)];
  }
  /// A row with the first open pair; empty when there is none.
  [[nodiscard]] std::vector<std::size_t> seed() const {
    std::vector<std::size_t> row;
    each([&](std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
      if (!row.empty() || !open_[place(i, a, j, b)]) return;
      row.assign(sizes_.size(), unset);
      row[i] = a;
      row[j] = b;
    });
    return row;
  }
  void close(const std::vector<std::size_t>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t j = i + 1; j < row.size(); ++j) open_[place(i, row[i], j, row[j])] = false;
    }
  }

 private:
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      for (std::size_t j = i + 1; j < sizes_.size(); ++j) {
        for (std::size_t a = 0; a < sizes_[i]; ++a) {
          for (std::size_t b = 0; b < sizes_[j]; ++b) visit(i, a, j, b);
        }
      }
    }
  }
  [[nodiscard]] std::size_t place(std::size_t i, std::size_t a, std::size_t j, std::size_t b) const {
    return (first_[i] + a) * values_ + first_[j] + b;
  }
  const std::vector<std::size_t>& sizes_;
  const Excluded& excluded_;
  std::vector<std::size_t> first_;
  std::size_t values_ = 0;
  std::vector<bool> open_;
};

/// The value of attribute `i` that has the most open pairs with the values already set; 0 if every value is excluded.
std::size_t best_value(const Pairs& pairs, const std::vector<std::size_t>& row, std::size_t i, std::size_t size) {
  std::size_t best = 0, most = 0;
  for (std::size_t value = 0; value < size; ++value) {
    std::size_t gained = 0;
    bool fits = true;
    for (std::size_t j = 0; j < row.size() && fits; ++j) {
      if (row[j] == unset || j == i) continue;
      fits = !pairs.is_excluded(i, value, j, row[j]);
      gained += pairs.is_open(i, value, j, row[j]) ? 1 : 0;
    }
    if (fits && gained > most) {
      most = gained;
      best = value;
    }
  }
  return best;
}

}  // namespace

std::vector<std::vector<std::size_t>> covering_array(const std::vector<std::size_t>& sizes, const Excluded& excluded) {
  std::vector<std::vector<std::size_t>> rows;
  if (sizes.size() == 1) {
    for (std::size_t value = 0; value < sizes[0]; ++value) rows.push_back({value});
    return rows;
  }
  Pairs pairs(sizes, excluded);
  for (std::vector<std::size_t> row = pairs.seed(); !row.empty(); row = pairs.seed()) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == unset) row[i] = best_value(pairs, row, i, sizes[i]);
    }
    pairs.close(row);
    rows.push_back(std::move(row));
  }
  return rows;
}

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
