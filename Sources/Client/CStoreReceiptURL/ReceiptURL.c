// Foundation on Linux declares `Bundle.appStoreReceiptURL` and always gives nil. An extension
// can't replace it: where both modules are imported, every use would be ambiguous. So the entry
// of the getter in the vtable of the class Bundle is replaced, when the program is loaded. The
// same is done to `NSURL.setResourceValues`, which ignores `isExcludedFromBackup` on Linux.
//
// Everything about an entry is looked up by name in the Foundation that is loaded, and
// compared before anything is written: the method, the class and the description of the method
// must come from one library, Swift's runtime must say that the class uses that method, and
// exactly one entry of the class must hold it. Where one of these is not so, as in a program
// with a static Foundation, nothing happens and Foundation does what it does.

#define _GNU_SOURCE
#include "CStoreReceiptURL.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define GETTER "$s10Foundation6BundleC18appStoreReceiptURL0A10Essentials0F0VSgvg"
#define VALUES "$s10Foundation5NSURLC17setResourceValuesyySDyAA14URLResourceKeyVypGKF"
#define VALUE "$s10Foundation5NSURLC16setResourceValue_6forKeyyypSg_AA011URLResourceG0VtKF"

// Methods in ReceiptURLGetter.swift and BackupExclusion.swift, with Swift's calling convention:
// never called from here.
extern void openstorekit_bundle_receipt_url(void);
extern void openstorekit_set_resource_values(void);
extern void openstorekit_set_resource_value(void);

typedef void *lookup_function(const void *metadata, const void *method, const void *class);

static int has_receipt_url = 0;
static int has_resource_values = 0;

int cstore_receipt_url_is_installed(void) { return has_receipt_url; }
int cstore_resource_values_are_installed(void) { return has_resource_values; }

// Where the library that an address belongs to is loaded; NULL where it belongs to none.
static const void *library(const void *address) {
    Dl_info info;
    return address != NULL && dladdr(address, &info) != 0 ? info.dli_fbase : NULL;
}

// The protection of the memory at an address, as mprotect takes it; -1 where it is not mapped.
static int protection(const void *address) {
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) {
        return -1;
    }
    int found = -1;
    char line[4400];
    while (found < 0 && fgets(line, sizeof line, maps) != NULL) {
        uintptr_t start, end;
        char flags[5];
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &start, &end, flags) == 3
            && (uintptr_t)address >= start && (uintptr_t)address < end) {
            found = (flags[0] == 'r' ? PROT_READ : 0) | (flags[1] == 'w' ? PROT_WRITE : 0)
                | (flags[2] == 'x' ? PROT_EXEC : 0);
        }
    }
    fclose(maps);
    return found;
}

// The one entry of a class that holds a function; NULL where there is none or more than one.
static _Atomic(uintptr_t) *entry(const void *metadata, uintptr_t function) {
    // A class without Objective-C begins with kind, superclass, flags and address point of
    // instances, size and alignment of instances; then its own size and address point.
    const uint32_t *sizes = (const uint32_t *)((const char *)metadata + 32);
    uint32_t size = sizes[0], address_point = sizes[1];
    if (size % 8 != 0 || size > 16384 || address_point > 64 || size < address_point + 48) {
        return NULL;
    }
    // Both ends lie in the library, so everything between them can be read.
    const char *end = (const char *)metadata + (size - address_point) - 8;
    if (library(end) != library(metadata) || protection(end) < PROT_READ) {
        return NULL;
    }
    _Atomic(uintptr_t) *found = NULL;
    for (_Atomic(uintptr_t) *word = (_Atomic(uintptr_t) *)((const char *)metadata + 40);
         (const char *)word <= end; word++) {
        if (atomic_load(word) == function) {
            if (found != NULL) {
                return NULL;
            }
            found = word;
        }
    }
    return found;
}

// Writes an entry, also where the loader has made its page read-only since.
static int write_entry(_Atomic(uintptr_t) *entry, uintptr_t function) {
    int before = protection((const void *)entry);
    if (before < PROT_READ) {
        return 0;
    }
    if (before & PROT_WRITE) {
        atomic_store(entry, function);
        return 1;
    }
    long size = sysconf(_SC_PAGESIZE);
    if (size <= 0) {
        return 0;
    }
    // An aligned word never spans two pages.
    void *page = (void *)((uintptr_t)entry & ~((uintptr_t)size - 1));
    if (mprotect(page, (size_t)size, before | PROT_WRITE) != 0) {
        return 0;
    }
    atomic_store(entry, function);
    mprotect(page, (size_t)size, before);
    return 1;
}

// The names of a method, and of the class whose vtable has it.
struct method {
    const char *symbol, *description, *class, *metadata;
};

// Whether a method of ours stands in the place of Foundation's from now on.
static int replace(struct method method, void (*ours)(void)) {
    const void *original = dlsym(RTLD_DEFAULT, method.symbol);
    const void *description = dlsym(RTLD_DEFAULT, method.description);
    const void *class = dlsym(RTLD_DEFAULT, method.class);
    const void *metadata = dlsym(RTLD_DEFAULT, method.metadata);
    lookup_function *lookup =
        (lookup_function *)dlsym(RTLD_DEFAULT, "swift_lookUpClassMethod");
    const void *foundation = library(original);
    if (foundation == NULL || library(description) != foundation || library(class) != foundation
        || library(metadata) != foundation || lookup == NULL) {
        return 0;
    }
    if (lookup(metadata, description, class) != original) {
        return 0;
    }
    _Atomic(uintptr_t) *slot = entry(metadata, (uintptr_t)original);
    if (slot == NULL || !write_entry(slot, (uintptr_t)ours)) {
        return 0;
    }
    if ((uintptr_t)lookup(metadata, description, class) != (uintptr_t)ours) {
        write_entry(slot, (uintptr_t)original);
        return 0;
    }
    return 1;
}

__attribute__((constructor)) static void install(void) {
    if (sizeof(void *) != 8) {
        return;
    }
    has_receipt_url = replace(
        (struct method){
            GETTER, GETTER "Tq", "$s10Foundation6BundleCMn", "$s10Foundation6BundleCN"},
        openstorekit_bundle_receipt_url);
    const char *class = "$s10Foundation5NSURLCMn", *metadata = "$s10Foundation5NSURLCN";
    int all = replace(
        (struct method){VALUES, VALUES "Tq", class, metadata}, openstorekit_set_resource_values);
    int one = replace(
        (struct method){VALUE, VALUE "Tq", class, metadata}, openstorekit_set_resource_value);
    has_resource_values = all && one;
}
