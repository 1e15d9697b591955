#include "testbench/judge/question/covering.h"

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

}  // namespace pmusim::testbench::questions
