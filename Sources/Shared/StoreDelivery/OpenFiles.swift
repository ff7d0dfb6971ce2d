import Foundation
import StoreModel

/// The files that are written to, the last few of them open.
struct OpenFiles: ~Copyable {
    private static let capacity = 16

    private let folder: URL
    private var open: [(number: Int32, descriptor: Int32)] = []

    init(folder: URL) {
        self.folder = folder
    }

    deinit {
        for file in open { Glibc.close(file.descriptor) }
    }

    /// - Throws: `DeliveryError.diskFull`, without figures, or `.file`.
    mutating func write(
        _ bytes: UnsafeRawBufferPointer, to path: ContentPath, number: Int32, at offset: Int64
    ) throws {
        let descriptor = try descriptor(of: path, number: number)
        var rest = bytes
        var offset = Int(offset)
        while !rest.isEmpty {
            let count = pwrite(descriptor, rest.baseAddress, rest.count, offset)
            guard count > 0 else {
                if errno == EINTR { continue }
                if errno == ENOSPC || errno == EDQUOT {
                    throw DeliveryError.diskFull(needed: 0, free: 0)
                }
                throw DeliveryError(errnoAt: path.text)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            offset += count
        }
    }

    mutating func close() {
        for file in open { Glibc.close(file.descriptor) }
        open = []
    }

    private mutating func descriptor(of path: ContentPath, number: Int32) throws -> Int32 {
        if let known = open.last(where: { $0.number == number }) { return known.descriptor }
        let descriptor = Glibc.open(
            folder.appendingPathComponent(path.text).path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw DeliveryError(errnoAt: path.text) }
        if open.count == Self.capacity { Glibc.close(open.removeFirst().descriptor) }
        open.append((number, descriptor))
        return descriptor
    }
}
