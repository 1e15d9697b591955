// Counters for requests that somebody keeps: none is copied, and a counter serves one activity after the other.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "testbench/oracle/oracle.h"

namespace pmusim::oracle {

class LastingCounter : public Counter {
 public:
  /// Forgets all that was counted and watched. False for an event of which it cannot: another one has to be made.
  [[nodiscard]] virtual bool restart() = 0;
};

/// As make_counter(); the requests are read while it is made.
[[nodiscard]] std::unique_ptr<LastingCounter> make_counter(std::string_view target,
                                                           std::span<const Request* const> requests,
                                                           const ParameterLookup& parameters);

}  // namespace pmusim::oracle
