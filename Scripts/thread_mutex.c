/* Tells the thread sanitizer what a contended Synchronization.Mutex hands from thread to thread.

   Swift's inlined half of the mutex is instrumented with the rest of a program. The other half, which
   waits in the kernel, lies in the toolchain's library and is not: without this the sanitizer takes two
   closures of withLock for a race as soon as one has waited for the other. Loaded before the toolchain's
   library (LD_PRELOAD), these stand before its three functions, call them, and say what they did. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* There in a program that is built with the sanitizer. */
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define SWIFT_METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

/* _MutexHandle._lockSlow(_: UInt32), ._tryLockSlow() -> Bool, ._unlockSlow() */
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT_METHOD void (*lock_function)(uint32_t thread, SELF);
typedef SWIFT_METHOD bool (*try_lock_function)(SELF);
typedef SWIFT_METHOD void (*unlock_function)(SELF);

SWIFT_METHOD void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT_METHOD void lock_slow(uint32_t thread, SELF) {
    ((lock_function)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire != NULL) __tsan_acquire(mutex);
}

SWIFT_METHOD bool try_lock_slow(SELF) __asm__(TRY_LOCK);
SWIFT_METHOD bool try_lock_slow(SELF) {
    bool is_locked = ((try_lock_function)dlsym(RTLD_NEXT, TRY_LOCK))(mutex);
    if (is_locked && __tsan_acquire != NULL) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT_METHOD void unlock_slow(SELF) __asm__(UNLOCK);
SWIFT_METHOD void unlock_slow(SELF) {
    if (__tsan_release != NULL) __tsan_release(mutex);
    ((unlock_function)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
