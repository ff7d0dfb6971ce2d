import Foundation

/// A real store that sells the bookshop, over a folder of its own.
final class Shop: Sendable {
    static let password = "correct-horse"
    static let american = "ada@example.com"
    static let japanese = "haruki@example.com"
    static let chapter = "com.example.bookshop.chapter1"

    let folder: URL
    let line: SlowLine
    private let server: pid_t

    /// - Parameter noiseBytes: what is added to the first chapter, so that it takes a while;
    ///   nil for a shop without content.
    init(noiseBytes: Int? = nil) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("openstore-sample-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let noiseBytes {
            try Self.writeContent(in: folder, version: "1.0", noiseBytes: noiseBytes, seed: 1)
        }
        try await Self.importCatalog(from: folder)
        for (email, storefront) in [(Self.american, "USA"), (Self.japanese, "JPN")] {
            try await Self.openstore(
                [
                    "tester", "create", "--email", email, "--password", Self.password,
                    "--storefront", storefront,
                ], in: folder)
        }
        let (server, output) = try Programs.start(
            Programs.openstore,
            [
                "serve", "--data", folder.appendingPathComponent("store").path, "--listen",
                "127.0.0.1:0", "--no-request-log",
            ])
        self.server = server
        do {
            line = try SlowLine(to: try await Self.port(of: server, output))
        } catch {
            Self.end(server, folder)
            throw error
        }
        try await Self.openstore(
            [
                "profile", "create", "--bundle-id", "com.example.bookshop", "--store",
                "http://127.0.0.1:\(line.port)", "-o",
                folder.appendingPathComponent("storeprofile").path,
            ], in: folder)
    }

    deinit {
        line.close()
        Self.end(server, folder)
    }

    /// What a sample finds on a device of this name, which has folders of its own.
    func device(_ name: String, _ more: [String: String] = [:]) -> [String: String] {
        let own = ["PATH", "LD_LIBRARY_PATH", "LANG"].compactMap { name in
            ProcessInfo.processInfo.environment[name].map { (name, $0) }
        }
        return Dictionary(uniqueKeysWithValues: own).merging([
            "HOME": home(name).path, "TERM": "xterm",
            "OPENSTORE_PROFILE": folder.appendingPathComponent("storeprofile").path,
        ]) { $1 }.merging(more) { $1 }
    }

    func home(_ device: String) -> URL { folder.appendingPathComponent(device) }

    /// Where the publisher's files of the first chapter are, of all versions.
    func content(version: String) -> URL {
        folder.appendingPathComponent("content-\(version)/\(Self.chapter)/Contents")
    }

    /// A new version of the first chapter, with a store that goes on running.
    func publish(version: String, noiseBytes: Int) async throws {
        try Self.writeContent(in: folder, version: version, noiseBytes: noiseBytes, seed: 2)
        try await Self.importCatalog(from: folder, version: version)
    }

    /// Puts items of the storefront on sale, with the names that the search API has for their
    /// facts.
    func sell(_ items: [[String: any Sendable]]) async throws {
        let lines = try items.map { try JSONSerialization.data(withJSONObject: $0) }
        let file = folder.appendingPathComponent("items.jsonl")
        try Data(lines.joined(separator: Data("\n".utf8))).write(to: file)
        try await Self.openstore(["item", "import", file.path], in: folder)
    }

    /// Where an app finds that it is the magazine.
    var magazineProfile: URL { folder.appendingPathComponent("magazine.storeprofile") }

    /// Sells the magazine, too.
    func sellMagazine() async throws {
        let configuration = Programs.examples
            .appendingPathComponent("Subscriptions/Magazine.storekit")
        try await openstore(["catalog", "import", configuration.path])
        try await openstore([
            "profile", "create", "--bundle-id", "com.example.magazine", "--store",
            "http://127.0.0.1:\(line.port)", "-o", magazineProfile.path,
            "--data", folder.appendingPathComponent("store").path,
        ])
    }

    /// Runs a command of the store.
    ///
    /// - Returns: what it writes.
    @discardableResult
    func openstore(_ words: [String]) async throws -> String {
        try await Self.openstore(words, in: folder)
    }

    // MARK: Parts

    @discardableResult
    private static func openstore(_ words: [String], in folder: URL) async throws -> String {
        let result = try await Programs.run(
            Programs.openstore, words,
            environment: ["OPENSTORE_DATA": folder.appendingPathComponent("store").path])
        guard result.code == 0 else { throw Failure("openstore \(words): \(result.errors)") }
        return result.output
    }

    private static func importCatalog(from folder: URL, version: String = "1.0") async throws {
        let content = folder.appendingPathComponent("content-\(version)").path
        let configuration = Programs.examples.appendingPathComponent("Bookshop/Bookshop.storekit")
        let hasContent = FileManager.default.fileExists(atPath: content)
        try await openstore(
            ["catalog", "import", configuration.path] + (hasContent ? ["--content", content] : []),
            in: folder)
    }

    /// The first chapter of the bookshop, with noise that no compression makes smaller.
    private static func writeContent(
        in folder: URL, version: String, noiseBytes: Int, seed: UInt64
    ) throws {
        let source = Programs.examples.appendingPathComponent("Bookshop/Content/\(chapter)")
        let target = folder.appendingPathComponent("content-\(version)/\(chapter)")
        let files = FileManager.default
        try files.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try files.copyItem(at: source, to: target)
        let info = target.appendingPathComponent("ContentInfo.plist")
        let text = try String(contentsOf: info, encoding: .utf8)
        try text.replacingOccurrences(of: ">1.0<", with: ">\(version)<")
            .write(to: info, atomically: true, encoding: .utf8)
        var state = seed
        var noise = Data(capacity: noiseBytes + 8)
        while noise.count < noiseBytes {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: state ^ (state >> 29)) { noise.append(contentsOf: $0) }
        }
        try noise.write(to: target.appendingPathComponent("Contents/noise.bin"))
    }

    /// The port in the banner of `openstore serve`.
    private static func port(of server: pid_t, _ output: FileHandle) async throws -> UInt16 {
        try await withTaskCancellationHandler {
            try await Programs.onThread {
                var text = ""
                while !text.contains("data  "), case let data = output.availableData, !data.isEmpty
                {
                    text += String(decoding: data, as: UTF8.self)
                }
                let line = text.split(separator: "\n").first { $0.contains("production") }
                guard let port = line?.split(separator: ":").last.flatMap({ UInt16($0) }) else {
                    throw Failure("the store has not started: \(text)")
                }
                return port
            }
        } onCancel: {
            kill(server, SIGKILL)
        }
    }

    /// Ends a store and removes its folder. That takes a while, and threads that run tests don't
    /// wait for it.
    private static func end(_ server: pid_t, _ folder: URL) {
        kill(server, SIGTERM)
        Thread.detachNewThread {
            _ = Programs.end(of: server)
            try? FileManager.default.removeItem(at: folder)
        }
    }
}
