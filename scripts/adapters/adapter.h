// Shared parts of the C++ adapters: the loop of docs/foreign-encoders.md, and refusals.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace pmusim::adapter {

using nlohmann::json;

/// An answer that is an error: "unsupported" for names that the encoder does not know, or "invalid" for illegal
/// requests.
struct Refusal : std::runtime_error {
  Refusal(std::string refused_kind, const std::string& message)
      : std::runtime_error(message), kind(std::move(refused_kind)) {}
  std::string kind;
};

/// The value as 0x and 16 digits.
inline std::string register_value(std::uint64_t value) {
  char text[19];
  static_cast<void>(std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value)));
  return text;
}

/// Answers one line by `encode`, which returns {"registers": [...], "counters": [...]} or throws Refusal.
inline json respond(const std::string& line, const std::function<json(const json&)>& encode) {
  json id;
  try {
    const json request = json::parse(line);
    id = request.at("id");
    if (request.at("v") != 1) throw Refusal("unsupported", "protocol version is 1");
    json result = encode(request);
    result["id"] = id;
    return result;
  } catch (const Refusal& refusal) {
    return {{"id", id}, {"error", refusal.kind}, {"message", refusal.what()}};
  } catch (const json::exception& error) {
    return {{"id", id}, {"error", "invalid"}, {"message", error.what()}};
  }
}

/// Answers every line of standard input until it ends.
inline void serve(const std::function<json(const json&)>& encode) {
  for (std::string line; std::getline(std::cin, line);)
    if (!line.empty()) std::cout << respond(line, encode).dump() << std::endl;
}

}  // namespace pmusim::adapter
