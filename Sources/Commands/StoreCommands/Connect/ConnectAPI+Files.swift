import Foundation
import FoundationNetworking
import StoreKit
import StoreWire
import Synchronization

extension ConnectAPI {
    /// Sends a file, and keeps the answer in another: neither is in memory whole.
    ///
    /// - Parameter silence: how long the store may work before it answers, seconds.
    /// - Throws: `ConnectFailure`, `UsageError` for a file that can't be read.
    func send(
        file: URL, to path: String, _ query: [String: String] = [:], silence: TimeInterval
    ) async throws -> AnswerFile {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard let size = attributes?[.size] as? Int, let stream = InputStream(url: file) else {
            throw UsageError(description: "\(file.path) can't be read")
        }
        var request = try request("POST", path, query)
        request.httpBodyStream = stream
        request.timeoutInterval = silence
        request.setValue(String(size), forHTTPHeaderField: "Content-Length")
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        let answer = try AnswerFile()
        _ = try await self.stream(request) { try answer.append($0) }
        return answer
    }
}

/// The body of an answer, in a file without a name.
final class AnswerFile: Sendable {
    /// Bytes of an answer, far more than about any file.
    private static let longest = 1 << 30
    /// Bytes of one that is read whole.
    private static let longestWhole = 8 << 20

    private let descriptor: Int32
    private let length = Mutex(0)

    /// - Throws: `CommandFailure` where there can be no such file.
    init() throws {
        let folder = FileManager.default.temporaryDirectory
        var template = Array(folder.appendingPathComponent("openstore-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw CommandFailure(description: "\(folder.path) takes no file", exitCode: .notCreated)
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit {
        close(descriptor)
    }

    /// - Throws: `URLError` for an answer that does not end.
    func append(_ data: Data) throws {
        let length = length.withLock { length in
            length += data.count
            return length
        }
        guard length <= Self.longest else { throw URLError(.dataLengthExceedsMaximum) }
        try FileHandle(fileDescriptor: descriptor).write(contentsOf: data)
    }

    /// - Throws: `CommandFailure` for one that is too long to be read whole.
    func all() throws -> Data {
        guard length.withLock({ $0 }) <= Self.longestWhole else {
            throw CommandFailure(description: "the store's answer is longer than any of its kind")
        }
        let read = pieces()
        var data = Data()
        while let piece = try read(), !piece.isEmpty { data += piece }
        return data
    }

    /// Reads it from its beginning; no bytes at the end.
    func pieces() -> () throws -> Data? {
        var offset: off_t = 0
        return { [self] in
            var piece = Data(count: 1 << 16)
            let count = piece.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, offset)
            }
            guard count >= 0 else {
                throw CommandFailure(
                    description: "the answer can't be read: \(String(cString: strerror(errno)))")
            }
            offset += off_t(count)
            return piece.prefix(count)
        }
    }
}
