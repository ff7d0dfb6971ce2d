import Foundation
import StoreModel
@testable import StorePackage
import StorePackageSamples

/// Limits that let a run end soon.
private let limits = {
    var limits = PackageLimits(packedBytes: 1 << 20, unpackedBytes: 16 << 20, entries: 500)
    limits.bombBytes = 1 << 20
    limits.allPathBytes = 1 << 16
    return limits
}()

/// Reads the package of an app. By the first byte the others are a package (`x`), an archive of tar
/// (`t`), metainfo (`m`), or a desktop entry (`d`): so that changes get behind compression.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzApp(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let first = bytes?.pointee else { return 0 }
    let data = Data(Data(UnsafeBufferPointer(start: bytes, count: count)).dropFirst())
    switch first {
    case UInt8(ascii: "t"): read(HandmadeApp.zstd(data))
    case UInt8(ascii: "m"): read(changed("metainfo", data))
    case UInt8(ascii: "d"): read(changed(".desktop", data))
    default: read(data)
    }
    return 0
}

/// A good package with other bytes in one file.
private func changed(_ name: String, _ bytes: Data) -> Data {
    var app = HandmadeApp.good()
    for index in app.entries.indices where app.entries[index].path.contains(name) {
        app.entries[index].bytes = bytes
    }
    return app.zip
}

private func read(_ package: Data) {
    do {
        var seen: Int64 = 0
        let summary = try AppPackageReader(bytes: [UInt8](package), limits: limits)
            .read { entry, contents in
                guard entry.kind == .file else { return }
                try contents.forEachPiece { seen += Int64($0.count) }
            }
        demand(summary.unpackedBytes == seen, "a file has another size than was told")
        for entry in summary.entries {
            demand(entry.path.components[0] == AppPackageReader.root[...], "a path leads out")
            if case .link(let target) = entry.kind {
                demand(entry.path.resolving(link: target) != nil, "a link leads out")
            }
        }
    } catch let error as PackageError {
        demand(!error.problems.isEmpty && error.problems.count <= 100, "\(error)")
    } catch {
        fail("\(error)")
    }
}
