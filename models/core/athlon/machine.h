// Shared parts of all units of the Athlon core: settings, recorder, clock and agenda, memory map.
#pragma once

#include <cstdint>

#include "models/core/athlon/settings.h"
#include "models/core/parts/agenda.h"
#include "models/core/parts/memory_map.h"
#include "models/core/parts/selective_recorder.h"

namespace pmusim::core::athlon {

using activity::OperatingMode;

inline constexpr std::uint64_t window_bytes = 16;  ///< of one fetch
inline constexpr std::uint64_t page_bytes = 4096;
inline constexpr unsigned dispatch_width = 3;       ///< macro-operations per clock
inline constexpr unsigned fetch_to_decode = 3;      ///< stages fetch, scan, align 1 before align 2 takes it
inline constexpr unsigned decode_to_dispatch = 2;   ///< early decode, decode
inline constexpr unsigned dispatch_to_execute = 2;  ///< schedule, then execute at the earliest
inline constexpr unsigned front_depth = fetch_to_decode + decode_to_dispatch;
inline constexpr unsigned address_to_probe = 2;  ///< execute (address), transport, cache access

struct Machine {
  explicit Machine(const models::Parameters& parameters) : settings(parameters) {}
  const Settings settings;
  SelectiveRecorder recorder;
  Agenda agenda;
  MemoryMap map{page_bytes};
};

}  // namespace pmusim::core::athlon
