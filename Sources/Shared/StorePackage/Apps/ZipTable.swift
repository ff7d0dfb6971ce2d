import CStoreLinux
import Foundation

/// The table at the end of a zip archive, which libarchive reads whole into memory.
enum ZipTable {
    /// What begins each of its entries.
    private static let mark: [UInt8] = [0x50, 0x4b, 1, 2]
    /// Archives inside the archive have tables of their own, and are not counted apart.
    private static let archivesInside = 4

    /// Refuses a table of millions of entries before anybody reads it.
    ///
    /// - Throws: `PackageError`.
    static func check(_ file: PackageFile, limits: PackageLimits) throws {
        let limit = limits.entries * archivesInside
        var found = 0
        let overlap = mark.count - 1
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try file.read(at: offset, into: buffer)
            guard count > overlap else { return }
            var place = 0
            while let next = memmem(
                buffer.baseAddress! + place, UInt(count - place), mark, UInt(mark.count))
            {
                found += 1
                guard found <= limit else {
                    throw PackageError(
                        .limits,
                        "the package has more than \(limits.entries) entries; put many small files "
                            + "into fewer larger ones")
                }
                place = next - UnsafeMutableRawPointer(buffer.baseAddress!) + mark.count
            }
            offset += Int64(count - overlap)
        }
    }
}
