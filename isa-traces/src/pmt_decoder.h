// Decodes the payloads of chunks to items.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pmt_state.h"
#include "pmusim/trace/byte_cursor.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace::pmt {

class ChunkDecoder : ByteCursor {
 public:
  ChunkDecoder(Isa isa, CodeDictionary& codes);
  /// Begins a chunk. `payload` must stay valid until the end of the chunk.
  void begin(std::string_view payload, std::uint32_t instructions, std::uint64_t first_pc);
  /// Reads the next item; false at the end of the chunk. Throws Malformed.
  bool next(Item& item);

 private:
  void check(const std::string& wrong) const {
    if (!wrong.empty()) fail(wrong);
  }
  bool read_head();
  void read_directive();
  void read_annotations();
  StaticState& read_code(std::uint64_t pc);
  void read_list(StaticState& state);
  void read_addresses(StaticState& state);
  void finish(StaticState& state, Instruction& instruction);
  void decode(Instruction& instruction);

  Isa isa_;
  std::uint64_t address_mask_;
  Flows flows_;
  CodeDictionary& codes_;
  ChunkState state_;
  std::uint32_t instructions_left_ = 0;
  std::uint32_t run_left_ = 0;
  std::uint64_t directives_left_ = 0;
  bool head_read_ = false;  // control_ and rare_ belong to the next instruction
  std::uint8_t control_ = 0, rare_ = 0;

  std::optional<std::uint64_t> before_;  // expected pc of the next instruction, unset at the start of the trace
  std::uint64_t expected_ = 0;           // pc of the next instruction
  std::string unfinished_;               // error in the last instruction if another one follows
  bool explained_ = false;               // a directive allows the next pc to differ
  bool left_taken_ = false;
  Directive directive_;
  Annotations annotations_;
};

}  // namespace pmusim::trace::pmt
