#include "pmt_decoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "keys.h"
#include "pmusim/trace/bytes.h"
#include "pmusim/trace/text.h"
#include "rules.h"

namespace pmusim::trace::pmt {

ChunkDecoder::ChunkDecoder(Isa isa, CodeDictionary& codes)
    : isa_(isa), address_mask_(address_mask(isa)), flows_(isa), codes_(codes) {}

void ChunkDecoder::begin(std::string_view payload, std::uint32_t instructions, std::uint64_t first_pc) {
  state_.clear();
  ByteCursor::operator=(ByteCursor(payload));
  instructions_left_ = instructions;
  run_left_ = 0;
  directives_left_ = 0;
  head_read_ = false;
  longest_list_ = 0;
  if (instructions > 0) expected_ = first_pc & address_mask_;
}

// --- the items of a read() -----------------------------------------------------------------------------------------

std::span<const Item> ChunkDecoder::read() {
  if (failed_ != nullptr) std::rethrow_exception(failed_);
  accesses_used_ = 0;
  std::size_t count = 0;
  try {
    if (find_head()) {
      items_[0].directive = nullptr;
      decode_any(items_[0].instruction);
      ++count;
      while (count < most_items && decode_plain(items_[count].instruction)) ++count;
    } else if (directives_left_ > 0) {
      --directives_left_;
      read_directive();
      items_[0].directive = &directive_;
      ++count;
    }
  } catch (const Malformed&) {
    if (count == 0) throw;
    failed_ = std::current_exception();
  }
  return {items_.data(), count};
}

/// Reads the beginning of an item: true if an instruction follows, false for directives and at the end of the chunk.
inline bool ChunkDecoder::read_head() {
  if (instructions_left_ == 0) return read_end();
  control_ = byte();
  return (control_ & (Control::run | Control::rare)) == 0 || read_rare_head();
}

/// True if an instruction is next: its control byte is read. False before directives and at the end of the chunk.
inline bool ChunkDecoder::find_head() {
  if (directives_left_ > 0) return false;
  if (head_read_) return true;
  if (run_left_ > 0) {
    --run_left_;
    control_ = 0;
  } else if (!read_head()) {
    return false;
  }
  head_read_ = true;
  return true;
}

void ChunkDecoder::decode_any(Instruction& instruction) {
  head_read_ = false;
  std::uint64_t pc = expected_;
  instruction.annotations = nullptr;
  if (!unfinished_.empty()) fail(unfinished_);
  if ((control_ & Control::rare) != 0) pc = read_rare(pc, instruction);
  if (pc != before_) check_jump(pc);
  StaticState* state = state_.locate(pc, left_taken_);
  if ((control_ & code_new) != 0) {
    state = &read_code(pc);
  } else if (state == nullptr) {
    fail_without_bytes(pc);
  }
  explained_ = false;
  decode(*state, instruction);
}

/// Decodes an instruction that goes on where the last one has left, without new code, a new list or anything rare.
/// False, and nothing is done, if the next item is none. This is what most instructions need, in one function.
inline bool ChunkDecoder::decode_plain(Instruction& instruction) {
  if (accesses_used_ + longest_list_ > accesses_.size() || !unfinished_.empty()) return false;
  if (run_left_ > 0) {
    --run_left_;
    control_ = 0;
  } else {
    if (!find_head() || (control_ & begins_items) != 0) return false;
    head_read_ = false;
  }
  StaticState* const state = state_.locate(expected_, left_taken_);
  if (state == nullptr) [[unlikely]]
    fail_without_bytes(expected_);
  decode(*state, instruction);
  return true;
}

/// An instruction whose properties are all as predicted takes the short way through here.
inline void ChunkDecoder::decode(StaticState& state, Instruction& instruction) {
  const std::uint8_t control = control_;
  --instructions_left_;
  if ((control & ~(taken | Control::rare)) != 0) {
    read_changes(state, instruction);
  } else {
    finish(state, instruction);
  }
  const bool leaves = (control & taken) != 0;
  left_taken_ = instruction.taken = leaves;
  if (leaves) {
    instruction.target = expected_ = state.last_target;
    if (!state.branch_checked) check_branch(state, instruction);
  } else {
    instruction.target = 0;
    expected_ = state.next_pc;
  }
  before_ = expected_;
  if (!state.can_go[leaves]) [[unlikely]]
    refuse_outcome(instruction);
}

/// Advances the predicted addresses and fills the instruction from its state.
inline void ChunkDecoder::finish(StaticState& state, Instruction& instruction) {
  instruction.mask = state.mask;
  instruction.code = state.code;
  Access* const accesses = accesses_.data() + accesses_used_;
  instruction.accesses = {accesses, state.accesses};
  if (state.accesses == 0) return;
  accesses_used_ += state.accesses;
  state.last_address = (state.last_address + state.stride) & address_mask_;
  const Access* const shapes = state_.accesses(state);
  accesses[0] = shapes[0];
  accesses[0].address = state.last_address;
  const std::uint64_t* const distances = state_.distances(state);
  for (unsigned i = 1; i < state.accesses; ++i) {
    accesses[i] = shapes[i];
    accesses[i].address = (accesses[i - 1].address + distances[i]) & address_mask_;
  }
}

// --- parts of an item ----------------------------------------------------------------------------------------------

/// Reads what follows the last instruction of a chunk: directives, or its end.
bool ChunkDecoder::read_end() {
  if (left() == 0) return false;
  directives_left_ = count(most_payload, "directives");
  if (directives_left_ == 0) fail("bytes after the last instruction");
  return false;
}

/// Reads the rest of an item's beginning, as of read_head().
bool ChunkDecoder::read_rare_head() {
  if ((control_ & Control::run) != 0) {
    run_left_ = control_ & 0x7fu;
    if (run_left_ >= instructions_left_) fail("a run goes on after the last instruction of the chunk");
    control_ = 0;
    return true;
  }
  rare_ = byte();
  if (rare_ > (has_directives | moved | has_annotations)) fail(fmt::format("unknown flags {:02x}", rare_));
  if ((rare_ & has_directives) == 0) return true;
  directives_left_ = count(most_payload, "directives");
  if (directives_left_ == 0) fail("a list of directives is empty");
  head_read_ = true;
  return false;
}

void ChunkDecoder::read_directive() {
  directive_.name = text();
  directive_.operands.clear();
  for (std::uint64_t left = count(64, "operands"); left > 0; --left) {
    const std::string_view key = text();
    directive_.operands.emplace_back(key, text());
  }
  check(complaint_about(directive_));
  explained_ |= find_directive_form(directive_.name)->explains_jump;
}

template <typename Value>
void ChunkDecoder::read_value(Key key, Value& value) {
  constexpr const char* twice = "a key is given twice";
  if constexpr (std::is_enum_v<Value>) {
    const std::uint8_t number = byte();
    if (number == 0 || number >= words_of(value).size()) fail(fmt::format("unknown outcome {}", number));
    if (value != Value::unset) fail(twice);
    value = static_cast<Value>(number);
  } else {
    if (value) fail(twice);
    value = static_cast<typename Value::value_type>(count(number_key(key).most, number_key(key).counts));
  }
}

void ChunkDecoder::read_annotations() {
  annotations_ = Annotations{};
  std::vector<Key> order;
  for (std::uint64_t left = count(most_payload, "keys"); left > 0; --left) {
    const std::uint8_t number = byte();
    const Key key = key_of(number);
    if (key > Key::trap || (is_prefixed(number) && key != Key::wr)) fail(fmt::format("unknown key {}", number));
    order.push_back(key);
    if (key == Key::rd || key == Key::wr) {
      RegisterUse use;
      use.write = key == Key::wr;
      use.prefixed = is_prefixed(number);
      use.name = text();
      if (use.write) use.value = varint();
      annotations_.registers.push_back(std::move(use));
    } else if (key == Key::defer) {
      const auto slot = static_cast<std::uint8_t>(count(2, "as a slot"));
      annotations_.deferrals.push_back({slot, varint()});
    }
    visit_value(key, annotations_, [&](auto& value) { read_value(key, value); });
  }
  if (order.empty()) fail("a list of keys is empty");
  check(complaint_about(isa_, annotations_));
  set_order(annotations_, std::move(order));
}

StaticState& ChunkDecoder::read_code(std::uint64_t pc) {
  const std::string_view bytes = text();
  check(complaint_about_code(isa_, pc, bytes.size()));
  const Code& code = codes_.intern(pc, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  StaticState& state = state_.renew(code, (pc + bytes.size()) & address_mask_);
  state.flow = flows_.of(code);
  state.repeats = isa_ == Isa::i386 && is_repeated_string(code);
  find_outcomes(state);
  return state;
}

void ChunkDecoder::read_mask(StaticState& state) {
  if (isa_ != Isa::ia64) fail("a slot mask outside ia64");
  state.mask = unpack_mask(byte());
  check(complaint_about_mask(state.mask));
  find_outcomes(state);
}

void ChunkDecoder::find_outcomes(StaticState& state) {
  Instruction instruction;
  instruction.mask = state.mask;
  for (const bool taken : {false, true}) {
    instruction.taken = taken;
    state.can_go[taken] = can_go(isa_, state.flow, instruction);
  }
}

void ChunkDecoder::read_list(StaticState& state) {
  state_.resize(state, static_cast<std::uint16_t>(count(most_accesses, "accesses")));
  // The instruction is the first that is read.
  longest_list_ = std::max(longest_list_, state.accesses);
  if (accesses_.size() < most_items + longest_list_) accesses_.resize(most_items + longest_list_);
  Access* const accesses = state_.accesses(state);
  for (unsigned i = 0; i < state.accesses; ++i) {
    const std::uint64_t shape = count((65535u << 3) | 7, "as the shape of an access");
    accesses[i].store = (shape & 1) != 0;
    if (isa_ == Isa::ia64) accesses[i].slot = shape >> 1 & 3;
    accesses[i].size = static_cast<std::uint16_t>(shape >> (isa_ == Isa::ia64 ? 3 : 1));
    if (shape >> (isa_ == Isa::ia64 ? 3 : 1) > 65535) fail("an access of more than 65535 bytes");
  }
}

void ChunkDecoder::read_addresses(StaticState& state) {
  if (state.accesses == 0) fail("addresses of an instruction without accesses");
  state.stride += unzigzag(varint());
  std::uint64_t* const distances = state_.distances(state);
  for (unsigned i = 1; i < state.accesses; ++i) distances[i] += unzigzag(varint());
}

/// Reads what few instructions have. Returns the address of the instruction.
std::uint64_t ChunkDecoder::read_rare(std::uint64_t pc, Instruction& instruction) {
  if ((rare_ & moved) != 0) pc = (pc + unzigzag(varint())) & address_mask_;
  if ((rare_ & has_annotations) != 0) {
    read_annotations();
    instruction.annotations = &annotations_;
  }
  return pc;
}

void ChunkDecoder::check_jump(std::uint64_t pc) const {
  if (!explained_) fail(complaint_about_jump(pc, before_));
}

void ChunkDecoder::fail_without_bytes(std::uint64_t pc) const {
  fail(fmt::format("the instruction at {:x} has no bytes", pc));
}

/// Reads the properties that differ from the predicted ones.
void ChunkDecoder::read_changes(StaticState& state, Instruction& instruction) {
  const std::uint8_t control = control_;
  state.branch_checked = false;
  if ((control & mask_new) != 0) read_mask(state);
  if ((control & target_new) != 0) {
    if ((control & taken) == 0) fail("a target without a taken branch");
    state.last_target = (state.last_target + unzigzag(varint())) & address_mask_;
  }
  if ((control & list_new) != 0) read_list(state);
  if ((control & address_new) != 0) read_addresses(state);
  finish(state, instruction);
  if ((control & (list_new | mask_new)) != 0) {
    check(complaint_about_accesses(isa_, instruction.accesses, instruction.mask));
  }
}

void ChunkDecoder::check_branch(StaticState& state, const Instruction& instruction) const {
  check(complaint_about_branch(isa_, instruction, state.repeats));
  state.branch_checked = true;
}

void ChunkDecoder::refuse_outcome(const Instruction& instruction) {
  unfinished_ = complaint_about_outcome(isa_, instruction);
  if (left_taken_) fail(unfinished_);
}

}  // namespace pmusim::trace::pmt
