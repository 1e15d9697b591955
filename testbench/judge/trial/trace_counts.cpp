#include "testbench/judge/trial/trace_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "models/activity/ia64.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/names.h"
#include "pmusim/trace/text.h"
#include "testbench/judge/trial/judging_facts.h"

namespace pmusim::testbench {

bool are_defaults(const models::Parameters& parameters, std::string_view prefix) {
  return std::all_of(parameters.infos().begin(), parameters.infos().end(), [&](const models::ParameterInfo& info) {
    return !info.name.starts_with(prefix) || info.name == "pmu.thread" ||
           parameters.get(info.name) == info.default_value;
  });
}

bool TraceCounts::has_rows(const std::string& target) { return !events_from_instructions(target).empty(); }

TraceCounts::TraceCounts(const std::string& target, trace::Reader& trace, const models::Parameters& parameters)
    : isa_(trace.info().isa) {
  const std::vector<std::string_view> rows = events_from_instructions(target);
  const std::unique_ptr<LineCounter> line_counter = judging_facts(target).line_counter(target);
  silent_ = rows.empty() || line_counter == nullptr || !are_defaults(parameters);
  if (silent_) return;
  constexpr unsigned user = 3;
  unsigned level = parameters.has("core.cpl") ? static_cast<unsigned>(parameters.get("core.cpl")) : user;
  Counts counts;
  for (trace::Item item; !silent_ && trace.next(item);) {
    if (item.directive == nullptr)
      silent_ = !line_counter->line(item.instruction, counts, level);
    else if (!trace::is_name(*item.directive))
      silent_ = !line_counter->directive(*item.directive, level);
  }
  // IA-64: a row that does not occur in the trace counts zero. A table contains the zero, or leaves the row open.
  if (isa_ == trace::Isa::ia64) {
    for (const std::string_view row : rows) counts.try_emplace(row);
  }
  line_counter->finish(counts);
  for (const auto& [row, count] : counts) {
    const bool is_term = row.starts_with("trace:");  // of identities
    if (is_term || std::find(rows.begin(), rows.end(), row) != rows.end()) counts_[row] = count;
  }
}

namespace {

/// The levels that a request counts, one bit each; none if the levels are not distinguished.
std::optional<unsigned> levels_of(trace::Isa isa, const oracle::Request& request) {
  constexpr unsigned all = 0xf;
  switch (isa) {
    case trace::Isa::ia64:
      if (request.ia64.levels != 0) return request.ia64.levels;
      return (request.user ? 8u : 0u) | (request.kernel ? 1u : 0u);
    case trace::Isa::alpha:  // only the 21164 filters, by modes that the operating system chooses
      if (!request.user || !request.kernel) return std::nullopt;
      return all;
    default:  // CPL 0, MSR[PR] = 0
      return (request.user ? all & ~1u : 0u) | (request.kernel ? 1u : 0u);
  }
}

}  // namespace

std::optional<std::uint64_t> TraceCounts::of(const oracle::Request& request) const {
  const auto found = counts_.find(request.event);
  if (silent_ || found == counts_.end() || !request.umasks.empty()) return std::nullopt;
  oracle::Request plain;
  plain.ia64.levels = request.ia64.levels;
  const bool more =
      request.threshold != 0 || request.invert || request.edge || request.marked || !request.same_qualifiers(plain);
  const auto asked = levels_of(isa_, request);
  if (more || !asked) return std::nullopt;
  std::uint64_t sum = 0;
  for (unsigned level = 0; level < levels; ++level) sum += (*asked >> level & 1) != 0 ? found->second[level] : 0;
  return sum;
}

// Counts the rows of a table from the instructions of a trace. It uses no code of a core.

using trace::Directive;
using trace::Instruction;

TableLineCounter::Rows TableLineCounter::row(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? 0 : Rows{1} << (found - names_.begin());
}

bool TableLineCounter::line(const Instruction& executed, TraceCounts::Counts& /*counts*/, unsigned level) {
  const CountedRows& counted =
      counted_rows_.of(*executed.code, [this](const trace::Code& code) { return decode(code); });
  if (counted.silent || !look(executed)) return false;
  undetermined_ |= counted.undetermined;
  if (counted.iterates && executed.taken && executed.target == executed.code->pc) return true;
  Rows rows = counted.always | (executed.taken ? counted.taken : 0);
  if (counted.stored != 0) {
    const auto stores = [](const trace::Access& access) { return access.store; };
    if (std::any_of(executed.accesses.begin(), executed.accesses.end(), stores)) rows |= counted.stored;
  }
  for (; rows != 0; rows &= rows - 1) ++counts_[static_cast<std::size_t>(std::countr_zero(rows))][level];
  return true;
}

void TableLineCounter::finish(TraceCounts::Counts& counts) {
  const Rows without = undetermined() | undetermined_;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if ((without >> i & 1) == 0) counts[names_[i]] = counts_[i];
  }
}

bool TableLineCounter::directive(const Directive& directive, unsigned& /*level*/) {
  return leaves_instructions_alone(directive.name);
}

bool leaves_instructions_alone(std::string_view directive) {
  constexpr std::string_view names[] = {"isa", "idle", "snoop", "bus"};
  return std::find(std::begin(names), std::end(names), directive) != std::end(names);
}

std::optional<unsigned> level_operand(const Directive& directive, std::string_view key) {
  for (const auto& [name, value] : directive.operands) {
    if (name == key && value.size() == 1 && value[0] >= '0' && value[0] <= '7')
      return static_cast<unsigned>(value[0] - '0');
    if (key.empty() && name.size() == 1 && value.empty() && name[0] >= '0' && name[0] <= '7')
      return static_cast<unsigned>(name[0] - '0');
  }
  return std::nullopt;
}

namespace {

constexpr unsigned slots = 3;
constexpr std::uint64_t bundle_bytes = 16;
/// Encodes an instruction's id: four times the bundle plus the slot, the thread, and a mark for instructions outside
/// the program.
constexpr unsigned slot_bits = 2, thread_bit = 62;
constexpr std::uint64_t handler = std::uint64_t{1} << 61, wrong_path = std::uint64_t{1} << 63;

}  // namespace

TraceBranches::TraceBranches(std::vector<std::unique_ptr<trace::Reader>> traces) {
  for (std::unique_ptr<trace::Reader>& reader : traces) programs_.emplace_back().reader = std::move(reader);
}

/// Reads until a branch that retires is found; false at the end of the trace.
bool TraceBranches::read_on(Program& program) {
  for (trace::Item item; program.next.empty();) {
    if (!program.reader->next(item)) return false;
    if (item.directive != nullptr) continue;
    const trace::Instruction& executed = item.instruction;
    const std::uint32_t id = executed.code->id;
    if (id >= program.known.size()) {
      program.known.resize(id + 1);
      program.slots.resize(id + 1);
    }
    if (!program.known[id]) {
      const trace::ia64::Bundle bundle = trace::ia64::decode(*executed.code);
      for (unsigned slot = 0; slot < slots; ++slot)
        program.slots[id][slot] = bundle.slots[slot].kind == trace::ia64::Kind::branch;
      program.known[id] = true;
    }
    const unsigned taken = executed.taken ? trace::taken_slot(executed.mask) : slots;
    for (unsigned slot = 0; slot < slots; ++slot) {
      if (!program.slots[id][slot] || executed.mask[slot] == '-') continue;
      program.next.push_back(
          {program.bundles, executed.code->pc, slot == taken ? executed.target : 0, slot, slot == taken});
    }
    ++program.bundles;
  }
  return true;
}

void TraceBranches::consume(const activity::Block& block) {
  for (const auto& retired : block.column(activity::Signal::retire)) {
    if (retired.ref == activity::no_ref || !problem_.empty()) continue;
    const auto& instruction = block.instructions[retired.ref];
    if (!block.syllables[retired.ref].has(activity::ia64::Kind::branch)) continue;
    if ((instruction.id & (handler | wrong_path)) != 0) continue;
    Program& program = programs_[programs_.size() > 1 ? instruction.id >> thread_bit & 1 : 0];
    const std::uint64_t ordinal = (instruction.id & (handler - 1)) >> slot_bits;
    const auto place = [&] {
      return fmt::format("the branch of slot {} at 0x{:x} that retires in cycle {}{}", instruction.slot, instruction.ip,
                         block.begin + retired.at, instruction.taken ? ", taken," : "");
    };
    if (!read_on(program)) {
      problem_ = place() + " is not in the trace";
      return;
    }
    const Branch branch = program.next.front();
    program.next.pop_front();
    ++branches_;
    const bool same = branch.ordinal == ordinal && branch.bundle == instruction.ip && branch.slot == instruction.slot &&
                      branch.taken == instruction.taken &&
                      (!branch.taken || branch.target / bundle_bytes == instruction.next_ip / bundle_bytes);
    if (same) continue;
    problem_ = fmt::format("{} is in the trace slot {} at 0x{:x}, {}", place(), branch.slot, branch.bundle,
                           branch.taken ? fmt::format("taken to 0x{:x}", branch.target) : "not taken");
  }
}

void TraceBranches::finish() {
  for (Program& program : programs_) {
    if (!problem_.empty() || !read_on(program)) continue;
    problem_ = fmt::format("the branch of slot {} at 0x{:x} in the trace does not retire", program.next.front().slot,
                           program.next.front().bundle);
  }
}

}  // namespace pmusim::testbench
