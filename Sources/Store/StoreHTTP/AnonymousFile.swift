import Foundation
import Synchronization

/// A file on disk that has no name, so that nobody else finds it and nothing of it stays.
///
///     let file = try AnonymousFile(in: folder)
///     try file.append(bytes)
///     return HTTPResponse(status: 200, file: try file.slice())
package final class AnonymousFile: Sendable {
    private let descriptor: Int32
    private let reserve: Int64
    private let size = Mutex(UInt64(0))
    /// After so many bytes it looks again how much the disk has.
    private static let step: UInt64 = 8 << 20

    /// - Parameter reserve: bytes of the disk that it leaves free.
    /// - Throws: `AnonymousFileError` where the folder takes none.
    package init(in folder: URL, reserve: Int64 = 0) throws {
        self.reserve = reserve
        var template = Array(folder.appendingPathComponent("openstore-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw AnonymousFileError(errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit {
        close(descriptor)
    }

    /// Where this process can open it to read it from its beginning, for as long as it is there;
    /// nobody else finds it by this name.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// How many bytes were appended.
    package var count: UInt64 { size.withLock { $0 } }

    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        try size.withLock { size in
            let after = size + UInt64(bytes.count)
            if size == 0 || after / Self.step != size / Self.step { try checkRoom() }
            var done = 0
            while done < bytes.count {
                let written = pwrite(
                    descriptor, bytes.baseAddress! + done, bytes.count - done,
                    off_t(size) + off_t(done))
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw AnonymousFileError(errno) }
                done += written
            }
            size += UInt64(done)
        }
    }

    private func checkRoom() throws {
        guard reserve > 0 else { return }
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { throw AnonymousFileError(errno) }
        let (free, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        guard overflow || free > UInt64(reserve) else { throw AnonymousFileError(ENOSPC) }
    }

    package func append(_ data: Data) throws {
        try data.withUnsafeBytes { try append($0) }
    }

    /// All of it, mapped into memory and not read: nothing may be taken away from it after.
    package func mapped() throws -> Data {
        let count = Int(count)
        guard count > 0 else { return Data() }
        guard let bytes = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
            bytes != MAP_FAILED
        else { throw AnonymousFileError(errno) }
        return Data(
            bytesNoCopy: bytes, count: count,
            deallocator: .custom { bytes, count in munmap(bytes, count) })
    }

    /// Takes away everything.
    package func clear() throws {
        try size.withLock { size in
            guard ftruncate(descriptor, 0) == 0 else { throw AnonymousFileError(errno) }
            size = 0
        }
    }

    /// Some bytes from a place on; none at the end.
    package func read(at offset: UInt64, upTo limit: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            while true {
                let read = pread(descriptor, buffer.baseAddress, limit, off_t(offset))
                if read < 0, errno == EINTR { continue }
                guard read >= 0 else { throw AnonymousFileError(errno) }
                count = read
                return
            }
        }
    }

    /// All of it, to be sent.
    package func slice() throws -> FileSlice {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw AnonymousFileError(errno) }
        return FileSlice(descriptor: copy, offset: 0, length: count)
    }
}

/// A file without a name could not be made, written or read.
package struct AnonymousFileError: Error, CustomStringConvertible {
    private let code: Int32

    init(_ code: Int32) {
        self.code = code
    }

    package var description: String { "a temporary file: \(String(cString: strerror(code)))" }
}
