#include "testbench/mutate/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "testbench/driver/session.h"
#include "testbench/mutate/echoes.h"
#include "testbench/mutate/modes.h"
#include "testbench/mutate/relocated.h"
#include "testbench/validate/candidate.h"

namespace pmusim::testbench::mutate {
namespace {

/// Blocks are short, so that much is seen of what a program shows.
constexpr Cycle block_cycles = 512;
/// Instructions up to which a trace is run in every mode: enough for one of everything.
constexpr std::uint64_t few_instructions = 5000;
/// ... and at every place: some hundred times as long.
constexpr std::uint64_t fewest_instructions = 120;
/// One to bring a counter near its overflow, one to overflow it, one behind.
constexpr unsigned repetitions = 3;

/// What lets an overflow through to the processor at all; with the values that `pmusim record` writes.
struct Delivery {
  std::string_view reg;
  std::uint64_t value;
};
constexpr std::array delivery{Delivery{"LVTPC", 4 << 8}, Delivery{"PMV", 0xee}};

bool is_plain(const Group& group) {
  return group.checks.size() == 1 && group.checks[0].attributes.empty() && group.checks[0].raw.empty() &&
         !group.captures && group.unavailable_counters.empty() && words_of(group.filters).empty();
}

/// DR7 with all four breakpoints on, for instructions.
constexpr std::uint64_t all_execute = 0x55;

/// Address of an instruction that no breakpoint of the plan is for.
std::uint64_t other_instruction(const Stimulus& stimulus) {
  for (const Block& block : stimulus.log.blocks()) {
    for (const activity::InstructionRecord& record : block.instructions) {
      if (record.ip != stimulus.landmarks.instruction) return record.ip;
    }
  }
  return stimulus.landmarks.instruction;
}

/// Athlon: DR7 enables and describes all four breakpoints. Those of `own`, and the others as in `others`.
std::uint64_t joined_debug_control(std::uint64_t own, std::uint64_t others) {
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t enable = std::uint64_t{3} << (2 * i), kind = std::uint64_t{0xf} << (16 + 4 * i);
    if ((own & enable) == 0) own |= others & (enable | kind);
  }
  return own;
}

/// Traces written against mutants that no other one kills.
std::vector<std::filesystem::path> own_traces(trace::Isa isa) {
  const auto folder = data_folder() / "testbench" / "mutate" / "traces" / trace::name_of(isa);
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Requests::Requests(const std::string& target, const std::string& only, std::size_t traces)
    : target_(target),
      model_(*models::find_target(target)),
      parameters_(model_.parameters()),
      monitor_(model_.make_monitor(parameters_)) {
  for (const pmu::RegisterInfo& info : monitor_->registers()) {
    if (info.kind == pmu::RegisterKind::counter) counters_.push_back(info);
  }
  for (const testbench::Stimulus& shipped : shipped_stimuli(target)) {
    if (shipped.depth != Depth::full || !shipped.second.empty()) continue;
    record(shipped.file);
  }
  for (const std::filesystem::path& file : own_traces(model_.isa)) record(file);
  std::stable_sort(stimuli_.begin(), stimuli_.end(),
                   [](const Stimulus& a, const Stimulus& b) { return a.log.cycles() < b.log.cycles(); });
  if (stimuli_.size() > traces) stimuli_.resize(traces);
  for (Stimulus& stimulus : stimuli_) stimulus.replay = std::make_unique<Replay>(model_, parameters_, stimulus.log);

  const Landmarks& landmarks = best_landmarks();
  for (Group& group : make_plan(target, Depth::full, landmarks)) {
    if (!group.extra.empty()) breakpoints_.push_back(std::move(group));
  }
  for (Group& group : make_plan(target, Depth::full, landmarks, only)) {
    const bool plain = is_plain(group);
    Request& request = requests_.emplace_back(Request{std::move(group)});
    request.sampled = request.group.captures.has_value();
    if (plain) requests_.push_back({requests_.back().group, true});
  }
  for (Stimulus& stimulus : stimuli_) stimulus.comparators = comparators_of(stimulus);
  for (const Request& request : requests_) {
    Answer answer = ask(request);
    asked_.emplace_back();
    if (answer.status == Answer::Status::encoded) asked_.back() = std::move(answer.registers);
  }
  for (const auto& registers : asked_) answers_.push_back(registers ? &*registers : nullptr);
}

void Requests::record(const std::filesystem::path& file) {
  const Landmarks landmarks = find_landmarks(file);
  const auto add = [&](const Mode& mode, ActivityLog log) {
    Stimulus& stimulus = stimuli_.emplace_back();
    stimulus.file = file;
    stimulus.mode = mode.name;
    stimulus.landmarks = landmarks;
    stimulus.log = std::move(log);
  };
  for (const Mode& mode : modes_of(model_.isa)) {
    SessionOptions options;
    options.engine = Engine::direct;
    options.block_cycles = block_cycles;
    Session session(model_, parameters_, options);
    ActivityLog log;
    session.add_observer([&](const Block& block) { log.append(block); });
    const SessionResult ran = session.run(in_mode(trace::open(file), mode));
    if (ran.instructions > few_instructions) return add(mode, std::move(log));
    if (mode.relocated && ran.instructions <= fewest_instructions) add(mode, relocated(log, landmarks));
    log = repeated(log, repetitions);
    for (unsigned times = 1; times <= mode.times; ++times) {
      add(mode, multiplied(log, times));
      add(mode, multiplied(spread(log), times));
      stimuli_.back().late = times % 2 == 0;
    }
    add(mode, std::move(log));
  }
}

// A trace that has everything a filter or breakpoint can be set on.
const Landmarks& Requests::best_landmarks() const {
  const auto has_all = [](const Stimulus& stimulus) {
    const Landmarks& marks = stimulus.landmarks;
    return marks.instruction != 0 && marks.load != 0 && marks.store != 0;
  };
  const auto best = std::find_if(stimuli_.begin(), stimuli_.end(), has_all);
  return (best == stimuli_.end() ? stimuli_.begin() : best)->landmarks;
}

// Each register as the first group of the plan sets it that does. The Athlon's all stop where no request's does, so
// that none is taken for another.
std::vector<RegisterWrite> Requests::comparators_of(const Stimulus& stimulus) const {
  std::vector<RegisterWrite> writes;
  for (const Group& with_breakpoints : breakpoints_) {
    const auto is_known = [&](const ExtraWrite& extra) {
      const pmu::RegisterId id = write_of(extra.reg, 0).id;
      return std::any_of(writes.begin(), writes.end(), [&](const RegisterWrite& write) { return write.id == id; });
    };
    if (std::all_of(with_breakpoints.extra.begin(), with_breakpoints.extra.end(), is_known)) continue;
    Group group = with_breakpoints;
    move_to(target_, stimulus.landmarks, group);
    for (const ExtraWrite& extra : group.extra) {
      if (is_known(extra)) continue;
      std::uint64_t value = extra.value;
      if (extra.reg.starts_with("DR")) value = extra.reg == "DR7" ? all_execute : other_instruction(stimulus);
      writes.push_back(write_of(extra.reg, value));
    }
  }
  return writes;
}

RegisterWrite Requests::write_of(const std::string& reg, std::uint64_t value) const {
  const auto info = pmu::find_register(*monitor_, reg);
  if (!info) throw std::runtime_error(fmt::format("the model has no register '{}'", reg));
  return {info->id, value};
}

Answer Requests::ask(const Request& request) const {
  if (!request.sampled || request.group.captures) return own_encoder()->encode(target_, request.group);
  std::vector<std::string> texts;
  for (const Check& check : request.group.checks) texts.push_back(check.text());
  return answer_of(encoder::encode(target_, texts, {.sampling = true}));
}

Registers Requests::reset_of(const Registers& answer) const {
  Registers reset = answer;
  for (encoder::RegisterValue& reg : reset) {
    const auto info = pmu::find_register(*monitor_, reg.name);
    reg.value = info ? monitor_->read(info->id, {}).value : 0;
  }
  return reset;
}

Layout Requests::layout_of(const Registers& answer) {
  Layout layout;
  for (const encoder::RegisterValue& reg : answer) {
    const auto [place, is_new] = fields_.try_emplace(reg.name);
    if (is_new) place->second = fields_of(target_, reg.name, reg.width);
    layout.push_back(place->second);
  }
  return layout;
}

std::vector<RegisterWrite> Requests::writes_of(const Registers& registers) const {
  std::vector<RegisterWrite> writes;
  for (const encoder::RegisterValue& reg : registers) writes.push_back(write_of(reg.name, reg.value));
  return writes;
}

std::optional<Requests::Placed> Requests::place(const Request& request, const Stimulus& stimulus) const {
  Request here = request;
  move_to(target_, stimulus.landmarks, here.group);
  Answer answer = ask(here);
  if (answer.status != Answer::Status::encoded) return std::nullopt;
  Placed placed{std::move(answer.registers), std::move(answer.counters), {}};
  for (const Delivery& entry : delivery) {
    if (const auto info = pmu::find_register(*monitor_, entry.reg))
      placed.program.setup.push_back({info->id, entry.value});
  }
  auto& setup = placed.program.setup;
  setup.insert(setup.end(), stimulus.comparators.begin(), stimulus.comparators.end());
  for (const ExtraWrite& extra : here.group.extra) {
    RegisterWrite write = write_of(extra.reg, extra.value);
    const auto same = [&](const RegisterWrite& other) { return other.id == write.id; };
    const auto other = std::find_if(stimulus.comparators.begin(), stimulus.comparators.end(), same);
    if (extra.reg == "DR7" && other != stimulus.comparators.end())
      write.value = joined_debug_control(write.value, other->value);
    setup.push_back(write);
  }
  return placed;
}

void Requests::set_starts(const Request& request, Placed& placed, const Stimulus& stimulus) const {
  placed.program.starts.clear();
  placed.program.registers = writes_of(placed.registers);
  const std::vector<std::uint64_t> counts = stimulus.replay->counts(placed.program);
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    std::uint64_t period = stimulus.late ? counts[i] + 1 : std::max<std::uint64_t>(1, (counts[i] + 1) / 2);
    if (request.group.captures) period = request.group.captures->period;
    const auto start = encoder::preset(target_, static_cast<unsigned>(i), period);
    if (!start) throw std::runtime_error(start.error().message);
    placed.program.starts.push_back({counters_[i].id, *start});
  }
}

JobVerdict Requests::verify(const Stimulus& stimulus, const std::string& only) const {
  Task task;
  task.target = target_;
  task.trace = stimulus.file;
  task.parameters = parameters_;
  task.plan = make_plan(target_, Depth::full, stimulus.landmarks, only);
  for (const Group& group : task.plan) task.answers.push_back(ask({group}));
  task.activity = &stimulus.log;
  return judge(task);
}

}  // namespace pmusim::testbench::mutate
