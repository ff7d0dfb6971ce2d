import Foundation

/// Measures hosted content on its way from the publisher's folder to the device.
struct ContentBench {
    enum Part: String, CaseIterable {
        case packages, delivery, updates
    }

    static let rounds = 3

    let program: String
    let apps: URL
    let folder: URL
    let megabytes: Int
    private let sample: ContentSample

    init(program: String, apps: URL, folder: URL, megabytes: Int) throws {
        self.program = program
        self.apps = apps
        self.folder = folder
        self.megabytes = megabytes
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        StoreBench.progress("making \(megabytes) MB of content")
        sample = try ContentSample(
            into: folder.appendingPathComponent("1.0"), megabytes: megabytes)
    }

    /// - Parameter parts: what is measured.
    func run(_ parts: [Part] = Part.allCases) throws -> [Figure] {
        var figures: [Figure] = []
        if parts.contains(.packages) {
            figures += try PackageBench(program: program, folder: folder, sample: sample).run()
        }
        guard parts.contains(.delivery) || parts.contains(.updates) else { return figures }
        let shop = try ContentShop(program: program, apps: apps, folder: folder)
        defer { shop.stop() }
        StoreBench.progress("importing")
        let imported = try shop.publish(sample)
        if parts.contains(.delivery) {
            figures += try DeliveryBench(shop: shop, folder: folder, sample: sample).run()
        }
        if parts.contains(.updates) {
            figures += try UpdateBench(shop: shop, folder: folder, sample: sample).run()
        }
        figures.append(
            Figure("Peak memory of catalog import --content", imported.peak, nil, "MiB"))
        return figures
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// - Throws: `BenchFailure` where two folders don't hold the same files.
    static func requireSame(_ one: URL, _ other: URL) throws {
        try BenchShop.run("/usr/bin/diff", ["-rq", one.path, other.path])
    }
}
