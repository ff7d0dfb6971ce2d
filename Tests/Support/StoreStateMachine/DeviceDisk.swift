import Foundation
import StoreKit
import StoreTestSupport

/// What a device keeps between launches. Each launch works on a copy of its own, so that
/// nothing a dead one does can reach the next.
final class DeviceDisk {
    private(set) var home: URL
    private let folder: URL
    private var copies = 0

    init(folder: URL) throws {
        self.folder = folder
        home = folder.appendingPathComponent("0")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    var folders: DeviceFolders { Self.folders(in: home) }

    static func folders(in home: URL) -> DeviceFolders {
        DeviceFolders(bundleID: SampleShop.bundleID.text, environment: ["HOME": home.path])
    }

    /// Takes what is written at this moment for what the next launch finds.
    func snapshot() throws {
        copies += 1
        let copy = folder.appendingPathComponent("\(copies)")
        try FileManager.default.copyItem(at: home, to: copy)
        home = copy
    }

    /// The journal's file.
    func journal(tag: String) -> URL { folders.state.appendingPathComponent("journal-\(tag)") }
}
