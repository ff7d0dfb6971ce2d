import Foundation

/// How much room a disk has.
package enum DiskSpace {
    /// Bytes that are free where a file or folder is; nil where nobody knows.
    @Sendable package static func free(at place: URL) -> Int64? {
        var status = statvfs()
        guard statvfs(place.path, &status) == 0 else { return nil }
        let (free, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: free)
    }
}
