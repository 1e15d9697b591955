// Named parameters of cores and PMU models: sizes and latencies with their sources, and the behaviours that no document
// specifies, with their default choices.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pmusim::models {

/// Thrown for an unknown parameter name or a value outside its range. what() is a complete sentence.
struct ParameterError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// One symbolic value of a parameter that is a choice between behaviours.
struct Choice {
  std::string_view name;     ///< as written after `--set NAME=`
  std::int64_t value;        ///< the parameter's value for this choice
  std::string_view meaning;  ///< one sentence
};

/// Description of one parameter.
struct ParameterInfo {
  std::string_view name;             ///< dotted, lower case: `l1d.ways`, `pmu.enint_clear`
  std::int64_t default_value;        ///< initial value, in `unit`
  std::int64_t minimum;              ///< smallest legal value
  std::int64_t maximum;              ///< largest legal value
  std::string_view unit;             ///< "cycles", "entries", "bytes", "" for choices
  std::string_view meaning;          ///< one sentence
  std::string_view source;           ///< document and section
  bool confirmed;                    ///< false: no source specifies it; the default is this project's choice
  std::vector<Choice> choices = {};  ///< empty for plain numbers
};

/// A set of parameters with values. Copyable.
class Parameters {
 public:
  Parameters();
  /// Every parameter has its default value.
  explicit Parameters(std::vector<ParameterInfo> infos);

  /// Adds the parameters of another set whose names are new: a target has those of its core and of its PMU.
  void append(const Parameters& other);
  /// The value of a parameter. Throws ParameterError for an unknown name.
  [[nodiscard]] std::int64_t get(std::string_view name) const;
  /// Sets a value from text: a number (decimal or 0x) or the name of a choice. Throws ParameterError, which names the
  /// nearest parameter or the legal values.
  void set(std::string_view name, std::string_view value);
  /// Sets a value. Throws ParameterError for an unknown name or an illegal value.
  void set(std::string_view name, std::int64_t value);
  /// True if there is a parameter of this name.
  [[nodiscard]] bool has(std::string_view name) const;
  /// Descriptions, in the order in which they were added.
  [[nodiscard]] std::span<const ParameterInfo> infos() const { return *infos_; }
  /// The value as it would be written after `--set NAME=`.
  [[nodiscard]] std::string text(std::string_view name) const;

 private:
  [[nodiscard]] std::size_t index(std::string_view name) const;
  std::shared_ptr<const std::vector<ParameterInfo>> infos_;  ///< shared by all copies
  std::vector<std::int64_t> values_;
  mutable std::size_t next_ = 0;  ///< index after the previous result
};

/// The candidate with the smallest edit distance to `word`, ignoring case; empty if none is close.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string_view> candidates);

// Parameters that earlier versions had for behaviours that no document describes and of which no source knows another
// reading.

/// The behaviour that is now the only one; empty if there was no such parameter.
[[nodiscard]] std::string_view behaviour_instead_of(std::string_view parameter);

}  // namespace pmusim::models
