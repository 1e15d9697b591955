// The 21264 (EV6) and 21264A (EV67), alike but for the instructions of CIX: sizes and latencies of the memory side and
// of PALcode; those of the pipeline are in out_of_order/sizes.cpp. HRM67: 21264/EV67 Hardware Reference Manual; GEN:
// general literature, no manual seen.
#include <array>

#include "models/core/alpha/alpha.h"
#include "models/core/alpha/out_of_order/sizes.h"

namespace pmusim::core {
namespace alpha {
namespace {

constexpr std::array<Value, 24> values{{
    // name, value, source, confirmed
    {"core.l1i_bytes", 65536, "HRM67 2.1", yes},
    {"core.l1i_ways", 2, "HRM67 2.1", yes},
    {"core.l1i_line", 64, "GEN", choice},
    {"core.stream_lines", 3, "none", choice},
    {"core.code_fills", 8, "none", choice},
    {"core.l1d_bytes", 65536, "HRM67 2.1", yes},
    {"core.l1d_ways", 2, "HRM67 2.1", yes},
    {"core.l1d_line", 64, "GEN", choice},
    {"core.load_use", 3, "HRM67 2.3", yes},
    {"core.miss_file", 8, "HRM67 2.1", yes},
    {"core.bcache_bytes", 4194304, "1 to 16 MB, GEN; size of the board", choice},
    {"core.bcache_line", 64, "GEN", choice},
    {"core.bcache_read", 13, "HRM67 2.3, with a Bcache of 6 cycles", yes},
    {"core.bcache_interval", 6, "none", choice},
    {"core.memory_read", 100, "none", choice},
    {"core.itb_entries", 128, "HRM67 2.1", yes},
    {"core.dtb_entries", 128, "HRM67 2.1", yes},
    {"core.tb_round_robin", 1, "HRM67 2.1", yes},
    {"core.tb_flow", 20, "none", choice},
    {"core.tb_double_flow", 20, "none", choice},
    {"core.trap_flow", 40, "none", choice},
    {"core.interrupt_flow", 40, "none", choice},
    {"core.call_pal_flow", 20, "none", choice},
    {"core.pal_instructions", 10, "none", choice},
}};

models::Parameters parameters() {
  std::vector<models::ParameterInfo> infos;
  add_parameters<Settings>(infos, shared_fields(), values);
  add_parameters<out_of_order::Sizes>(infos, out_of_order::sizes_fields(), out_of_order::sizes_values());
  return models::Parameters(std::move(infos));
}

}  // namespace
}  // namespace alpha

models::Parameters alpha_ev6_parameters() { return alpha::parameters(); }
models::Parameters alpha_ev67_parameters() { return alpha::parameters(); }

}  // namespace pmusim::core
