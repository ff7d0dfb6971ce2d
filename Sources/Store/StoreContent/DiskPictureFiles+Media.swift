import Foundation
import StoreCore
import StoreKernel
import StoreModel

/// Bytes on their way through a digest.
package protocol DigestStream {
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// The SHA-256 of all that was added. Called once.
    mutating func finish() -> ContentDigest
}

extension DiskPictureFiles: MediaFiles {
    package func take<Checked: Sendable>(
        _ file: URL, limit: Int64, check: @escaping @Sendable (Data) throws -> Checked
    ) async throws -> (TakenFile, Checked) {
        // Films take seconds, for which the few threads of tasks are too good.
        try await Self.pool.run { try copy(file, limit: limit, check: check) }
    }

    private static let pool = BlockingPool("media", threads: 8)

    private func copy<Checked>(
        _ file: URL, limit: Int64, check: (Data) throws -> Checked
    ) throws -> (TakenFile, Checked) {
        let arriving = arriving.appendingPathComponent(UUID().uuidString)
        let (taken, checked) = try MediaSpool.copy(
            file, to: arriving, limit: limit, room: room, digest: makeDigest(), check: check)
        do {
            try store(file: arriving, digest: taken.digest)
        } catch {
            unlink(arriving.path)
            throw error
        }
        return (taken, checked)
    }
}

/// Copies media files in bounded memory.
enum MediaSpool {
    /// Copies a file to where there is none, and leaves nothing there where that fails.
    static func copy<Checked>(
        _ file: URL, to arriving: URL, limit: Int64, room: DiskRoom, digest: any DigestStream,
        check: (Data) throws -> Checked
    ) throws -> (TakenFile, Checked) {
        // A pipe would block until somebody writes.
        let source = Glibc.open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard source >= 0 else {
            throw MediaFileProblem.unreadable(String(cString: strerror(errno)))
        }
        defer { close(source) }
        var status = stat()
        guard fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw MediaFileProblem.unreadable("it is no plain file")
        }
        guard status.st_size <= limit else { throw MediaFileProblem.tooLarge(limit: limit) }
        try room.check(Int64(status.st_size), in: arriving.deletingLastPathComponent())
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var count = try read(source, into: &buffer)
        guard count > 0 else { throw MediaFileProblem.empty }
        let checked = try check(Data(buffer[..<min(count, 4096)]))

        let target = Glibc.open(
            arriving.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw ContentStoreError.system(at: arriving) }
        var isWhole = false
        defer {
            close(target)
            if !isWhole { unlink(arriving.path) }
        }
        var digest = digest
        var size: Int64 = 0
        while count > 0 {
            size += Int64(count)
            // It may grow while it is read.
            guard size <= limit else { throw MediaFileProblem.tooLarge(limit: limit) }
            try buffer.withUnsafeBytes { bytes in
                let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                digest.update(piece)
                try write(piece, to: target, at: arriving)
            }
            count = try read(source, into: &buffer)
        }
        isWhole = true
        return (TakenFile(digest: digest.finish(), size: size), checked)
    }

    /// Fills the buffer as far as the file goes.
    private static func read(_ descriptor: Int32, into buffer: inout [UInt8]) throws -> Int {
        try buffer.withUnsafeMutableBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.read(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    throw MediaFileProblem.unreadable(String(cString: strerror(errno)))
                }
                if count == 0 { break }
                done += count
            }
            return done
        }
    }

    private static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at url: URL
    ) throws {
        var done = 0
        while done < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ContentStoreError.system(at: url) }
            done += count
        }
    }
}
