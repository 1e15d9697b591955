#include "bench.h"

namespace pmusim::testbench::montecito {

models::Parameters bare(const std::vector<std::pair<std::string, std::int64_t>>& changes) {
  models::Parameters parameters = core::montecito_parameters();
  parameters.set("core.instruction_prefetch", std::int64_t{0});
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}

std::unique_ptr<core::Core> core_with(const std::vector<std::string>& texts, const models::Parameters& parameters) {
  trace::ReadOptions options;
  options.isa = trace::Isa::ia64;
  std::vector<std::unique_ptr<trace::Reader>> traces;
  traces.reserve(texts.size());
  for (const std::string& text : texts) traces.push_back(trace::open_text(text, "test", options));
  return core::make_montecito(std::move(traces), parameters);
}

Record run_alone(const Script& script, const models::Parameters& parameters) {
  return run(*core_with({script.text()}, parameters));
}

Record run_both(const Script& first, const Script& second, const models::Parameters& parameters, Cycle cycles) {
  return run(*core_with({first.text(), second.text()}, parameters), cycles);
}

std::vector<Cycle> switches(const Record& record) { return record.cycles(Signal::thread_switch); }

}  // namespace pmusim::testbench::montecito
