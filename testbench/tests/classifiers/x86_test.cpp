// The i386 classifier on hand-assembled bytes: decode path, flags and registers.
#include "pmusim/trace/x86.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pmusim::trace::x86 {
namespace {

using List = std::vector<std::uint8_t>;
enum : std::uint8_t { eax, ecx, edx, ebx, esp, ebp, esi, edi };

Operation of(std::initializer_list<int> bytes, std::uint64_t pc = 0x1000) {
  Code code;
  code.pc = pc;
  for (const int byte : bytes) code.bytes[code.length++] = static_cast<std::uint8_t>(byte);
  return classify(code);
}

List sorted(List list) {
  std::sort(list.begin(), list.end());
  return list;
}

struct PathFact {
  const char* text;
  std::vector<int> bytes;
  Kind kind;
  bool vector_path;
};
const PathFact paths[] = {{"add eax,ecx", {0x01, 0xC8}, Kind::integer, false},
                          {"add [ecx],eax", {0x01, 0x01}, Kind::integer, false},
                          {"mov eax,[ecx]", {0x8B, 0x01}, Kind::move, false},
                          {"push eax", {0x50}, Kind::move, false},
                          {"push [ecx]", {0xFF, 0x31}, Kind::move, true},
                          {"pop eax", {0x58}, Kind::move, true},
                          {"imul eax,ecx", {0x0F, 0xAF, 0xC1}, Kind::multiply, true},
                          {"div ecx", {0xF7, 0xF1}, Kind::divide, true},
                          {"shl eax,3", {0xC1, 0xE0, 3}, Kind::shift, false},
                          {"rcl eax,1", {0xD1, 0xD0}, Kind::shift, false},
                          {"rcl eax,3", {0xC1, 0xD0, 3}, Kind::shift, true},
                          {"bt eax,3", {0x0F, 0xBA, 0xE0, 3}, Kind::integer, false},
                          {"bt [ecx],eax", {0x0F, 0xA3, 0x01}, Kind::integer, true},
                          {"lea eax,[ecx]", {0x8D, 0x01}, Kind::integer, false},
                          {"lea ax,[ecx]", {0x66, 0x8D, 0x01}, Kind::integer, true},
                          {"rep movsd", {0xF3, 0xA5}, Kind::string, true},
                          {"jz", {0x74, 2}, Kind::branch, false},
                          {"call", {0xE8, 0, 0, 0, 0}, Kind::branch, true},
                          {"ret", {0xC3}, Kind::branch, true},
                          {"jmp eax", {0xFF, 0xE0}, Kind::branch, false},
                          {"loop", {0xE2, 0xFE}, Kind::branch, true},
                          {"mov ds,eax", {0x8E, 0xD8}, Kind::segment_move, true},
                          {"mov eax,ds", {0x8C, 0xD8}, Kind::segment_move, true},
                          {"fld dword [ecx]", {0xD9, 0x01}, Kind::fp_move, false},
                          {"fld tbyte [ecx]", {0xDB, 0x29}, Kind::fp_move, true},
                          {"fsin", {0xD9, 0xFE}, Kind::fp_transcendental, true},
                          {"fadd st,st1", {0xD8, 0xC1}, Kind::fp_add, false},
                          {"fdiv st,st1", {0xD8, 0xF1}, Kind::fp_divide, false},
                          {"paddw mm0,mm1", {0x0F, 0xFD, 0xC1}, Kind::mmx, false},
                          {"movd mm0,eax", {0x0F, 0x6E, 0xC0}, Kind::mmx, true},
                          {"movd mm0,[ecx]", {0x0F, 0x6E, 0x01}, Kind::mmx, false},
                          {"pfadd mm0,mm1", {0x0F, 0x0F, 0xC1, 0x9E}, Kind::amd3dnow, false},
                          {"cpuid", {0x0F, 0xA2}, Kind::system, true},
                          {"mov cr0,eax", {0x0F, 0x22, 0xC0}, Kind::system, true},
                          {"ljmp", {0xEA, 0, 0, 0, 0, 0x23, 0}, Kind::far_transfer, true},
                          {"nop", {0x90}, Kind::nop, false}};

TEST(X86, DecodePathsFollowTheGuide) {
  for (const PathFact& fact : paths) {
    Code code;
    for (const int byte : fact.bytes) code.bytes[code.length++] = static_cast<std::uint8_t>(byte);
    const auto op = classify(code);
    EXPECT_EQ(op.kind, fact.kind) << fact.text;
    EXPECT_EQ(op.vector_path, fact.vector_path) << fact.text;
    EXPECT_EQ(op.macro_ops == 1, !fact.vector_path) << fact.text;
  }
}

TEST(X86, Branches) {
  const auto conditional = of({0x75, 0xFE}, 0x2000);
  EXPECT_EQ(conditional.branch, BranchKind::conditional);
  EXPECT_EQ(conditional.target, 0x2000U);
  EXPECT_EQ(conditional.reads, List{reg_flags});
  EXPECT_EQ(of({0xE9, 0xFB, 0xFF, 0xFF, 0xFF}, 0x2000).target, 0x2000U);
  EXPECT_EQ(of({0xE8, 0, 0x10, 0, 0}, 0x2000).target, 0x3005U);
  EXPECT_EQ(of({0xFF, 0xD0}).branch, BranchKind::indirect_call);
  EXPECT_EQ(of({0xFF, 0x21}).branch, BranchKind::indirect_jump);
  EXPECT_EQ(of({0xC3}).branch, BranchKind::ret);
  EXPECT_EQ(of({0xCB}).branch, BranchKind::far_transfer);  // retf
  EXPECT_EQ(of({0xCF}).branch, BranchKind::far_transfer);  // iret
  EXPECT_TRUE(of({0xCF}).serializing);
  EXPECT_EQ(of({0xFF, 0x29}).branch, BranchKind::far_transfer);  // jmp far [ecx]
  EXPECT_EQ(of({0xFF, 0x29}).segment_written, 1);
  EXPECT_EQ(of({0xE3, 0xFE}).branch, BranchKind::conditional);  // jecxz
  EXPECT_EQ(of({0xE2, 0xFE}).branch, BranchKind::loop);
}

TEST(X86, SystemEffects) {
  EXPECT_TRUE(of({0xFA}).clears_interrupt_flag);
  EXPECT_TRUE(of({0xFB}).sets_interrupt_flag);
  EXPECT_TRUE(of({0xF4}).halts);
  EXPECT_TRUE(of({0xCD, 0x80}).software_interrupt);
  EXPECT_TRUE(of({0xCC}).software_interrupt);
  EXPECT_TRUE(of({0x0F, 0xA2}).serializing);
  EXPECT_FALSE(of({0x90}).serializing);
}

TEST(X86, SegmentsWritten) {
  EXPECT_EQ(of({0x8E, 0xC0}).segment_written, 0);        // mov es, eax
  EXPECT_EQ(of({0x17}).segment_written, 2);              // pop ss
  EXPECT_EQ(of({0x1F}).segment_written, 3);              // pop ds
  EXPECT_EQ(of({0x0F, 0xB4, 0x01}).segment_written, 4);  // lfs
  EXPECT_EQ(of({0x0F, 0xA9}).segment_written, 5);        // pop gs
  EXPECT_EQ(of({0x1E}).segment_written, -1);             // push ds
}

TEST(X86, RegistersOfMemoryForms) {
  const auto op = of({0x03, 0x44, 0xB3, 0x10});  // add eax, [ebx + esi*4 + 16]
  EXPECT_TRUE(op.loads);
  EXPECT_FALSE(op.stores);
  EXPECT_EQ(sorted(op.reads), (List{eax, ebx, esi}));
  EXPECT_EQ(sorted(op.address_reads), (List{ebx, esi}));
  EXPECT_EQ(sorted(op.writes), (List{eax, reg_flags, reg_carry}));
  const auto push = of({0x53});  // push ebx
  EXPECT_TRUE(push.stores);
  EXPECT_EQ(sorted(push.reads), (List{ebx, esp}));
  EXPECT_EQ(push.writes, List{esp});
  const auto lea = of({0x8D, 0x04, 0x0A});  // lea eax, [edx + ecx]
  EXPECT_FALSE(lea.loads);
  EXPECT_TRUE(lea.address_reads.empty());
  EXPECT_EQ(sorted(lea.reads), (List{ecx, edx}));
}

TEST(X86, ImplicitAndPartialRegisters) {
  const auto divide = of({0xF7, 0xF1});  // div ecx
  EXPECT_EQ(sorted(divide.reads), (List{eax, ecx, edx}));
  const auto copy = of({0xF3, 0xA4});  // rep movsb
  EXPECT_TRUE(copy.repeats && copy.loads && copy.stores);
  const auto part = of({0xB0, 1});  // mov al, 1 keeps the rest of eax
  EXPECT_EQ(part.reads, List{eax});
  const auto conditional = of({0x0F, 0x45, 0xC1});  // cmovnz eax, ecx keeps eax if zero
  EXPECT_EQ(sorted(conditional.reads), (List{eax, ecx, reg_flags}));
}

// IA-32 manuals, volume 2: the flags that each instruction tests and writes.
TEST(X86, CarryIsApartFromTheOtherFlags) {
  EXPECT_EQ(sorted(of({0x49}).writes), (List{ecx, reg_flags}));             // dec ecx keeps CF
  EXPECT_EQ(sorted(of({0x11, 0xD8}).reads), (List{eax, ebx, reg_carry}));   // adc eax, ebx
  EXPECT_EQ(sorted(of({0xD1, 0xD8}).reads), (List{eax, reg_carry}));        // rcr eax, 1
  EXPECT_EQ(of({0x72, 0xFE}).reads, List{reg_carry});                       // jb
  EXPECT_EQ(sorted(of({0x76, 0xFE}).reads), (List{reg_flags, reg_carry}));  // jbe
  EXPECT_EQ(of({0xF9}).writes, List{reg_carry});                            // stc
}

TEST(X86, LockedAndFloating) {
  EXPECT_TRUE(of({0xF0, 0xFF, 0x01}).locked);  // lock inc [ecx]
  EXPECT_TRUE(of({0x87, 0x01}).locked);        // xchg [ecx], eax
  EXPECT_FALSE(of({0x87, 0xC1}).locked);       // xchg ecx, eax
  EXPECT_TRUE(of({0xD8, 0xC1}).fp_unit);
  EXPECT_TRUE(of({0x0F, 0xFD, 0xC1}).fp_unit);
  EXPECT_FALSE(of({0x01, 0xC8}).fp_unit);
  EXPECT_EQ(sorted(of({0xD8, 0xC1}).reads), (List{reg_fp, reg_fp + 1}));  // fadd st, st(1)
}

TEST(X86, OldMeaningOfPrefixedForms) {
  EXPECT_EQ(of({0xF3, 0x0F, 0xBC, 0xC1}).mnemonic, "bsf");  // tzcnt on later processors
  EXPECT_EQ(of({0xF3, 0x0F, 0xBD, 0xC1}).mnemonic, "bsr");  // lzcnt
}

TEST(X86, Sse) {
  const Operation packed = of({0x0F, 0x58, 0xC1});  // addps xmm0,xmm1
  EXPECT_EQ(packed.kind, Kind::sse);
  EXPECT_EQ(packed.macro_ops, 2);
  EXPECT_EQ(sorted(packed.reads), (List{reg_xmm, reg_xmm + 1}));
  EXPECT_EQ(sorted(packed.writes), (List{reg_xmm}));
  EXPECT_EQ(of({0xF3, 0x0F, 0x58, 0xC1}).macro_ops, 1);  // addss
  const Operation compare = of({0x0F, 0x2F, 0xC1});      // comiss xmm0,xmm1
  EXPECT_EQ(sorted(compare.writes), (List{reg_flags, reg_carry}));
  EXPECT_EQ(of({0xF3, 0x0F, 0x10, 0x03}).macro_ops, 2);     // movss xmm0,[ebx]
  EXPECT_EQ(of({0xF3, 0x0F, 0x11, 0x03}).macro_ops, 1);     // movss [ebx],xmm0
  EXPECT_EQ(of({0x0F, 0xC6, 0xC1, 0x1B}).immediate, true);  // shufps xmm0,xmm1,27
}

TEST(X86, Pointers) {
  constexpr std::uint8_t esp = 4, esi = 6, edi = 7;
  EXPECT_EQ(of({0x58}).pointers, (List{esp}));               // pop eax
  EXPECT_EQ(of({0x5C}).pointers, List{});                    // pop esp
  EXPECT_EQ(of({0xC9}).pointers, (List{esp}));               // leave
  EXPECT_EQ(of({0xC3}).pointers, (List{esp}));               // ret
  EXPECT_EQ(of({0x61}).pointers, (List{esp}));               // popad
  EXPECT_EQ(of({0xAC}).pointers, (List{esi}));               // lodsb
  EXPECT_EQ(sorted(of({0xA5}).pointers), (List{esi, edi}));  // movsd
  EXPECT_EQ(sorted(of({0xF3, 0xA5}).pointers), (List{ecx, esi, edi}));
  EXPECT_EQ(of({0x83, 0xC4, 0x04}).pointers, List{});  // add esp,4
}

TEST(X86, Illegal) {
  EXPECT_EQ(of({0x66, 0x0F, 0x58, 0xC1}).kind, Kind::illegal);  // addpd of SSE2
  EXPECT_EQ(of({0xF3, 0x0F, 0x7E, 0xC1}).kind, Kind::illegal);  // movq xmm0,xmm1 of SSE2
  EXPECT_EQ(of({0x0F, 0x0B}).kind, Kind::illegal);              // ud2
  EXPECT_EQ(of({0x66, 0x0F, 0xFE, 0xC1}).kind, Kind::illegal);  // paddd of SSE2
  EXPECT_EQ(of({0x01}).kind, Kind::illegal);                    // truncated
  EXPECT_EQ(of({0x01, 0xC8, 0x90}).kind, Kind::illegal);        // one byte too many
}

TEST(X86, FcmovNeedsTheValueThatItMayLeave) {
  const auto op = of({0xDA, 0xC1});  // fcmovb st0, st1
  EXPECT_EQ(sorted(op.reads), (List{reg_fp, reg_fp + 1, reg_carry}));
  EXPECT_EQ(sorted(op.writes).front(), reg_fp);
}

TEST(X86, OperandsThatAreOneRegister) {
  EXPECT_TRUE(of({0x31, 0xC0}).same_register);         // xor eax, eax
  EXPECT_TRUE(of({0x0F, 0xEF, 0xC9}).same_register);   // pxor mm1, mm1
  EXPECT_FALSE(of({0x31, 0xC1}).same_register);        // xor ecx, eax
  EXPECT_FALSE(of({0x30, 0xC0}).same_register);        // xor al, al
  EXPECT_FALSE(of({0x66, 0x31, 0xC0}).same_register);  // xor ax, ax
  EXPECT_FALSE(of({0x31, 0x00}).same_register);        // xor [eax], eax
  EXPECT_TRUE(of({0x88, 0x3B}).stores_high_byte);      // mov [ebx], bh
  EXPECT_FALSE(of({0x88, 0x1B}).stores_high_byte);     // mov [ebx], bl
  EXPECT_FALSE(of({0x8A, 0x3B}).stores_high_byte);     // mov bh, [ebx]
}

TEST(X86, AddressesThatStandInTheInstruction) {
  const auto load = of({0x8B, 0x0D, 0x00, 0x50, 0, 0x80});  // mov ecx, [0x80005000]
  EXPECT_TRUE(load.absolute_loads);
  EXPECT_FALSE(load.absolute_stores);
  EXPECT_EQ(load.absolute_address, 0x80005000u);
  EXPECT_EQ(load.absolute_bytes, 4u);
  const auto update = of({0x80, 0x05, 0x00, 0x50, 0, 0, 1});  // add byte [0x5000], 1
  EXPECT_TRUE(update.absolute_loads && update.absolute_stores);
  EXPECT_EQ(update.absolute_bytes, 1u);
  const auto push = of({0xFF, 0x35, 0x00, 0x50, 0, 0});  // push dword [0x5000]: the stack is not absolute
  EXPECT_TRUE(push.absolute_loads);
  EXPECT_FALSE(push.absolute_stores);
  EXPECT_TRUE(of({0x0F, 0x0D, 0x0D, 0x00, 0x50, 0, 0}).absolute_loads);  // prefetchw [0x5000]
  const Operation others[] = {of({0x8B, 0x0B}),                          // mov ecx, [ebx]
                              of({0x8B, 0x0C, 0x85, 0x00, 0x50, 0, 0}),  // mov ecx, [eax*4 + 0x5000]
                              of({0x64, 0x8B, 0x0D, 0x00, 0x50, 0, 0}),  // mov ecx, fs:[0x5000]
                              of({0x8D, 0x0D, 0x00, 0x50, 0, 0}),        // lea ecx, [0x5000]
                              of({0xB9, 0x00, 0x50, 0, 0})};             // mov ecx, 0x5000
  for (const Operation& other : others) EXPECT_FALSE(other.absolute_loads || other.absolute_stores) << other.mnemonic;
}

}  // namespace
}  // namespace pmusim::trace::x86
