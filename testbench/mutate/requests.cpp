#include "testbench/mutate/requests.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "testbench/driver/firmware.h"
#include "testbench/driver/programming.h"
#include "testbench/driver/session.h"
#include "testbench/driver/session_facts.h"
#include "testbench/mutate/equivalence.h"
#include "testbench/mutate/ia64_stimuli.h"
#include "testbench/questions/activity_transforms.h"
#include "testbench/questions/modes.h"
#include "testbench/questions/privilege_contexts.h"
#include "testbench/questions/question.h"
#include "testbench/questions/stimuli.h"
#include "testbench/validate/candidate.h"
#include "testbench/validate/judging_bench.h"
#include "testbench/validate/only.h"

namespace pmusim::testbench::mutate {

using questions::held;
using questions::in_mode;
using questions::merged;
using questions::Mode;
using questions::modes_of;
using questions::multiplied;
using questions::repeated;
using questions::spread;

namespace {

/// Transforms use short blocks, replays long ones.
constexpr Cycle block_cycles = 512, merged_cycles = 4096;
/// Instructions up to which a trace is run in every mode: enough for one occurrence of each kind.
constexpr std::uint64_t few_instructions = 5000;
/// IA-64: the address of all data.
constexpr std::uint64_t data_landmark = 0x6000000000200040;
/// One to bring a counter near its overflow, one to overflow it, one after that.
constexpr unsigned repetitions = 3;

/// If there are more questions, only the quick ones are used: they set every bit, and one answer has hundreds of
/// mutants.
constexpr std::size_t most_questions = 2500;

/// An access that faults, which a replay observes: software notices that PALcode refused a call.
constexpr RegisterWrite refused_call{{pmu::Space::ipr, 0xffffffff}, 0};

/// IA-64: data breakpoints are in the plan's ranges, but not at the octet that is a range of its own.
constexpr std::uint64_t other_octet = 0x20;
bool is_data_address(const std::string& reg) { return reg.starts_with("DBR") && (reg.back() - '0') % 2 == 0; }

/// DR7 with all four breakpoints on, for instructions.
constexpr std::uint64_t all_execute = 0x55;

/// Address of an instruction that no breakpoint of the plan matches.
std::uint64_t other_instruction(const Stimulus& stimulus) {
  for (const Block& block : stimulus.log.blocks()) {
    for (const activity::InstructionRecord& record : block.instructions) {
      if (record.ip != stimulus.landmarks.instruction) return record.ip;
    }
  }
  return stimulus.landmarks.instruction;
}

/// Athlon: DR7 enables and describes all four breakpoints. Combines those of `own` with the others from `others`.
std::uint64_t joined_debug_control(std::uint64_t own, std::uint64_t others) {
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint64_t enable = std::uint64_t{3} << (2 * i), kind = std::uint64_t{0xf} << (16 + 4 * i);
    if ((own & enable) == 0) own |= others & (enable | kind);
  }
  return own;
}

/// Traces written for questions that no other trace answers.
std::filesystem::path own_folder(trace::Isa isa) {
  return data_folder() / "testbench" / "questions" / "traces" / trace::name_of(isa);
}
std::vector<std::filesystem::path> own_traces(trace::Isa isa) {
  const auto folder = own_folder(isa);
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The default parameters, except where these hide an effect: the target's facts list such parameters, and on IA-64
/// they are SYLL_OVERCOUNT, the prefetches of events filtered by a range on prefetches, and several halted cycles at a
/// time.
models::Parameters parameters_for(const models::Target& target) {
  models::Parameters parameters = target.parameters();
  if (parameters.has("pmu.syllable_overcount")) parameters.set("pmu.syllable_overcount", "both_stops");
  if (parameters.has("pmu.fetch_hits")) parameters.set("pmu.fetch_hits", "all");
  if (parameters.has("pmu.halted_cycles")) parameters.set("pmu.halted_cycles", "seven");
  if (const EquivalenceFacts* const facts = find_equivalence_facts(target.name)) {
    for (const auto& [name, value] : facts->settings) parameters.set(std::string(name), std::string(value));
  }
  return parameters;
}

}  // namespace

std::vector<Group> requests_of(const std::string& target, const std::string& only) {
  using questions::Extent;
  const Only chosen(only);
  std::vector<questions::Question> asked = questions::questions_of(target, Extent::full);
  if (asked.size() > most_questions) asked = questions::questions_of(target, Extent::quick);
  std::vector<Group> requests;
  for (questions::Question& question : asked) {
    const auto& checks = question.group.checks;
    const bool wanted =
        std::all_of(checks.begin(), checks.end(), [&](const Check& check) { return chosen.admits(check.text()); });
    if (wanted && question.illegal.empty()) requests.push_back(std::move(question.group));
  }
  return requests;
}

Requests::Requests(const std::string& target, const std::string& only, std::size_t traces)
    : target_(target),
      model_(*models::find_target(target)),
      parameters_(parameters_for(model_)),
      monitor_(model_.make_monitor(parameters_)) {
  for (const pmu::RegisterInfo& info : monitor_->registers()) {
    if (info.kind == pmu::RegisterKind::counter) counters_.push_back(info);
  }
  for (const testbench::Stimulus& shipped : shipped_stimuli(target)) {
    // Traces shared with another target are judged by sets only; for mutants they are used like others.
    const bool is_short = shipped.depth == Depth::full || shipped.provenance != Provenance::real;
    if (is_short && shipped.settings.empty()) record(shipped.file.path(), shipped.second.path());
  }
  for (const std::filesystem::path& file : own_traces(model_.isa)) record(file, {});
  if (!gathered_.empty()) gather();
  questions::Stimulus everything = questions::Stimuli(target, parameters_).everything();
  Stimulus& stimulus = stimuli_.emplace_back();
  stimulus.file = stimuli_.front().file;
  stimulus.mode = std::move(everything.name);
  stimulus.landmarks = everything.landmarks;
  stimulus.made_up = true;  // blocks of many traces, one after the other
  stimulus.log = merged(everything.log, merged_cycles);
  std::stable_sort(stimuli_.begin(), stimuli_.end(),
                   [](const Stimulus& a, const Stimulus& b) { return a.log.cycles() < b.log.cycles(); });
  if (stimuli_.size() > traces) stimuli_.resize(traces);
  for (Stimulus& stimulus : stimuli_) {
    stimulus.replay = std::make_unique<Replay>(model_, parameters_, stimulus.log);
    const bool both =
        stimulus.mode == "kernel" || (stimulus.mode.starts_with("marked ") && model_.isa == trace::Isa::alpha);
    const EquivalenceFacts* const facts = find_equivalence_facts(target_);
    if (facts != nullptr && facts->begun != nullptr)
      stimulus.replay->begin_with(*facts->begun(model_, parameters_, both));
  }

  const Landmarks& landmarks = best_landmarks();
  requests_ = requests_of(target, only);
  for (Group& request : requests_) {
    move_to(target, landmarks, request);
    // The registers of a raw code are no breakpoints.
    if (!request.extra.empty() && request.checks.front().raw.empty()) breakpoints_.push_back(request);
  }
  for (Stimulus& stimulus : stimuli_) stimulus.comparators = comparators_of(stimulus);
  for (const Group& request : requests_) {
    Answer answer = own_encoder()->encode(target_, request);
    asked_.emplace_back();
    if (answer.status == Answer::Status::encoded) asked_.back() = std::move(answer.registers);
  }
  drop_repeated();
  for (const auto& registers : asked_) answers_.push_back(registers ? &*registers : nullptr);
}

// Drops requests with the same registers as an earlier one, such as an interrupt requested in another way, or the
// default level.
void Requests::drop_repeated() {
  const auto digits = [](const Registers& registers) {
    std::string text;
    for (const encoder::RegisterValue& reg : registers) text += fmt::format("{}={:x} ", reg.name, reg.value);
    return text;
  };
  std::vector<Group> kept;
  std::vector<std::optional<Registers>> answers;
  std::unordered_set<std::string> known;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (!asked_[i] || !known.insert(digits(*asked_[i])).second) continue;
    kept.push_back(std::move(requests_[i]));
    answers.push_back(std::move(asked_[i]));
  }
  requests_ = std::move(kept);
  asked_ = std::move(answers);
}

void Requests::record(const std::filesystem::path& file, const std::filesystem::path& second) {
  const Landmarks landmarks = find_landmarks(file);
  const auto add = [&](const Mode& mode, const ActivityLog& log) {
    Stimulus& stimulus = stimuli_.emplace_back();
    stimulus.file = file;
    stimulus.second = second;
    stimulus.mode = mode.name;
    stimulus.landmarks = landmarks;
    stimulus.log = merged(log, merged_cycles);
  };
  const auto modes = modes_of(model_.isa);
  ActivityLog as_it_is;
  for (const Mode& mode : modes) {
    if (!mode.held.empty()) {
      add(mode, held(as_it_is, mode.held));
      continue;
    }
    SessionOptions options;
    options.engine = Engine::direct;
    options.block_cycles = block_cycles;
    Session session(model_, parameters_, options);
    ActivityLog log;
    session.add_observer([&](const Block& block) { log.append(block); });
    std::vector<std::unique_ptr<trace::Reader>> traces;
    traces.push_back(in_mode(trace::open(file), mode));
    if (!second.empty()) traces.push_back(in_mode(trace::open(second), mode));
    const SessionResult ran = session.run(std::move(traces));
    if (mode.gathered) {
      // The questions' ranges are at addresses of some of their own traces; gathered activity is moved elsewhere.
      if (file.parent_path() == own_folder(model_.isa)) {
        const unsigned threads = model_.threads();
        add(mode, questions::in_all_contexts(log, threads));
        add(mode, repeated(log, repetitions));
      }
      if (ran.instructions <= few_instructions) gathered_.push_back(std::move(log));
      return;
    }
    const bool is_long = ran.instructions > few_instructions;
    if (!is_long) log = repeated(log, repetitions);
    if (!modes.back().held.empty()) as_it_is = log;
    if (is_long) {
      add(mode, log);
      if (modes.back().held.empty()) return;
      continue;
    }
    if (mode.times > 1) add(mode, questions::high_occurrence(log));  // counter masks have eight bits
    for (unsigned times = 1; times <= mode.times; ++times) {
      add(mode, multiplied(log, times));
      add(mode, multiplied(spread(log), times));
      stimuli_.back().late = times % 2 == 0;
    }
    add(mode, log);
  }
}

void Requests::gather() {
  const std::filesystem::path file = shipped_stimuli(target_).front().file.path();
  Landmarks landmarks = find_landmarks(file);
  landmarks.instruction = landmarks.hot_code;
  landmarks.hot_data = data_landmark;
  landmarks.load = landmarks.store = landmarks.hot_data;
  for (MadeUp& made_up : ia64_stimuli(gathered_, landmarks, model_.threads())) {
    Stimulus& stimulus = stimuli_.emplace_back();
    stimulus.file = file;
    stimulus.mode = std::move(made_up.name);
    stimulus.landmarks = landmarks;
    stimulus.made_up = true;
    stimulus.log = merged(made_up.log, merged_cycles);
  }
  gathered_.clear();
}

// A trace with all landmarks that a filter or breakpoint can use.
const Landmarks& Requests::best_landmarks() const {
  const auto has_all = [](const Stimulus& stimulus) {
    const Landmarks& marks = stimulus.landmarks;
    return marks.instruction != 0 && marks.load != 0 && marks.store != 0;
  };
  const auto best = std::find_if(stimuli_.begin(), stimuli_.end(), has_all);
  return (best == stimuli_.end() ? stimuli_.begin() : best)->landmarks;
}

// Each register with the value of the first group of the plan that sets it. The Athlon's breakpoints all match an
// instruction that no request uses, and IA-64 data breakpoints are at other addresses, so that none is confused with
// another.
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
      if (is_data_address(extra.reg)) value ^= other_octet;
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

Registers reset_of(pmu::Monitor& monitor, const Registers& answer) {
  Registers reset = answer;
  for (encoder::RegisterValue& reg : reset) {
    const auto info = pmu::find_register(monitor, reg.name);
    reg.value = info ? monitor.read(info->id, {}).value : call_not_made;
  }
  return reset;
}

Registers Requests::reset_of(const Registers& answer) const { return mutate::reset_of(*monitor_, answer); }

Layout Requests::layout_of(const Registers& answer) {
  Layout layout;
  for (const encoder::RegisterValue& reg : answer) {
    const auto [place, is_new] = fields_.try_emplace(reg.name);
    if (is_new) place->second = fields_of(target_, reg.name, reg.width);
    layout.push_back(place->second);
  }
  return layout;
}

std::vector<RegisterWrite> Requests::writes_of(const Registers& registers, const Starts& starts) const {
  std::vector<RegisterWrite> writes;
  if (find_firmware(target_)) {
    Programming calls(model_, parameters_);
    for (const auto& [counter, value] : starts) calls.write(counter, value);
    bool refused = false;
    for (const encoder::RegisterValue& reg : registers) {
      try {
        calls.write(reg.name, reg.value);
      } catch (const std::invalid_argument&) {
        refused = true;
      }
    }
    writes = calls.writes();
    if (refused) writes.push_back(refused_call);
    return writes;
  }
  for (const encoder::RegisterValue& reg : registers) writes.push_back(write_of(reg.name, reg.value));
  return writes;
}

std::optional<Requests::Placed> Requests::place(const Group& request, const Stimulus& stimulus) const {
  Group here = request;
  move_to(target_, stimulus.landmarks, here);
  Answer answer = own_encoder()->encode(target_, here);
  if (answer.status != Answer::Status::encoded) return std::nullopt;
  Placed placed{std::move(answer.registers), std::move(answer.counters), {}};
  if (const InterruptEntry* const entry = interrupt_entry(target_))
    placed.program.setup.push_back({pmu::find_register(*monitor_, entry->reg)->id, entry->value});
  auto& setup = placed.program.setup;
  setup.insert(setup.end(), stimulus.comparators.begin(), stimulus.comparators.end());
  for (const ExtraWrite& extra : here.extra) {
    RegisterWrite write = write_of(extra.reg, extra.value ^ (is_data_address(extra.reg) ? other_octet : 0));
    const auto same = [&](const RegisterWrite& other) { return other.id == write.id; };
    const auto other = std::find_if(stimulus.comparators.begin(), stimulus.comparators.end(), same);
    if (extra.reg == "DR7" && other != stimulus.comparators.end())
      write.value = joined_debug_control(write.value, other->value);
    setup.push_back(write);
  }
  return placed;
}

void Requests::set_starts(const Group& request, Placed& placed, const Stimulus& stimulus) const {
  placed.program.starts.clear();
  placed.program.registers = writes_of(placed.registers);
  const std::vector<std::uint64_t> counts = stimulus.replay->counts(placed.program);
  if (find_firmware(target_)) {
    if (!counts.empty()) placed.starts = field_starts(request, stimulus, counts.front());
    placed.program.registers = writes_of(placed.registers, placed.starts);
    return;
  }
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    std::uint64_t period = stimulus.late ? counts[i] + 1 : std::max<std::uint64_t>(1, (counts[i] + 1) / 2);
    if (request.captures) period = request.captures->period;
    const auto start = encoder::preset(target_, static_cast<unsigned>(i), period);
    if (!start) throw std::runtime_error(start.error().message);
    placed.program.starts.push_back({counters_[i].id, *start});
  }
}

Requests::Starts Requests::field_starts(const Group& request, const Stimulus& stimulus, std::uint64_t counted) const {
  Starts starts;
  // A counter may have a carry every 256 events and another where it wraps: one mode shows the first without the
  // second.
  const bool first_carry = stimulus.mode == "supervisor" && find_equivalence_facts(target_)->carries_early;
  const std::uint64_t reached = first_carry ? 0xff : ~std::uint64_t{0};
  for (const FirmwareCounter& counter : find_firmware(target_)->counters) {
    if (counter.reg.empty()) continue;
    const std::uint64_t count = counted >> counter.shift & counter.mask();
    std::uint64_t period = stimulus.late ? count + 1 : std::max<std::uint64_t>(1, (count + 1) / 2);
    if (request.sampled) period = std::min(period, request.sampled->period);
    starts.emplace_back(counter.name, (~period + 1) & counter.mask() & reached);
  }
  return starts;
}

JobVerdict Requests::verify(const Stimulus& stimulus) const {
  std::vector<Group> here = requests_;
  for (Group& request : here) move_to(target_, stimulus.landmarks, request);
  return JudgingBench(target_, parameters_)
      .judge({stimulus.file, stimulus.second, &stimulus.log}, here,
             {.encode = [this](const Group& group) { return own_encoder()->encode(target_, group); }});
}

}  // namespace pmusim::testbench::mutate
