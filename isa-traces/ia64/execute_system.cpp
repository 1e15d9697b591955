// Moves to and from special registers, the register stack, and system calls.
#include <fmt/format.h>

#include "machine.h"

namespace pmusim::trace::ia64 {

// Branches and related instructions: calls, counted and pipelined loops, rename bases, chk and brp.

namespace {

void br_cond(Machine& m, const Operation& o) { m.branch(o.target); }
void br_call(Machine& m, const Operation& o) {
  m.call(o.r1 & 7);
  m.branch(o.target);
}
void br_indirect(Machine& m, const Operation& o) { m.branch(m.br[o.r2 & 7]); }
void br_indirect_call(Machine& m, const Operation& o) {
  const std::uint64_t target = m.br[o.r2 & 7];
  m.call(o.r1 & 7);
  m.branch(target);
}
void br_ret(Machine& m, const Operation& o) {
  if (m.ar[ar_pfs] >> 62 != 0) throw Fault("returns to a lower privilege; only user programs are in the supported set");
  const std::uint64_t target = m.br[o.r2 & 7];
  m.return_from_call();
  m.branch(target);
}

void br_cloop(Machine& m, const Operation& o) {
  if (m.ar[ar_lc] == 0) return;
  --m.ar[ar_lc];
  m.branch(o.target);
}

/// Ends a kernel iteration of a modulo-scheduled loop. The rotation makes p63 the new p16.
void end_stage(Machine& m, bool new_iteration) {
  m.set_pr(63, new_iteration);
  m.rotate();
}

/// Starts no new kernel iteration and drains one stage, if ar.ec is not 0. True if the loop continues.
bool drain(Machine& m) {
  const bool more = m.ar[ar_ec] > 1;
  if (m.ar[ar_ec] != 0) {
    --m.ar[ar_ec];
    end_stage(m, false);
  } else {
    m.set_pr(63, false);
  }
  return more;
}

/// A step of a counted loop: ar.lc kernel iterations start, then ar.ec stages drain. True if the loop continues.
bool counted(Machine& m, const Operation&) {
  if (m.ar[ar_lc] != 0) {
    --m.ar[ar_lc];
    end_stage(m, true);
    return true;
  }
  return drain(m);
}
bool conditional(Machine& m, const Operation& o) {
  if (m.pr(o.predicate)) {
    end_stage(m, false);
    return true;
  }
  return drain(m);
}
/// A branch at the top of a loop is taken if the loop continues, an exit branch if it ends.
template <auto step, bool top>
void loop_branch(Machine& m, const Operation& o) {
  if (step(m, o) == top) m.branch(o.target);
}

void clrrrb(Machine& m, const Operation&) { m.clear_rename_bases(false); }
void clrrrb_pr(Machine& m, const Operation&) { m.clear_rename_bases(true); }
void cover(Machine& m, const Operation&) { m.cover(); }
void nothing(Machine&, const Operation&) {}

void chk_s_gr(Machine& m, const Operation& o) {
  if (m.gr(o.r2).nat) m.branch(o.target);
}
void chk_s_fr(Machine& m, const Operation& o) {
  if (is_nat(m.fr(o.r2))) m.branch(o.target);
}
void check_advanced(Machine& m, const Operation& o, std::uint32_t register_id) {
  if (!m.alat.holds(register_id)) m.branch(o.target);
  if (o.argument != 0) m.alat.remove(register_id);
}
void chk_a_gr(Machine& m, const Operation& o) { check_advanced(m, o, m.alat_gr(o.r1)); }
void chk_a_fr(Machine& m, const Operation& o) { check_advanced(m, o, m.alat_fr(o.r1)); }

void mov_from_ar(Machine& m, const Operation& o) { m.set_gr(o.r1, m.read_ar(o.r3)); }
void mov_to_ar(Machine& m, const Operation& o) {
  m.write_ar(o.r3, o.has_immediate ? static_cast<std::uint64_t>(o.immediate) : m.value(o.r2));
}
void mov_from_br(Machine& m, const Operation& o) { m.set_gr(o.r1, m.br[o.r2 & 7]); }
void mov_to_br(Machine& m, const Operation& o) { m.br[o.r1 & 7] = m.value(o.r2); }
void mov_from_pr(Machine& m, const Operation& o) { m.set_gr(o.r1, m.all_predicates()); }
void mov_to_pr(Machine& m, const Operation& o) {
  m.set_all_predicates(m.value(o.r2), static_cast<std::uint64_t>(o.immediate));
}
void mov_to_pr_rot(Machine& m, const Operation& o) {
  m.set_all_predicates(static_cast<std::uint64_t>(o.immediate), ~std::uint64_t{0xffff});
}
void mov_from_ip(Machine& m, const Operation& o) { m.set_gr(o.r1, m.ip); }

void change_user_mask(Machine& m, std::uint64_t mask) { m.user_mask = mask & 0x3e; }
void mov_from_psr_um(Machine& m, const Operation& o) { m.set_gr(o.r1, m.user_mask); }
void mov_to_psr_um(Machine& m, const Operation& o) { change_user_mask(m, m.value(o.r2)); }
void user_mask_set(Machine& m, const Operation& o) {
  change_user_mask(m, m.user_mask | static_cast<std::uint64_t>(o.immediate));
}
void user_mask_reset(Machine& m, const Operation& o) {
  change_user_mask(m, m.user_mask & ~static_cast<std::uint64_t>(o.immediate));
}

void alloc(Machine& m, const Operation& o) {
  const std::uint64_t pfs = m.ar[ar_pfs];
  m.alloc(o.r2, o.r3, o.r4 & 15);
  m.set_gr(o.r1, pfs);
}
void flushrs(Machine& m, const Operation&) { m.stack().flush(); }
void loadrs(Machine& m, const Operation&) {
  if (m.frame().sof != 0) throw Fault("loadrs needs an empty register frame");
  if ((m.ar[ar_rsc] & 3) != 0) throw Fault("needs the register stack engine in enforced lazy mode (ar.rsc.mode 0)");
  const auto bytes = static_cast<std::uint32_t>(m.ar[ar_rsc] >> 16 & 0x3fff) & ~7u;
  m.stack().load(bytes);
  m.effects.loadrs = bytes;
}

/// Reads of PMU data registers and processor identification by user programs. The simulator has no PMU: the registers
/// read as 0, and the access is recorded in the line.
void read_indexed(Machine& m, const Operation& o) {
  const std::uint64_t index = m.value(o.r3) & 0xff;
  if (o.argument == 0x17) {
    // Vendor name, serial number, version of an Itanium 2 (family 0x1f, model 1, five registers), features.
    constexpr std::uint64_t cpuid[] = {0x49656e69756e6547, 0x6c65746e, 0, 0x1f010504, 0x1};
    if (index >= std::size(cpuid)) throw Fault("cpuid {} does not exist", index);
    m.set_gr(o.r1, cpuid[index]);
    return;
  }
  m.effects.registers.push_back({fmt::format("pmd{}", index), false, 0, false});
  m.set_gr(o.r1, 0);
}

constexpr std::uint64_t system_call = 0x100000;
enum Call : std::uint64_t { call_exit = 1025, call_write = 1027, call_exit_group = 1236 };
constexpr std::uint64_t error_bad_descriptor = 9, error_fault = 14;

void answer(Machine& m, std::uint64_t value, bool error) {
  m.set_gr(8, value);
  m.set_gr(10, error ? ~std::uint64_t{0} : 0);
}

void write_call(Machine& m, unsigned first) {
  const std::uint64_t descriptor = m.value(first), address = m.value(first + 1), size = m.value(first + 2);
  if (descriptor != 1 && descriptor != 2) return answer(m, error_bad_descriptor, true);
  if (size > (1u << 24) || !m.memory().is_mapped(address, size)) return answer(m, error_fault, true);
  std::string bytes(size, '\0');
  m.memory().read(address, bytes.data(), size);
  if (m.output) m.output(static_cast<int>(descriptor), bytes);
  answer(m, size, false);
}

void break_(Machine& m, const Operation& o) {
  if (static_cast<std::uint64_t>(o.immediate) != system_call) {
    throw Fault("break {:#x}; expected a system call is break 0x100000", o.immediate);
  }
  const unsigned first = 32 + m.frame().sol;  // output registers
  const std::uint64_t number = m.value(15);
  switch (number) {
    case call_exit:
    case call_exit_group:
      m.exit_status = static_cast<int>(m.value(first) & 0xff);
      m.effects.exited = true;
      return;
    case call_write:
      return write_call(m, first);
    default:
      throw Fault("system call {}; supported: exit (1025), write (1027), exit_group (1236)", number);
  }
}

void serialize(Machine& m, const Operation&) { m.effects.serialized = true; }

}  // namespace

void add_system_handlers(Handlers& handlers) {
  static constexpr OpHandler rows[] = {{Op::br_cond, br_cond},
                                       {Op::br_call, br_call},
                                       {Op::br_indirect, br_indirect},
                                       {Op::br_indirect_call, br_indirect_call},
                                       {Op::br_ret, br_ret},
                                       {Op::br_cloop, br_cloop},
                                       {Op::br_ctop, loop_branch<counted, true>},
                                       {Op::br_cexit, loop_branch<counted, false>},
                                       {Op::br_wtop, loop_branch<conditional, true>},
                                       {Op::br_wexit, loop_branch<conditional, false>},
                                       {Op::clrrrb, clrrrb},
                                       {Op::clrrrb_pr, clrrrb_pr},
                                       {Op::cover, cover},
                                       {Op::brp, nothing},
                                       {Op::nop, nothing},
                                       {Op::hint, nothing},
                                       {Op::chk_s_gr, chk_s_gr},
                                       {Op::chk_s_fr, chk_s_fr},
                                       {Op::chk_a_gr, chk_a_gr},
                                       {Op::chk_a_fr, chk_a_fr},
                                       {Op::mov_from_ar, mov_from_ar},
                                       {Op::mov_to_ar, mov_to_ar},
                                       {Op::mov_from_br, mov_from_br},
                                       {Op::mov_to_br, mov_to_br},
                                       {Op::mov_from_pr, mov_from_pr},
                                       {Op::mov_to_pr, mov_to_pr},
                                       {Op::mov_to_pr_rot, mov_to_pr_rot},
                                       {Op::mov_from_ip, mov_from_ip},
                                       {Op::mov_from_psr_um, mov_from_psr_um},
                                       {Op::mov_to_psr_um, mov_to_psr_um},
                                       {Op::user_mask_set, user_mask_set},
                                       {Op::user_mask_reset, user_mask_reset},
                                       {Op::alloc, alloc},
                                       {Op::flushrs, flushrs},
                                       {Op::loadrs, loadrs},
                                       {Op::read_indexed, read_indexed},
                                       {Op::break_, break_},
                                       {Op::serialize, serialize},
                                       {Op::fence, nothing}};
  add(handlers, rows);
}

}  // namespace pmusim::trace::ia64
