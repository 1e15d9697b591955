#include "testbench/tests/list_models/alpha_path.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "models/activity/signals.h"

namespace pmusim::testbench::alpha::lists {

namespace d = activity::detail;
using Flow = Word::Flow;

namespace {

constexpr std::uint64_t block_bytes = 16;
constexpr unsigned global_bits = 12, local_bits = 10;
constexpr std::uint64_t none = ~std::uint64_t{0};

bool is_kill(const Seen& s) { return s.signal == Signal::kill && (s.detail & d::kill_in_order) == 0; }
/// Instructions without work leave in order, too.
bool leaves_in_order(const Seen& s) {
  return s.signal == Signal::retire || (s.signal == Signal::kill && (s.detail & d::kill_in_order) != 0);
}

}  // namespace

Directions::Told Directions::tell(std::uint64_t pc) const {
  Told told;
  told.history = history;
  told.local = local[locals[pc / 4 % locals.size()]].upper_half();
  told.global = global[history].upper_half();
  told.taken = choice[history].upper_half() ? told.global : told.local;
  return told;
}

void Directions::learn(std::uint64_t pc, const Told& told, bool taken) {
  unsigned& own = locals[pc / 4 % locals.size()];
  local[own].follow(taken);
  own = shift(own, taken, local_bits);
  global[told.history].follow(taken);
  if (told.local != told.global) choice[told.history].follow(told.global == taken);
}

std::uint64_t Successors::of(std::uint64_t pc) const {
  const Place& place = places[pc / block_bytes % places.size()];
  return place.next != 0 ? place.next : (pc / block_bytes + 1) * block_bytes;
}

void Successors::learn(std::uint64_t pc, std::uint64_t next) {
  Place& place = places[pc / block_bytes % places.size()];
  if (of(pc) == next) {
    place.trust = std::min(place.trust + 1, 3u);
  } else if (place.trust > 1) {
    --place.trust;
  } else {
    place = {next, 1};
  }
}

Path::Path(const models::Parameters& p, const Program& program)
    : program_(program),
      wrong_paths_(p.get("core.wrong_path") != 0),
      bubble_(static_cast<Cycle>(p.get("core.line_bubble"))),
      successors_(static_cast<std::size_t>(p.get("core.l1i_bytes")) / block_bytes),
      stack_(static_cast<std::size_t>(p.get("core.return_stack"))) {}

// What was overwritten on a wrong path stays overwritten; the top goes back.
void Path::push(std::uint64_t back) {
  top_ = (top_ + 1) % stack_.size();
  stack_[top_] = back;
}

std::uint64_t Path::pop() {
  const std::uint64_t back = stack_[top_];
  top_ = (top_ + stack_.size() - 1) % stack_.size();
  return back;
}

Path::Fetched* Path::find(std::uint64_t id) {
  for (auto f = flight_.rbegin(); f != flight_.rend(); ++f) {
    if (f->id == id) return &*f;
  }
  return nullptr;
}

std::string Path::held(const Fetched& f) const {
  return fmt::format("; told by history {:x}: local {}, global {}, choice {}; next {:x}, stack {:x}", f.told.history,
                     f.told.local, f.told.global, directions_.choice[f.told.history].value, f.next, stack_[top_]);
}

// --- a cycle: outcomes and kills, retirement, fetch ----------------------------------------------------------------

void Path::see(Cycle now, std::span<const Seen> seen) {
  corrected_ = none;
  for (const Seen& s : seen) {
    if (s.signal == Signal::branch_resolved) resolved(now, s);
  }
  if (failed()) return;
  killed(now, seen);
  if (!failed()) retired(now, seen);
  if (!failed()) fetched(now, seen);
}

void Path::resolved(Cycle now, const Seen& seen) {
  const std::uint64_t id = seen.instruction->id;
  Fetched* const f = find(id);
  if (f == nullptr || !of_program(id)) {
    return differs(at(now) + fmt::format("branch {} resolves and is not in flight", id));
  }
  const Program::Step& step = program_.steps[id];
  const Flow flow = f->word.flow();
  const bool conditional = flow == Flow::conditional, jump = flow == Flow::jmp || flow == Flow::jsr;
  // Nothing comes after the last instruction of a trace that could be a wrong path.
  const bool right = f->next == step.next || !of_program(id + 1);
  unsigned detail = d::branch_predicted;
  if (conditional) detail |= d::branch_conditional;
  if (step.taken || !conditional) detail |= d::branch_taken;
  if (f->told.taken || !conditional) detail |= d::branch_predicted_taken;
  if (right) detail |= d::branch_correct;
  const unsigned known = jump && wrong_paths_ ? ~unsigned{d::branch_correct} : ~0u;
  if ((detail & known) != (seen.detail & known)) {
    return differs(at(now) +
                   fmt::format("branch {} at {:x}, which goes to {:x}: detail {:x} instead of {:x}", id, f->word.pc,
                               step.next, seen.detail, detail) +
                   held(*f));
  }
  if ((seen.detail & d::branch_correct) == 0) corrected_ = id;
}

void Path::killed(Cycle now, std::span<const Seen> seen) {
  std::set<std::uint64_t> gone;
  for (const Seen& s : seen) {
    if (is_kill(s)) gone.insert(s.instruction->id);
  }
  if (!gone.empty()) {
    const auto oldest =
        std::find_if(flight_.begin(), flight_.end(), [&](const Fetched& f) { return gone.contains(f.id); });
    const auto count = static_cast<std::size_t>(flight_.end() - oldest);
    if (count != gone.size()) {
      const auto stays = std::find_if(oldest, flight_.end(), [&](const Fetched& f) { return !gone.contains(f.id); });
      const std::uint64_t pc = stays != flight_.end() ? stays->word.pc : 0;
      return differs(at(now) +
                     fmt::format("{} instructions are killed, and {} from the oldest of them on are in flight, "
                                 "among them that at {:x}",
                                 gone.size(), count, pc));
    }
    directions_.history = oldest->history;
    top_ = oldest->top;
    flight_.erase(oldest, flight_.end());
    not_before_ = 0;
    line_comes_ = false;
  }
  if (corrected_ == none) return;
  not_before_ = 0;
  line_comes_ = false;
  const Fetched* const branch = find(corrected_);
  if (branch == nullptr || branch->word.flow() != Flow::conditional) return;
  directions_.history = Directions::shift(branch->history, program_.steps[corrected_].taken, global_bits);
}

void Path::retired(Cycle now, std::span<const Seen> seen) {
  std::set<std::uint64_t> done;
  for (const Seen& s : seen) {
    if (leaves_in_order(s)) done.insert(s.instruction->id);
  }
  for (; !done.empty(); flight_.pop_front()) {
    if (flight_.empty() || done.erase(flight_.front().id) == 0) {
      return differs(at(now) + fmt::format("instruction {} retires and is not the oldest", *done.begin()));
    }
    const Fetched& f = flight_.front();
    if (!of_program(f.id)) continue;
    const Program::Step& step = program_.steps[f.id];
    const Flow flow = f.word.flow();
    if (flow == Flow::conditional) directions_.learn(f.word.pc, f.told, step.taken);
    if (f.word.opcode() == 0x1a) successors_.learn(f.word.pc, step.next);
  }
}

void Path::fetched(Cycle now, std::span<const Seen> seen) {
  bool there = std::exchange(line_comes_, false), any = false, scanned = false;
  for (const Seen& s : seen) {
    if (s.signal != Signal::fetch) continue;
    there |= (s.detail & d::lookup_hit) != 0;
    line_comes_ |= (s.detail & d::lookup_hit) == 0;
  }
  std::uint64_t start = 0;
  for (const Seen& s : seen) {
    if (s.signal != Signal::instruction_fetch) continue;
    const std::uint64_t id = s.instruction->id;
    const bool in_program = of_program(id) || s.instruction->wrong_path;
    if (!any && now < not_before_ && in_program) {
      return differs(at(now) + fmt::format("instruction {} is fetched without the bubble of a wrong successor", id));
    }
    any = true;
    if (!flight_.empty() && flight_.back().id == id) {  // second half of a conditional move
      there = true;
      continue;
    }
    Fetched f;
    f.id = id;
    f.word = {s.instruction->ip, static_cast<std::uint32_t>(s.instruction->encoding)};
    f.history = directions_.history;
    f.top = top_;
    f.next = s.instruction->ip + 4;
    f.half = s.more->has(act::Kind::conditional_move) && !s.more->has(act::Kind::squashed);
    // What is fetched without its line traps to PALcode, and nothing is predicted.
    if (in_program && there) {
      predict(f);
      if (!scanned) start = f.word.pc;
      scanned = true;
    }
    flight_.push_back(f);
  }
  if (any) {
    not_before_ = 0;
  } else {
    line_comes_ |= there;
  }
  if (scanned && !wrong_paths_) end_group(now, start, flight_.back());
}

void Path::predict(Fetched& f) {
  const std::uint64_t back = f.word.pc + 4;
  switch (f.word.flow()) {
    case Flow::conditional:
      f.told = directions_.tell(f.word.pc);
      directions_.history = Directions::shift(directions_.history, f.told.taken, global_bits);
      if (f.told.taken) f.next = f.word.target();
      return;
    case Flow::br:
      f.next = f.word.target();
      return;
    case Flow::bsr:
      push(back);
      f.next = f.word.target();
      return;
    case Flow::jmp:
      f.next = successors_.of(f.word.pc);
      return;
    case Flow::jsr:
      push(back);
      f.next = successors_.of(f.word.pc);
      return;
    case Flow::ret:
      f.next = pop();
      return;
    case Flow::coroutine:
      f.next = pop();
      push(back);
      return;
    default:
      return;
  }
}

// The successor of the block is compared with what prediction says: where it was another one, it is retrained (2.2.1),
// and fetch loses a cycle. Nothing is fetched after a misprediction, or while PALcode or the second half of a
// conditional move is to come.
void Path::end_group(Cycle now, std::uint64_t start, const Fetched& last) {
  if (last.half || last.word.flow() == Flow::leaves || !of_program(last.id)) return;
  const Program::Step& step = program_.steps[last.id];
  if (of_program(last.id + 1) && last.next != step.next) return;
  if (successors_.of(start) == step.next) return;
  not_before_ = now + 1 + bubble_;
  successors_.learn(start, step.next);
}

void Path::end() {
  if (!flight_.empty()) differs(fmt::format("instruction {} has not left", flight_.front().id));
}

}  // namespace pmusim::testbench::alpha::lists
