#include "testbench/judge/stimulus/trace_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/targets.h"
#include "pmusim/trace/collection.h"
#include "pmusim/trace/names.h"
#include "pmusim/trace/reader.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/store/data_folder.h"
#include "testbench/support/error.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

/// Traces of up to this many instructions have the plan of a short trace.
constexpr std::uint64_t short_limit = 40'000;
/// Instructions per line of a trace: IA-64 traces have bundles.
std::uint64_t instructions_of_line(trace::Isa isa) { return isa == trace::Isa::ia64 ? 3 : 1; }

/// Directives about the file itself or about idle time. All others describe external events.
bool is_stimulus(const trace::Directive& directive) {
  return directive.name != "isa" && directive.name != "idle" && !trace::is_name(directive);
}

void add_recorded(const fs::path& folder, std::vector<fs::path>& files) {
  if (!fs::is_directory(folder)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".pmt") files.push_back(entry.path());
  }
}

/// Pairs of programs that run together, one on each hardware thread.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> recorded_pairs{
    {{"ia64-strhash-O2", "ia64-sieve-O3"}, {"ia64-recursion-O0", "ia64-matmul-O2"}}};

/// The recorded pairs, and the micro-traces NAME_0 and NAME_1.
void add_pairs(const std::vector<fs::path>& files, std::vector<TraceInput>& stimuli) {
  const auto add = [&](const fs::path& first, const std::string& second) {
    const auto found = std::find(files.begin(), files.end(), first.parent_path() / second);
    if (found == files.end()) return;
    TraceInput stimulus = classify_input(first);
    stimulus.provenance = std::max(stimulus.provenance, classify_input(*found).provenance);
    stimulus.second = *found;
    stimuli.push_back(std::move(stimulus));
  };
  for (const fs::path& file : files) {
    const std::string stem = file.stem().string(), extension = file.extension().string();
    if (stem.ends_with("_0")) add(file, stem.substr(0, stem.size() - 1) + '1' + extension);
    for (const auto& [first, second] : recorded_pairs) {
      if (stem == first) add(file, std::string(second) + extension);
    }
  }
}

void add_variants(const std::vector<TraceVariant>& variants, std::vector<TraceInput>& stimuli) {
  for (const TraceVariant& variant : variants) {
    const auto found = std::find_if(stimuli.begin(), stimuli.end(), [&](const TraceInput& s) {
      return s.file.path().stem() == variant.trace && s.second.empty();
    });
    if (found == stimuli.end()) continue;
    TraceInput under = *found;
    under.settings = variant.settings;
    stimuli.push_back(std::move(under));
  }
}

}  // namespace

TraceInput classify_input(const fs::path& file) {
  trace::Item item;
  const auto first = trace::open(file);  // what is no trace is not read into memory
  if (first->info().version == 0) (void)first->next(item);
  TraceInput stimulus{file, Provenance::text, Depth::full};
  const auto reader = stimulus.file.trace();
  stimulus.file.forget();
  if (reader->info().version != 0 && !trace::is_member(file)) {  // hand-written traces come in collections
    stimulus.provenance = Provenance::real;
    if (reader->info().instructions * instructions_of_line(reader->info().isa) > short_limit)
      stimulus.depth = Depth::basic;
    return stimulus;
  }
  std::uint64_t instructions = 0;
  while (reader->next(item)) {
    if (item.directive == nullptr) ++instructions;
    if (item.directive != nullptr && is_stimulus(*item.directive)) stimulus.provenance = Provenance::directive;
  }
  if (instructions > short_limit) stimulus.depth = Depth::basic;
  return stimulus;
}

std::vector<TraceInput> shipped_inputs(const std::string& target) {
  const fs::path data = data_folder();
  const models::Target& model = *models::find_target(target);
  std::vector<fs::path> files;
  add_recorded(data / "isa-traces" / "recorded", files);
  const JudgingFacts& facts = judging_facts(target);
  for (const std::string_view folder : facts.traces) {
    const fs::path collection = data / "isa-traces" / "micro" / (std::string(folder) + ".pmt");
    if (!fs::is_regular_file(collection)) continue;
    for (fs::path& member : trace::members(collection)) files.push_back(std::move(member));
  }
  std::sort(files.begin(), files.end());
  std::vector<TraceInput> stimuli;
  for (const fs::path& file : files) {
    if (trace::open(file)->info().isa != model.isa) continue;
    if (facts.leaves_out != nullptr && facts.leaves_out(file)) continue;
    stimuli.push_back(classify_input(file));
    const auto depth = facts.depth == nullptr ? std::nullopt : facts.depth(file);
    if (depth) stimuli.back().depth = *depth;
  }
  if (model.threads() > 1) add_pairs(files, stimuli);
  if (facts.variants != nullptr) add_variants(*facts.variants, stimuli);
  if (stimuli.empty()) {
    throw UsageError(fmt::format("no traces for target {} below {}; name some with --trace, or set PMUSIM_DATA", target,
                                 data.string()));
  }
  return stimuli;
}

std::vector<TraceInput> default_inputs(const std::string& target) {
  std::vector<TraceInput> stimuli = shipped_inputs(target);
  const RowNames named = judging_facts(target).on_request;
  std::erase_if(stimuli, [&](const TraceInput& stimulus) {
    return std::find(named.begin(), named.end(), stimulus.file.path().stem().string()) != named.end();
  });
  return stimuli;
}

std::size_t turn_of(const InputFile& trace) {
  std::size_t turn = 0;
  for (const char c : trace.path().filename().string()) turn = turn * 31 + static_cast<unsigned char>(c);
  return turn;
}

}  // namespace pmusim::testbench
