import Foundation

/// Building and unpacking a package, beside bsdtar.
struct PackageBench {
    /// What `openstore content build` compresses with.
    private static let options = "xar:compression=gzip,xar:compression-level=6"
    private static let bsdtar = "/usr/bin/bsdtar"

    let program: String
    let folder: URL
    let sample: ContentSample

    func run() throws -> [Figure] {
        let ours = folder.appendingPathComponent("ours.pkg")
        let theirs = folder.appendingPathComponent("theirs.pkg")
        defer { remove([ours, theirs]) }
        var building = Rounds()
        var unpacking = Rounds()
        for round in 1...ContentBench.rounds {
            StoreBench.progress("packages, round \(round) of \(ContentBench.rounds)")
            remove([ours, theirs])
            try building.measure {
                try TimedRun(
                    program, ["content", "build", sample.root.path, "--output", ours.path])
            } baseline: {
                try TimedRun(
                    Self.bsdtar,
                    [
                        "--format=xar", "--options=\(Self.options)", "-cf", theirs.path, "-C",
                        sample.root.path, "ContentInfo.plist", "Contents",
                    ])
            } durable: {
                try BenchShop.run("/usr/bin/sync", [theirs.path])
            }
            let folders = ["ours", "theirs"].map { folder.appendingPathComponent($0) }
            try FileManager.default.createDirectory(
                at: folders[1], withIntermediateDirectories: false)
            try unpacking.measure {
                try TimedRun(program, ["content", "unpack", ours.path, folders[0].path])
            } baseline: {
                // The same file: each unpacks what the other can read.
                try TimedRun(Self.bsdtar, ["-xf", ours.path, "-C", folders[1].path])
            } durable: {
                try BenchShop.run("/usr/bin/sync", ["-f", folders[1].path])
            }
            for unpacked in folders { try ContentBench.requireSame(sample.root, unpacked) }
            remove(folders)
        }
        return building.figures("Build", of: sample) + unpacking.figures("Unpack", of: sample)
            + [Figure("Size of the package", size(ours), size(theirs), "MB")]
    }

    private func size(_ file: URL) -> Double {
        let values = try? file.resourceValues(forKeys: [.fileSizeKey])
        return Double(values?.fileSize ?? 0) / 1e6
    }

    private func remove(_ files: [URL]) {
        for file in files { try? FileManager.default.removeItem(at: file) }
    }
}

/// Rounds of a command and of bsdtar.
private struct Rounds {
    var ours: [TimedRun] = []
    var theirs: [TimedRun] = []
    /// Seconds until what bsdtar has written is on disk.
    var durable: [Double] = []

    /// - Parameter durable: brings to disk what the baseline has written.
    mutating func measure(
        _ ours: () throws -> TimedRun, baseline: () throws -> TimedRun, durable: () throws -> Void
    ) throws {
        TimedRun.settle()
        self.ours.append(try ours())
        TimedRun.settle()
        let start = ContinuousClock.now
        theirs.append(try baseline())
        try durable()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        self.durable.append(seconds)
        StoreBench.progress(
            String(
                format: "  ours %.2f s, bsdtar and sync %.2f s",
                self.ours[self.ours.count - 1].seconds, seconds))
    }

    func figures(_ name: String, of sample: ContentSample) -> [Figure] {
        let megabytes = Double(sample.length) / 1e6
        let speed = ours.map { megabytes / $0.seconds }
        return [
            Figure(
                "\(name), on disk, beside bsdtar and sync", speed,
                durable.map { megabytes / $0 }, "MB/s", aim: "1.5"),
            Figure(
                "The same, beside bsdtar alone", speed, theirs.map { megabytes / $0.seconds },
                "MB/s"),
            Figure(
                "Processor time of it", ours.map(\.processor), theirs.map(\.processor), "s"),
            Figure("Peak memory of it", ours.map(\.peak), theirs.map(\.peak), "MiB"),
        ]
    }
}
