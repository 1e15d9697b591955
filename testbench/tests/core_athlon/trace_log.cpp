#include "trace_log.h"

#include <fmt/format.h>

#include <cstring>

namespace pmusim::testbench::athlon {

models::Parameters plain(const Changes& changes) {
  return changed(changed(core::athlon_parameters(), {{"core.instruction_prefetch", 0}, {"core.walk_in_l2", 0}}),
                 changes);
}

std::unique_ptr<core::Core> core_of(const std::string& text, const models::Parameters& parameters) {
  return core::make_athlon(reader_of(text, trace::Isa::i386), parameters);
}

TraceLog run(core::Core& core, Cycle cycles) { return log_of<TraceLog>(core, cycles); }

TraceLog run(const std::string& text, const models::Parameters& parameters, Cycle cycles) {
  return run(*core_of(text, parameters), cycles);
}

std::string hit(std::uint64_t pc, const std::string& bytes, const std::string& rest) {
  return fmt::format("{:x} {} {}{}fetch=l1 itlb=hit\n", pc, bytes, rest, rest.empty() ? "" : " ");
}

Script& Script::add(unsigned count, const std::string& bytes, const std::string& rest) {
  for (unsigned i = 0; i < count; ++i) {
    text_ += hit(pc_, bytes, rest);
    pc_ += bytes.size() / 2;
  }
  return *this;
}

Script& Script::go(const std::string& bytes, std::uint64_t target, const std::string& accesses,
                   const std::string& keys) {
  text_ +=
      hit(pc_, bytes,
          fmt::format("{}{}T {:x}{}{}", accesses, accesses.empty() ? "" : " ", target, keys.empty() ? "" : " ", keys));
  pc_ = target;
  return *this;
}

}  // namespace pmusim::testbench::athlon
