import Foundation

extension PackageError {
    /// Does something with files, whose errors are told as those of a package.
    static func onDisk(_ body: () throws -> Void) throws {
        do { try body() } catch let error as NSError {
            throw PackageError(.readable, error.localizedDescription)
        }
    }

    /// The last error of the C library, as it concerns a file that is written.
    static func system(_ url: URL) -> PackageError {
        PackageError(
            .readable, "\(url.path) can't be written: \(String(cString: strerror(errno)))")
    }
}
