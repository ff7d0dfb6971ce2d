import Foundation

/// A download by an app, beside curl that fetches the same bytes from nginx.
struct DeliveryBench {
    let shop: ContentShop
    let folder: URL
    let sample: ContentSample

    /// What one round takes of the baselines.
    private struct Baseline {
        let curl: TimedRun
        /// Seconds until the bytes are on disk.
        let durable: Double
    }

    func run() throws -> [Figure] {
        let blob = try shop.largestBlob()
        let nginx = try NginxServer(folder: folder, file: blob)
        defer { nginx.stop() }
        let archive = try makeArchive()
        let archives = try NginxServer(folder: archive.deletingLastPathComponent(), file: archive)
        defer { archives.stop() }
        try buy()
        var ours: [TimedRun] = []
        var baselines: [Baseline] = []
        var unpacked: [Double] = []
        var store: [Double] = []
        var storePeak = 0.0
        for round in 1...ContentBench.rounds {
            StoreBench.progress("delivery, round \(round) of \(ContentBench.rounds)")
            baselines.append(try fetch(from: nginx))
            unpacked.append(try fetchAndUnpack(from: archives))
            let device = try shop.device("device")
            TimedRun.settle()
            try ProcessMetrics.forgetPeak(shop.process)
            let before = try ProcessMetrics(shop.process)
            ours.append(try device.run(["restore"]))
            let after = try ProcessMetrics(shop.process)
            store.append(after.processor - before.processor)
            storePeak = max(storePeak, after.peak)
            device.remove()
            StoreBench.progress(
                String(
                    format: "  the app %.2f s, curl and sync %.2f s, with bsdtar %.2f s",
                    ours[round - 1].seconds, baselines[round - 1].durable, unpacked[round - 1]))
        }
        try profile()
        let length = try blob.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let megabytes = Double(length) / 1e6
        let speed = ours.map { megabytes / $0.seconds }
        return [
            Figure(
                "Delivery to files on disk, beside curl from nginx and sync", speed,
                baselines.map { megabytes / $0.durable }, "MB/s", aim: "0.9"),
            Figure(
                "The same, beside curl alone", speed,
                baselines.map { megabytes / $0.curl.seconds }, "MB/s"),
            Figure(
                "The same, beside curl of a .tar.zst, bsdtar and sync", speed,
                unpacked.map { megabytes / $0 }, "MB/s"),
            Figure(
                "Processor time of the app, beside curl", ours.map(\.processor),
                baselines.map(\.curl.processor), "s"),
            Figure("Processor time of the store meanwhile", store, nil, "s"),
            Figure(
                "Peak memory of the app, beside curl", ours.map(\.peak),
                baselines.map(\.curl.peak), "MiB"),
            Figure("Peak memory of the store meanwhile", storePeak, nil, "MiB"),
        ]
    }

    /// The first download, which finds out whether all is right.
    private func buy() throws {
        let buyer = try shop.device("buyer")
        defer { buyer.remove() }
        try buyer.run(["buy", ContentSample.product])
    }

    private func fetch(from nginx: NginxServer) throws -> Baseline {
        let file = folder.appendingPathComponent("fetched")
        defer { try? FileManager.default.removeItem(at: file) }
        TimedRun.settle()
        let start = ContinuousClock.now
        let curl = try TimedRun("/usr/bin/curl", ["-sf", "-o", file.path, nginx.url])
        try BenchShop.run("/usr/bin/sync", [file.path])
        return Baseline(curl: curl, durable: (ContinuousClock.now - start) / .seconds(1))
    }

    /// The same content by what every system has: compressed as strongly, one stream.
    private func makeArchive() throws -> URL {
        let files = folder.appendingPathComponent("archive")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let archive = files.appendingPathComponent("content.tar.zst")
        try BenchShop.run(
            "/usr/bin/bsdtar",
            [
                "--zstd", "--options=zstd:compression-level=6", "-cf", archive.path, "-C",
                sample.root.path, ".",
            ])
        return archive
    }

    private func fetchAndUnpack(from nginx: NginxServer) throws -> Double {
        let target = folder.appendingPathComponent("unpacked")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: target) }
        TimedRun.settle()
        let start = ContinuousClock.now
        try BenchShop.run(
            "/bin/bash",
            [
                "-o", "pipefail", "-c",
                "curl -sf '\(nginx.url)' | bsdtar -xf - -C '\(target.path)' && sync -f '\(target.path)'",
            ])
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// One more download, whose stacks perf writes down where `CONTENT_PERF` says.
    private func profile() throws {
        guard let file = ProcessInfo.processInfo.environment["CONTENT_PERF"] else { return }
        let device = try shop.device("profiled")
        defer { device.remove() }
        TimedRun.settle()
        try device.run(
            ["restore"], prefix: ["/usr/bin/perf", "record", "-q", "-g", "-o", file, "--"])
    }
}
