import StoreModel

/// How large a package may be.
package struct PackageLimits: Sendable, Hashable {
    /// Bytes of the package.
    package var packedBytes: Int64
    /// Bytes of all files together.
    package var unpackedBytes: Int64
    /// Files, folders and links.
    package var entries: Int
    /// Bytes of one path.
    package var pathBytes = 1024
    /// Bytes of all paths together.
    package var allPathBytes = 3 << 20
    /// Names in one path.
    package var depth = 64
    /// Bytes of a xar archive's table of contents, inflated.
    package var tableBytes: UInt64 = 24 << 20
    /// Against zip bombs: how many bytes may come of one, in a file and in all together, once there are
    /// more than `bombBytes`.
    package var ratio: Int64 = 200
    /// Bytes that may be unpacked at any ratio.
    package var bombBytes: Int64 = 64 << 20

    /// ``PackageSize/largest`` packed, 8 GB unpacked, 20,000 entries.
    ///
    /// A reader holds all entries in memory: so many, and paths so long, keep it below
    /// 64 MiB.
    package static let store = PackageLimits(
        packedBytes: PackageSize.largest, unpackedBytes: 8_000_000_000, entries: 20_000)

    /// An app: as content, with 50,000 entries.
    package static let app: PackageLimits = {
        var limits = store
        limits.entries = 50_000
        limits.allPathBytes = 6 << 20
        return limits
    }()

    /// Whether so many bytes come of so few as content never does.
    func isBomb(_ unpacked: Int64, from packed: Int64) -> Bool {
        unpacked > bombBytes && unpacked / ratio > packed
    }

    /// What to do about a bomb.
    var bombAdvice: String {
        "more than \(ratio) bytes would come of each packed byte, as only bombs do; leave out what "
            + "is empty"
    }
}
