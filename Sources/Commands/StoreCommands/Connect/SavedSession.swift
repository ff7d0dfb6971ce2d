import Foundation
import StoreModel

/// The session of `openstore login`, in `$XDG_CONFIG_HOME/openstore/connect.json`, which
/// nobody else can read.
struct SavedSession: Codable, Equatable, Sendable {
    /// Scheme, host and port.
    var store: String
    var token: String
    /// The session's identifier, by which it is ended.
    var id: String
    var email: String
    var team: String?

    static func file(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        let configured = environment["XDG_CONFIG_HOME"].flatMap {
            $0.hasPrefix(scalars: "/") ? $0 : nil
        }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return URL(fileURLWithPath: configured ?? "\(home)/.config")
            .appendingPathComponent("openstore").appendingPathComponent("connect.json")
    }

    /// Nil where nobody is signed in, or the file can't be read.
    static func load(_ file: URL = file()) -> SavedSession? {
        (try? Data(contentsOf: file)).flatMap {
            try? JSONDecoder().decode(SavedSession.self, from: $0)
        }
    }

    /// Writes the session, beside its place first.
    func save(_ file: URL = file()) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let partial = folder.appendingPathComponent(".connect.json.\(UUID().uuidString)")
        defer { unlink(partial.path) }
        guard
            FileManager.default.createFile(
                atPath: partial.path, contents: try encoder.encode(self),
                attributes: [.posixPermissions: 0o600]),
            rename(partial.path, file.path) == 0
        else {
            throw CommandFailure(
                description: "\(file.path) can't be written", exitCode: .notCreated)
        }
    }

    static func forget(_ file: URL = file()) throws {
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw CommandFailure(
                description: "\(file.path) can't be deleted: \(String(cString: strerror(errno)))")
        }
    }
}
