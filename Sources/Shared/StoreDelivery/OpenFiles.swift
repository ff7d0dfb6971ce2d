import CStoreLinux
import Foundation

/// The files of one assembly that somebody writes to, the last few of them open. Not for
/// two threads at once.
final class OpenFiles {
    private static let capacity = 16
    /// After so many bytes the disk may begin.
    private static let writingStep = 4 << 20

    private var open: [(number: Int32, descriptor: Int32)] = []
    private var written = 0

    deinit {
        for file in open { close(file.descriptor) }
    }

    /// - Parameter number: the file's number in the manifest, by which it is known again.
    /// - Throws: `DeliveryError.diskFull`, without figures, or `.file`.
    func write(
        _ bytes: UnsafeRawBufferPointer, to file: URL, number: Int32, at offset: Int64
    ) throws {
        let descriptor = try descriptor(of: file, number: number)
        var rest = bytes
        var offset = Int(offset)
        while !rest.isEmpty {
            let count = pwrite(descriptor, rest.baseAddress, rest.count, offset)
            guard count > 0 else {
                if errno == EINTR { continue }
                throw DeliveryError(errnoAt: file.path)
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            offset += count
        }
        // What is on its way to the disk already need not be waited for in the end.
        written += bytes.count
        if written >= Self.writingStep {
            written = 0
            sync_file_range(descriptor, 0, 0, cstore_begin_writing)
        }
    }

    private func descriptor(of file: URL, number: Int32) throws -> Int32 {
        if let known = open.last(where: { $0.number == number }) { return known.descriptor }
        let descriptor = Glibc.open(file.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw DeliveryError(errnoAt: file.path) }
        if open.count == Self.capacity { close(open.removeFirst().descriptor) }
        open.append((number, descriptor))
        return descriptor
    }
}
