// Shared parts of all units of an Alpha core: settings, recorder, clock and agenda, memory map.
#pragma once

#include <cstdint>

#include "models/core/alpha/recorder.h"
#include "models/core/alpha/settings.h"
#include "models/core/parts/agenda.h"
#include "models/core/parts/memory_map.h"

namespace pmusim::core::alpha {

struct Machine {
  Machine(Chip chip, const models::Parameters& parameters) : settings(chip, parameters) {}
  const Settings settings;
  AlphaRecorder recorder;
  Agenda agenda;
  MemoryMap map{page_bytes};
  std::uint64_t requests = 0;
  std::uint64_t own_instructions = 0;  ///< instructions that are not in the trace: PALcode flows, wrong path, handler

  /// An id for an instruction that is not in the trace.
  std::uint64_t own_id() { return (std::uint64_t{1} << 63) | ++own_instructions; }
  NamedRequest new_request(std::uint64_t address, std::uint32_t size) {
    NamedRequest request;
    request.record.id = ++requests;
    request.record.address = address;
    request.record.size = size;
    request.record.start = agenda.now();
    return request;
  }
  /// A request of an instruction.
  NamedRequest new_request(const Instruction& owner, std::uint64_t address, std::uint32_t size, bool store) {
    NamedRequest request = new_request(address, size);
    request.record.has_instruction = true;
    request.record.instruction = owner.record.id;
    request.record.ip = owner.record.ip;
    request.record.wrong_path = owner.record.wrong_path;
    request.record.store = store;
    return request;
  }
};

}  // namespace pmusim::core::alpha
