import Foundation
@testable import StorePackage
import StorePackageSamples

/// Limits that let a run end soon.
private let limits = {
    var limits = PackageLimits(packedBytes: 1 << 20, unpackedBytes: 16 << 20, entries: 500)
    limits.bombBytes = 1 << 20
    limits.tableBytes = 1 << 20
    limits.allPathBytes = 1 << 16
    return limits
}()

/// Reads a package. By the first byte the others are a package (`x`), its table of contents
/// with the heap behind it (`t`), a payload (`c`), or the information (`p`): so that changes
/// get behind checksums and compression.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPackage(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let first = bytes?.pointee else { return 0 }
    let data = Data(UnsafeBufferPointer(start: bytes, count: count)).dropFirst()
    switch first {
    case UInt8(ascii: "t"): read(HandmadePackage.encoded(table: Data(data)))
    case UInt8(ascii: "c"): read(HandmadePayload.product(Deflated.gzip(Data(data))).encoded())
    case UInt8(ascii: "p"):
        let information = HandmadePackage.Entry(name: "ContentInfo.plist", bytes: Data(data))
        read(HandmadePackage(contents: [], information: information).encoded())
        _ = try? ContentInfo.withNextVersion(propertyList: Data(data))
    default: read(Data(data))
    }
    return 0
}

private func read(_ package: Data) {
    do {
        var seen: Int64 = 0
        let summary = try PackageReader(bytes: [UInt8](package), limits: limits)
            .read { entry, contents in
                guard entry.kind == .file else { return }
                try contents.forEachPiece { seen += Int64($0.count) }
            }
        demand(summary.unpackedBytes == seen, "a file has another size than was told")
        demand(
            summary.entries.allSatisfy { $0.path.components[0] != ".." }, "a path leads out")
    } catch let error as PackageError {
        demand(!error.problems.isEmpty && error.problems.count <= 100, "\(error)")
    } catch {
        fail("\(error)")
    }
}
