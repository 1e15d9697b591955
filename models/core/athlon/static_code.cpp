#include "models/core/athlon/static_code.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string_view>

namespace pmusim::core::athlon {
namespace {

using activity::bit;
using activity::Trait;
using trace::x86::BranchKind;
using trace::x86::Kind;

/// True if both operands are the same register and the processor recognizes that the result does not depend on it.
bool is_zero_idiom(const trace::x86::Operation& op, ZeroIdioms recognised) {
  constexpr std::string_view others[] = {"sbb",     "pxor",    "pandn",   "psubb",   "psubw",   "psubd",
                                         "psubsb",  "psubsw",  "psubusb", "psubusw", "pcmpeqb", "pcmpeqw",
                                         "pcmpeqd", "pcmpgtb", "pcmpgtw", "pcmpgtd"};
  if (!op.same_register || recognised == ZeroIdioms::none) return false;
  if (op.mnemonic == "xor") return true;
  if (op.mnemonic == "sub") return recognised != ZeroIdioms::by_xor;
  return recognised == ZeroIdioms::all &&
         std::find(std::begin(others), std::end(others), op.mnemonic) != std::end(others);
}

/// The traits of a near branch, by BranchKind.
constexpr std::uint32_t branch_traits[] = {
    0,
    bit(Trait::branch) | bit(Trait::conditional),
    bit(Trait::branch),
    bit(Trait::branch) | bit(Trait::call),
    bit(Trait::branch) | bit(Trait::near_return),
    bit(Trait::branch) | bit(Trait::indirect),
    bit(Trait::branch) | bit(Trait::indirect) | bit(Trait::call),
    bit(Trait::branch) | bit(Trait::conditional),  // loop
    bit(Trait::far_transfer),
};

constexpr unsigned edx = 2;  // in the numbering of pmusim/trace/x86.h

std::uint32_t mask_of(const std::vector<std::uint8_t>& registers) {
  std::uint32_t mask = 0;
  for (const std::uint8_t r : registers) mask |= 1u << r;
  return mask;
}

activity::Unit unit_of(const StaticCode& s) {
  if (s.far_transfer || s.serializing) return activity::Unit::system;
  if (s.is_branch) return activity::Unit::branch;
  return s.fp ? activity::Unit::fp : activity::Unit::integer;
}

void begin_record(StaticCode& s) {
  s.record.ip = s.pc;
  s.record.traits = s.traits;
  s.record.length = s.length;
  s.record.operations = 0;
  s.record.unit = unit_of(s);
}

void find_lines(StaticCode& s) {
  s.first_line = CodeLines::line_of(s.pc);
  s.last_line = CodeLines::line_of(s.pc + s.length - 1);
}

FlagEffect flag_effect(const trace::x86::Operation& op) {
  if (op.clears_interrupt_flag) return FlagEffect::clear;
  if (op.sets_interrupt_flag) return FlagEffect::set;
  if (op.mnemonic.starts_with("pushf")) return FlagEffect::save;
  if (op.mnemonic.starts_with("popf")) return FlagEffect::restore;
  return FlagEffect::none;
}

}  // namespace

// Unit and latency of the last macro-operation, its other resources, and its time in the decoder.
void StaticCodes::set_execution(StaticCode& s, const trace::x86::Operation& op) const {
  const Timing timing = timing_of(op);
  s.pipe = timing.pipe;
  s.unit = timing.unit;
  s.both_halves = timing.both_halves;
  if (timing.merges_late) s.reads &= ~s.writes;
  unsigned latency = timing.latency.of(settings_);
  unsigned busy = timing.interval.of(settings_);
  if (s.far_transfer) latency = settings_.far_transfer;
  if (s.segment >= 0 && !s.far_transfer) latency = settings_.segment_load;
  if (op.locked) {
    // The next locked operation on the same word takes the data of this one as it starts.
    s.unit = Unit::lock;
    busy = settings_.locked;
    latency = busy > settings_.store_forward ? busy - settings_.store_forward : 1;
  }
  s.latency = static_cast<std::uint16_t>(latency);
  s.busy = static_cast<std::uint16_t>(busy);
  if (const unsigned high = timing.high.of(settings_); high > latency) {
    s.second_results = 1u << edx;
    s.late = static_cast<std::uint8_t>(high - latency);
  }
  if (s.touches_memory) s.pointers = mask_of(op.pointers);
  s.second_results |= s.pointers;
  const bool computes = s.fp || s.is_branch || s.macro_ops != 1 || (s.writes & ~s.pointers) != 0;
  if (op.stores && !op.loads && !computes) s.pipe = Pipe::result_bus;
  const bool modifies = op.loads && op.stores && !s.vector_path && !op.locked;
  s.forward = static_cast<std::uint8_t>(modifies ? settings_.update_forward : settings_.store_forward);
  constexpr std::uint32_t flags = 1u << trace::x86::reg_flags | 1u << trace::x86::reg_carry;
  if (is_zero_idiom(op, settings_.zero_idioms)) s.reads &= flags;
  set_decode_time(s, op.prefixes, op.repeats ? 0 : timing.decode_halves);
}

// Half clocks for which the decoder waits after the lines of an instruction.
void StaticCodes::set_decode_time(StaticCode& s, unsigned prefixes, unsigned microcode_halves) {
  const unsigned lines = (s.macro_ops + dispatch_width - 1u) / dispatch_width;
  unsigned halves = microcode_halves > 2 * lines ? microcode_halves - 2 * lines : 0;
  if (const unsigned clocks = prefix_clocks(prefixes); clocks != 0) {
    s.alone = true;
    halves += 2 * (clocks - 1);
  }
  s.decode_halves = static_cast<std::uint8_t>(halves);
}

// The x87 stack is renamed: a push or pop moves names, and FXCH costs a slot and no time (22007E p. 99).
void StaticCodes::set_stack(StaticCode& s, const trace::x86::Operation& op) {
  constexpr std::string_view pushing[] = {"fld",  "fld1", "fldl2e", "fldl2t", "fldlg2",  "fldln2",  "fldpi",
                                          "fldz", "fild", "fbld",   "fptan",  "fsincos", "fxtract", "fdecstp"};
  constexpr std::string_view popping[] = {"fyl2x", "fyl2xp1", "fpatan", "fincstp"};
  const auto is_one_of = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), op.mnemonic) != std::end(names);
  };
  if (!op.mnemonic.starts_with('f')) return;
  if (op.mnemonic == "fxch") {
    const std::uint32_t others = s.writes >> (trace::x86::reg_fp + 1) & 0x7f;
    s.exchanged = static_cast<std::uint8_t>(others == 0 ? 0 : std::countr_zero(others) + 1);
    s.reads = s.writes = 0;
  } else if (is_one_of(pushing)) {
    s.pushes = 1;
  } else if (op.mnemonic.ends_with("pp")) {
    s.pushes = -2;
  } else if (is_one_of(popping) || op.mnemonic.starts_with("fstp") ||
             (op.mnemonic.ends_with('p') && op.mnemonic != "fnop")) {
    s.pushes = -1;
  }
}

const StaticCode* StaticCodes::latest(std::uint64_t pc) const {
  const auto found = std::find_if(by_id_.rbegin(), by_id_.rend(),
                                  [pc](const StaticCode* code) { return code != nullptr && code->pc == pc; });
  return found == by_id_.rend() ? nullptr : *found;
}

const StaticCode& StaticCodes::classify(const trace::Code& code) {
  trace::x86::Operation op = trace::x86::classify(code);
  if (op.kind == Kind::sse && !settings_.has_sse) op = {};
  StaticCode& s = codes_.emplace_back();
  if (by_id_.size() <= code.id) by_id_.resize(count_ = code.id + 1);
  by_id_[code.id] = &s;
  changed_ |= !addresses_.insert(code.pc).second;
  s.pc = code.pc;
  s.id = code.id;
  s.length = code.length;
  find_lines(s);
  for (unsigned i = 0; i < 8; ++i) s.record.encoding |= std::uint64_t{code.bytes[i]} << (8 * i);
  s.has_target = op.has_target;
  s.target = op.target;
  s.reads = mask_of(op.reads);
  s.writes = mask_of(op.writes);
  s.address_reads = mask_of(op.address_reads);
  s.macro_ops = std::max<std::uint8_t>(op.macro_ops, 1);
  s.vector_path = op.vector_path;
  s.fp = op.fp_unit;
  s.branch = op.branch;
  s.far_transfer = op.branch == BranchKind::far_transfer || op.kind == Kind::far_transfer || op.software_interrupt;
  s.is_branch = op.branch != BranchKind::none || s.far_transfer;
  s.far_call = s.far_transfer && op.mnemonic.starts_with("call");
  s.may_not_transfer = op.mnemonic == "into";
  s.returns_from_interrupt = op.mnemonic.starts_with("iret");
  s.serializing = op.serializing && (settings_.wrmsr_serializes || op.mnemonic != "wrmsr");
  s.repeats = op.repeats;
  s.prefetches = op.kind == Kind::prefetch;
  s.prefetches_to_write = op.mnemonic == "prefetchw";
  s.stores_high_byte = op.stores_high_byte;
  s.absolute_loads = op.absolute_loads;
  s.absolute_stores = op.absolute_stores;
  if (settings_.wrong_path_data) s.absolute_accesses = (op.absolute_loads ? 1 : 0) + (op.absolute_stores ? 1 : 0);
  s.absolute_address = op.absolute_address;
  s.absolute_bytes = op.absolute_bytes;
  s.flag = flag_effect(op);
  s.segment = op.segment_written;
  if (s.segment < 0 && s.far_transfer) s.segment = static_cast<std::int8_t>(activity::SegmentRegister::cs);
  s.touches_memory = op.loads || op.stores;
  s.load_only = op.kind == Kind::move && op.loads && !op.stores && !op.fp_unit && s.macro_ops == 1;
  s.alone = s.vector_path || s.serializing || s.far_transfer || s.segment >= 0 || s.macro_ops > dispatch_width;
  set_execution(s, op);
  if (s.fp) set_stack(s, op);
  s.special = s.serializing || s.far_transfer || s.returns_from_interrupt || s.flag != FlagEffect::none || op.locked;
  s.traits = s.far_transfer ? bit(Trait::far_transfer) : branch_traits[static_cast<std::size_t>(op.branch)];
  if (s.may_not_transfer) s.traits |= bit(Trait::conditional);
  if (op.loads) s.traits |= bit(Trait::load);
  if (op.stores) s.traits |= bit(Trait::store);
  if (op.locked) s.traits |= bit(Trait::locked);
  if (s.serializing) s.traits |= bit(Trait::serializing);
  if (op.fp_unit && op.kind != Kind::fp_move && op.kind != Kind::fp_control) s.traits |= bit(Trait::fp_arithmetic);
  s.simple = s.macro_ops == 1 && !s.alone && s.decode_halves == 0 && !s.repeats;
  s.takes_station = !s.fp || s.touches_memory ? 1 : 0;
  begin_record(s);
  return s;
}

StaticCode StaticCodes::handler(std::uint64_t pc, bool last) const {
  StaticCode s;
  s.pc = pc;
  s.length = 4;
  find_lines(s);
  if (last) {
    s.is_branch = s.far_transfer = s.returns_from_interrupt = s.serializing = s.vector_path = s.alone = true;
    s.branch = BranchKind::far_transfer;
    s.traits = bit(Trait::far_transfer) | bit(Trait::serializing);
    s.segment = static_cast<std::int8_t>(activity::SegmentRegister::cs);
    s.latency = static_cast<std::uint16_t>(settings_.far_transfer);
    s.macro_ops = 3;
  }
  begin_record(s);
  return s;
}

}  // namespace pmusim::core::athlon
