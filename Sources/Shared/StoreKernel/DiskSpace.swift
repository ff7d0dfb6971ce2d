import Foundation

/// How much room a disk has.
package enum DiskSpace {
    /// The free bytes of the disk that has a file or folder; nil where the system can't say.
    @Sendable package static func free(at place: URL) -> Int64? {
        var status = statvfs()
        guard statvfs(place.path, &status) == 0 else { return nil }
        let (free, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: free)
    }
}
