#include "models/core/alpha/out_of_order/core.h"

#include <fmt/format.h>

#include "models/core/alpha/alpha.h"

namespace pmusim::core {
namespace {

std::unique_ptr<Core> make(alpha::Chip chip, std::unique_ptr<trace::Reader> reader,
                           const models::Parameters& parameters) {
  const trace::Isa isa = reader->info().isa;
  if (isa != trace::Isa::alpha) {
    throw CoreError(fmt::format("the alpha cores run alpha traces; this one is {}", trace::name_of(isa)));
  }
  return std::make_unique<alpha::out_of_order::OutOfOrderCore>(chip, std::move(reader), parameters);
}

}  // namespace

std::unique_ptr<Core> make_alpha_ev6(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return make(alpha::Chip::ev6, std::move(reader), parameters);
}
std::unique_ptr<Core> make_alpha_ev67(std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters) {
  return make(alpha::Chip::ev67, std::move(reader), parameters);
}

}  // namespace pmusim::core

namespace pmusim::core::alpha::out_of_order {

OutOfOrderCore::OutOfOrderCore(Chip chip, std::unique_ptr<trace::Reader> trace, const models::Parameters& parameters)
    : machine_(chip, parameters),
      pipeline_(chip, parameters),
      program_(std::move(trace)),
      flight_(pipeline_.fetch_groups),
      memory_(machine_),
      translation_(machine_),
      modes_(machine_),
      stimulus_(machine_, memory_, translation_, modes_),
      front_(machine_, pipeline_, flight_, memory_, translation_, program_, stimulus_, modes_, *this),
      load_store_(machine_, pipeline_, flight_, memory_, translation_, program_, front_, *this),
      queues_(machine_, pipeline_, flight_, *this),
      map_(machine_, pipeline_, flight_, queues_, load_store_, stimulus_, front_) {}

// --- the clock -------------------------------------------------------------------------------------------

bool OutOfOrderCore::finished() const {
  return front_.ended() && flight_.empty() && load_store_.drained() && memory_.quiet() && !own_interrupt_due_ &&
         !in_flow_ && !in_handler_;
}

void OutOfOrderCore::step() {
  machine_.agenda.start(now_);
  machine_.recorder.begin_cycle(now_);
  stimulus_.begin_cycle();
  if (clock_stopped_until_ != 0) {
    if (now_ < clock_stopped_until_) {
      machine_.agenda.at(clock_stopped_until_);
      return;
    }
    clock_stopped_until_ = 0;
    machine_.recorder.set(State::clock, 1);
  }
  memory_.begin_cycle();
  load_store_.take_returned();
  if (own_interrupt_due_ && !in_flow_ && !modes_.pal()) enter_own_interrupt();
  front_.poll_gate();
  if (!replaying_.empty()) replay();
  if (resolve_at_ <= now_) resolve_branches();
  machine_.agenda.at(resolve_at_);
  retire();
  load_store_.step();
  queues_.issue();
  map_.step();
  front_.fetch();
}

// --- directives ------------------------------------------------------------------------------------------

Gate OutOfOrderCore::pass(std::vector<trace::Directive>& directives, std::uint32_t& done, bool at_start) {
  while (done < directives.size()) {
    if (machine_.agenda.now() < paused_until_) {
      machine_.agenda.at(paused_until_);
      return Gate::wait;
    }
    const trace::Directive& directive = directives[done];
    const When when = stimulus_.when(directive, front_.line());
    const bool entry = directive.name == "interrupt" || directive.name == "mcheck" || directive.name == "reset";
    if (in_flow_ || in_handler_) return Gate::wait;
    if (when != When::at_once) {
      // True if no instruction of the correct path is in flight.
      const bool rest = flight_.empty() || flight_.at(flight_.retired).wrong_path;
      const bool ready = at_start && rest && load_store_.drained() && (when != When::quiet || memory_.quiet());
      if (!ready) return entry ? Gate::run_ahead : Gate::wait;
    }
    const Effect effect = stimulus_.act(directive, front_.line());
    ++done;
    machine_.agenda.changed();
    if (effect.flow != act::Trap::none) {
      Instruction* const by = flight_.empty() ? nullptr : &flight_.record(flight_.retired);
      enter_flow(effect.flow, by, front_.line());
      by_instruction_ = false;
      return Gate::wait;
    }
    if (effect.drops_fetched && !flight_.empty()) kill(flight_.retired);
    if (effect.pause != 0) {
      paused_until_ = machine_.agenda.now() + 1 + effect.pause;
      front_.hold_until(paused_until_);
      if (effect.clock_stops) {
        machine_.recorder.set_next(State::clock, 0);
        clock_stopped_until_ = paused_until_;
      }
      return Gate::wait;
    }
  }
  return Gate::open;
}

// --- perturbing mode ---------------------------------------------------------------------------------------

void OutOfOrderCore::take_interrupt(unsigned handler_instructions) {
  if (in_handler_ || own_interrupt_due_ || own_flow_) return;
  in_handler_ = own_interrupt_due_ = true;
  handler_instructions_ = std::max(handler_instructions, 1u);
  wake();
}

void OutOfOrderCore::enter_own_interrupt() {
  own_interrupt_due_ = false;
  own_flow_ = true;
  std::uint64_t resume = front_.line();
  for (Sequence s = flight_.retired; s != flight_.fetched; ++s) {
    if (flight_.at(s).line == no_line) continue;
    resume = flight_.at(s).line;
    break;
  }
  Instruction* const next = flight_.empty() ? nullptr : &flight_.record(flight_.retired);
  enter_flow(act::Trap::interrupt, next, resume);
}

}  // namespace pmusim::core::alpha::out_of_order

template class pmusim::core::SteppedCore<pmusim::core::alpha::out_of_order::OutOfOrderCore>;
