// Serves our own encoder over the protocol of docs/foreign-encoders.md, unchanged or with a defect.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "testbench/faults/defects.h"

namespace pmusim::testbench::questions {

/// Answers one line: an encoding, or a refusal.
class Server {
 public:
  /// Null: no defect.
  explicit Server(const Defect* defect = nullptr) : defect_(defect) {}
  [[nodiscard]] nlohmann::json answer(const std::string& line);

 private:
  const Defect* defect_;
  Answer before_;  ///< the previous answer
};

/// Answers every line of `in`.
void serve(std::istream& in, std::ostream& out, const Defect* defect = nullptr);

}  // namespace pmusim::testbench::questions
