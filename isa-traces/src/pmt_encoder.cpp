#include "pmt_encoder.h"

#include "keys.h"
#include "pmusim/trace/bytes.h"
#include "rules.h"

namespace pmusim::trace::pmt {
namespace {

/// Inverse of unpack_mask().
std::uint8_t pack_mask(const std::array<char, 3>& mask) {
  unsigned packed = 0;
  for (unsigned slot = 0; slot < mask.size(); ++slot) {
    packed |= (mask[slot] == 'x' ? 2u : mask[slot] == 'p' ? 1u : 0u) << (2 * slot);
  }
  return static_cast<std::uint8_t>(packed);
}

void put_annotations(std::string& out, const Annotations& annotations) {
  const std::vector<Key> keys = keys_of(annotations);
  auto use = annotations.registers.begin();
  auto deferral = annotations.deferrals.begin();
  put_varint(out, keys.size());
  for (const Key key : keys) {
    const bool prefixed = key == Key::wr && use->prefixed;
    out.push_back(static_cast<char>(key_byte(key, prefixed)));
    if (key == Key::rd || key == Key::wr) {
      put_text(out, use->name);
      if (key == Key::wr) put_varint(out, use->value);
      ++use;
    } else if (key == Key::defer) {
      put_varint(out, deferral->slot);
      put_varint(out, deferral++->address);
    }
    visit_value(key, annotations, [&]<typename Value>(const Value& value) {
      if constexpr (std::is_enum_v<Value>) {
        out.push_back(static_cast<char>(value));
      } else {
        put_varint(out, *value);
      }
    });
  }
}

}  // namespace

ChunkEncoder::ChunkEncoder(Isa isa, CodeDictionary& codes)
    : isa_(isa), address_mask_(address_mask(isa)), codes_(codes) {}

void ChunkEncoder::restart() {
  state_.clear();
  payload_.clear();
  instructions_ = 0;
  left_taken_ = false;
}

const std::string& ChunkEncoder::finish() {
  flush_run();
  if (directive_count_ > 0) {
    put_varint(payload_, directive_count_);
    payload_ += directives_;
    directive_count_ = 0;
    directives_.clear();
  }
  return payload_;
}

void ChunkEncoder::flush_run() {
  if (run_ > 0) payload_.push_back(static_cast<char>(Control::run | (run_ - 1)));
  run_ = 0;
}

void ChunkEncoder::add(const Directive& directive) {
  ++directive_count_;
  put_text(directives_, directive.name);
  put_varint(directives_, directive.operands.size());
  for (const auto& [key, value] : directive.operands) {
    put_text(directives_, key);
    put_text(directives_, value);
  }
}

StaticState& ChunkEncoder::find_state(const Instruction& instruction, std::uint8_t& control) {
  const Code& code = *instruction.code;
  StaticState* state = state_.locate(code.pc, left_taken_);
  if (state != nullptr && same_bytes(*state->code, bytes_of(code))) return *state;
  control |= code_new;
  const Code& own = codes_.intern(code.pc, bytes_of(code));
  return state_.renew(own, (code.pc + code.length) & address_mask_);
}

std::uint8_t ChunkEncoder::encode_accesses(StaticState& state, const Instruction& instruction) {
  const auto& list = instruction.accesses;
  std::uint8_t control = 0;
  const auto same_shape = [](const Access& a, const Access& b) {
    return a.size == b.size && a.store == b.store && a.slot == b.slot;
  };
  if (!std::equal(list.begin(), list.end(), state_.accesses(state), state_.accesses(state) + state.accesses,
                  same_shape)) {
    control |= list_new;
    state_.resize(state, static_cast<std::uint16_t>(list.size()));
    put_varint(numbers_, list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::uint64_t size_and_slot = isa_ == Isa::ia64 ? list[i].size << 2 | list[i].slot : list[i].size;
      put_varint(numbers_, size_and_slot << 1 | (list[i].store ? 1 : 0));
      state_.accesses(state)[i] = list[i];
    }
  }
  if (list.empty()) return control;
  std::uint64_t* const distances = state_.distances(state);
  const std::uint64_t stride = list[0].address - state.last_address;
  bool differs = ((stride - state.stride) & address_mask_) != 0;
  for (std::size_t i = 1; i < list.size(); ++i) {
    differs |= ((list[i].address - list[i - 1].address - distances[i]) & address_mask_) != 0;
  }
  if (differs) {
    control |= address_new;
    put_varint(numbers_, zigzag(stride - state.stride));
    state.stride = stride;
    for (std::size_t i = 1; i < list.size(); ++i) {
      const std::uint64_t distance = list[i].address - list[i - 1].address;
      put_varint(numbers_, zigzag(distance - distances[i]));
      distances[i] = distance;
    }
  }
  state.last_address = list[0].address;
  return control;
}

void ChunkEncoder::put_rare(std::uint64_t pc, const Annotations* annotations) {
  const bool jumps = pc != expected_;
  payload_.push_back(static_cast<char>((directive_count_ > 0 ? has_directives : 0) | (jumps ? moved : 0) |
                                       (annotations != nullptr ? has_annotations : 0)));
  if (directive_count_ > 0) {
    put_varint(payload_, directive_count_);
    payload_ += directives_;
    directive_count_ = 0;
    directives_.clear();
  }
  if (jumps) put_varint(payload_, zigzag(pc - expected_));
  if (annotations != nullptr) put_annotations(payload_, *annotations);
}

void ChunkEncoder::add(const Instruction& instruction) {
  const std::uint64_t pc = instruction.code->pc;
  if (instructions_++ == 0) first_pc_ = expected_ = pc;
  const Annotations* annotations = instruction.annotations;
  if (annotations != nullptr && keys_of(*annotations).empty()) annotations = nullptr;

  std::uint8_t control = 0;
  if (directive_count_ > 0 || pc != expected_ || annotations != nullptr) control |= Control::rare;
  StaticState& state = find_state(instruction, control);
  const bool new_mask = isa_ == Isa::ia64 && state.mask != instruction.mask;
  if (new_mask) control |= mask_new;
  state.mask = instruction.mask;
  std::uint64_t target_change = 0;
  if (instruction.taken) {
    control |= taken;
    target_change = instruction.target - state.last_target;
    if (target_change != 0) control |= target_new;
    state.last_target = instruction.target;
  }
  numbers_.clear();
  control |= encode_accesses(state, instruction);

  if (control == 0) {
    if (++run_ == 128) flush_run();
  } else {
    flush_run();
    payload_.push_back(static_cast<char>(control));
    if ((control & Control::rare) != 0) put_rare(pc, annotations);
    if ((control & code_new) != 0) {
      put_text(payload_, {reinterpret_cast<const char*>(instruction.code->bytes.data()), instruction.code->length});
    }
    if (new_mask) payload_.push_back(static_cast<char>(pack_mask(instruction.mask)));
    if (target_change != 0) put_varint(payload_, zigzag(target_change));
    payload_ += numbers_;
  }
  left_taken_ = instruction.taken;
  expected_ = left_taken_ ? instruction.target : state.next_pc;
}

}  // namespace pmusim::trace::pmt
