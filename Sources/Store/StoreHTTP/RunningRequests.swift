import Foundation
import Synchronization

/// The requests that a process is working on, in a file that outlives it: the next process reads
/// which ones were lost when this one was killed or crashed.
///
/// The file is mapped into memory, so that a request costs no write, and the system keeps what is in
/// it whatever ends the process. After a power failure it may be empty.
package final class RunningRequests: Sendable {
    /// Requests that can be written down at the same time; more are served, and not written down.
    package static let most = 4096
    /// Bytes of one request.
    private static let width = 256

    private struct Slots: @unchecked Sendable {
        // Sendable: reached under the lock only.
        let memory: UnsafeMutableRawBufferPointer
        var free = Array(0..<RunningRequests.most)
    }

    /// The requests, as `begin` got them, that the process before did not end.
    package let lost: [String]
    private let slots: Mutex<Slots>
    private let descriptor: Int32

    /// Nil where the file can't be used: the disk is full, or another process has it.
    package init?(file: URL) {
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        let size = Self.most * Self.width
        var status = stat()
        let isNew = fstat(descriptor, &status) == 0 && status.st_size == 0
        // Allocated now: a page that the disk has no room for would end the process when it is
        // written to.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            posix_fallocate(descriptor, 0, off_t(size)) == 0,
            let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            start != MAP_FAILED
        else {
            close(descriptor)
            return nil
        }
        let memory = UnsafeMutableRawBufferPointer(start: start, count: size)
        // A new file holds zeros only.
        lost = (0..<(isNew ? 0 : Self.most)).compactMap { slot in
            let bytes = memory[slot * Self.width..<(slot + 1) * Self.width]
            let text = bytes.prefix { $0 != 0 }
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        }
        if !isNew { memory.initializeMemory(as: UInt8.self, repeating: 0) }
        self.descriptor = descriptor
        slots = Mutex(Slots(memory: memory))
    }

    deinit {
        slots.withLock { _ = munmap($0.memory.baseAddress, $0.memory.count) }
        // A child that was just started may have the file too, which must not keep its lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Writes down that a request is being worked on.
    ///
    /// - Returns: the slot to give to `end`; nil where there is none left.
    func begin(_ text: String) -> Int? {
        slots.withLock { slots in
            guard let slot = slots.free.popLast() else { return nil }
            let bytes = UnsafeMutableRawBufferPointer(
                rebasing: slots.memory[slot * Self.width..<(slot + 1) * Self.width])
            // What is read is what stands before the first zero.
            bytes.copyBytes(from: text.utf8.prefix(Self.width))
            return slot
        }
    }

    /// Strikes out a request whose answer is sent, or whose client has gone.
    func end(_ slot: Int) {
        slots.withLock { slots in
            UnsafeMutableRawBufferPointer(
                rebasing: slots.memory[slot * Self.width..<(slot + 1) * Self.width]
            ).initializeMemory(as: UInt8.self, repeating: 0)
            slots.free.append(slot)
        }
    }
}
