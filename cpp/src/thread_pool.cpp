// SPDX-License-Identifier: MIT
#include "skyjo/thread_pool.hpp"

#include "skyjo/portability.hpp"

namespace skyjo {

ThreadPool::ThreadPool(int n_threads) : n_parts_(n_threads), process_(process_id()) {
    try {
        for (int part = 1; part < n_threads; ++part)
            threads_.emplace_back([this, part] { work(part); });
    } catch (...) {
        stop();
        throw;
    }
}

ThreadPool::~ThreadPool() {
    stop();
}

void ThreadPool::run(Task task, void* context) noexcept {
    if (threads_.empty() || is_forked()) {
        for (int part = 0; part < n_parts_; ++part) task(context, part);
        return;
    }
    task_ = task;
    context_ = context;
    n_working_.store(n_parts_ - 1, std::memory_order_relaxed);
    n_runs_.fetch_add(1, std::memory_order_release);
    n_runs_.notify_all();
    task(context, 0);
    for (int n = n_working_.load(std::memory_order_acquire); n != 0;
         n = n_working_.load(std::memory_order_acquire))
        n_working_.wait(n, std::memory_order_acquire);
}

void ThreadPool::work(int part) noexcept {
    for (unsigned seen = 0;;) {
        n_runs_.wait(seen, std::memory_order_acquire);
        seen = n_runs_.load(std::memory_order_acquire);
        if (stopping_) return;
        task_(context_, part);
        if (n_working_.fetch_sub(1, std::memory_order_acq_rel) == 1) n_working_.notify_one();
    }
}

void ThreadPool::stop() noexcept {
    if (is_forked()) {
        for (std::thread& thread : threads_) thread.detach();
        return;
    }
    stopping_ = true;
    n_runs_.fetch_add(1, std::memory_order_release);
    n_runs_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

bool ThreadPool::is_forked() const noexcept {
    return process_ != process_id();
}

}  // namespace skyjo
