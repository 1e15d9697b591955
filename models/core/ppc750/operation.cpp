#include "models/core/ppc750/operation.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace pmusim::core::ppc750 {
namespace {

using trace::ppc::BranchKind;
using trace::ppc::Kind;

using S = Settings;
/// How instructions of these kinds execute. A latency of 0 stands for a parameter, a throughput of 0 for the latency.
struct Timing {
  std::initializer_list<Kind> kinds;
  Unit unit;
  std::uint8_t latency, throughput;
  std::uint8_t serial;  ///< bits of the following
  std::uint32_t traits;
  unsigned S::*parameter = &S::serial_latency;
};
constexpr std::uint8_t none = 0, execution = 1, dispatch = 2, refetch = 4;

constexpr std::uint32_t t(Trait trait) { return activity::bit(trait); }
constexpr std::uint32_t load = t(Trait::load), store = t(Trait::store), cache = t(Trait::cache_operation);

// UM Table 6-9 for the LSU; GCC's rs6000 7xx description for the rest; serialisation by UM 6.3.
constexpr Timing timings[] = {
    {{Kind::integer, Kind::compare, Kind::trap_word, Kind::no_operation}, Unit::integer, 1, 1, none, 0},
    {{Kind::integer_extended}, Unit::integer, 0, 0, execution, 0, &S::extended_latency},
    {{Kind::multiply}, Unit::integer_1, 0, 0, none, 0, &S::multiply_latency},
    {{Kind::multiply_high}, Unit::integer_1, 0, 0, none, 0, &S::multiply_high_latency},
    {{Kind::multiply_high_unsigned}, Unit::integer_1, 0, 0, none, 0, &S::multiply_high_unsigned_latency},
    {{Kind::multiply_immediate}, Unit::integer_1, 0, 0, none, 0, &S::multiply_immediate_latency},
    {{Kind::divide}, Unit::integer_1, 0, 0, none, 0, &S::divide_latency},
    {{Kind::load}, Unit::load_store, 2, 1, none, load},
    {{Kind::store}, Unit::load_store, 2, 1, none, store},
    {{Kind::load_multiple}, Unit::load_store, 2, 1, execution | dispatch, load | t(Trait::multiple)},
    {{Kind::store_multiple},
     Unit::load_store,
     0,
     1,
     execution | dispatch,
     store | t(Trait::multiple),
     &S::store_multiple_latency},
    {{Kind::load_string}, Unit::load_store, 2, 1, execution | dispatch, load | t(Trait::string)},
    {{Kind::store_string},
     Unit::load_store,
     0,
     1,
     execution | dispatch,
     store | t(Trait::string),
     &S::store_multiple_latency},
    {{Kind::load_reserve}, Unit::load_store, 3, 1, execution, load | t(Trait::load_reserve)},
    {{Kind::store_conditional},
     Unit::load_store,
     0,
     0,
     execution,
     store | t(Trait::store_conditional),
     &S::store_conditional_latency},
    {{Kind::dcbz}, Unit::load_store, 3, 6, none, cache},
    {{Kind::dcbf, Kind::dcbst}, Unit::load_store, 3, 5, none, cache},
    {{Kind::dcbi}, Unit::load_store, 3, 3, none, cache},
    {{Kind::icbi}, Unit::load_store, 3, 4, none, cache},
    {{Kind::dcbt, Kind::dcbtst}, Unit::load_store, 2, 1, none, cache},
    {{Kind::fp_single, Kind::fp_double_add, Kind::fp_move}, Unit::fp, 3, 1, none, t(Trait::fp_arithmetic)},
    {{Kind::fp_double_multiply}, Unit::fp, 4, 2, none, t(Trait::fp_arithmetic)},
    {{Kind::fp_compare}, Unit::fp, 2, 1, none, t(Trait::fp_arithmetic)},
    {{Kind::fp_divide_single}, Unit::fp, 17, 17, none, t(Trait::fp_arithmetic)},
    {{Kind::fp_divide_double}, Unit::fp, 31, 31, none, t(Trait::fp_arithmetic)},
    {{Kind::fp_reciprocal}, Unit::fp, 0, 0, none, t(Trait::fp_arithmetic), &S::reciprocal_latency},
    {{Kind::fp_status}, Unit::fp, 3, 3, none, t(Trait::fp_arithmetic)},
    {{Kind::condition_logical, Kind::move_condition, Kind::move_from_msr}, Unit::system, 3, 2, none, 0},
    {{Kind::move_to_special, Kind::move_from_special, Kind::segment_register, Kind::tlb_management},
     Unit::system,
     0,
     0,
     execution,
     0},
    {{Kind::move_to_msr, Kind::isync, Kind::system_call, Kind::return_from_interrupt},
     Unit::system,
     0,
     0,
     execution | dispatch | refetch,
     t(Trait::serializing)},
    {{Kind::sync}, Unit::system, 0, 0, execution, t(Trait::sync)},
    {{Kind::eieio}, Unit::system, 0, 0, execution, t(Trait::eieio)},
    {{Kind::branch}, Unit::branch, 1, 1, none, t(Trait::branch)},
};

constexpr std::uint16_t spr_xer = 1, spr_lr = 8, spr_ctr = 9;

void set_latency(Operation& op, unsigned latency, unsigned throughput) {
  op.latency = static_cast<std::uint8_t>(latency);
  op.throughput = static_cast<std::uint8_t>(std::max(throughput, 1u));
}

/// Moves to and from special registers: those of LR, CTR, XER and the time base are faster than the others.
void set_special(Operation& op, std::uint16_t spr) {
  const bool to = op.kind == Kind::move_to_special;
  const bool branch_register = spr == spr_lr || spr == spr_ctr;
  const bool time_base = !to && (spr == 268 || spr == 269);
  op.execution_serial = !branch_register && !time_base && (spr != spr_xer || to);
  op.dispatch_serial = spr == spr_xer && to;
  if (!op.execution_serial || op.dispatch_serial) set_latency(op, to ? 2 : 3, 2);
}

unsigned count_below(const std::vector<std::uint8_t>& registers, unsigned from, unsigned to) {
  return static_cast<unsigned>(
      std::count_if(registers.begin(), registers.end(), [&](std::uint8_t r) { return r >= from && r < to; }));
}

/// The instruction as a number; bit 0 of the manual is bit 31.
unsigned word_of(const Operation& op) {
  const auto byte = [&](unsigned i) { return static_cast<unsigned>(op.record.encoding >> 8 * i & 0xFF); };
  return byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
}

/// Bytes of a value that are not copies of its sign.
int bytes_that_matter(std::int32_t value) {
  int bytes = 1;
  for (std::int32_t rest = value >> 7; rest != 0 && rest != -1; rest >>= 8) ++bytes;
  return bytes;
}

/// What ends a multiply early, if the trace shows it: the immediate of mulli, or rB with the value of a li or lis.
void find_factors(Operation& op, const Settings& settings) {
  if (!settings.early_out) return;
  const unsigned word = word_of(op), opcode = word >> 26;
  const auto immediate = static_cast<std::int32_t>(static_cast<std::int16_t>(word & 0xFFFF));
  constexpr unsigned addi = 14, addis = 15;
  if (op.kind == Kind::multiply_immediate) {
    const auto bytes = static_cast<unsigned>(bytes_that_matter(immediate));
    set_latency(op, std::min<unsigned>(op.latency, bytes + 1), std::min<unsigned>(op.throughput, bytes));
  } else if (op.early_out) {
    op.factor = word >> 11 & 31;
  } else if ((opcode == addi || opcode == addis) && (word >> 16 & 31) == 0) {
    const std::int32_t value = opcode == addi ? immediate : static_cast<std::int32_t>(word << 16);
    const int bytes = bytes_that_matter(value);
    op.constant_bytes = static_cast<std::int8_t>(value < 0 ? -bytes : bytes);
  }
}

/// The data register of an integer store if the address does not need it; otherwise none, as for FP stores.
std::optional<unsigned> late_data(const Operation& op, const trace::ppc::Operation& source) {
  if (op.kind != Kind::store) return std::nullopt;
  constexpr unsigned first_fpr = 32;
  // rS in bits 6 to 10 of the word, rA in bits 11 to 15, rB in bits 16 to 20.
  const unsigned word = word_of(op);
  const unsigned data = word >> 21 & 31, base = word >> 16 & 31, index = word >> 11 & 31;
  const bool indexed = word >> 26 == 31;
  if (data == base || (indexed && data == index) || count_below(source.reads, first_fpr, 2 * first_fpr) != 0) {
    return std::nullopt;
  }
  return data;
}

Operation decode_operation(const trace::Code& code, const Settings& settings) {
  Operation op;
  for (unsigned i = 0; i < 8; ++i) op.record.encoding |= std::uint64_t{code.bytes[i]} << (8 * i);
  const trace::ppc::Operation source = trace::ppc::classify(code);
  const auto* const timing = std::find_if(std::begin(timings), std::end(timings), [&](const Timing& row) {
    return std::find(row.kinds.begin(), row.kinds.end(), source.kind) != row.kinds.end();
  });
  if (timing == std::end(timings)) return op;  // illegal: Unit::none
  op.kind = source.kind;
  op.branch = source.branch;
  op.unit = op.record.unit = timing->unit;
  const unsigned latency = timing->latency != 0 ? timing->latency : settings.*timing->parameter;
  set_latency(op, latency, timing->throughput != 0 ? timing->throughput : latency);
  if (op.kind == Kind::multiply_immediate) set_latency(op, latency, latency - 1);
  op.execution_serial = (timing->serial & execution) != 0;
  op.dispatch_serial = (timing->serial & dispatch) != 0;
  op.refetch = (timing->serial & refetch) != 0;
  op.record.traits = timing->traits;
  if (op.kind == Kind::move_to_special || op.kind == Kind::move_from_special) set_special(op, source.spr);
  op.conditional = source.conditional;
  op.reads_condition = source.reads_condition;
  op.decrements_count = source.decrements_count;
  op.links = source.links;
  op.static_taken = source.predict_taken_static;
  op.target = source.target;
  if (op.is_branch()) {
    if (op.conditional) op.record.traits |= t(Trait::conditional);
    if (op.links) op.record.traits |= t(Trait::call);
    if (op.branch != BranchKind::direct) op.record.traits |= t(Trait::indirect);
    if (op.branch == BranchKind::to_link && !op.links) op.record.traits |= t(Trait::near_return);
  }
  op.load = (op.record.traits & load) != 0;
  op.store = (op.record.traits & store) != 0;
  op.cache_operation = (op.record.traits & cache) != 0;
  op.words = (op.record.traits & (t(Trait::multiple) | t(Trait::string))) != 0;
  op.early_out = op.kind == Kind::multiply || op.kind == Kind::multiply_high ||
                 op.kind == Kind::multiply_high_unsigned || op.kind == Kind::multiply_immediate;
  find_factors(op, settings);
  op.discarded = op.kind == Kind::no_operation && settings.no_op != NoOp::executed;
  if (op.discarded) return op;
  for (const std::uint8_t r : source.reads) op.reads.add(r);
  for (const std::uint8_t r : source.writes) op.writes.add(r);
  // Retirement in order makes the store wait for its data.
  if (const auto data = late_data(op, source); data && settings.store_data != 0) op.reads.remove(*data);
  // A multiple or string load executes alone, so the number of renames does not limit it.
  if (!op.words) {
    op.gpr_renames = static_cast<std::uint8_t>(count_below(source.writes, 0, 32));
    op.fpr_renames = static_cast<std::uint8_t>(count_below(source.writes, 32, 64));
  }
  return op;
}

}  // namespace

const Operation& OperationTable::decode(const trace::Code& code) {
  if (code.id >= operations_.size()) operations_.resize(std::max<std::size_t>(code.id + 1, operations_.size() * 2));
  operations_[code.id] = std::make_unique<Operation>(decode_operation(code, settings_));
  return *operations_[code.id];
}

void OperationTable::make_handler() {
  handler_code_.length = 4;
  handler_code_.bytes[0] = 0x60;
  handler_ = decode_operation(handler_code_, settings_);
  handler_.reads = handler_.writes = {};
  handler_.gpr_renames = 0;
  handler_.discarded = false;
}

}  // namespace pmusim::core::ppc750
