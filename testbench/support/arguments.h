// Command lines, with explanatory help and errors that suggest the nearest option.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

/// The form of an option's value. The functions change it; `->` is for chains of them.
class Form {
 public:
  explicit Form(Value type) : value_(std::move(type)) {}
  Form* operator->() { return this; }

  /// The value without the option.
  Form& default_value(std::string text) {
    value_ = std::move(text);
    has_default_ = true;
    return *this;
  }
  /// The same for numbers. `shown`: what the help shows for it; empty: the number.
  template <class T>
  Form& default_value(T number, std::string shown = {}) requires std::is_arithmetic_v<T> {
    std::visit(
        [&]<class Held>(Held& held) {
          if constexpr (std::is_arithmetic_v<Held>) held = static_cast<Held>(number);
        },
        value_);
    has_default_ = true;
    shown_ = std::move(shown);
    return *this;
  }
  /// What the help calls the value.
  Form& value_name(std::string name) {
    name_ = std::move(name);
    return *this;
  }
  /// Several words may follow the option.
  Form& multitoken() {
    multitoken_ = true;
    return *this;
  }

  [[nodiscard]] const Value& value() const { return value_; }  ///< the default, or any value of the type
  [[nodiscard]] bool has_default() const { return has_default_; }
  [[nodiscard]] const std::string& shown() const { return shown_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_multitoken() const { return multitoken_; }

 private:
  Value value_;
  std::string shown_, name_;
  bool has_default_ = false, multitoken_ = false;
};

/// An option with a value of this type.
template <class T>
[[nodiscard]] Form value() {
  return Form(Value(T{}));
}
/// An option without a value.
[[nodiscard]] inline Form bool_switch() { return Form(Value(false)); }

}  // namespace po

/// The options of a command, in the order of its help, with a title.
class Description {
 public:
  struct Option {
    std::string names;  ///< `name`, or `name,n` with a letter
    po::Form form;
    std::string text;
  };
  /// Adds options, one with each call of the result: add_options()("name", form, "text")("other", ...).
  class Adder {
   public:
    explicit Adder(Description& description) : description_(description) {}
    Adder& operator()(std::string names, po::Form form, std::string text = {}) {
      description_.options_.push_back({std::move(names), std::move(form), std::move(text)});
      return *this;
    }

   private:
    Description& description_;
  };

  explicit Description(std::string title) : title_(std::move(title)) {}
  [[nodiscard]] Adder add_options() { return Adder(*this); }
  /// Adds a group of options with its own title, below the others.
  void add(Description group) { groups_.push_back(std::move(group)); }

  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const std::vector<Option>& options() const { return options_; }
  [[nodiscard]] const std::vector<Description>& groups() const { return groups_; }
  /// The long names of all options, those of groups last.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Option& option : options_) all.push_back(option.names.substr(0, option.names.find(',')));
    for (const Description& group : groups_) {
      for (std::string& name : group.names()) all.push_back(std::move(name));
    }
    return all;
  }

 private:
  std::string title_;
  std::vector<Option> options_;
  std::vector<Description> groups_;
};

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
  /// Throws UsageError if more than `most` positional arguments are given. `command`: as in its help, `trace cut`.
  void limit_positional(std::size_t most, std::string_view command) const;
  /// Throws UsageError `--OPTION WHY` for the first of these options that is given.
  void refuse(std::initializer_list<const char*> options, std::string_view why) const;
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
