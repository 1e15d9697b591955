// Decodes the payloads of chunks to items.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pmt_format.h"
#include "pmt_state.h"
#include "pmusim/trace/byte_cursor.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace::pmt {

class ChunkDecoder : ByteCursor {
 public:
  ChunkDecoder(Isa isa, CodeDictionary& codes);
  /// Begins a chunk. `payload` must stay valid until the end of the chunk.
  void begin(std::string_view payload, std::uint32_t instructions, std::uint64_t first_pc);
  /// Reads items as Reader::read() does; none at the end of the chunk. Throws Malformed.
  [[nodiscard]] std::span<const Item> read();

 private:
  static constexpr std::size_t most_items = 64;
  /// What an item that is not the first must not have.
  static constexpr std::uint8_t begins_items = code_new | list_new | rare;

  void check(const std::string& wrong) const {
    if (!wrong.empty()) fail(wrong);
  }
  [[gnu::always_inline]] bool read_head();
  bool read_rare_head();
  bool read_end();
  [[gnu::always_inline]] bool find_head();
  void read_directive();
  template <typename Value>
  void read_value(Key key, Value& value);
  void read_annotations();
  [[nodiscard]] std::uint64_t read_rare(std::uint64_t pc, Instruction& instruction);
  void check_jump(std::uint64_t pc) const;
  [[noreturn]] void fail_without_bytes(std::uint64_t pc) const;
  StaticState& read_code(std::uint64_t pc);
  void read_mask(StaticState& state);
  void find_outcomes(StaticState& state);
  void read_list(StaticState& state);
  void read_addresses(StaticState& state);
  void read_changes(StaticState& state, Instruction& instruction);
  void check_branch(StaticState& state, const Instruction& instruction) const;
  void refuse_outcome(const Instruction& instruction);
  [[gnu::always_inline]] void finish(StaticState& state, Instruction& instruction);
  void decode_any(Instruction& instruction);
  [[gnu::always_inline]] bool decode_plain(Instruction& instruction);
  [[gnu::always_inline]] void decode(StaticState& state, Instruction& instruction);

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

  std::uint64_t before_ = 0;    // address after the previous instruction
  std::uint64_t expected_ = 0;  // the same, or that of the first instruction of a chunk
  std::string unfinished_;      // error in the last instruction if another one follows
  bool explained_ = true;       // a directive, or the start of the trace, allows the next pc to differ
  bool left_taken_ = false;

  std::array<Item, most_items> items_;
  std::vector<Access> accesses_;  // of the items, and room for the longest list that one more can have
  std::size_t accesses_used_ = 0;
  std::uint16_t longest_list_ = 0;  // of the instructions of the chunk
  std::exception_ptr failed_;       // an error after the items that were read last
  Directive directive_;
  Annotations annotations_;
};

}  // namespace pmusim::trace::pmt
