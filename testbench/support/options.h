// Descriptions of a command's options. arguments.cpp alone passes them on to Boost.Program_options, whose headers take
// longer to compile than most commands.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace pmusim::testbench {
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

}  // namespace pmusim::testbench
