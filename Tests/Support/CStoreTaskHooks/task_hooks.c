#include "CStoreTaskHooks.h"

// The hooks of Swift's concurrency runtime; declared as in its ConcurrencyHooks.h.
#define SWIFT_CC __attribute__((swiftcall))

typedef SWIFT_CC void (*enqueue)(void *job);

extern SWIFT_CC void (*swift_task_enqueueGlobal_hook)(void *job, enqueue original);
extern SWIFT_CC void swift_job_run(void *job, void *executor, void *implementation);

static void (*taker)(void *job);

static SWIFT_CC void take(void *job, enqueue original) { taker(job); }

void cstore_take_jobs(void (*take_job)(void *job)) {
    taker = take_job;
    swift_task_enqueueGlobal_hook = take;
}

// Two nulls are the generic executor, the one of code that no actor isolates.
void cstore_run_job(void *job) { swift_job_run(job, 0, 0); }
