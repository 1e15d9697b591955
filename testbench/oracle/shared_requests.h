// Counters for requests owned by the caller: requests are not copied, and a counter can be used for several activities.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "testbench/oracle/oracle.h"

namespace pmusim::oracle {

class LastingCounter : public Counter {
 public:
  /// Forgets all counts. Returns false if the event does not support that; create another counter then.
  [[nodiscard]] virtual bool restart() = 0;
};

/// As make_counter(). The requests are read during the call.
[[nodiscard]] std::unique_ptr<LastingCounter> make_counter(std::string_view target,
                                                           std::span<const Request* const> requests,
                                                           const ParameterLookup& parameters);

}  // namespace pmusim::oracle
