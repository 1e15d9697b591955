// Encodes items into the payload of a chunk; inverse of ChunkDecoder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pmt_state.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace::pmt {

class ChunkEncoder {
 public:
  ChunkEncoder(Isa isa, CodeDictionary& codes);
  /// Items must be legal (SequenceRules).
  void add(const Directive& directive);
  void add(const Instruction& instruction);
  /// Ends the chunk. The payload is valid until restart().
  const std::string& finish();
  void restart();

  [[nodiscard]] std::size_t size() const { return payload_.size() + directives_.size(); }
  [[nodiscard]] std::uint32_t instructions() const { return instructions_; }
  [[nodiscard]] std::uint64_t first_pc() const { return first_pc_; }

 private:
  StaticState& find_state(const Instruction& instruction, std::uint8_t& control);
  /// Compares the list of accesses and the addresses with the prediction, stores them, appends the differences to
  /// `numbers_`.
  std::uint8_t encode_accesses(StaticState& state, const Instruction& instruction);
  void put_rare(std::uint64_t pc, const Annotations* annotations);
  void flush_run();

  Isa isa_;
  std::uint64_t address_mask_;
  CodeDictionary& codes_;
  ChunkState state_;
  std::string payload_;
  std::string directives_;  // encoded, not yet attached to an instruction
  std::uint64_t directive_count_ = 0;
  std::string numbers_;
  std::uint32_t run_ = 0;
  std::uint32_t instructions_ = 0;
  std::uint64_t first_pc_ = 0;
  std::uint64_t expected_ = 0;
  bool left_taken_ = false;
};

}  // namespace pmusim::trace::pmt
