import Foundation
import StoreModel
import StoreSecurity

/// A package on the publisher's disk, read piece by piece.
final class UploadSource: Sendable {
    let url: URL
    let size: Int64
    private let descriptor: Int32

    /// - Throws: `ConnectError` for a file that can't be read.
    init(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw ConnectError(description: "\(url.path) can't be read: \(reason)")
        }
        self.url = url
        self.descriptor = descriptor
        self.size = Int64(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Bytes of the file.
    ///
    /// - Throws: `ConnectError` where the file is shorter by now.
    func read(_ range: Range<Int64>) throws -> Data {
        var data = Data(count: range.count)
        try data.withUnsafeMutableBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = pread(
                    descriptor, buffer.baseAddress! + done, buffer.count - done,
                    off_t(range.lowerBound) + off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    throw ConnectError(
                        description: "\(url.path) became shorter while it was read; run the "
                            + "command again")
                }
                done += count
            }
        }
        return data
    }

    /// The SHA-256 of the whole file.
    func digest() throws -> ContentDigest {
        let digest = SHA256Digest()
        var position: Int64 = 0
        while position < size {
            let end = min(size, position + 1 << 20)
            digest.update(try read(position..<end))
            position = end
        }
        guard let result = ContentDigest(SHA256Digest.hexadecimal(digest.finish())) else {
            preconditionFailure("64 hexadecimal digits")
        }
        return result
    }
}
