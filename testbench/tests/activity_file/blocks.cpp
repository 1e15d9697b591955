#include "blocks.h"

#include <bit>
#include <fstream>
#include <iterator>

#include "models/activity/vocabulary.h"
#include "pmusim/trace/bytes.h"
#include "pmusim/trace/reader.h"
#include "testbench/tests/scratch.h"

namespace pmusim::activity_file::test {
namespace {

using activity::Signal;

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns a random value in which every field has one of its named values.
template <class Random>
std::uint64_t named(const activity::Fields& fields, Random& random) {
  std::uint64_t value = 0;
  for (const activity::Field& field : fields) {
    const std::uint64_t most =
        field.values.empty() ? field.mask >> std::countr_zero(field.mask) : field.values.size() - 1;
    value |= (most == ~std::uint64_t{0} ? random() : random() % (most + 1)) << std::countr_zero(field.mask);
  }
  return value;
}

}  // namespace

::testing::AssertionResult same(const Block& a, const Block& b) {
  const auto differ = [](const std::string& what) { return ::testing::AssertionFailure() << what << " differ"; };
  if (a.begin != b.begin || a.end != b.end) return differ("cycles");
  for (std::size_t s = 0; s < a.columns.size(); ++s) {
    const auto equal = [](const activity::Occurrence& x, const activity::Occurrence& y) {
      return x.at == y.at && x.ref == y.ref && x.amount == y.amount && x.detail == y.detail;
    };
    if (!std::equal(a.columns[s].begin(), a.columns[s].end(), b.columns[s].begin(), b.columns[s].end(), equal))
      return differ("occurrences of signal " + std::to_string(s));
  }
  for (std::size_t s = 0; s < a.states.size(); ++s) {
    const auto equal = [](const activity::Change& x, const activity::Change& y) {
      return x.at == y.at && x.value == y.value;
    };
    const auto &x = a.states[s], &y = b.states[s];
    if (x.initial != y.initial ||
        !std::equal(x.changes.begin(), x.changes.end(), y.changes.begin(), y.changes.end(), equal))
      return differ("changes of state " + std::to_string(s));
  }
  Numbers mine, other;
  for (const Table& table : tables()) {
    if (table.rows(a) != table.rows(b)) return differ("rows of table " + table.name);
    for (const Column& column : table.columns) {
      column.get(a, mine);
      column.get(b, other);
      if (mine != other) return differ("fields " + table.name + '.' + column.name.name);
    }
  }
  for (std::size_t i = 0; i < a.accesses.size(); ++i) {
    if (a.accesses[i].name != b.accesses[i].name) return differ("names of accesses");
  }
  return ::testing::AssertionSuccess();
}

std::vector<Block> random_blocks(std::string_view target, unsigned seed, unsigned count) {
  std::mt19937_64 random(seed);
  const auto signals = activity::signal_names(target);
  const auto states = activity::state_names(target);
  const bool ia64 = target == "itanium2" || target == "montecito", alpha = target.starts_with("alpha");
  std::vector<Block> blocks(count);
  activity::Cycle now = random() % 1000;
  for (Block& block : blocks) {
    block.begin = now;
    block.end = now += 1 + random() % 300;
    const auto length = static_cast<std::uint32_t>(block.end - block.begin);
    block.instructions.resize(random() % 20);
    block.requests.resize(random() % 20);
    if (ia64) block.syllables.resize(block.instructions.size());
    if (ia64) block.ia64_requests.resize(block.requests.size());
    if (alpha) block.alpha_instructions.resize(block.instructions.size());
    const auto any_of = [&](std::size_t records) {
      return records == 0 || random() % 4 == 0 ? activity::no_ref : static_cast<std::uint32_t>(random() % records);
    };
    std::vector<activity::RegisterAccess> accesses;
    for (std::size_t s = 0; s < signals.size(); ++s) {
      if (random() % 3 == 0) continue;
      const bool of_request = activity::refers_to_request(static_cast<Signal>(s));
      for (std::uint32_t at = random() % length; at < length; at += random() % 40) {
        block.columns[s].push_back({at, any_of(of_request ? block.requests.size() : block.instructions.size()),
                                    static_cast<std::uint16_t>(random() % 4 == 0 ? 1 + random() % 0xffff : 1),
                                    static_cast<std::uint16_t>(named(signals[s].fields, random))});
        if (static_cast<Signal>(s) == Signal::register_access)
          accesses.push_back(
              {at, random() % 2 == 0, random(), any_of(block.instructions.size()), {'P', 'M', 'C', '4'}});
      }
    }
    for (std::size_t s = 0; s < states.size(); ++s) {
      const auto value = [&] {
        return states[s].fields.empty() ? random() >> random() % 64 : named(states[s].fields, random);
      };
      block.states[s].initial = value();
      for (std::uint32_t at = 1 + random() % 100; at <= length; at += 1 + random() % 100)
        block.states[s].changes.push_back({at, value()});
    }
    for (const Table& table : tables()) {
      for (const Column& column : table.columns) {
        Numbers values(table.rows(block));
        for (std::uint64_t& v : values)
          v = column.most == ~std::uint64_t{0} ? random() >> random() % 64 : random() % (column.most + 1);
        column.set(block, values);
      }
    }
    for (activity::InstructionRecord& record : block.instructions) {
      record.thread %= 2;
      record.slot %= 3;
    }
    for (activity::RequestRecord& record : block.requests) record.thread %= 2;
    for (activity::ia64::Request& request : block.ia64_requests) request.owner = any_of(block.instructions.size());
    block.accesses = std::move(accesses);
  }
  return blocks;
}

std::string file_of(const std::vector<Block>& blocks, std::string_view target) {
  const testbench::Scratch scratch;
  Properties properties;
  properties.set("target", std::string(target));
  Writer writer(scratch / "f.pma", properties);
  std::uint64_t retired = 0;
  for (const Block& block : blocks) {
    retired += block.column(Signal::retire).size();
    writer.write(block, {retired, not_told});
  }
  writer.close();
  return content_of(scratch / "f.pma");
}

std::string file_of(const std::vector<Block>& blocks, const Description& description) {
  const std::string own = file_of(blocks, description.properties.get("target").value_or(""));
  const auto size = trace::get_fixed<std::uint32_t>(&own[description_size_at]);
  const std::string text = encode(description);
  std::string file(own.substr(0, description_size_at));
  trace::put_fixed(file, static_cast<std::uint32_t>(text.size()));
  file += text;
  trace::put_fixed(file, trace::crc32(0, file));
  // Copies the blocks unchanged and writes an index of their new positions.
  std::size_t at = header_size + size + sizeof(std::uint32_t);
  trace::IndexSum sum;
  std::string entries;
  std::uint64_t end = 0;
  while (own.compare(at, block_tag.size(), block_tag) == 0) {
    const BlockHeader head = decode_block_header(&own[at + block_tag.size()]);
    const std::size_t bytes = block_tag.size() + block_header_size + head.packed_size;
    entries += sum.add(file.size(), head.begin);
    file += own.substr(at, bytes);
    at += bytes;
    end = head.end;
  }
  file += trace::index_bytes(entries, sum, end, file.size(), end_mark);
  return file;
}

Got read(const std::string& file, bool salvage) {
  Got got;
  try {
    Reader reader(file, "f.pma", {salvage, [&](const std::string& what) { got.defect = what; }});
    for (Block block; reader.next(block);) got.blocks.push_back(block);
  } catch (const trace::TraceError& error) {
    got.defect = error.what();
  }
  return got;
}

}  // namespace pmusim::activity_file::test
