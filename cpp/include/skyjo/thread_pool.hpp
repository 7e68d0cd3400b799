// SPDX-License-Identifier: MIT
// Threads that wait for work: one task at a time, cut into one part for each of them.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace skyjo {

// The calling thread does part 0 itself, so that a pool of one has no thread of its own. In a
// process forked from the one that made the pool there are no such threads: there the caller does
// every part.
class ThreadPool {
 public:
    using Task = void (*)(void* context, int part) noexcept;

    // Precondition: n_threads > 0. Throws std::system_error where the system gives no thread.
    explicit ThreadPool(int n_threads);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool();

    [[nodiscard]] int n_parts() const noexcept { return n_parts_; }

    // Runs task(context, part) for each part, and returns when all are done. One call at a time.
    void run(Task task, void* context) noexcept;

 private:
    void work(int part) noexcept;
    void stop() noexcept;
    [[nodiscard]] bool is_forked() const noexcept;

    int n_parts_;
    long process_;
    Task task_ = nullptr;
    void* context_ = nullptr;
    std::atomic<unsigned> n_runs_ = 0;  // what the threads wait for
    std::atomic<int> n_working_ = 0;    // what the caller waits for
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace skyjo
