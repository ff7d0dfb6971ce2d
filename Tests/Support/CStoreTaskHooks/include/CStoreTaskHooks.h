#pragma once

/// Gives every job that Swift's global executor would run to `take` instead, for the rest of
/// the process. Called once, before the first task; `take` is called on any thread.
void cstore_take_jobs(void (*_Nonnull take)(void *_Nonnull job));

/// Runs a job on this thread until it suspends or ends.
void cstore_run_job(void *_Nonnull job);
