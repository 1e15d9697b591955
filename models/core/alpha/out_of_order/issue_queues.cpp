#include "models/core/alpha/out_of_order/issue_queues.h"

#include "models/core/alpha/out_of_order/core.h"

namespace pmusim::core::alpha::out_of_order {

namespace {
constexpr Cycle store_slot_to_lower = 2;  ///< cycles from the issue of an FP store or FTOI to its use of a lower pipe
}

IssueQueues::IssueQueues(Machine& machine, const OutOfOrderSettings& pipeline, InFlight& flight, OutOfOrderCore& core)
    : machine_(machine), pipeline_(pipeline), agenda_(machine.agenda), flight_(flight), core_(core) {
  integer_.reserve(pipeline.integer_queue);
  fp_.reserve(pipeline.fp_queue);
}

void IssueQueues::kill(Sequence from) {
  const auto drop = [from](std::vector<Waiting>& queue) {
    while (!queue.empty() && queue.back().sequence >= from) queue.pop_back();
  };
  drop(integer_);
  drop(fp_);
}

void IssueQueues::issue() {
  if (!integer_.empty()) issue_integer();
  if (!fp_.empty()) issue_fp();
}

// Reads the result times of those producers that have one.
void IssueQueues::learn_operands(Operation& operation) {
  const PipeRule& rule = *operation.rule;
  for (unsigned i = 0; i < operation.pending_count;) {
    const Sequence producer = operation.pending[i];
    if (producer >= flight_.retired) {
      const Operation& from = flight_.at(producer);
      if (from.result == activity::never) {
        ++i;
        continue;
      }
      const bool fp_to_store = rule.queue == Queue::fp && rule.pipes == pipe::fp_store && from.rule->queue == Queue::fp;
      const Cycle at = from.result + (fp_to_store ? pipeline_.fp_to_store : 0);
      const Cycle across = at + pipeline_.cluster_delay;
      operation.ready[0] = std::max(operation.ready[0], from.cluster == 1 ? across : at);
      operation.ready[1] = std::max(operation.ready[1], from.cluster == 0 ? across : at);
    }
    operation.pending[i] = operation.pending[--operation.pending_count];
  }
}

bool IssueQueues::operands_known(Waiting& waiting, Operation& operation) {
  if (operation.pending_count == 0) return true;
  learn_operands(operation);
  // A result time that has been read is kept even if the result is withdrawn later.
  waiting.producer = operation.pending_count == 1 ? operation.pending[0] : unblocked;
  return operation.pending_count == 0;
}

IssueQueues::Taken& IssueQueues::lower_in(Cycle cycle) {
  Taken& taken = lower_taken_[cycle % lower_taken_.size()];
  if (taken.at != cycle) taken = {cycle, 0};
  return taken;
}

/// True if the operation issues to one of the pipes that are free.
inline bool IssueQueues::try_integer(Waiting& waiting, std::uint8_t& free) {
  Operation& operation = flight_.at(waiting.sequence);
  if (!operands_known(waiting, operation)) return false;
  const Cycle now = agenda_.now();
  // The pipes of its side, one bit per cluster.
  const unsigned side = pipe::side_shift(operation.side);
  const unsigned fits = operation.rule->pipes >> side & 3u;
  const unsigned ready = (operation.ready[0] <= now ? 1u : 0u) | (operation.ready[1] <= now ? 2u : 0u);
  const unsigned usable = fits & free >> side & ready;
  if (usable == 0) {
    const Cycle first = (fits & 1u) != 0 ? operation.ready[0] : activity::never;
    const Cycle second = (fits & 2u) != 0 ? operation.ready[1] : activity::never;
    waiting.wake = std::max(std::min(first, second), now + 1);
    return false;
  }
  // An operation that can use both gets L0 or U1 (21264/EV67 manual 2.1.1.6).
  const bool takes_second = usable == 2 || (usable == 3 && operation.side == Side::upper);
  const auto best = static_cast<std::uint8_t>(takes_second ? 1 : 0);
  if (operation.code->waits_for_others() && !core_.may_issue(waiting.sequence)) return false;
  free &= static_cast<std::uint8_t>(~pipe::of(operation.side, best));
  start(waiting.sequence, best);
  return true;
}

void IssueQueues::issue_integer() {
  const Cycle now = agenda_.now();
  auto free = static_cast<std::uint8_t>(pipe::any & ~lower_in(now).pipes);
  Cycle next = activity::never;
  auto kept = integer_.begin();
  for (Waiting& waiting : integer_) {
    if (free != 0 && waiting.wake <= now && !is_blocked(waiting) && try_integer(waiting, free)) continue;
    if (waiting.wake > now) next = std::min(next, waiting.wake);
    if (&*kept != &waiting) *kept = waiting;
    ++kept;
  }
  agenda_.at(next);
  const auto issued = static_cast<unsigned>(integer_.end() - kept);
  if (issued == 0) return;
  integer_.erase(kept, integer_.end());
  // In the window of an integer load their entries stay an additional cycle.
  const bool in_window = now == windows_[now % windows_.size()];
  integer_left_.give_back(now, now + pipeline_.queue_release + (in_window ? 1 : 0), issued);
}

void IssueQueues::issue_fp() {
  const Cycle now = agenda_.now();
  bool store_slot = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < fp_.size(); ++i) {
    Waiting waiting = fp_[i];
    Operation& operation = flight_.at(waiting.sequence);
    bool gone = false;
    if (waiting.wake <= now && !is_blocked(waiting) && operands_known(waiting, operation)) {
      const PipeRule& rule = *operation.rule;
      const Cycle ready = operation.ready[0];
      if (ready > now) {
        waiting.wake = ready;
      } else if (rule.pipes == pipe::fp_store) {
        std::uint8_t& lower = lower_in(now + store_slot_to_lower).pipes;
        if (store_slot && lower != pipe::lower && core_.may_issue(waiting.sequence)) {
          store_slot = false;
          lower |= (lower & pipe::l0) == 0 ? pipe::l0 : pipe::l1;
          start(waiting.sequence, both_clusters);
          gone = true;
        } else {
          waiting.wake = now + 1;
        }
      } else {
        Cycle& unit = fp_free_[rule.pipes == pipe::fp_multiply ? 1 : 0];
        Cycle& divider = fp_free_[2];
        const bool divides = rule.busy != 1;
        if (unit <= now && (!divides || divider <= now)) {
          unit = now + 1;
          if (divides) divider = now + rule.busy;
          start(waiting.sequence, both_clusters);
          gone = true;
        } else {
          waiting.wake = std::max(now + 1, divides ? divider : unit);
        }
      }
    }
    if (gone) continue;
    if (waiting.wake > now) agenda_.at(waiting.wake);
    fp_[kept++] = waiting;
  }
  fp_left_.give_back(now, now + pipeline_.queue_release, static_cast<unsigned>(fp_.size() - kept));
  fp_.resize(kept);
}

void IssueQueues::start(Sequence sequence, std::uint8_t cluster) {
  Operation& operation = flight_.at(sequence);
  const PipeRule& rule = *operation.rule;
  const Cycle now = agenda_.now();
  operation.issued = now;
  // Data from memory and the link of a branch reach both clusters together (21264/EV67 manual, table 2-4).
  const bool crosses = rule.queue == Queue::integer && (rule.latency == 1 || rule.crosses);
  operation.cluster = crosses ? cluster : both_clusters;
  operation.result = now + rule.latency;
  if (operation.first) flight_.occur_unchanged(machine_.recorder, Signal::issue, sequence);
  agenda_.changed();
  const StaticCode& code = *operation.code;
  // An integer load opens a window when its first user may issue.
  if (code.has(act::Kind::load) && operation.integer_results != 0) {
    windows_[operation.result % windows_.size()] = operation.result;
  }
  // An integer operate may retire before it has its result, unless the result tells whether it traps.
  operation.complete = now + pipeline_.integer_retire - fetch_to_issue + (code.traps_late ? rule.latency - 1u : 0u);
  if (!code.computes || code.is_branch() || operation.notes != nullptr) core_.issued(sequence);
}

}  // namespace pmusim::core::alpha::out_of_order
