// Shared parts of the five Alpha encoders. An encoding consists of the WRPERFMON calls that program the counters
// (Encoding::registers) and the resulting values of the processor registers (Encoding::images).
#pragma once

#include <memory>

#include "encoder/src/backend.h"
#include "registers.h"

namespace pmusim::encoder::alpha {

/// The differences between the implementations.
struct Chip {
  TargetInfo info;
  const Table& table;
  std::span<const Attribute> attributes;
  std::span<const ForeignAttribute> foreign;  ///< in addition to the attributes that no Alpha has
  std::span<const Register> registers;
  std::string_view raw_forms;
  std::array<std::uint32_t, 3> code_limits;  ///< largest raw code of each counter
};

class AlphaBackend : public PlacingBackend {
 public:
  explicit AlphaBackend(const Chip& chip);

  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const final;

 protected:
  /// Values of registers by name.
  struct Values : Settings {
    Values(const Backend& backend, std::span<const RegisterValue> values);
    [[nodiscard]] std::uint64_t get_or_0(std::string_view name) const { return get(name).value_or(0); }
  };

  /// The code of a request on a counter.
  [[nodiscard]] static std::uint32_t code_of(const Request& request, unsigned counter);
  /// The register `name` with a value.
  [[nodiscard]] RegisterValue holding(std::string_view name, std::uint64_t value) const;
  /// The selection of a counter with code `code`: the name of the event, or the raw form for a code without event.
  [[nodiscard]] Selection selection(unsigned counter, std::uint32_t code) const;
  void add_event(Event event) { events_.push_back(std::move(event)); }

  /// The common value of attribute `name` in all requests; the default is 0. An error names two requests that differ.
  [[nodiscard]] static Result<bool> agreed(std::span<const Request> requests, std::string_view name);
  /// Refuses the selection of a single privilege level, for implementations that count in all modes.
  [[nodiscard]] std::optional<Error> check_levels(std::span<const Request> requests) const;

 private:
  Chip chip_;
};

/// The tables must outlive the back ends.
[[nodiscard]] std::unique_ptr<const Backend> make_ev4(const Table& table = ev4_table());
[[nodiscard]] std::unique_ptr<const Backend> make_ev5(const Table& table = ev5_table());
[[nodiscard]] std::unique_ptr<const Backend> make_pca56(const Table& table = pca56_table());
[[nodiscard]] std::unique_ptr<const Backend> make_ev6(const Table& table = ev6_table());
[[nodiscard]] std::unique_ptr<const Backend> make_ev67(const Table& table = ev67_table());

}  // namespace pmusim::encoder::alpha
