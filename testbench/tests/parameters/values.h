// Other values of a parameter, and a monitor that uses one while the oracle does not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/faults/bench.h"

namespace pmusim::testbench::faults {

/// A parameter that changes no count of a legal encoding on the short traces, and the case that it decides.
struct Silent {
  std::string_view parameter, decides;
};

/// The values other than the default; of a number the minimum and the maximum.
inline std::vector<std::int64_t> other_values(const models::ParameterInfo& info) {
  std::vector<std::int64_t> values;
  for (const models::Choice& choice : info.choices) values.push_back(choice.value);
  if (values.empty()) values = {info.minimum, info.maximum};
  std::erase(values, info.default_value);
  return values;
}

/// Makes monitors with another value of one parameter, overriding the session's.
struct OtherMonitor {
  static inline const models::Target* target = nullptr;
  static inline std::string name;
  static inline std::int64_t value = 0;
  static std::unique_ptr<pmu::Monitor> make(const models::Parameters& given) {
    models::Parameters parameters = given;
    parameters.set(name, value);
    return target->make_monitor(parameters);
  }
  static Exchange with(const std::string& of, std::string_view parameter, std::int64_t other) {
    target = models::find_target(of);
    name = parameter;
    value = other;
    Exchange exchange;
    exchange.make_monitor = make;
    return exchange;
  }
};

}  // namespace pmusim::testbench::faults
