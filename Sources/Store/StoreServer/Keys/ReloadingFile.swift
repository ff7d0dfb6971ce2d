import Foundation
import Synchronization

/// What is in a file that other processes may replace: read again where it is another file than
/// before.
final class ReloadingFile<Value: Sendable>: Sendable {
    private let path: String
    private let read: @Sendable () throws -> Value
    private let state: Mutex<(stamp: FileStamp?, value: Value)>

    /// - Parameter read: reads the file, or what it stands for.
    init(_ url: URL, read: @escaping @Sendable () throws -> Value) throws {
        self.path = url.path
        self.read = read
        // The stamp first: what is replaced in between is read once more.
        let stamp = FileStamp(url.path)
        self.state = Mutex((stamp, try read()))
    }

    /// The value of the file as it is now; the one before, where the file can't be read.
    ///
    /// A store goes on to sign with the keys that it has while somebody moves its folder.
    func current() -> Value {
        let stamp = FileStamp(path)
        return state.withLock { state in
            guard let stamp, stamp != state.stamp, let value = try? read() else {
                return state.value
            }
            state = (stamp, value)
            return value
        }
    }
}

/// What tells a file from the one that it replaced.
struct FileStamp: Equatable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// Nil where there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
