// SPDX-License-Identifier: MIT
// Whether counts follow one law: chi-squares and means, judged in standard deviations.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "testing.hpp"

namespace skyjo::testing {

// At fixed seeds a test either passes or not; one in 16,000 right laws would lie beyond.
inline constexpr double TOO_FAR = 4.0;

using Histogram = std::vector<double>;

// How unlikely a chi-square is, in standard deviations (Wilson and Hilferty 1931).
inline double deviation(double chi_square, double freedom) {
    const double spread = 2.0 / (9.0 * freedom);
    return (std::cbrt(chi_square / freedom) - (1.0 - spread)) / std::sqrt(spread);
}

inline double total_of(const Histogram& counts) {
    double sum = 0.0;
    for (const double count : counts) sum += count;
    return sum;
}

// Two samples of one law: Pearson's test of homogeneity, bins that are rare in both taken together.
inline void require_same_law(const Histogram& a, const Histogram& b, const char* what) {
    const double n_a = total_of(a);
    const double n_b = total_of(b);
    double chi_square = 0.0;
    double freedom = -1.0;
    double rest_a = 0.0;
    double rest_b = 0.0;
    const auto add = [&](double in_a, double in_b) {
        const double difference = in_a * std::sqrt(n_b / n_a) - in_b * std::sqrt(n_a / n_b);
        chi_square += difference * difference / (in_a + in_b);
        freedom += 1.0;
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] + b[i] >= 10.0) {
            add(a[i], b[i]);
        } else {
            rest_a += a[i];
            rest_b += b[i];
        }
    }
    if (rest_a + rest_b > 0.0) add(rest_a, rest_b);
    require(freedom >= 1.0, "more than one kind of outcome");
    require(deviation(chi_square, freedom) < TOO_FAR, what);
}

// A sample of a known law; `expected` has the same sum. Rare bins are taken together.
inline void require_law(const Histogram& found, const Histogram& expected, const char* what) {
    double chi_square = 0.0;
    double freedom = -1.0;
    double rest_found = 0.0;
    double rest_expected = 0.0;
    const auto add = [&](double n, double mean) {
        chi_square += (n - mean) * (n - mean) / mean;
        freedom += 1.0;
    };
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (expected[i] >= 5.0) {
            add(found[i], expected[i]);
        } else {
            rest_found += found[i];
            rest_expected += expected[i];
        }
    }
    if (rest_expected > 0.0) add(rest_found, rest_expected);
    require(freedom >= 1.0, "more than one kind of outcome");
    require(deviation(chi_square, freedom) < TOO_FAR, what);
}

struct Moments {
    double n = 0.0;
    double sum = 0.0;
    double squares = 0.0;

    void add(double x) {
        n += 1.0;
        sum += x;
        squares += x * x;
    }
    [[nodiscard]] double mean() const { return sum / n; }
    [[nodiscard]] double variance_of_mean() const { return (squares / n - mean() * mean()) / n; }
};

inline void require_same_mean(const Moments& a, const Moments& b, const char* what) {
    const double variance = a.variance_of_mean() + b.variance_of_mean();
    require(std::abs(a.mean() - b.mean()) <= TOO_FAR * std::sqrt(variance), what);
}

}  // namespace skyjo::testing
