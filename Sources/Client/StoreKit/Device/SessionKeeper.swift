import StoreSecurity
import StoreWire
import Synchronization

/// The session of the signed-in account, in a file that only its owner can read.
package final class SessionKeeper: Sendable {
    private let file: URL
    private let current: Mutex<SessionAnswer?>

    /// - Parameters:
    ///   - folder: shared by all apps of the user.
    ///   - baseURL: of the environment that the session belongs to.
    package init(folder: URL, baseURL: String) {
        let name = SHA256Digest.hex(Data(baseURL.utf8)).prefix(16)
        file = folder.appendingPathComponent("session-\(name).json")
        let data = try? Data(contentsOf: file)
        current = Mutex(data.flatMap { try? WireCoding.decode(SessionAnswer.self, from: $0) })
    }

    /// The session; nil where nobody is signed in.
    package var session: SessionAnswer? { current.withLock { $0 } }

    package func save(_ session: SessionAnswer) throws {
        try DurableFile.write(try WireCoding.encode(session), to: file, mode: 0o600)
        current.withLock { $0 = session }
    }

    /// Forgets a session, unless another has taken its place.
    package func clear(_ session: SessionAnswer?) {
        current.withLock { current in
            guard current == session else { return }
            current = nil
            try? FileManager.default.removeItem(at: file)
        }
    }
}
