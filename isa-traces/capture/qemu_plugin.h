// The part of QEMU's plugin interface, version 1, that the recorder uses. It is declared here because Debian's
// qemu-user provides the interface but no header. The emulator exports these functions; no library is linked.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct qemu_plugin_tb;    ///< a translated block
struct qemu_plugin_insn;  ///< one instruction of a block; valid inside the translation callback only

/// The first members of the emulator's description of itself.
struct QemuInfo {
  const char* target_name;  ///< "ppc", "i386", "alpha", ...
  struct {
    int min;
    int cur;
  } version;
  bool system_emulation;
};

using QemuTranslated = void (*)(std::uint64_t id, qemu_plugin_tb* block);
using QemuExecuted = void (*)(unsigned vcpu, void* user);
using QemuAccessed = void (*)(unsigned vcpu, std::uint32_t info, std::uint64_t address, void* user);
using QemuExit = void (*)(std::uint64_t id, void* user);

void qemu_plugin_register_vcpu_tb_trans_cb(std::uint64_t id, QemuTranslated callback);
void qemu_plugin_register_atexit_cb(std::uint64_t id, QemuExit callback, void* user);
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb* block);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb* block, std::size_t index);
std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn* insn);
std::size_t qemu_plugin_insn_size(const qemu_plugin_insn* insn);
void* qemu_plugin_insn_haddr(const qemu_plugin_insn* insn);       ///< where its bytes are in the emulator's memory
const void* qemu_plugin_insn_data(const qemu_plugin_insn* insn);  ///< the bytes in memory order

/// flags: 0 = the callback does not access registers. The callback runs before the instruction.
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn* insn, QemuExecuted callback, int flags, void* user);
/// rw: 1 reads, 2 writes, 3 both. Runs once for each access, after the execution callback of the instruction.
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn* insn, QemuAccessed callback, int flags, int rw, void* user);
unsigned qemu_plugin_mem_size_shift(std::uint32_t info);  ///< log2 of the size in bytes
bool qemu_plugin_mem_is_store(std::uint32_t info);

}  // extern "C"
