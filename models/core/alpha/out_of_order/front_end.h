// Fetch: one aligned block of four instructions per cycle, along the predicted path. The trace determines the correct
// path; flows of PALcode and handlers are fetched one instruction per cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/core/alpha/memory_side.h"
#include "models/core/alpha/out_of_order/in_flight.h"
#include "models/core/alpha/out_of_order/prediction.h"
#include "models/core/alpha/out_of_order/settings.h"
#include "models/core/alpha/pal.h"
#include "models/core/alpha/stimulus.h"
#include "models/core/parts/program.h"

namespace pmusim::core::alpha::out_of_order {

class FrontEnd {
 public:
  FrontEnd(Machine& machine, const OutOfOrderSettings& pipeline, InFlight& flight, MemorySide& memory,
           Translation& translation, Program& program, Stimulus& stimulus, const Modes& modes, DirectiveGate& gate);

  /// At the start of a cycle: polls the gate again if fetch is stopped before directives.
  void poll_gate();
  void fetch();

  /// Fetch continues with this trace line in cycle `resume`.
  void redirect(std::uint64_t line, Cycle resume);
  /// The same on the wrong path, from this address on.
  void refetch_wrong(std::uint64_t pc, Cycle resume);
  /// Fetch goes on with a flow of PALcode that is over `flow.cycles` after `start`, or with instructions of a handler.
  void enter_flow(const Flow& flow, Cycle start);
  void enter_handler(unsigned instructions, std::uint64_t address, Cycle start);
  void hold_until(Cycle resume) { resume_at_ = std::max(resume_at_, resume); }
  /// Removes the operations from `from` on, which are still in flight.
  void kill(Sequence from);
  /// Trains the predictors with a branch that retires.
  void train(const Operation& operation);
  /// Corrects the global history when a mispredicted branch is resolved.
  void correct(const Operation& operation);

  /// Next trace line to fetch on the correct path.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] bool ended() const { return ended_; }
  /// Records that this line has taken a trap: the trap does not occur again when the line is refetched.
  void served(std::uint64_t line, act::Trap trap);
  [[nodiscard]] bool was_served(std::uint64_t line, act::Trap trap) const {
    return line == served_line_ && (served_ >> static_cast<unsigned>(trap) & 1) != 0;
  }

 private:
  enum class Source : std::uint8_t {
    trace,    ///< the correct path
    wrong,    ///< a path that the program does not take, with code from the trace's dictionary
    flow,     ///< PALcode
    handler,  ///< code of take_interrupt()
    stopped,  ///< nothing to fetch until redirected
  };

  [[nodiscard]] inline Program::Entry* next_line();
  [[nodiscard]] inline Program::Entry* pass_gate();
  [[nodiscard]] inline Program::Entry* open_gate();
  inline void fetch_block();
  [[nodiscard]] inline bool code_there(std::uint64_t pc);
  [[nodiscard]] bool look_for_code(std::uint64_t pc);
  inline void scan();
  [[gnu::always_inline]] inline bool scan_one();
  inline Operation& push(const StaticCode& code);
  [[gnu::always_inline]] inline Operation& make(const StaticCode& code, std::uint64_t id, bool wrong_path);
  void make_with_record(const Operation& operation, Sequence sequence);
  inline void make_second_half();
  void fetch_made_up();
  /// Sets the address at which fetch continues after the instruction. Returns false if the instruction ends its group.
  bool follow(Operation& operation) {
    if (!operation.code->plain) return follow_special(operation);
    pc_ = operation.code->next();
    return true;
  }
  bool follow_special(Operation& operation);
  [[nodiscard]] std::uint64_t predict(Operation& operation, bool& taken);
  void fault(std::uint64_t pc, act::Trap trap);
  inline void note_fetch(Sequence sequence);

  Machine& machine_;
  const OutOfOrderSettings& pipeline_;
  Agenda& agenda_ = machine_.agenda;
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
  StaticCode made_up_code_;  ///< code of flows and handlers: no operands, one cycle
  Flow flow_;
  unsigned made_up_ = 0, made_up_count_ = 0;  ///< instructions of the flow or handler

  Source source_ = Source::trace;
  std::uint64_t line_ = 0;
  std::uint64_t pc_ = 0;
  std::uint64_t wrong_page_ = 0;  ///< the only page in which a wrong path may miss
  std::uint64_t group_ = 0;
  unsigned in_group_ = 0;
  Cycle resume_at_ = 0;
  std::optional<std::uint64_t> waiting_for_;  ///< address whose line is being filled
  bool fill_stream_ = false;                  ///< the fetch of the block at pc_ requested the fill
  bool half_ = false;                         ///< the second half of a conditional move is next
  bool ended_ = false, at_closed_gate_ = false;
  struct Owed {
    std::uint64_t line;
    act::Trap trap;
  };
  std::vector<Owed> owed_;  ///< fetch traps that older operations have killed
  std::uint64_t served_line_ = no_line;
  std::uint32_t served_ = 0;
};

}  // namespace pmusim::core::alpha::out_of_order
