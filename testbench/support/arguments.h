// Command lines, with explanatory help and errors that suggest the nearest option.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/support/options.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

/// The parts of a subcommand's `--help` other than its options.
struct HelpText {
  std::string_view usage;     ///< `pmusim encode -t TARGET -e EVENT ...`
  std::string_view about;     ///< a paragraph
  std::string_view examples;  ///< commands, one per line
};

/// Parsed options of one subcommand.
class Arguments {
 public:
  using Description = testbench::Description;

  /// Parses. Positional arguments go to the hidden option `positional`. Throws UsageError. `--help` prints
  /// and sets help_shown(). The description gets `--help` and, if `formats`, `--format` added. `more`: names of further
  /// formats; with one of these format() is `text`.
  Arguments(const std::vector<std::string>& arguments, Description visible, const HelpText& help, bool formats = true,
            const std::vector<std::string>& more = {});

  [[nodiscard]] bool help_shown() const { return help_shown_; }
  [[nodiscard]] bool has(const std::string& name) const {
    return given_.count(name) != 0 && !given_.at(name).defaulted;
  }
  template <class T>
  [[nodiscard]] T get(const std::string& name) const {
    return std::get<T>(given_.at(name).value);
  }
  template <class T>
  [[nodiscard]] std::optional<T> maybe(const std::string& name) const {
    if (given_.count(name) == 0) return std::nullopt;
    return get<T>(name);
  }
  /// A repeatable option; empty when it is absent.
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  /// The value of a required option; the UsageError says how to give it.
  [[nodiscard]] std::string required(const std::string& name, std::string_view why) const;
  [[nodiscard]] const std::vector<std::string>& positional() const { return positional_; }
  [[nodiscard]] Format format() const { return format_; }
  /// The further format that was chosen; empty: none.
  [[nodiscard]] const std::string& other_format() const { return other_format_; }

 private:
  struct Given {
    po::Value value;
    bool defaulted = false;
  };
  std::map<std::string, Given> given_;  ///< options with a value
  std::vector<std::string> positional_;
  Format format_ = Format::text;
  std::string other_format_;
  bool help_shown_ = false;
};

/// The events of all `--event` options; each option has one event, or several separated by commas. Commas between
/// slashes belong to a raw event (cpu/event=0xc0,umask=0/). Throws UsageError for an empty event.
[[nodiscard]] std::vector<std::string> event_list(const Arguments& arguments);

/// Parses an unsigned number, decimal or 0x; otherwise throws a UsageError that names `what`.
[[nodiscard]] std::uint64_t parse_number(std::string_view text, std::string_view what);
/// Parses NAME=VALUE pairs with any value text; otherwise throws UsageError.
[[nodiscard]] std::pair<std::string, std::string> parse_assignment(std::string_view text, std::string_view option);

/// Checks that a target exists; the UsageError names the nearest one.
void check_target(std::string_view name);
/// The same for commands that need only the encoder, which also supports targets without a model.
void check_encodable(std::string_view name);
/// All targets for "all" or no name; otherwise the named one, checked.
[[nodiscard]] std::vector<std::string> targets_of(std::string_view name);

}  // namespace pmusim::testbench
