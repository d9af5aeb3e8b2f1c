// Quantities that carry their unit in the type. In: a named maker (bytes(5), gib(24)). Out: a named reader (x.in_gb()).
// Nothing converts implicitly; decimal GB (1e9) and binary GiB (2^30) each have their own name.
// Bytes saturate at +-kMaxBytes instead of overflowing: estimate() reports that as a problem, it is never a wrapped number.
#pragma once
#include <compare>
#include <cstdint>

namespace gpudget {

inline constexpr std::int64_t kMaxBytes = std::int64_t{1} << 53;  // the largest integer that JSON readers keep exact

// Products and sums of non-negative counts that stop at kMaxBytes instead of wrapping. An estimate does some hundreds of them, nearly all in range.
constexpr bool in_range(std::int64_t n) { return static_cast<std::uint64_t>(n) + kMaxBytes <= 2 * static_cast<std::uint64_t>(kMaxBytes); }
constexpr std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
#if defined(__wasm__)
  // There the check of an overflow is a call of a 128-bit product. A double's rounding never crosses 2^53, so this one is exact.
  const double p = static_cast<double>(a) * static_cast<double>(b);
  if (p < static_cast<double>(kMaxBytes) && p > -static_cast<double>(kMaxBytes)) return a * b;
#endif
  std::int64_t r = 0;
  if (!__builtin_mul_overflow(a, b, &r) && in_range(r)) [[likely]]
    return r;
  if (__builtin_mul_overflow(a, b, &r)) return (a < 0) == (b < 0) ? kMaxBytes : -kMaxBytes;
  return r > kMaxBytes ? kMaxBytes : r < -kMaxBytes ? -kMaxBytes : r;
}
constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (!__builtin_add_overflow(a, b, &r) && in_range(r)) [[likely]]
    return r;
  if (__builtin_add_overflow(a, b, &r)) return a < 0 ? -kMaxBytes : kMaxBytes;
  return r > kMaxBytes ? kMaxBytes : r < -kMaxBytes ? -kMaxBytes : r;
}
template <class... N>
constexpr std::int64_t product(std::int64_t first, N... rest) {
  ((first = saturating_multiply(first, rest)), ...);
  return first;
}
// a / b rounded up; a >= 0, b > 0.
constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr std::int64_t in_bytes() const { return count_; }
  constexpr double in_gb() const { return static_cast<double>(count_) / 1e9; }
  constexpr double in_gib() const { return static_cast<double>(count_) / 1073741824.0; }
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes b) { return count_ = saturating_add(count_, b.count_), *this; }
  constexpr Bytes& operator-=(Bytes b) { return count_ = saturating_add(count_, -b.count_), *this; }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return a += b; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return a -= b; }
  friend constexpr Bytes operator*(Bytes a, std::int64_t n) { return Bytes(saturating_multiply(a.count_, n)); }
  friend constexpr Bytes operator*(std::int64_t n, Bytes a) { return a * n; }
  friend constexpr Bytes bytes(std::int64_t n);

 private:
  explicit constexpr Bytes(std::int64_t n) : count_(n) {}
  std::int64_t count_ = 0;
};
constexpr Bytes bytes(std::int64_t n) { return Bytes(saturating_add(n, 0)); }
constexpr Bytes kib(std::int64_t n) { return bytes(saturating_multiply(n, 1024)); }
constexpr Bytes mib(std::int64_t n) { return bytes(saturating_multiply(n, 1048576)); }
constexpr Bytes gib(std::int64_t n) { return bytes(saturating_multiply(n, 1073741824)); }
constexpr Bytes gb(std::int64_t n) { return bytes(saturating_multiply(n, 1000000000)); }

// A double with a unit; Tag names it.
template <class Tag>
class Real {
 public:
  constexpr Real() = default;
  explicit constexpr Real(double v) : value_(v) {}
  constexpr double value() const { return value_; }  // in the unit that the alias below names
  constexpr auto operator<=>(const Real&) const = default;
  constexpr Real& operator+=(Real o) { return value_ += o.value_, *this; }
  friend constexpr Real operator+(Real a, Real b) { return Real(a.value_ + b.value_); }
  friend constexpr Real operator-(Real a, Real b) { return Real(a.value_ - b.value_); }
  friend constexpr Real operator*(Real a, double k) { return Real(a.value_ * k); }
  friend constexpr Real operator*(double k, Real a) { return a * k; }
  friend constexpr double operator/(Real a, Real b) { return a.value_ / b.value_; }
  friend constexpr Real operator/(Real a, double k) { return Real(a.value_ / k); }

 private:
  double value_ = 0;
};
using Seconds = Real<struct SecondsTag>;
using Usd = Real<struct UsdTag>;
using UsdPerHour = Real<struct UsdPerHourTag>;            // for one GPU
using Flops = Real<struct FlopsTag>;                      // floating-point operations
using FlopsPerSecond = Real<struct FlopsPerSecondTag>;    // a rate
using BytesPerSecond = Real<struct BytesPerSecondTag>;    // a rate
using TokensPerSecond = Real<struct TokensPerSecondTag>;  // a rate

// Counts of parameters and of tokens are plain std::int64_t: they have no second unit to be confused with.

}  // namespace gpudget
