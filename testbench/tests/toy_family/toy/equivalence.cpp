#include "testbench/faults/equivalence.h"

#include <array>

namespace pmusim::testbench::faults {
namespace {

constexpr std::string_view source = "testbench/tests/pmu_shell/toy_monitor.h";

std::uint64_t reserved(std::string_view reg) { return reg.starts_with("Select") ? 0xf0f0 : 0; }

constexpr std::array rules{
    Rule{"reserved bit", source,
         [](Programmed& registers) {
           registers.each([](std::string_view name, std::uint64_t& value) { value &= ~reserved(name); });
         }},
    Rule{"counter off", source, [](Programmed& registers) {
           registers.each([](std::string_view name, std::uint64_t& value) {
             if (name.starts_with("Select") && (value & 3) == 0) value = 0;
           });
         }}};

}  // namespace
}  // namespace pmusim::testbench::faults

namespace pmusim::testbench::targets::toy {

extern const faults::EquivalenceFacts equivalence{faults::rules, faults::reserved};

}  // namespace pmusim::testbench::targets::toy
