#include "core.h"

#include <models/pmu/tlm_registers.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <sstream>

#include "devices.h"

namespace platform {
namespace {

constexpr std::uint64_t reset_entry = 0x0, interrupt_entry = 0x100, callsys_entry = 0x180;
constexpr std::uint64_t level_mask = 7, interrupt_level = 6;
constexpr unsigned stack_pointer = 30, argument = 16;

std::uint64_t sign_extended(std::uint64_t value, unsigned bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  value &= (sign << 1) - 1;
  return (value ^ sign) - sign;
}

std::string hex(std::uint64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << value;
  return out.str();
}

/// The bytes of `value` whose bit in `mask` is set; the others are 0.
std::uint64_t bytes_of(std::uint64_t value, std::uint64_t mask) {
  std::uint64_t kept = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if ((mask >> i & 1) != 0) kept |= value & (std::uint64_t{0xff} << (8 * i));
  }
  return kept;
}

bool branch_taken(unsigned opcode, std::uint64_t value) {
  const auto signed_value = static_cast<std::int64_t>(value);
  // blbc, beq, blt, ble; then the opposites in the same order
  const bool conditions[] = {(value & 1) == 0, value == 0, signed_value < 0, signed_value <= 0};
  return conditions[opcode & 3] != ((opcode & 4) != 0);
}

/// An operate instruction: its opcode and function, and the result.
struct Operate {
  unsigned code;  ///< opcode << 8 | function
  std::uint64_t (*result)(std::uint64_t x, std::uint64_t y);
};
std::int64_t number(std::uint64_t value) { return static_cast<std::int64_t>(value); }
using Quad = std::uint64_t;
constexpr Operate operates[] = {{0x1000, [](Quad x, Quad y) { return sign_extended(x + y, 32); }},  // addl
                                {0x1009, [](Quad x, Quad y) { return sign_extended(x - y, 32); }},  // subl
                                {0x1020, [](Quad x, Quad y) { return x + y; }},
                                {0x1029, [](Quad x, Quad y) { return x - y; }},
                                {0x1022, [](Quad x, Quad y) { return 4 * x + y; }},     // s4addq
                                {0x1032, [](Quad x, Quad y) { return 8 * x + y; }},     // s8addq
                                {0x101d, [](Quad x, Quad y) { return Quad{x < y}; }},   // cmpult
                                {0x103d, [](Quad x, Quad y) { return Quad{x <= y}; }},  // cmpule
                                {0x102d, [](Quad x, Quad y) { return Quad{x == y}; }},
                                {0x104d, [](Quad x, Quad y) { return Quad{number(x) < number(y)}; }},
                                {0x106d, [](Quad x, Quad y) { return Quad{number(x) <= number(y)}; }},
                                {0x1100, [](Quad x, Quad y) { return x & y; }},
                                {0x1108, [](Quad x, Quad y) { return x & ~y; }},  // bic
                                {0x1120, [](Quad x, Quad y) { return x | y; }},   // bis
                                {0x1128, [](Quad x, Quad y) { return x | ~y; }},  // ornot
                                {0x1140, [](Quad x, Quad y) { return x ^ y; }},
                                {0x1230, [](Quad x, Quad y) { return bytes_of(x, ~y); }},  // zap
                                {0x1231, [](Quad x, Quad y) { return bytes_of(x, y); }},   // zapnot
                                {0x1234, [](Quad x, Quad y) { return x >> (y & 63); }},
                                {0x1239, [](Quad x, Quad y) { return x << (y & 63); }},
                                {0x123c, [](Quad x, Quad y) { return static_cast<Quad>(number(x) >> (y & 63)); }},
                                {0x1300, [](Quad x, Quad y) { return sign_extended(x * y, 32); }},  // mull
                                {0x1320, [](Quad x, Quad y) { return x * y; }}};                    // mulq

}  // namespace

Core::Core(const sc_core::sc_module_name& name, const CoreOptions& options, ActivityFeed& feed)
    : sc_module(name),
      bus("bus"),
      activity("activity"),
      interrupt("interrupt"),
      reset("reset"),
      halted("halted"),
      options_(options),
      feed_(feed) {
  SC_HAS_PROCESS(Core);
  SC_THREAD(run);
}

// Runs from reset to halt, repeatedly. While the core is halted or in reset, empty cycles pass.
void Core::run() {
  for (;;) {
    while (reset.read()) {
      feed_.pass(options_.quantum);
      synchronise();
    }
    registers_ = {};
    pc_ = reset_entry;
    failure_.clear();
    set_status(7);
    feed_.set_running(running_ = true);
    halted.write(false);
    try {
      run_program();
    } catch (const Failure& failure) {
      failure_ = failure.text;
    }
    feed_.set_running(running_ = false);
    synchronise();
    halted.write(!reset.read());
    while (!reset.read()) {
      feed_.pass(options_.quantum);
      synchronise();
    }
  }
}

void Core::run_program() {
  while (running_ && !reset.read()) {
    if (interrupt.read() && (status_ & level_mask) < interrupt_level) take_interrupt();
    step();
    if (feed_.now() - handed_ >= options_.quantum) synchronise();
  }
}

// Gives the PMU the cycles up to now. Their time begins when that of the previous block is over.
void Core::hand_over() {
  if (time_of(handed_) > sc_core::sc_time_stamp()) wait(time_of(handed_) - sc_core::sc_time_stamp());
  activity->settle_block();
  if (feed_.now() == feed_.begun()) return;
  handed_ = feed_.now();
  activity->consume(feed_.end_block());
}

void Core::synchronise() {
  hand_over();
  if (time_of(handed_) > sc_core::sc_time_stamp()) wait(time_of(handed_) - sc_core::sc_time_stamp());
}

void Core::step() {
  std::uint32_t word = 0;
  if (unsigned char* const place = direct(pc_, 4)) {
    std::memcpy(&word, place, 4);
  } else {
    tlm::tlm_generic_payload payload;  // instruction fetch takes no extra cycle
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(pc_);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(4);
    if (bus->transport_dbg(payload) != 4) throw Failure{"no code at " + hex(pc_)};
  }
  Retired done;
  done.ip = pc_;
  done.next_ip = pc_ + 4;
  done.encoding = word;
  accesses_.clear();
  const std::uint64_t before = status_;
  execute(word, done);
  done.accesses = accesses_;
  feed_.retire(done);
  feed_.pass();
  ++retired_;
  pc_ = done.next_ip;
  if (status_ != before) set_status(status_);
}

void Core::execute(std::uint32_t word, Retired& done) {
  const unsigned opcode = word >> 26, a = word >> 21 & 31, b = word >> 16 & 31;
  const std::uint64_t offset = sign_extended(word, 16);
  if (opcode >= 0x10 && opcode <= 0x13) {
    operate(word);
  } else if (opcode >= 0x38 || opcode == 0x30 || opcode == 0x34) {
    done.branch = true;
    done.conditional = opcode >= 0x38;
    if (!done.conditional) set(a, pc_ + 4);
    if (!done.conditional || branch_taken(opcode, registers_[a])) done.next_ip = pc_ + 4 + 4 * sign_extended(word, 21);
  } else {
    switch (opcode) {
      case 0x00:
        call_pal(word & 0x3ffffff, done);
        break;
      case 0x08:  // lda
        set(a, registers_[b] + offset);
        break;
      case 0x09:  // ldah
        set(a, registers_[b] + (offset << 16));
        break;
      case 0x18:  // mb, wmb, trapb: the core is in order anyway
        break;
      case 0x1a:  // jmp, jsr, ret
        done.branch = true;
        done.next_ip = registers_[b] & ~std::uint64_t{3};
        set(a, pc_ + 4);
        break;
      case 0x28:  // ldl
        set(a, sign_extended(load(registers_[b] + offset, 4), 32));
        break;
      case 0x29:  // ldq
        set(a, load(registers_[b] + offset, 8));
        break;
      case 0x2c:  // stl
        store(registers_[b] + offset, registers_[a], 4);
        break;
      case 0x2d:  // stq
        store(registers_[b] + offset, registers_[a], 8);
        break;
      default:
        throw Failure{"instruction " + hex(word) + " at " + hex(pc_) + " is not implemented by this core"};
    }
  }
}

void Core::operate(std::uint32_t word) {
  const std::uint64_t x = registers_[word >> 21 & 31];
  const std::uint64_t y = (word & 1u << 12) != 0 ? word >> 13 & 0xff : registers_[word >> 16 & 31];
  const unsigned target = word & 31, code = (word >> 26) << 8 | (word >> 5 & 0x7f);
  constexpr unsigned cmoveq = 0x1124, cmovne = 0x1126;
  if (code == cmoveq || code == cmovne) {
    if ((x == 0) == (code == cmoveq)) set(target, y);
    return;
  }
  const auto* const row = std::ranges::find(operates, code, &Operate::code);
  if (row == std::end(operates))
    throw Failure{"instruction " + hex(word) + " at " + hex(pc_) + " is not implemented by this core"};
  set(target, row->result(x, y));
}

void Core::call_pal(std::uint32_t function, Retired& done) {
  const bool privileged = function < 0x80;
  if (privileged && user()) throw Failure{"PALcode call " + hex(function) + " at user level, at " + hex(pc_)};
  switch (function) {
    case 0x00:  // halt
      running_ = false;
      break;
    case 0x35:  // swpipl
      status_ = (status_ & ~level_mask) | (registers_[argument] & level_mask);
      break;
    case 0x3f: {  // rti
      const std::uint64_t pc = load(registers_[stack_pointer], 8), status = load(registers_[stack_pointer] + 8, 8);
      set(stack_pointer, registers_[stack_pointer] + 16);
      done.next_ip = pc;
      status_ = status;
      break;
    }
    case 0x83:  // callsys
      done.next_ip = callsys_entry;
      status_ = level_mask;
      break;
    default:
      throw Failure{"PALcode call " + hex(function) + " at " + hex(pc_) + " is not implemented by this core"};
  }
}

void Core::take_interrupt() {
  const std::uint64_t status = status_;
  set_status(level_mask);
  set(stack_pointer, registers_[stack_pointer] - 16);
  store(registers_[stack_pointer], pc_, 8);
  store(registers_[stack_pointer] + 8, status, 8);
  pc_ = interrupt_entry;
}

void Core::set_status(std::uint64_t status) {
  status_ = status;
  feed_.set_user(user());
}

std::uint64_t Core::load(std::uint64_t address, unsigned bytes) {
  std::uint64_t value = 0;
  transfer(tlm::TLM_READ_COMMAND, address, reinterpret_cast<unsigned char*>(&value), bytes);
  return value;
}

void Core::store(std::uint64_t address, std::uint64_t value, unsigned bytes) {
  transfer(tlm::TLM_WRITE_COMMAND, address, reinterpret_cast<unsigned char*>(&value), bytes);
}

/// Pointer to these bytes in directly accessible memory, or null.
unsigned char* Core::direct(std::uint64_t address, unsigned bytes) {
  if (!options_.direct_memory) return nullptr;
  if (!memory_granted_) {
    tlm::tlm_generic_payload payload;
    payload.set_address(address);
    memory_granted_ = bus->get_direct_mem_ptr(payload, memory_);
  }
  const bool inside = memory_granted_ && address >= memory_.get_start_address() &&
                      address + (bytes - 1) <= memory_.get_end_address() && address + bytes > address;
  return inside ? memory_.get_dmi_ptr() + (address - memory_.get_start_address()) : nullptr;
}

// [delays]
void Core::transfer(tlm::tlm_command command, std::uint64_t address, unsigned char* data, unsigned bytes) {
  const bool read = command == tlm::TLM_READ_COMMAND;
  accesses_.push_back({address, bytes, !read, false});
  if (unsigned char* const place = direct(address, bytes)) {
    std::memcpy(read ? data : place, read ? place : data, bytes);
    const auto latency = read ? memory_.get_read_latency() : memory_.get_write_latency();
    feed_.pass(latency.value() / options_.period.value());
    return;
  }
  hand_over();  // a PMU has to know what was before
  pmusim::pmu::PrivilegeExtension privilege;
  privilege.who.cpl = user() ? 3 : 0;
  tlm::tlm_generic_payload payload;
  set_transfer(payload, command, address, data, bytes);
  payload.set_extension(&privilege);
  const sc_core::sc_time now = time_of(feed_.now());
  sc_core::sc_time delay = now - sc_core::sc_time_stamp();  // how far the core is ahead
  bus->b_transport(payload, delay);
  payload.clear_extension(&privilege);
  if (payload.is_response_error()) {
    throw Failure{payload.get_response_string() + " at address " + hex(address) + ", instruction at " + hex(pc_)};
  }
  const auto period = options_.period.value();
  feed_.pass(((sc_core::sc_time_stamp() + delay - now).value() + period - 1) / period);
}
// [/delays]

}  // namespace platform
