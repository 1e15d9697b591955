#include "testbench/driver/activity_file_source.h"

#include <fmt/format.h>

#include "pmusim/trace/reader.h"

namespace pmusim::testbench {

using activity_file::not_told;

ActivityFileSource::ActivityFileSource(std::unique_ptr<activity_file::Reader> reader, Rules rules)
    : reader_(std::move(reader)),
      checked_(rules == Rules::checked),
      rules_(reader_->properties().get("target").value_or(""), [this](const std::string& problem) {
        throw trace::TraceError(fmt::format("{}: {}; pmusim activity check lists all", reader_->name(), problem));
      }) {
  read(*ahead_);
  if (ahead_->there) now_ = ahead_->block.begin;
}

void ActivityFileSource::read(Stretch& to) {
  to.there = reader_->next(to.block);
  if (!to.there) return;
  if (checked_) rules_.consume(to.block);
  to.instructions = {reader_->block_header().instructions[0], reader_->block_header().instructions[1]};
}

const Block* ActivityFileSource::next(Cycle) {
  if (!ahead_->there) return nullptr;
  std::swap(delivered_, ahead_);
  read(*ahead_);
  if (ahead_->there) delivered_->block.follow(ahead_->block);
  retired_.consume(delivered_->block);
  now_ = delivered_->block.end;
  return &delivered_->block;
}

std::uint64_t ActivityFileSource::instructions_of(unsigned thread) const {
  const std::uint64_t recorded = delivered_->instructions.at(thread);
  return recorded == not_told ? 0 : recorded;
}

std::uint64_t ActivityFileSource::instructions() const {
  const bool recorded = delivered_->there && delivered_->instructions[0] != not_told;
  return recorded ? instructions_of(0) + instructions_of(1) : retired_.count();
}

}  // namespace pmusim::testbench
