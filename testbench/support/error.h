// Errors reported to the user of a command, and the exit codes of commands.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace pmusim::testbench {

/// Exit codes of every subcommand.
inline constexpr int exit_good = 0;
inline constexpr int exit_mismatch = 1;  ///< a comparison failed, or a part was not exercised
inline constexpr int exit_usage = 2;     ///< bad usage or bad input

/// Bad usage or bad input. what() is one line that states the error, its position, and the correct form.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
  template <class... Values>
  UsageError(fmt::format_string<Values...> form, Values&&... values) requires(sizeof...(Values) != 0)
      : std::runtime_error(fmt::format(form, std::forward<Values>(values)...)) {}
};

/// An option that the command does not have.
class UnknownOption : public UsageError {
 public:
  UnknownOption(std::string option, const std::string& what) : UsageError(what), option_(std::move(option)) {}
  /// As typed, with its dashes.
  [[nodiscard]] const std::string& option() const { return option_; }

 private:
  std::string option_;
};

/// The text of an error for the user: what(), or a sentence for a failed allocation.
[[nodiscard]] inline std::string message_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) == nullptr) return error.what();
  return "there is not enough memory; free some or raise the limit (ulimit -v)";
}

}  // namespace pmusim::testbench
