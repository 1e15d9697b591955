// Fetch: one aligned block of four instructions a cycle, along the predicted path. What the program really does comes
// from the trace; flows of PALcode and handlers are fetched one instruction a cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/alpha/memory_side.h"
#include "models/core/alpha/out_of_order/in_flight.h"
#include "models/core/alpha/out_of_order/line_predictor.h"
#include "models/core/alpha/out_of_order/sizes.h"
#include "models/core/alpha/pal.h"
#include "models/core/alpha/stimulus.h"
#include "models/core/alpha/translation.h"
#include "models/core/parts/directive_gate.h"
#include "models/core/parts/program.h"

namespace pmusim::core::alpha::out_of_order {

class FrontEnd {
 public:
  FrontEnd(Machine& machine, const Sizes& sizes, InFlight& flight, MemorySide& memory, Translation& translation,
           Program& program, Stimulus& stimulus, const Modes& modes, DirectiveGate& gate);

  /// Start of a cycle: asks the gate again if fetch stands before directives.
  void poll_gate();
  void fetch();

  /// Fetch goes on with this trace line from cycle `resume` on.
  void redirect(std::uint64_t line, Cycle resume);
  /// Fetch goes on with a flow of PALcode that is over `flow.cycles` after `start`, or with instructions of a handler.
  void enter_flow(const Flow& flow, Cycle start);
  void enter_handler(unsigned instructions, std::uint64_t address, Cycle start);
  void hold_until(Cycle resume) { resume_at_ = std::max(resume_at_, resume); }
  /// Forgets the operations from this one on, which are still in flight.
  void kill(Sequence from);
  /// A branch retires.
  void train(const Operation& operation);
  /// A mispredicted branch has its outcome.
  void correct(const Operation& operation);

  /// Next trace line to fetch on the correct path.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] bool ended() const { return ended_; }
  /// The trap that this line has taken does not come again when it is fetched again.
  void served(std::uint64_t line, act::Trap trap);
  [[nodiscard]] bool was_served(std::uint64_t line, act::Trap trap) const {
    return line == served_line_ && (served_ >> static_cast<unsigned>(trap) & 1) != 0;
  }

 private:
  enum class Source : std::uint8_t {
    trace,    ///< the correct path
    wrong,    ///< a path that the program does not take, with code that the trace's dictionary knows
    flow,     ///< PALcode
    handler,  ///< code of take_interrupt()
    stopped,  ///< nothing to fetch until redirected
  };

  [[nodiscard]] inline Program::Entry* next_line();
  inline Gate ask_gate(bool at_start);
  [[nodiscard]] inline Program::Entry* pass_gate();
  [[nodiscard]] inline Program::Entry* open_gate();
  inline void fetch_block();
  [[nodiscard]] inline bool code_there(std::uint64_t pc);
  inline void scan();
  inline bool scan_one();
  Operation& push(const StaticCode& code);
  Operation& make(const StaticCode& code, std::uint64_t id, bool wrong_path);
  inline void make_second_half();
  void fetch_made_up();
  bool follow(Operation& operation);
  [[nodiscard]] std::uint64_t predict(Operation& operation, bool& taken);
  void fault(std::uint64_t pc, act::Trap trap);
  inline void note_fetch(Sequence sequence);

  Machine& machine_;
  const Sizes& sizes_;
  Agenda& agenda_;
  InFlight& flight_;
  MemorySide& memory_;
  Translation& translation_;
  Program& program_;
  Stimulus& stimulus_;
  const Modes& modes_;
  DirectiveGate& gate_;
  StaticCodes codes_;
  Tournament directions_;
  LinePredictor lines_;
  ReturnStack returns_;
  StaticCode made_up_code_;  ///< of flows and handlers: no operands, one cycle
  Flow flow_;
  unsigned made_up_ = 0, made_up_count_ = 0;  ///< instructions of the flow or handler

  Source source_ = Source::trace;
  std::uint64_t line_ = 0;
  std::uint64_t pc_ = 0;
  std::uint64_t wrong_page_ = 0;  ///< the only page that a wrong path may miss in
  std::uint64_t group_ = 0;
  unsigned in_group_ = 0;
  Cycle resume_at_ = 0;
  std::optional<std::uint64_t> waiting_for_;  ///< address whose line is on its way
  bool fill_stream_ = false;                  ///< the block of pc_ asked for it
  bool half_ = false;                         ///< second half of a conditional move comes next
  bool ended_ = false, at_closed_gate_ = false;
  std::uint32_t trailing_done_ = 0;
  struct Owed {
    std::uint64_t line = no_line;
    act::Trap trap = act::Trap::none;
  } owed_;  ///< a trap of fetch that something older has overtaken
  std::uint64_t served_line_ = no_line;
  std::uint32_t served_ = 0;
};

}  // namespace pmusim::core::alpha::out_of_order
