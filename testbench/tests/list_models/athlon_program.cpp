#include "testbench/tests/list_models/athlon_program.h"

#include <fmt/format.h>

#include <map>

namespace pmusim::testbench::athlon_lists {

namespace d = activity::detail;

BranchKind kind_of(std::uint64_t encoding) {
  const auto byte = [&encoding] { return static_cast<unsigned>(encoding & 0xff); };
  constexpr unsigned prefixes[] = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3};
  while (std::find(std::begin(prefixes), std::end(prefixes), byte()) != std::end(prefixes)) encoding >>= 8;
  const unsigned opcode = byte(), next = static_cast<unsigned>(encoding >> 8 & 0xff);
  if (opcode == 0x0f) {
    if (next >= 0x80 && next <= 0x8f) return BranchKind::conditional;
    const bool system_call = next == 0x05 || next == 0x07 || next == 0x34 || next == 0x35;
    return system_call ? BranchKind::far : BranchKind::none;
  }
  if ((opcode >= 0x70 && opcode <= 0x7f) || (opcode >= 0xe0 && opcode <= 0xe3)) return BranchKind::conditional;
  switch (opcode) {
    case 0xe9:
    case 0xeb:
      return BranchKind::jump;
    case 0xe8:
      return BranchKind::call;
    case 0xc2:
    case 0xc3:
      return BranchKind::ret;
    case 0x9a:
      return BranchKind::far_call;
    case 0xca:
    case 0xcb:
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
    case 0xea:
      return BranchKind::far;
    case 0xff:
      switch (next >> 3 & 7) {
        case 2:
          return BranchKind::indirect_call;
        case 3:
          return BranchKind::far_call;
        case 4:
          return BranchKind::indirect_jump;
        case 5:
          return BranchKind::far;
        default:
          return BranchKind::none;
      }
    default:
      return BranchKind::none;
  }
}

FrontEndRun FrontEndRun::of(core::Core& core) {
  FrontEndRun run;
  const std::array list = {Signal::retire, Signal::return_stack, Signal::branch_resolved, Signal::resync,
                           Signal::fetch,  Signal::translation,  Signal::dcache_lookup};
  each_cycle(core, list, [&](const CycleView& view) {
    for (const Occurrence& o : view.of(Signal::retire)) {
      const auto& r = view.instruction(o);
      run.program.push_back({r.id, r.ip, r.next_ip, r.encoding, r.tagged, view.cycle, r.length, r.taken,
                             r.predicted_taken, r.mispredicted});
      if (r.has(activity::Trait::far_transfer) && r.taken) run.restarts.push_back({view.cycle, r.id});
    }
    for (const Occurrence& o : view.of(Signal::branch_resolved)) {
      if ((o.detail & d::branch_correct) == 0) run.restarts.push_back({view.cycle, view.instruction(o).id});
    }
    for (const Occurrence& o : view.of(Signal::resync)) {
      run.restarts.push_back({view.cycle, view.instruction(o).id});
      run.resyncs = true;
    }
    for (const Occurrence& o : view.of(Signal::return_stack)) {
      const auto& r = view.instruction(o);
      run.stack.push_back({view.cycle, r.id, r.ip, r.ip + r.length, r.wrong_path, o.detail});
    }
    for (const Occurrence& o : view.of(Signal::fetch)) run.windows.push_back({view.cycle, view.request(o).address});
    for (const Occurrence& o : view.of(Signal::translation)) {
      auto& pages = (o.detail & d::side_data) != 0 ? run.data_pages : run.code_pages;
      pages.push_back({view.cycle, view.request(o).address, (o.detail & d::tlb_walk) != 0});
    }
    for (const Occurrence& o : view.of(Signal::dcache_lookup)) {
      run.probes.push_back({view.cycle, view.request(o).address, (o.detail & d::access_store) != 0,
                            (o.detail & d::access_prefetch) != 0, (o.detail & d::access_second_half) != 0});
    }
    return true;
  });
  return run;
}

// --- directions and targets --------------------------------------------------------------------------------

DirectionModel::DirectionModel(const models::Parameters& p)
    : targets_(static_cast<std::size_t>(p.get("core.btb_entries"))),
      counters_(std::size_t{1} << (p.get("core.history_bits") + p.get("core.history_address_bits")),
                list_models::Counter{static_cast<unsigned>(p.get("core.history_start"))}),
      history_bits_(static_cast<unsigned>(p.get("core.history_bits"))),
      address_bits_(static_cast<unsigned>(p.get("core.history_address_bits"))) {}

std::string DirectionModel::check(const FrontEndRun& run) {
  std::vector<std::size_t> index_of(run.program.size());
  std::uint64_t history = 0;  // of conditional branches: the last one in bit 0
  std::size_t learnt = 0;
  for (std::size_t i = 0; i < run.program.size(); ++i) {
    const Retired& b = run.program[i];
    const BranchKind kind = kind_of(b.encoding);
    if (kind == BranchKind::none || kind == BranchKind::ret || kind == BranchKind::far || kind == BranchKind::far_call)
      continue;
    for (; run.program[learnt].retired <= b.fetched; ++learnt) {
      const Retired& old = run.program[learnt];
      const BranchKind was = kind_of(old.encoding);
      if (was == BranchKind::none || was == BranchKind::ret || was == BranchKind::far || was == BranchKind::far_call)
        continue;
      if (was == BranchKind::conditional) counters_[index_of[learnt]].follow(old.taken);
      if (old.taken) targets_[old.ip % targets_.size()] = {old.ip, old.next};
    }
    const Target& target = targets_[b.ip % targets_.size()];
    const bool known = target.pc == b.ip;
    bool taken = known;
    std::uint64_t next = known ? target.target : b.end();
    if (kind == BranchKind::conditional) {
      const std::uint64_t recent = history & ((std::uint64_t{1} << history_bits_) - 1);
      const std::uint64_t address = b.ip / 16 & ((std::uint64_t{1} << address_bits_) - 1);
      index_of[i] = static_cast<std::size_t>(recent << address_bits_ | address);
      taken = known && counters_[index_of[i]].upper_half();
      if (!taken) next = b.end();
    } else if (kind == BranchKind::jump || kind == BranchKind::call) {
      taken = true;  // decode finds its target, where the buffer has none
      if (!known) next = b.next;
    }
    ++branches;
    // There is nothing to follow wrongly after the last instruction.
    const bool wrong = next != b.next && i + 1 != run.program.size();
    mispredicted += wrong ? 1 : 0;
    targets_wrong += wrong && taken && b.taken ? 1 : 0;
    if (taken != b.predicted_taken || wrong != b.mispredicted) {
      return fmt::format(
          "branch {} at {:x}, fetched in cycle {}: predicted taken {}, wrong {}; the model has target {:x} ({}), "
          "history {:x}, taken {}, wrong {}",
          b.id, b.ip, b.fetched, b.predicted_taken, b.mispredicted, target.target, known ? "known" : "of another",
          history, taken, wrong);
    }
    // A prediction that leads to the right place all the same is never corrected.
    if (kind == BranchKind::conditional) history = history << 1 | ((wrong ? b.taken : taken) ? 1 : 0);
  }
  return {};
}

// --- return stack ------------------------------------------------------------------------------------------

ReturnStackModel::ReturnStackModel(const models::Parameters& p)
    : addresses_(static_cast<std::size_t>(p.get("core.return_stack_entries"))) {}

std::string ReturnStackModel::check(const FrontEndRun& run) {
  struct Step {
    std::uint64_t id;
    Place after;
  };
  std::vector<Step> right;                        // what instructions of the program have done, to come back to
  std::map<std::uint64_t, std::uint64_t> popped;  // by return
  std::set<std::uint64_t> pushed;
  Place place;
  std::size_t restart = 0, oldest = 0;  // oldest: return whose turn it is
  const auto differs = [&](const FrontEndRun::StackUse& u, const std::string& wanted) {
    return fmt::format(
        "return stack in cycle {} by {:x} (instruction {:x}): detail {:x}, wanted {}; the model has {} "
        "addresses",
        u.cycle, u.ip, u.id, u.detail, wanted, place.live);
  };
  for (const auto& use : run.stack) {
    for (; restart < run.restarts.size() && run.restarts[restart].cycle <= use.cycle; ++restart) {
      while (!right.empty() && right.back().id > run.restarts[restart].id) right.pop_back();
      place = right.empty() ? Place{} : right.back().after;
    }
    if (!use.wrong_path) {
      // Returns without a use found the stack empty.
      for (; oldest < run.program.size() && run.program[oldest].id < use.id; ++oldest) {
        const Retired& r = run.program[oldest];
        if (kind_of(r.encoding) == BranchKind::ret && !popped.contains(r.id) && place.live != 0)
          return fmt::format("return {} at {:x} did not use the stack, which has {} addresses", r.id, r.ip, place.live);
      }
    }
    wrong_path += use.wrong_path ? 1 : 0;
    const std::size_t size = addresses_.size();
    if ((use.detail & d::ras_push) != 0) {
      const bool full = place.live == size;
      const auto wanted = static_cast<std::uint16_t>(d::ras_push | (full ? d::ras_overwrites_live : 0));
      if (use.detail != wanted) return differs(use, fmt::format("{:x}", wanted));
      addresses_[place.top] = use.end;
      place = {(place.top + 1) % size, full ? size : place.live + 1};
      overwrites += full ? 1 : 0;
      if (!use.wrong_path) pushed.insert(use.id);
    } else {
      if (use.detail != d::ras_predicts || place.live == 0) return differs(use, "no prediction");
      place = {(place.top + size - 1) % size, place.live - 1};
      if (!use.wrong_path) popped[use.id] = addresses_[place.top];
    }
    if (!use.wrong_path) right.push_back({use.id, place});
  }
  for (const Retired& r : run.program) {
    const BranchKind kind = kind_of(r.encoding);
    const bool calls = kind == BranchKind::call || kind == BranchKind::indirect_call || kind == BranchKind::far_call;
    if (calls && !pushed.contains(r.id)) return fmt::format("call {} at {:x} pushed nothing", r.id, r.ip);
    if (kind != BranchKind::ret) continue;
    const auto found = popped.find(r.id);
    const bool predicted = found != popped.end();
    const std::uint64_t next = predicted ? found->second : r.end();
    const bool wrong = next != r.next && r.id != run.program.back().id;
    ++returns;
    mispredicted += wrong ? 1 : 0;
    if (predicted != r.predicted_taken || wrong != r.mispredicted)
      return fmt::format("return {} at {:x} to {:x}: predicted {}, wrong {}; the model has {:x}, wrong {}", r.id, r.ip,
                         r.next, r.predicted_taken, r.mispredicted, next, wrong);
  }
  return {};
}

}  // namespace pmusim::testbench::athlon_lists
