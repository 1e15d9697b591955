// Serves our own encoder over the protocol of docs/foreign-encoders.md, unchanged or with a fault.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "testbench/faults/encoder_faults.h"

namespace pmusim::testbench::faults {

/// Answers one line: an encoding, or a refusal.
class Server {
 public:
  /// Null: no fault.
  explicit Server(const EncoderFault* fault = nullptr) : fault_(fault) {}
  [[nodiscard]] nlohmann::json answer(const std::string& line);

 private:
  const EncoderFault* fault_;
  Answer before_;  ///< the previous answer
};

/// Answers every line of `in`.
void serve(std::istream& in, std::ostream& out, const EncoderFault* fault = nullptr);

}  // namespace pmusim::testbench::faults
