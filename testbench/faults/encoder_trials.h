// Finds the faults of an encoder that the questions notice. Each faulty encoder answers through the protocol, as a
// foreign encoder.
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "testbench/faults/encoder_faults.h"
#include "testbench/faults/fault.h"

namespace pmusim::testbench::faults {

struct TrialOptions {
  std::string program;    ///< pmusim, which serves the faulty encoders
  std::string only = {};  ///< patterns of the faults to try
  unsigned jobs = 1;      ///< processes
  bool quick = false;     ///< the quick questions only
};
/// The number of steps in which the faults of a target are tried, if no step is unnecessary.
[[nodiscard]] std::size_t most_steps(const TrialOptions& options);
/// Tries all faults of a target's encoder, in their order. Answers that count the same by a rule need not be noticed.
/// `advance` is called when a part of the questions is judged, at most most_steps() times, with the name of these
/// questions.
[[nodiscard]] std::vector<Trial> try_encoder_faults(const std::string& target, const TrialOptions& options,
                                                    const std::function<void(const std::string&)>& advance = {});

// Serves our own encoder over the protocol of docs/foreign-encoders.md, unchanged or with a fault.

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
