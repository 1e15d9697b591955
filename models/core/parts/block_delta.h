// What a stretch of the run has added to an activity block, and adding the same again: later, for later instructions,
// with other addresses.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "models/core/parts/recorder.h"

namespace pmusim::core {

/// The bases of the ids and cycles in records.
struct RecordBases {
  Cycle cycle = 0;
  std::uint64_t instruction = 0, wrong_path = 0, request = 0;
};

class BlockDelta {
 public:
  using Signals = std::bitset<activity::signal_count>;
  /// Sizes of a block's tables.
  struct Mark {
    std::uint64_t serial = 0;
    std::array<std::size_t, activity::signal_count> columns{};
    std::array<std::size_t, activity::state_count> states{};
    std::size_t instructions = 0, requests = 0;
    std::vector<InstructionRecord> in_flight;     ///< Copies of the block's records that may change ...
    std::vector<std::uint32_t> in_flight_places;  ///< ... and their places.
  };

  /// False if the recorder cannot mark now: a change is announced for the next cycle, or the block begins in this
  /// cycle.
  [[nodiscard]] static bool possible(const Recorder& recorder, Cycle now) {
    return !recorder.has_next_ && recorder.block_ != nullptr && now > recorder.block_->begin;
  }
  static void mark(const Recorder& recorder, Mark& mark);
  /// The record may change, so `mark` keeps a copy of it.
  static void keep(const Recorder& recorder, const NamedInstruction& instruction, Mark& mark) {
    if (!recorder.is_named(instruction)) return;
    mark.in_flight.push_back(recorder.block_->instructions[instruction.index]);
    mark.in_flight_places.push_back(instruction.index);
  }
  /// Place of a record of this block, counted from its end; 0: not in this block.
  [[nodiscard]] static std::uint64_t place_from_end(const Recorder& recorder, const NamedInstruction& instruction) {
    return recorder.is_named(instruction) ? recorder.block_->instructions.size() - instruction.index : 0;
  }
  static void set_place_from_end(const Recorder& recorder, NamedInstruction& instruction, std::uint64_t place) {
    instruction.block = place == 0 ? 0 : recorder.serial_;
    instruction.index = place == 0 ? 0 : static_cast<std::uint32_t>(recorder.block_->instructions.size() - place);
  }
  [[nodiscard]] static const InstructionRecord& in_block(const Recorder& recorder, const NamedInstruction& named) {
    return recorder.block_->instructions[named.index];
  }
  [[nodiscard]] static std::span<std::uint64_t> states(Recorder& recorder) { return recorder.current_; }

  /// What has been added since the mark, relative to `bases`. `accesses`: for each request id, the number of the access
  /// that made the request. False if another block has begun.
  /// `of_requests`: the signals of the core whose occurrences name requests.
  bool capture(const Recorder& recorder, const Mark& mark, const RecordBases& bases, Signals of_requests,
               std::span<const std::pair<std::uint64_t, std::uint32_t>> accesses);
  /// Adds the delta to the block. `addresses`: the addresses of the accesses, by number.
  void emit(Recorder& recorder, const RecordBases& bases, std::span<const std::uint64_t> addresses) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Column {
    std::uint16_t signal;
    bool of_requests, named;
    std::uint32_t begin, end;
  };
  struct StateChange {
    std::uint16_t state;
    std::uint32_t at;
    std::uint64_t value;
  };
  struct Changed {
    std::uint32_t from_end;
    InstructionRecord record;
  };
  static constexpr std::uint32_t no_access = ~std::uint32_t{0};

  std::vector<Column> columns_;
  std::vector<activity::Occurrence> occurrences_;  ///< Their records, relative to the number of records that exist.
  std::vector<InstructionRecord> instructions_;
  std::vector<Changed> changed_;
  std::vector<RequestRecord> requests_;
  std::vector<std::uint32_t> request_accesses_;
  std::vector<StateChange> states_;
};

}  // namespace pmusim::core
