#include "core/ledger.h"

namespace gpudget {

void Ledger::append(EntryId id, Category category, Bytes size, Phase from, Phase to, const Formula& formula) {
  if (size_ == kCapacity) {
    entries_[kCapacity - 1].size += size;
    return;
  }
  entries_[size_++] = {id, category, from, to, size, formula};
}

Bytes Ledger::phase_total(Phase p, Category c) const {
  Bytes sum, total;  // what an entry adds to the total, so that the categories sum to it where it saturates too
  for (const LedgerEntry& e : entries()) {
    if (!e.alive_in(p)) continue;
    const Bytes before = total;
    total += e.size;
    if (e.category == c) sum += total - before;
  }
  return sum;
}

std::array<Bytes, kCategories> Ledger::category_totals(Phase p) const {
  std::array<Bytes, kCategories> sums{};
  Bytes total;  // as in phase_total: what each entry adds to it
  for (const LedgerEntry& e : entries()) {
    if (!e.alive_in(p)) continue;
    const Bytes before = total;
    total += e.size;
    sums[static_cast<std::size_t>(e.category)] += total - before;
  }
  return sums;
}

}  // namespace gpudget
