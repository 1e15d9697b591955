// Command lines, with explanatory help and errors that suggest the nearest option.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "testbench/support/error.h"
#include "testbench/support/output.h"

namespace pmusim::testbench {

// Descriptions of a command's options. arguments.cpp alone passes them on to Boost.Program_options, whose headers take
// longer to compile than most commands.

namespace po {

/// A switch, a number, a text, or the texts of an option that may be repeated.
using Value = std::variant<bool, unsigned, std::uint64_t, double, std::string, std::vector<std::string>>;

/// The form of an option's value.
struct Form {
  Value value;               ///< without the option, or any value of the type
  bool has_default = false;  ///< that is the value without the option
  std::string shown = {};    ///< what the help shows for the default; empty: the value
  std::string name = {};     ///< what the help calls the value
  bool multitoken = false;   ///< several words may follow the option
};

[[nodiscard]] inline Form flag() { return {false}; }
[[nodiscard]] inline Form text() { return {std::string()}; }
[[nodiscard]] inline Form text(std::string without) { return {std::move(without), true}; }
/// May be repeated.
[[nodiscard]] inline Form texts(std::string name = {}) { return {std::vector<std::string>(), false, {}, name}; }
[[nodiscard]] inline Form real(double without, std::string shown = {}) { return {without, true, std::move(shown)}; }
/// `T`: unsigned or std::uint64_t.
template <class T>
[[nodiscard]] Form number() {
  return {T{}};
}
template <class T>
[[nodiscard]] Form number(T without) {
  return {without, true};
}

}  // namespace po

struct Option {
  std::string names;  ///< `name`, or `name,n` with a letter
  po::Form form;
  std::string text;
};

/// The options of a command, in the order of its help.
struct Options {
  Options() = default;
  Options(std::initializer_list<Option> list) : rows(list) {}
  std::vector<Option> rows;
  std::string group;               ///< title of further options below the others
  std::vector<Option> group_rows;  ///< these options
  /// The long names of all options, those of the group last.
  [[nodiscard]] std::vector<std::string> names() const;
};
[[nodiscard]] Options operator+(Options first, Options more);

/// The parts of a subcommand's `--help` other than its options.
struct HelpText {
  std::string_view usage;     ///< `pmusim encode -t TARGET -e EVENT ...`
  std::string_view about;     ///< a paragraph
  std::string_view examples;  ///< commands, one per line
};

/// Parsed options of one subcommand.
class Arguments {
 public:
  /// Parses. Positional arguments go to the hidden option `positional`. Throws UsageError. `--help` prints and sets
  /// help_shown(). The options get `--help` and, if there are `formats`, `--format` added; with another than text, json
  /// and csv format() is `text`.
  Arguments(const std::vector<std::string>& arguments, Options visible, const HelpText& help,
            std::string_view formats = "text|json|csv");

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
  /// Throws UsageError if more than `most` positional arguments are given. `command`: as in its help, `trace cut`.
  void limit_positional(std::size_t most, std::string_view command) const;
  /// Throws UsageError `--OPTION WHY` for the first of these options that is given.
  void refuse(std::initializer_list<const char*> options, std::string_view why) const;
  /// As in the help.
  [[nodiscard]] std::string_view usage() const { return usage_; }
  [[nodiscard]] Format format() const { return format_; }
  /// The further format that was chosen; empty: none.
  [[nodiscard]] const std::string& other_format() const { return other_format_; }

 private:
  struct Given {
    po::Value value;
    bool defaulted = false;
  };
  void set_format(const std::string& name, std::string_view formats);

  std::map<std::string, Given> given_;  ///< options with a value
  std::vector<std::string> positional_;
  std::string_view usage_;
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

/// True if two words differ in the case of letters at most.
[[nodiscard]] bool same_word(std::string_view a, std::string_view b);
/// The end of a message about an unknown word: `; did you mean 'X'?` with the nearest candidate. Without one `; ` and
/// `otherwise`, or nothing if that is empty.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates,
                                       std::string_view otherwise = {});
/// The same with the names of these items, of which `name` is a member.
template <class Items, class Item, class Name>
[[nodiscard]] std::string did_you_mean(std::string_view word, const Items& items, Name Item::*name,
                                       std::string_view otherwise = {}) {
  std::vector<std::string_view> names;
  for (const Item& item : items) names.push_back(item.*name);
  return did_you_mean(word, names, otherwise);
}
/// Checks that a target exists; the UsageError names the nearest one.
void check_target(std::string_view name);
/// The same for commands that need only the encoder, which also supports targets without a model.
void check_encodable(std::string_view name);
/// All targets for "all" or no name; otherwise the named one, checked.
[[nodiscard]] std::vector<std::string> targets_of(std::string_view name);

/// A number that users give for a register: the same on the command line and in Python, for writing and for decoding.
struct RegisterNumber {
  std::uint64_t value = 0;
  bool left_out = false;  ///< bits above the register's width were set, and are left out
};

/// Parses a decimal or 0x number for a register of `width` bits. A negative number, or one whose bits above the width
/// all equal its sign, stands for its two's complement. Bits above the width are left out where the write carries them
/// (`carried` bits). Throws UsageError, which begins with `what`, for a number that does not fit.
[[nodiscard]] RegisterNumber register_number(std::string_view name, unsigned width, unsigned carried,
                                             std::string_view text, const std::string& what);
/// Bits that a write of a register carries, by the name of its space: the general registers of the PowerPC have 32, all
/// others 64.
[[nodiscard]] inline unsigned carried_bits(std::string_view space) { return space == "spr" ? 32 : 64; }

}  // namespace pmusim::testbench
