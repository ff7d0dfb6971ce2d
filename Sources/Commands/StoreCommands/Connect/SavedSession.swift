import Foundation
import StoreKernel
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
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        do {
            try DurableFile.write(try encoder.encode(self), to: file, mode: 0o600)
        } catch let error as NSError {
            throw CommandFailure(description: error.localizedDescription, exitCode: .notCreated)
        }
    }

    static func forget(_ file: URL = file()) throws {
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw CommandFailure(
                description: "\(file.path) can't be deleted: \(String(cString: strerror(errno)))")
        }
    }
}
