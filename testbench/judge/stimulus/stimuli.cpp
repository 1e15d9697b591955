#include "testbench/judge/stimulus/stimuli.h"

#include <fmt/format.h>

#include <algorithm>

#include "pmusim/trace/collection.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/stimulus/activity_transforms.h"
#include "testbench/judge/stimulus/task_activity.h"
#include "testbench/store/data_folder.h"

namespace pmusim::testbench::questions {
namespace {

/// Transforms make activity denser within short blocks.
constexpr Cycle block_cycles = 512;
/// Longer traces are left to `validate`, which runs whole programs with sets of events.
constexpr std::uintmax_t short_bytes = 400'000;

/// Alpha: cycles in which a rare event occurs some hundred or thousand times, and the limit of repetitions of a trace.
constexpr Cycle long_enough = 600'000;
constexpr unsigned most_repetitions = 5000;

/// IA-64: each level with all monitors on, with user or privileged ones alone, and as IA-32 code; then IA-32 code with
/// user or privileged monitors alone.
constexpr unsigned few_contexts = 16, most_contexts = 24;

/// Traces written for single questions that no other trace answers.
std::vector<std::filesystem::path> own_traces(trace::Isa isa) {
  auto place = data_folder() / "isa-traces" / "questions" / trace::name_of(isa);
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(place)) {
    for (const auto& entry : std::filesystem::directory_iterator(place)) files.push_back(entry.path());
  }
  if (place += ".pmt"; std::filesystem::is_regular_file(place)) {
    for (auto& member : trace::members(place)) files.push_back(std::move(member));
  }
  return files;
}

std::uintmax_t size_of(const InputFile& file, const InputFile& second) {
  return trace::size_of(file.path()) + (second.empty() ? 0 : trace::size_of(second.path()));
}

}  // namespace

Cycle drawn_length(const std::string& name, Cycle cycles) {
  std::uint32_t seed = 0;
  for (const char c : name) seed = seed * 31 + static_cast<unsigned char>(c);
  return std::max<Cycle>(1, cycles / 4 + seed % (cycles / 4 + 1));
}

std::vector<TraceInput> short_traces(const std::string& target) {
  std::vector<TraceInput> all;
  for (const TraceInput& shipped : shipped_inputs(target)) {
    if (shipped.settings.empty() && shipped.provenance != Provenance::real &&
        size_of(shipped.file, shipped.second) <= short_bytes)
      all.push_back(shipped);
  }
  for (const std::filesystem::path& file : own_traces(models::find_target(target)->isa)) {
    if (size_of(file, {}) <= short_bytes) all.push_back({.file = file});
  }
  return all;
}

std::vector<InputFile> files_of(const std::vector<TraceInput>& traces) {
  std::vector<InputFile> files;
  for (const TraceInput& both : traces) {
    files.push_back(both.file);
    if (!both.second.empty()) files.push_back(both.second);
  }
  return files;
}

Stimuli::Stimuli(const std::string& target, models::Parameters parameters)
    : Stimuli(target, std::move(parameters), short_traces(target)) {}

Stimuli::Stimuli(const std::string& target, models::Parameters parameters, const std::vector<TraceInput>& traces)
    : target_(*models::find_target(target)), parameters_(std::move(parameters)) {
  for (const TraceInput& both : traces)
    traces_.push_back({both.file, both.second, size_of(both.file, both.second), {}});
  std::sort(traces_.begin(), traces_.end(), [](const Trace& a, const Trace& b) {
    if (a.second.empty() != b.second.empty()) return a.second.empty();
    return a.size != b.size ? a.size < b.size : a.file.path().filename() < b.file.path().filename();
  });
  for (Trace& trace : traces_) trace.landmarks = find_landmarks(trace.file);
  const auto modes = modes_of(target_.isa);
  logs_.assign(traces_.size(), std::vector<std::optional<ActivityLog>>(modes.size()));
  const unsigned contexts_of_target = target_.isa == trace::Isa::ia64 ? privilege_contexts(target_.threads()) : 1;
  unsigned most = 1;
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    passes_.push_back({.mode = mode});
    most = std::max(most, modes[mode].times);
  }
  for (unsigned context = 1; context < contexts_of_target; ++context) passes_.push_back({.context = context});
  // Periods of thousands of events, which occur in no short trace.
  if (target_.isa == trace::Isa::alpha && family_of(target)->interrupts == Interrupts::unjudged) {
    passes_.push_back({.often = true});
    passes_.push_back({.mode = modes.size() - 1, .often = true});  // unchanged, of a marked process
  }
  // Amounts for all bits of the counter masks come before small multiples.
  for (std::size_t mode = 0; mode < modes.size() && most > 1; ++mode)
    passes_.push_back({.mode = mode, .high_occurrence = true});
  // A single occurrence in a trace has no second edge.
  for (std::size_t mode = 0; mode < modes.size() && most > 1; ++mode) passes_.push_back({.mode = mode, .twice = true});
  for (unsigned times = 1; times <= most && most > 1; ++times) {
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
      if (times > 1) passes_.push_back({.mode = mode, .times = times});
      passes_.push_back({.mode = mode, .times = times, .apart = true});
    }
  }
}

const ActivityLog& Stimuli::recorded(std::size_t trace, std::size_t mode) {
  std::optional<ActivityLog>& log = logs_[trace][mode];
  if (log) return *log;
  const Mode& wanted = modes_of(target_.isa)[mode];
  if (!wanted.held.empty()) return log.emplace(held(recorded(trace, 0), wanted.held));
  auto readers = traces_of(traces_[trace].file, traces_[trace].second);
  for (std::unique_ptr<trace::Reader>& reader : readers) reader = in_mode(std::move(reader), wanted);
  return log.emplace(record(target_, parameters_, std::move(readers), block_cycles));
}

void Stimuli::describe(std::size_t number) {
  current_.trace = number % traces_.size();
  current_.pass = number / traces_.size();
  const Trace& trace = traces_[current_.trace];
  current_.file = trace.file.path();
  current_.paired = !trace.second.empty();
  current_.landmarks = trace.landmarks;
  current_.context = {};
  const unsigned context = passes_[current_.pass].context;
  if (context != 0) current_.context = privilege_context(target_.threads(), context);
}

std::string Stimuli::name_of(const Trace& trace, const Pass& pass) const {
  std::string name = trace.file.path().filename().string();
  if (!trace.second.empty()) name += " beside " + trace.second.path().filename().string();
  const std::string& mode = modes_of(target_.isa)[pass.mode].name;
  if (!mode.empty()) name += " in mode " + mode;
  if (pass.apart) name += ", spread";
  if (pass.high_occurrence) name += ", high occurrence";
  if (pass.twice) name += ", twice";
  if (pass.often) name += ", again and again";
  if (pass.times > 1) name += fmt::format(", {} times", pass.times);
  if (pass.context != 0) name += fmt::format(" in context {}", pass.context);
  return name;
}

ActivityLog Stimuli::activity_of(const Pass& pass) {
  const ActivityLog& log = recorded(current_.trace, pass.mode);
  const Cycle length = drawn_length(current_.name, log.cycles());
  if (pass.often && log.cycles() != 0) {
    const Cycle times = std::min<Cycle>(long_enough / log.cycles() + 1, most_repetitions);
    const ActivityLog once = merged(log, log.cycles());
    return repeated(once.blocks().front(), static_cast<unsigned>(times),
                    drawn_length(current_.name, times * log.cycles()));
  }
  if (pass.context != 0) return in_context(merged(log, length), target_.threads(), pass.context);
  if (pass.high_occurrence) return merged(high_occurrence(log), length);
  if (pass.twice) return merged(repeated(log, 2), length);
  if (pass.apart) return merged(pass.times > 1 ? multiplied(spread(log), pass.times) : spread(log), length);
  if (pass.times > 1) return merged(multiplied(log, pass.times), length);
  return merged(log, length);
}

const Stimulus* Stimuli::next(const std::function<bool(const Stimulus&)>& wanted) {
  const std::size_t all = traces_.size() * passes_.size();
  current_ = {};
  for (; next_ != all; ++next_) {
    describe(next_);
    if (wanted(current_)) break;
  }
  if (next_ == all) return nullptr;
  ++next_;
  const Pass& pass = passes_[current_.pass];
  current_.name = name_of(traces_[current_.trace], pass);
  current_.log = activity_of(pass);
  return &current_;
}

ActivityLog Stimuli::in_every_way(ActivityLog log, const std::string& name, bool thorough) const {
  const Cycle cycles = log.cycles();
  std::vector<ActivityLog> logs;
  if (target_.isa == trace::Isa::ia64) {
    std::vector<ActivityLog> others;
    for (unsigned context = 1; context < (thorough ? most_contexts : few_contexts); ++context)
      others.push_back(in_context(log, target_.threads(), context));
    others.push_back(repeated(log, 2));
    logs.push_back(with_other_encodings(concatenated(std::move(others))));
  }
  if (modes_of(target_.isa).front().times > 1) logs.push_back(high_occurrence(log));
  logs.insert(logs.begin(), std::move(log));
  // Contexts are compared one by one: what one of them counts too much, another may count too little.
  ActivityLog whole = concatenated(std::move(logs));
  const Cycle length = target_.isa == trace::Isa::ia64 ? cycles : drawn_length(name, whole.cycles());
  return merged(std::move(whole), length);
}

Stimulus Stimuli::everything_of(const std::filesystem::path& trace, bool denser) {
  const auto found = std::find_if(traces_.begin(), traces_.end(), [&](const Trace& known) {
    return known.second.empty() && known.file.path() == trace;
  });
  const auto number = static_cast<std::size_t>(found - traces_.begin());
  Everything all;
  for (std::size_t mode = 0; mode < modes_of(target_.isa).size(); ++mode) {
    for (const unsigned times : {2, 5}) {
      if (denser) all.add_whole(multiplied(recorded(number, mode), times));
    }
    if (!denser) all.add_whole(recorded(number, mode));
  }
  Stimulus stimulus;
  stimulus.name = trace.filename().string() + " in every way";
  if (denser) stimulus.name += ", several times in a cycle";
  if (!denser) stimulus.file = trace;  // a unit captures once in a cycle
  stimulus.landmarks = found->landmarks;
  stimulus.log = in_every_way(std::move(all).log(), stimulus.name, true);
  return stimulus;
}

Stimulus Stimuli::everything(bool thorough) {
  const auto modes = modes_of(target_.isa);
  Everything all;
  Stimulus stimulus;
  stimulus.name = "a little of every trace";
  for (std::size_t trace = 0; trace < traces_.size(); ++trace) {
    if (!traces_[trace].second.empty()) continue;  // the contexts include the other thread
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
      const auto& states = modes[mode].held;  // such a variant is not kept: few questions ask for it again
      states.empty() ? all.add(recorded(trace, mode), mode) : all.add(held(recorded(trace, 0), states), mode);
    }
    const Landmarks &marks = traces_[trace].landmarks, &chosen = stimulus.landmarks;
    if (chosen.instruction == 0 || (chosen.load == 0 && marks.load != 0)) stimulus.landmarks = marks;
  }
  stimulus.log = in_every_way(std::move(all).log(), stimulus.name, thorough);
  return stimulus;
}

}  // namespace pmusim::testbench::questions
