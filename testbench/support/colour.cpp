#include "testbench/support/colour.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace pmusim::testbench {
namespace {

constexpr std::pair<std::string_view, Tint> verdicts[] = {
    {"ok", Tint::good},      {"kept", Tint::good},  {"caught", Tint::good}, {"FAILED", Tint::bad},
    {"MISMATCH", Tint::bad}, {"MISSED", Tint::bad}, {"BROKEN", Tint::bad},  {"NOT EXERCISED", Tint::bad},
};

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool shows_colour(int descriptor) {
  if (isatty(descriptor) == 0 || is_set("NO_COLOR")) return false;
  return is_set("TERM") && std::string_view(std::getenv("TERM")) != "dumb";
}

std::string tinted(std::string_view text, Tint tint) {
  const int code = tint == Tint::strong ? 1 : tint == Tint::good ? 32 : 31;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

const Tint* tint_of_verdict(std::string_view word) {
  for (const auto& [verdict, tint] : verdicts) {
    if (word == verdict) return &tint;
  }
  return nullptr;
}

const Tint* tint_of_share(std::string_view percent) {
  static constexpr Tint large = Tint::bad, some = Tint::good;
  constexpr double from_large = 5, from_some = 0.5;
  const double value = std::strtod(std::string(percent).c_str(), nullptr);
  return value >= from_large ? &large : value >= from_some ? &some : nullptr;
}

}  // namespace pmusim::testbench
