#include "models/core/ia64/data_side.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace dd = act::detail;
namespace cause = act::cause;
using act::Served;

namespace {

constexpr Cycle unat_conflict = 4;  ///< ld8.fill so soon after st8.spill or mov ar.unat= waits

}  // namespace

DataSide::DataSide(Machine& machine, Hierarchy& hierarchy, Walker& walker)
    : machine_(machine),
      hierarchy_(hierarchy),
      walker_(walker),
      translation_(machine, machine.settings.l1dtlb_entries, machine.settings.l2dtlb_entries),
      l1d_(shape_of(machine.settings.l1d_bytes, machine.settings.l1d_ways, machine.settings.l1d_line)),
      misses_(machine.settings.load_misses),
      buffer_(machine.settings.store_buffer) {}

DataSide::Room DataSide::room(Cycle now, unsigned accesses, unsigned stores) {
  if (stores != 0) {
    if (const Cycle from = buffer_.free_from(now, stores); from > now) return {from, cause::full_store_buffer};
  }
  return {std::max(hierarchy_.room_from(now + 1, accesses, stores), now + 1) - 1, cause::l2_back_pressure};
}

void DataSide::hold(unsigned why, Cycle cycles) {
  if (cycles == 0) return;
  stalls_.push_back({act::back_end(act::BackEnd::l1d_fpu, why), cycles});
  pass_ += cycles;
}

/// One passage of the pipe: its occurrences.
void DataSide::pass(Access& access, std::uint16_t detail, bool probes, std::uint16_t result, bool replayed) {
  if (replayed) detail |= dd::access_replayed;
  if (pass_ == now_) {
    machine_.recorder.occur(Signal::data_reference, access, detail);
    if (probes) machine_.recorder.occur(Signal::dcache_lookup, access, detail | result);
  } else {
    machine_.schedule.occur(pass_, Signal::data_reference, &access, detail);
    if (probes) machine_.schedule.occur(pass_, Signal::dcache_lookup, &access, detail | result);
  }
}

void DataSide::translate(Access& access, bool use_first, trace::TlbOutcome forced, bool& cancelled,
                         std::uint16_t detail) {
  const std::uint64_t address = access.record.address;
  const act::Translation where = translation_.find(address, use_first, forced);
  if (where == act::Translation::first_level) return;
  if (where == act::Translation::second_level) {
    if (!use_first) return;  // only reads of L1D use the first level
    access.more.translation = where;
    pass(access, detail, true, d::lookup_miss, true);
    machine_.schedule.occur(pass_, Signal::translation, &access, d::side_data | d::tlb_second_level_hit);
    hold(cause::tlb, machine_.settings.l2dtlb_latency);
  } else {
    access.more.translation = where;
    pass(access, detail, use_first, d::lookup_miss, true);
    const bool fault = where == act::Translation::fault;
    machine_.schedule.occur(pass_, Signal::translation, &access,
                            d::side_data | d::tlb_walk | (fault ? dd::tlb_fault : 0));
    const Cycle done = walker_.walk(access, translation_.page_of(address), true, fault, pass_);
    hold(cause::walker, done - pass_);
    fault_ = fault_ || fault;
  }
  cancelled = true;
  translation_.install(address, use_first);
}

/// True if a load must take its data from L2, because a store to its aligned 8 bytes is too recent for L1D. A load that
/// needs more bytes than such a store wrote may have to wait in the pipe instead.
bool DataSide::follows_store(const Access& access, bool& cancelled) {
  constexpr unsigned octet_bits = 3;
  const Cycle window = machine_.settings.store_forward;
  const std::uint64_t begin = access.record.address, end = begin + access.record.size;
  const std::uint64_t first = begin >> octet_bits, last = (end - 1) >> octet_bits;
  bool follows = false;
  for (std::size_t i = stores_.size(); i-- > 0;) {
    const Buffered& b = stores_.at(i);
    if (b.at + window < pass_) break;  // so are those before it
    if (b.address >> octet_bits > last || (b.address + b.size - 1) >> octet_bits < first) continue;
    const bool overlaps = b.address < end && begin < b.address + b.size;
    const bool has_all = b.address <= begin && end <= b.address + b.size;
    if (overlaps && !has_all && machine_.settings.store_overlap != 0) {
      hold(cause::store_buffer_recirculated, b.at + window + 1 - pass_);
      cancelled = true;
      return false;  // the youngest of them: older stores are in L1D by then
    }
    follows = true;
  }
  return follows;
}

/// Older accesses that affect an access: acquires, UNAT, check loads.
void DataSide::conflicts(const Access& access, const Operation& op) {
  if (access.more.load) {
    if (acquire_until_ > pass_ && access.more.l1d_read) hold(cause::load_conflict, acquire_until_ - pass_);
    if (access.more.check_load && advanced_until_ > pass_) hold(cause::load_check, advanced_until_ - pass_);
  }
  if (access.more.store) {
    if (std::ranges::find(pending_, pass_, &Coming::ready) != pending_.end()) hold(cause::fill_conflict, 1);
  }
  const Cycle unat = std::max(spilled_, unat_written_);
  if (op.slot->load_kind == isa::LoadKind::fill && access.more.load && !access.more.fp && unat != 0 &&
      unat + unat_conflict > pass_) {
    hold(cause::nat_conflict, unat + unat_conflict - pass_);
  }
}

DataSide::Outcome DataSide::load_through_l1d(Access& access, std::uint16_t detail, const trace::Annotations* keys,
                                             Load how) {
  const Settings& s = machine_.settings;
  const std::uint64_t physical = machine_.physical(access.record.address);
  const std::uint64_t line = l1d_.line_of(physical);
  Served forced = keys != nullptr ? served_by(keys->data) : Served::unknown;
  std::erase_if(pending_, [this](const Coming& p) { return p.ready < now_; });
  const Coming* under_way = pending(line);
  const bool held = l1d_.lookup(physical) != LineState::invalid;
  const bool there = held && under_way == nullptr && !how.follows_store;
  const bool late = keys != nullptr && keys->latency && *keys->latency > s.load_use;
  if (late && forced == Served::unknown && there) forced = Served::l2;
  const auto found = [&]() -> Outcome {
    pass(access, detail, true, d::lookup_hit, false);
    access.served = access.more.served = Served::l1;
    access.changed = true;
    return {&access, pass_ + s.load_use, how.cancelled};
  };
  if (forced == Served::l1 || (there && forced == Served::unknown)) return found();
  if (const Cycle free = misses_.free_from(pass_); free > pass_) {
    pass(access, detail, true, d::lookup_miss, true);
    hold(cause::recirculated, free - pass_);
    how.cancelled = true;
    under_way = pending(line);
    // The line that it met on its way has come.
    if (held && under_way == nullptr && !how.follows_store && forced == Served::unknown) return found();
  }
  pass(access, detail, true, under_way != nullptr ? d::lookup_pending : d::lookup_miss, false);
  machine_.schedule.occur(pass_ + 1, Signal::line_request, &access, detail);
  const Hierarchy::Reply reply =
      hierarchy_.data(access, Purpose::integer_load, pass_ + 1, under_way != nullptr ? Served::unknown : forced);
  misses_.take(reply.data);
  if (how.allocate && under_way == nullptr && !(held && how.follows_store)) {
    fill_first_level(machine_, l1d_, d::cache_l1d, d::side_data, line, reply.served, access, reply.data);
    pending_.push_back({line, reply.data});
  }
  access.served = reply.served;
  return {&access, reply.data, how.cancelled};
}

Cycle DataSide::hit(std::uint64_t address, bool translate_it) {
  const bool waits = pass_ != now_ || acquire_until_ > pass_;
  const bool stored =
      stores_.size() != 0 && stores_.at(stores_.size() - 1).at + machine_.settings.store_forward >= pass_;
  if (waits || stored) return activity::never;
  if (translate_it && translation_.find(address, true, trace::TlbOutcome::unset) != act::Translation::first_level)
    return activity::never;
  const std::uint64_t physical = machine_.physical(address);
  const Cache::Slot slot = l1d_.find(physical);
  if (is_uncacheable(physical) || l1d_.state(slot, physical) == LineState::invalid) return activity::never;
  if (pending(l1d_.line_of(physical)) != nullptr) return activity::never;
  l1d_.touch(slot);
  machine_.recorder.pass_request();
  return pass_ + machine_.settings.load_use;
}

void DataSide::store(Access& access, std::uint16_t detail) {
  const std::uint64_t physical = machine_.physical(access.record.address);
  const bool cached = !access.more.uncacheable;
  const bool hit = cached && l1d_.find(physical) != Cache::none && pending(l1d_.line_of(physical)) == nullptr;
  pass(access, detail, cached, hit ? d::lookup_hit : d::lookup_miss, false);
  if (stores_.size() == stores_.capacity()) stores_.pop();
  stores_.add() = {access.record.address, access.record.size, pass_};
}

DataSide::Outcome DataSide::access(Instruction& instruction, const Operation& op, const trace::Access& made,
                                   bool translate_it, const trace::Annotations* keys) {
  const isa::Slot& slot = *op.slot;
  Access& access = machine_.recorder.new_access(&instruction, act::Requester::data, made.address, made.size);
  act::Request& more = access.more;
  access.record.start = now_;
  access.non_temporal = slot.locality == isa::Locality::nta;
  more.semaphore = op.has(act::Kind::semaphore);
  more.prefetch = op.has(act::Kind::prefetch);
  more.load = (!made.store && !more.prefetch) || more.semaphore;
  more.store = made.store || more.semaphore;
  access.record.store = more.store && !more.semaphore;
  more.fp = slot.on_fp_register() || op.has(act::Kind::fp_load);
  more.check_load = op.has(act::Kind::check_load);
  more.acquire = op.has(act::Kind::acquire);
  more.release = op.has(act::Kind::release);
  const std::uint32_t alignment = made.size == 10 ? 16 : made.size;
  more.misaligned = alignment != 0 && made.address % alignment != 0;
  more.uncacheable = is_uncacheable(machine_.physical(made.address));
  more.l1d_read = more.load && !more.fp && !more.semaphore && !more.uncacheable;
  constexpr std::uint32_t word = 4, octet = 8;
  access.record.crosses_word = made.address % word + made.size > word;
  access.record.crosses_octet = made.address % octet + made.size > octet;

  std::uint16_t detail = d::side_data;
  if (more.prefetch) detail |= d::access_prefetch;
  if (more.load) detail |= d::access_load;
  if (more.store) detail |= d::access_store;
  bool cancelled = false;
  if (translate_it)
    translate(access, more.l1d_read, keys != nullptr ? keys->dtlb : trace::TlbOutcome::unset, cancelled, detail);
  const bool after_store = more.l1d_read && stores_.size() != 0 && follows_store(access, cancelled);
  conflicts(access, op);

  Outcome outcome{&access, pass_ + machine_.settings.integer, cancelled};
  const Served forced = keys != nullptr ? served_by(keys->data) : Served::unknown;
  const Served below =
      forced == Served::l1 ? Served::l2 : forced;  // an access that does not use L1D is served by L2 at best
  if (more.l1d_read) {
    outcome = load_through_l1d(access, detail, keys, {slot.locality == isa::Locality::none, after_store, cancelled});
  } else if (more.semaphore || more.store) {
    store(access, detail);
    if (more.semaphore) hold(cause::dcs, 1);
    const Hierarchy::Reply reply =
        hierarchy_.data(access, more.semaphore ? Purpose::semaphore : Purpose::store, pass_ + 1, below);
    buffer_.take(reply.issued);
    if (more.semaphore) {
      outcome.data = reply.data;
      access.served = reply.served;
    }
    if (slot.kind == isa::Kind::store && slot.mnemonic.ends_with("spill")) spilled_ = pass_;
  } else {
    pass(access, detail, false, 0, false);
    const Purpose purpose = more.prefetch ? Purpose::prefetch : more.fp ? Purpose::fp_load : Purpose::integer_load;
    const Hierarchy::Reply reply = hierarchy_.data(access, purpose, pass_ + 1, below);
    outcome.data = reply.data;
    access.served = reply.served;
  }
  const bool returns = more.load && access.served != Served::l1;
  if (returns && keys != nullptr && keys->latency) outcome.data = std::max(now_ + *keys->latency, pass_ + 1);
  if (returns) machine_.schedule.serve(outcome.data, Signal::load_return, access, access.served);
  if (more.acquire) acquire_until_ = std::max(acquire_until_, outcome.data);
  if (op.has(act::Kind::advanced)) advanced_until_ = std::max(advanced_until_, outcome.data);
  return outcome;
}

Cycle DataSide::engine(Instruction& instruction, std::uint64_t address, bool load, unsigned pair, bool translate_it) {
  constexpr std::uint32_t register_bytes = 8;
  Access& access = machine_.recorder.new_access(&instruction, act::Requester::register_stack, address, register_bytes);
  access.record.start = now_;
  access.record.store = !load;
  access.more.load = load;
  access.more.store = !load;
  access.more.l1d_read = load;
  const Cycle before = pass_;
  const Cycle base = pass_ = pass_ + pair;
  bool cancelled = false;
  const std::uint16_t detail = d::side_data | (load ? d::access_load : d::access_store);
  if (translate_it) translate(access, load, trace::TlbOutcome::unset, cancelled, detail);
  Outcome outcome{&access, pass_ + 1, cancelled};
  if (load) {
    outcome = load_through_l1d(access, detail, nullptr, {true, false, cancelled});
    if (access.served != Served::l1) machine_.schedule.serve(outcome.data, Signal::load_return, access, access.served);
  } else {
    store(access, detail);
    const Hierarchy::Reply reply = hierarchy_.data(access, Purpose::store, pass_ + 1);
    buffer_.take(reply.issued);
  }
  machine_.schedule.occur(pass_ + machine_.settings.exe_to_retire, Signal::access_retire, &access);
  machine_.recorder.drop(access);
  pass_ = before + (pass_ - base);
  return outcome.data;
}

void DataSide::flush(Instruction& instruction, std::uint64_t address) {
  Access& access = machine_.recorder.new_access(&instruction, act::Requester::data, address,
                                                static_cast<std::uint32_t>(machine_.settings.l1d_line));
  access.record.start = now_;
  hold(cause::dcs, 1);
  (void)hierarchy_.data(access, Purpose::other, pass_ + 1);
  (void)hierarchy_.flush_line(machine_.physical(address), &access, pass_ + 2);
  machine_.recorder.drop(access);
}

}  // namespace pmusim::core::ia64
