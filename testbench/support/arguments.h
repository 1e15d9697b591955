// Command lines on Boost.Program_options, with help that teaches and errors that name the nearest option.
#pragma once

#include <boost/program_options.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/support/output.h"

namespace pmusim::testbench {

/// What `--help` of a subcommand says besides its options.
struct HelpText {
  std::string_view usage;     ///< `pmusim encode -t TARGET -e EVENT ...`
  std::string_view about;     ///< a paragraph
  std::string_view examples;  ///< commands, one per line
};

/// Parsed options of one subcommand.
class Arguments {
 public:
  using Description = boost::program_options::options_description;

  /// Parses. Positional arguments go to the hidden option `positional`. Throws UsageError. `--help` prints
  /// and sets help_shown(). The description gets `--help` and, if `formats`, `--format` added.
  Arguments(const std::vector<std::string>& arguments, Description visible, const HelpText& help, bool formats = true);

  [[nodiscard]] bool help_shown() const { return help_shown_; }
  [[nodiscard]] bool has(const std::string& name) const { return map_.count(name) != 0 && !map_[name].defaulted(); }
  template <class T>
  [[nodiscard]] T get(const std::string& name) const {
    return map_[name].as<T>();
  }
  template <class T>
  [[nodiscard]] std::optional<T> maybe(const std::string& name) const {
    if (map_.count(name) == 0) return std::nullopt;
    return map_[name].as<T>();
  }
  /// A repeatable option; empty when it is absent.
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  /// The value of an option that must be there; UsageError says how to give it.
  [[nodiscard]] std::string required(const std::string& name, std::string_view why) const;
  [[nodiscard]] const std::vector<std::string>& positional() const { return positional_; }
  [[nodiscard]] Format format() const { return format_; }

 private:
  boost::program_options::variables_map map_;
  std::vector<std::string> positional_;
  Format format_ = Format::text;
  bool help_shown_ = false;
};

/// The events of all `--event`: each one, or several with commas between. Commas within slashes belong to a raw event
/// (cpu/event=0xc0,umask=0/). Throws UsageError for an empty one.
[[nodiscard]] std::vector<std::string> event_list(const Arguments& arguments);

/// An unsigned number, decimal or 0x; UsageError names `what` otherwise.
[[nodiscard]] std::uint64_t parse_number(std::string_view text, std::string_view what);
/// NAME=VALUE pairs with any value text; UsageError otherwise.
[[nodiscard]] std::pair<std::string, std::string> parse_assignment(std::string_view text, std::string_view option);

/// Checks a target name against those that exist; UsageError names the nearest one.
void check_target(std::string_view name);
/// The same for commands that need the encoder alone: it knows targets without a model, too.
void check_encodable(std::string_view name);
/// Every target for "all" or none given, else the named one, checked.
[[nodiscard]] std::vector<std::string> targets_of(std::string_view name);

}  // namespace pmusim::testbench
