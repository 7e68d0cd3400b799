// SPDX-License-Identifier: MIT
// Numbered pieces of work shared out among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace skyjo {

// Calls work(worker, start, end) for parts start .. end - 1 that make up first .. first + n - 1.
// Each thread has one of the workers, of which there is at least one, and takes the next part when
// it has done the last: which worker gets which part is left to chance. The caller is one of the
// threads.
template <class Worker, class Work>
void in_threads(std::int64_t first, std::int64_t n, std::vector<Worker>& workers, Work work) {
    constexpr std::int64_t AT_ONCE = 64;  // few enough to end together, many enough to write apart
    std::atomic<std::int64_t> next = first;
    const std::int64_t end = first + n;
    const auto run = [&next, end, &work](Worker& worker) {
        while (true) {
            const std::int64_t start = next.fetch_add(AT_ONCE, std::memory_order_relaxed);
            if (start >= end) return;
            work(worker, start, std::min(start + AT_ONCE, end));
        }
    };
    std::vector<std::jthread> threads;
    threads.reserve(workers.size() - 1);
    for (std::size_t i = 1; i < workers.size(); ++i)
        threads.emplace_back([&run, &worker = workers[i]] { run(worker); });
    run(workers[0]);
}

}  // namespace skyjo
