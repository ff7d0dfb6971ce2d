import Foundation

/// Bytes that an update takes, beside zsync and casync over the same pair of versions.
///
/// Every tool fetches through the same proxy, which counts what comes from the server.
struct UpdateBench {
    let shop: ContentShop
    let folder: URL
    let sample: ContentSample

    func run() throws -> [Figure] {
        let device = try shop.device("reader", counts: true)
        defer { device.remove() }
        let whole = try download(sample, on: device)
        let changed = try sample.changed(
            into: folder.appendingPathComponent("1.1"), version: "1.1")
        let lengthened = try changed.lengthened(
            into: folder.appendingPathComponent("1.2"), version: "1.2")
        return try update(
            "1 % changed in place, 100 places", from: sample, to: changed, on: device,
            whole: whole)
            + update(
                "1 MB inserted at a file's front", from: changed, to: lengthened, on: device,
                whole: whole)
    }

    private func update(
        _ name: String, from old: ContentSample, to new: ContentSample, on device: ContentDevice,
        whole: Double
    ) throws -> [Figure] {
        StoreBench.progress("update: \(name)")
        try shop.publish(new)
        let ours = try download(new, on: device)
        let baselines = try UpdateBaselines(folder: folder.appendingPathComponent("update"))
        defer { baselines.remove() }
        let archives = try baselines.archive(old, new)
        let zsync = try baselines.zsync(archives)
        let casync = try baselines.casync(archives)
        return [
            Figure(
                "Update, \(name), beside the first download", ours, whole, "MB",
                aim: "at most 0.03"),
            Figure("The same, beside zsync", ours, zsync, "MB", aim: "at most 1"),
            Figure("The same, beside casync", ours, casync, "MB", aim: "at most 1"),
        ]
    }

    /// Installs the newest version on the device.
    ///
    /// - Returns: MB from the store, all that the app has heard of it.
    private func download(_ version: ContentSample, on device: ContentDevice) throws -> Double {
        _ = shop.proxy.takeBytes()
        try device.run(["restore", device.library.path])
        try ContentBench.requireSame(version.root, device.installed)
        return Double(shop.proxy.takeBytes()) / 1e6
    }
}

/// zsync and casync over two versions as tar files, which nginx serves.
private struct UpdateBaselines {
    struct Archives {
        let old: URL
        let new: URL
    }

    let folder: URL
    private let proxy: CountingProxy

    init(folder: URL) throws {
        self.folder = folder
        proxy = try CountingProxy()
        try FileManager.default.createDirectory(
            at: served, withIntermediateDirectories: true)
    }

    /// What nginx serves.
    private var served: URL { folder.appendingPathComponent("served") }

    func remove() {
        proxy.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func archive(_ old: ContentSample, _ new: ContentSample) throws -> Archives {
        func make(_ sample: ContentSample, _ file: URL) throws -> URL {
            try BenchShop.run(
                "/usr/bin/tar",
                [
                    "--format=ustar", "--sort=name", "--mtime=@0", "--owner=0", "--group=0",
                    "--numeric-owner", "-cf", file.path, "-C", sample.root.path, ".",
                ])
            return file
        }
        return Archives(
            old: try make(old, folder.appendingPathComponent("old.tar")),
            new: try make(new, served.appendingPathComponent("new.tar")))
    }

    /// MB that zsync fetches: its control file and blocks.
    func zsync(_ archives: Archives) throws -> Double {
        StoreBench.progress("  zsync")
        let control = served.appendingPathComponent("new.tar.zsync")
        return try counted(archives) { address in
            try BenchShop.run(
                "/usr/bin/zsyncmake",
                ["-o", control.path, "-u", "\(address)/new.tar", archives.new.path])
            return (
                "/usr/bin/zsync",
                { target in
                    [
                        "-q", "-i", archives.old.path, "-o", target.path,
                        "\(address)/new.tar.zsync",
                    ]
                }
            )
        }
    }

    /// MB that casync fetches: its index and chunks.
    func casync(_ archives: Archives) throws -> Double {
        StoreBench.progress("  casync")
        let index = served.appendingPathComponent("new.caibx")
        return try counted(archives) { address in
            try BenchShop.run(
                "/usr/bin/casync",
                [
                    "make", "--store=\(served.path)/new.castr", index.path, archives.new.path,
                ])
            return (
                "/usr/bin/casync",
                { target in
                    [
                        "extract", "--store=\(address)/new.castr", "--seed=\(archives.old.path)",
                        "\(address)/new.caibx", target.path,
                    ]
                }
            )
        }
    }

    /// - Parameter prepare: makes what the server needs; gives the client's program and its
    ///   arguments.
    private func counted(
        _ archives: Archives,
        _ prepare: (_ address: String) throws -> (String, (_ target: URL) -> [String])
    ) throws -> Double {
        let nginx = try NginxServer(folder: folder, file: archives.new)
        defer { nginx.stop() }
        proxy.turn(to: nginx.port)
        let target = folder.appendingPathComponent("updated.tar")
        defer { try? FileManager.default.removeItem(at: target) }
        let (program, arguments) = try prepare("http://127.0.0.1:\(proxy.port)")
        _ = proxy.takeBytes()
        try BenchShop.run(program, arguments(target), workingFolder: folder)
        let bytes = proxy.takeBytes()
        try BenchShop.run("/usr/bin/cmp", [archives.new.path, target.path])
        return Double(bytes) / 1e6
    }
}
