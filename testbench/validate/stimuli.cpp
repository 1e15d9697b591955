#include "testbench/validate/stimuli.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "models/targets.h"
#include "pmusim/trace/reader.h"
#include "testbench/cli/command.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

/// Traces up to this many instructions get the whole modifier matrix, longer ones each event once and in sets.
constexpr std::uint64_t full_matrix_limit = 40'000;
/// Instructions of a line of a trace: IA-64 traces have bundles.
std::uint64_t instructions_of_line(trace::Isa isa) { return isa == trace::Isa::ia64 ? 3 : 1; }

/// Directives that say something about the file, or that nothing happens, and not what the outside does.
bool is_stimulus(const trace::Directive& directive) { return directive.name != "isa" && directive.name != "idle"; }

void add_files(const fs::path& folder, std::string_view extension, std::vector<fs::path>& files) {
  if (!fs::is_directory(folder)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
}

}  // namespace

fs::path data_folder() {
  if (const char* named = std::getenv("PMUSIM_DATA"); named != nullptr && *named != '\0') return named;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path installed = program.parent_path().parent_path() / "share" / "pmusim";
    if (fs::is_directory(installed)) return installed;
  }
  return PMUSIM_SOURCE_DIR;
}

Stimulus classify_stimulus(const fs::path& file) {
  const auto reader = trace::open(file);
  Stimulus stimulus{file, Provenance::text, Depth::full};
  if (reader->info().version != 0) {
    stimulus.provenance = Provenance::real;
    if (reader->info().instructions * instructions_of_line(reader->info().isa) > full_matrix_limit)
      stimulus.depth = Depth::basic;
    return stimulus;
  }
  trace::Item item;
  std::uint64_t instructions = 0;
  while (reader->next(item)) {
    if (item.directive == nullptr) ++instructions;
    if (item.directive != nullptr && is_stimulus(*item.directive)) stimulus.provenance = Provenance::directive;
  }
  if (instructions > full_matrix_limit) stimulus.depth = Depth::basic;
  return stimulus;
}

std::vector<Stimulus> shipped_stimuli(const std::string& target) {
  const fs::path data = data_folder();
  std::vector<fs::path> files;
  add_files(data / "isa-traces" / "recorded", ".pmt", files);
  // The 750GL is the 750GX under its own name, and has the same micro-traces.
  const std::string folder = target == "ppc750gl" ? "ppc750gx" : target;
  add_files(data / "testbench" / "tests" / "micro" / "traces" / folder, ".txt", files);
  std::sort(files.begin(), files.end());
  std::vector<Stimulus> stimuli;
  const trace::Isa isa = models::find_target(target)->isa;
  for (const fs::path& file : files) {
    if (trace::open(file)->info().isa == isa) stimuli.push_back(classify_stimulus(file));
  }
  if (stimuli.empty()) {
    throw UsageError(fmt::format("no traces for target {} below {}; name some with --trace, or set PMUSIM_DATA", target,
                                 data.string()));
  }
  return stimuli;
}

}  // namespace pmusim::testbench
