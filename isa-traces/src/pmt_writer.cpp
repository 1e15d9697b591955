// Writes `.pmt` files.
#include <zstd.h>

#include <cstdint>
#include <string>

#include "keys.h"
#include "pmt_state.h"
#include "pmusim/trace/bytes.h"
#include "pmusim/trace/packed_file.h"
#include "pmusim/trace/reader.h"
#include "rules.h"
#include "writers.h"

namespace pmusim::trace {
using namespace pmt;
namespace {

/// Inverse of unpack_mask().
std::uint8_t pack_mask(const std::array<char, 3>& mask) {
  unsigned packed = 0;
  for (unsigned slot = 0; slot < mask.size(); ++slot) {
    packed |= (mask[slot] == 'x' ? 2u : mask[slot] == 'p' ? 1u : 0u) << (2 * slot);
  }
  return static_cast<std::uint8_t>(packed);
}

void put_annotations(std::string& out, const Annotations& annotations) {
  const std::vector<Key> keys = keys_of(annotations);
  auto use = annotations.registers.begin();
  auto deferral = annotations.deferrals.begin();
  put_varint(out, keys.size());
  for (const Key key : keys) {
    const bool prefixed = key == Key::wr && use->prefixed;
    out.push_back(static_cast<char>(key_byte(key, prefixed)));
    if (key == Key::rd || key == Key::wr) {
      put_text(out, use->name);
      if (key == Key::wr) put_varint(out, use->value);
      ++use;
    } else if (key == Key::defer) {
      put_varint(out, deferral->slot);
      put_varint(out, deferral++->address);
    }
    visit_value(key, annotations, [&]<typename Value>(const Value& value) {
      if constexpr (std::is_enum_v<Value>) {
        out.push_back(static_cast<char>(value));
      } else {
        put_varint(out, *value);
      }
    });
  }
}

/// Encodes items into the payload of a chunk; inverse of ChunkDecoder.
class ChunkEncoder {
 public:
  ChunkEncoder(Isa isa, CodeDictionary& codes) : isa_(isa), address_mask_(address_mask(isa)), codes_(codes) {}

  /// Items must be legal (SequenceRules).
  void add(const Directive& directive) {
    ++directive_count_;
    put_text(directives_, directive.name);
    put_varint(directives_, directive.operands.size());
    for (const auto& [key, value] : directive.operands) {
      put_text(directives_, key);
      put_text(directives_, value);
    }
  }

  void add(const Instruction& instruction) {
    const std::uint64_t pc = instruction.code->pc;
    if (instructions_++ == 0) first_pc_ = expected_ = pc;
    const Annotations* annotations = instruction.annotations;
    if (annotations != nullptr && keys_of(*annotations).empty()) annotations = nullptr;

    std::uint8_t control = 0;
    if (directive_count_ > 0 || pc != expected_ || annotations != nullptr) control |= Control::rare;
    StaticState& state = find_state(instruction, control);
    const bool new_mask = isa_ == Isa::ia64 && state.mask != instruction.mask;
    if (new_mask) control |= mask_new;
    state.mask = instruction.mask;
    std::uint64_t target_change = 0;
    if (instruction.taken) {
      control |= taken;
      target_change = instruction.target - state.last_target;
      if (target_change != 0) control |= target_new;
      state.last_target = instruction.target;
    }
    numbers_.clear();
    control |= encode_accesses(state, instruction);

    if (control == 0) {
      if (++run_ == 128) flush_run();
    } else {
      flush_run();
      payload_.push_back(static_cast<char>(control));
      if ((control & Control::rare) != 0) put_rare(pc, annotations);
      if ((control & code_new) != 0) {
        put_text(payload_, {reinterpret_cast<const char*>(instruction.code->bytes.data()), instruction.code->length});
      }
      if (new_mask) payload_.push_back(static_cast<char>(pack_mask(instruction.mask)));
      if (target_change != 0) put_varint(payload_, zigzag(target_change));
      payload_ += numbers_;
    }
    left_taken_ = instruction.taken;
    expected_ = left_taken_ ? instruction.target : state.next_pc;
  }

  /// Ends the chunk. The payload is valid until restart().
  const std::string& finish() {
    flush_run();
    put_directives();
    return payload_;
  }

  void restart() {
    state_.clear();
    payload_.clear();
    instructions_ = 0;
    left_taken_ = false;
  }

  [[nodiscard]] std::size_t size() const { return payload_.size() + directives_.size(); }
  [[nodiscard]] std::uint32_t instructions() const { return instructions_; }
  [[nodiscard]] std::uint64_t first_pc() const { return first_pc_; }

 private:
  StaticState& find_state(const Instruction& instruction, std::uint8_t& control) {
    const Code& code = *instruction.code;
    StaticState* state = state_.locate(code.pc, left_taken_);
    if (state != nullptr && same_bytes(*state->code, bytes_of(code))) return *state;
    control |= code_new;
    const Code& own = codes_.intern(code.pc, bytes_of(code));
    return state_.renew(own, (code.pc + code.length) & address_mask_);
  }

  /// Compares the list of accesses and the addresses with the prediction, stores them, appends the differences to
  /// `numbers_`.
  std::uint8_t encode_accesses(StaticState& state, const Instruction& instruction) {
    const auto& list = instruction.accesses;
    std::uint8_t control = 0;
    const auto same_shape = [](const Access& a, const Access& b) {
      return a.size == b.size && a.store == b.store && a.slot == b.slot;
    };
    if (!std::equal(list.begin(), list.end(), state_.accesses(state), state_.accesses(state) + state.accesses,
                    same_shape)) {
      control |= list_new;
      state_.resize(state, static_cast<std::uint16_t>(list.size()));
      put_varint(numbers_, list.size());
      for (std::size_t i = 0; i < list.size(); ++i) {
        const std::uint64_t size_and_slot = isa_ == Isa::ia64 ? list[i].size << 2 | list[i].slot : list[i].size;
        put_varint(numbers_, size_and_slot << 1 | (list[i].store ? 1 : 0));
        state_.accesses(state)[i] = list[i];
      }
    }
    if (list.empty()) return control;
    std::uint64_t* const distances = state_.distances(state);
    const std::uint64_t stride = list[0].address - state.last_address;
    bool differs = ((stride - state.stride) & address_mask_) != 0;
    for (std::size_t i = 1; i < list.size(); ++i) {
      differs |= ((list[i].address - list[i - 1].address - distances[i]) & address_mask_) != 0;
    }
    if (differs) {
      control |= address_new;
      put_varint(numbers_, zigzag(stride - state.stride));
      state.stride = stride;
      for (std::size_t i = 1; i < list.size(); ++i) {
        const std::uint64_t distance = list[i].address - list[i - 1].address;
        put_varint(numbers_, zigzag(distance - distances[i]));
        distances[i] = distance;
      }
    }
    state.last_address = list[0].address;
    return control;
  }

  void put_rare(std::uint64_t pc, const Annotations* annotations) {
    const bool jumps = pc != expected_;
    payload_.push_back(static_cast<char>((directive_count_ > 0 ? has_directives : 0) | (jumps ? moved : 0) |
                                         (annotations != nullptr ? has_annotations : 0)));
    put_directives();
    if (jumps) put_varint(payload_, zigzag(pc - expected_));
    if (annotations != nullptr) put_annotations(payload_, *annotations);
  }

  /// Writes the directives that are not yet attached to an instruction.
  void put_directives() {
    if (directive_count_ == 0) return;
    put_varint(payload_, directive_count_);
    payload_ += directives_;
    directive_count_ = 0;
    directives_.clear();
  }

  void flush_run() {
    if (run_ > 0) payload_.push_back(static_cast<char>(Control::run | (run_ - 1)));
    run_ = 0;
  }

  Isa isa_;
  std::uint64_t address_mask_;
  CodeDictionary& codes_;
  ChunkState state_;
  std::string payload_;
  std::string directives_;  // encoded, not yet attached to an instruction
  std::uint64_t directive_count_ = 0;
  std::string numbers_;
  std::uint32_t run_ = 0;
  std::uint32_t instructions_ = 0;
  std::uint64_t first_pc_ = 0;
  std::uint64_t expected_ = 0;
  bool left_taken_ = false;
};

std::string encode(const ChunkHeader& header) {
  std::string out;
  put_fixed(out, header.raw_size);
  put_fixed(out, header.packed_size);
  put_fixed(out, header.instructions);
  put_fixed(out, header.first_pc);
  put_fixed(out, header.crc);
  return out;
}

class PmtWriter final : public WriterBase {
 public:
  PmtWriter(const std::filesystem::path& file, Isa isa, const std::string& program, const PmtOptions& options)
      : WriterBase(file, isa, OutputFile::Kind::patched),
        options_(options),
        packer_(options.level, file_.name()),
        encoder_(isa, codes_) {
    header_.append(magic);
    put_fixed(header_, version);
    put_fixed(header_, static_cast<std::uint8_t>(isa));
    put_fixed(header_, options.isa_line ? flag_isa_line : std::uint8_t{0});
    put_fixed(header_, static_cast<std::uint16_t>(program.size()));
    put_fixed(header_, options.chunk_instructions);
    put_fixed(header_, std::uint64_t{0});
    header_.append(program);
    put_fixed(header_, crc32(0, header_));
    file_.write(header_);
  }

 private:
  void put(const Directive& directive) override {
    if (encoder_.size() >= full_payload) flush();
    encoder_.add(directive);
  }
  void put(const Instruction& instruction) override {
    if (encoder_.instructions() == options_.chunk_instructions || encoder_.size() >= full_payload) flush();
    encoder_.add(instruction);
  }

  void flush() {
    const std::string& payload = encoder_.finish();
    ChunkHeader header;
    const std::string_view packed = packer_.pack(payload);
    header.raw_size = static_cast<std::uint32_t>(payload.size());
    header.packed_size = static_cast<std::uint32_t>(packed.size());
    header.instructions = encoder_.instructions();
    header.first_pc = header.instructions > 0 ? encoder_.first_pc() : 0;
    header.crc = crc32(crc32(0, std::string_view(encode(header)).substr(0, chunk_checked_size)), payload);
    index_ += sum_.add(file_.offset(), packed_instructions_);
    packed_instructions_ += header.instructions;
    file_.write(chunk_tag);
    file_.write(encode(header));
    file_.write(packed);
    encoder_.restart();
  }

  void finish() override {
    if (encoder_.instructions() > 0 || encoder_.size() > 0) flush();
    file_.write(index_bytes(index_, sum_, numbering_.lines(), file_.offset(), end_mark));
    std::string count;
    put_fixed(count, numbering_.lines());
    header_.resize(header_.size() - sizeof(std::uint32_t));
    header_.replace(instructions_at, count.size(), count);
    put_fixed(header_, crc32(0, header_));
    file_.patch(0, header_);
  }

  PmtOptions options_;
  Packer packer_;
  CodeDictionary codes_;
  ChunkEncoder encoder_;
  std::string header_;
  std::string index_;  // entries: offset of the chunk, instructions before it
  IndexSum sum_;
  std::uint64_t packed_instructions_ = 0;
};

}  // namespace

std::unique_ptr<Writer> create_pmt(const std::filesystem::path& file, Isa isa, const std::string& program,
                                   const PmtOptions& options) {
  const auto fail = [&](const std::string& what) { throw TraceError(fmt::format("{}: {}", file.string(), what)); };
  if (options.level < 1 || options.level > ZSTD_maxCLevel()) {
    fail(fmt::format("zstd level {}; must be 1 to {}", options.level, ZSTD_maxCLevel()));
  }
  if (options.chunk_instructions == 0 || options.chunk_instructions > most_chunk_instructions) {
    fail(
        fmt::format("chunks of {} instructions; must be 1 to {}", options.chunk_instructions, most_chunk_instructions));
  }
  if (program.size() > 65535) fail("the program's name has more than 65535 bytes");
  return std::make_unique<PmtWriter>(file, isa, program, options);
}

}  // namespace pmusim::trace
