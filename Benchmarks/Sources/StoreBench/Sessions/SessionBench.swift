import Foundation

/// Measures what tests pay for a store: sessions of `StoreKitTest`, `openstore test`, and the first
/// start of `openstore serve`.
struct SessionBench {
    private static let rounds = 5
    private static let sessions = 40

    let program: String
    /// Where the built apps lie.
    let apps: URL
    let folder: URL
    let configuration: URL

    func run() throws -> [Figure] {
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let starts = try serverStarts()
        let bare = try BareStore(like: .sqlite(store(0).appendingPathComponent("store.sqlite")))
        return try sessions(bare) + [answers()] + starts
    }

    // MARK: Sessions

    private func sessions(_ bare: BareStore) throws -> [Figure] {
        var products: [Double] = []
        var firsts: [Double] = []
        var bares: [Double] = []
        var years: [Double] = []
        for _ in 0..<Self.rounds {
            let times = try session("products", Self.sessions)
            firsts.append(times[0])
            products += times.dropFirst()
            bares += try (1..<Self.sessions).map { _ in try bare.make() }
            years += try session("year", 6).dropFirst()
        }
        return [
            Figure(
                "Test session, from nothing to the first product, beside an empty database in memory "
                    + "and a port", products, bares, "ms", aim: "at most 50, ratio at most 3"),
            Figure("The same, the first of a process", firsts, bares, "ms"),
            Figure(
                "A year of monthly renewals, heard through both APIs", years, nil, "ms",
                aim: "at most 200"),
        ]
    }

    /// Milliseconds of each session.
    private func session(_ mode: String, _ count: Int) throws -> [Double] {
        let app = try MeasuredApp(
            apps.appendingPathComponent("SessionApp").path,
            [mode, configuration.path, "\(count)"],
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"])
        let times = try (0..<count).map { _ in
            Double(try app.number(after: "microseconds").number) / 1000
        }
        _ = try app.finish()
        return times
    }

    // MARK: Commands

    /// `openstore test`, from its start to the answer to the first request, beside the same program that
    /// says its version.
    private func answers() throws -> Figure {
        var answers: [Double] = []
        var versions: [Double] = []
        for _ in 0..<Self.rounds * 4 {
            answers.append(try answer())
            let version = try MeasuredApp(program, ["--version"], environment: environment)
            versions.append(try version.line().milliseconds)
            _ = try version.finish()
        }
        return Figure(
            "openstore test, from its start to its first answer, beside openstore --version",
            answers,
            versions, "ms", aim: "at most 150")
    }

    private func answer() throws -> Double {
        let store = try MeasuredApp(
            program, ["test", configuration.path, "--json", "--quiet"], environment: environment)
        let said = try JSONSerialization.jsonObject(with: Data(try store.line().text.utf8))
        guard let control = (said as? [String: Any])?["control"] as? String,
            let url = URL(string: control)
        else { throw BenchFailure("openstore test did not say where it is controlled") }
        let connection = try RawConnection(url)
        try connection.send("GET", url.path + "/v1/transactions", headers: [])
        guard try connection.receive() == 200 else { throw BenchFailure("no transactions") }
        let time = store.milliseconds
        kill(store.process, SIGTERM)
        _ = try store.finish()
        return time
    }

    private var environment: [String: String] {
        ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
    }

    /// Processor time of `openstore serve` until it listens: over a folder that is not there, beside one
    /// in which it has served before.
    private func serverStarts() throws -> [Figure] {
        var firsts: [Double] = []
        var seconds: [Double] = []
        for round in 0..<Self.rounds {
            firsts.append(try serve(round))
            seconds.append(try serve(round))
        }
        return [
            Figure(
                "openstore serve for the first time, processor time until it listens, beside the "
                    + "second time", firsts, seconds, "ms", aim: "at most 100")
        ]
    }

    private func serve(_ round: Int) throws -> Double {
        let server = try StoreProcess(program: program, data: store(round).path)
        defer { server.stop() }
        return try ProcessMetrics.processor(of: server.id) * 1000
    }

    private func store(_ round: Int) -> URL { folder.appendingPathComponent("store-\(round)") }
}
