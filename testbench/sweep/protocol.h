// The protocol of foreign encoders, version 1: requests and answers as JSON objects. docs/foreign-encoders.md describes
// it in words, docs/foreign-encoders.schema.json as a schema.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

#include "testbench/judge/encoder/encoder_under_test.h"
#include "testbench/judge/question/plan.h"

namespace pmusim::testbench {

/// An answer that violates the protocol; what() names the violation.
struct ProtocolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[nodiscard]] nlohmann::json request_of(std::uint64_t id, const std::string& target, const Group& group);

/// Reads the answer to request `id` for `events` events. Throws ProtocolError.
[[nodiscard]] Answer parse_answer(const std::string& line, std::uint64_t id, const std::string& target,
                                  std::size_t events);
/// The same, and checks that the target accepts all values.
[[nodiscard]] Answer parse_usable_answer(const std::string& line, std::uint64_t id, const std::string& target,
                                         std::size_t events);

}  // namespace pmusim::testbench
