// Branches and related instructions: calls, counted and pipelined loops, rename bases, chk and brp.
#include "machine.h"

namespace pmusim::trace::ia64 {
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
bool counted(Machine& m) {
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
void br_ctop(Machine& m, const Operation& o) {
  if (counted(m)) m.branch(o.target);
}
void br_cexit(Machine& m, const Operation& o) {
  if (!counted(m)) m.branch(o.target);
}
void br_wtop(Machine& m, const Operation& o) {
  if (conditional(m, o)) m.branch(o.target);
}
void br_wexit(Machine& m, const Operation& o) {
  if (!conditional(m, o)) m.branch(o.target);
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

}  // namespace

void add_branch_handlers(Handlers& handlers) {
  const auto set = [&](Op op, Handler handler) { handlers[static_cast<std::size_t>(op)] = handler; };
  set(Op::br_cond, br_cond);
  set(Op::br_call, br_call);
  set(Op::br_indirect, br_indirect);
  set(Op::br_indirect_call, br_indirect_call);
  set(Op::br_ret, br_ret);
  set(Op::br_cloop, br_cloop);
  set(Op::br_ctop, br_ctop);
  set(Op::br_cexit, br_cexit);
  set(Op::br_wtop, br_wtop);
  set(Op::br_wexit, br_wexit);
  set(Op::clrrrb, clrrrb);
  set(Op::clrrrb_pr, clrrrb_pr);
  set(Op::cover, cover);
  set(Op::brp, nothing);
  set(Op::nop, nothing);
  set(Op::hint, nothing);
  set(Op::chk_s_gr, chk_s_gr);
  set(Op::chk_s_fr, chk_s_fr);
  set(Op::chk_a_gr, chk_a_gr);
  set(Op::chk_a_fr, chk_a_fr);
}

}  // namespace pmusim::trace::ia64
