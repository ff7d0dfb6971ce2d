import StoreWire
import Synchronization

/// The session of the signed-in account, in a file that only its owner can read.
package final class SessionKeeper: Sendable {
    private let file: URL
    private let current: Mutex<SessionAnswer?>

    /// - Parameters:
    ///   - folder: shared by all apps of the user.
    ///   - tag: of the store and environment that the session belongs to.
    package init(folder: URL, tag: String) {
        file = folder.appendingPathComponent("session-\(tag).json")
        current = Mutex(Self.read(file))
    }

    /// The session; nil where nobody is signed in.
    package var session: SessionAnswer? { current.withLock { $0 } }

    package func save(_ session: SessionAnswer) throws {
        try DurableFile.write(try WireCoding.encode(session), to: file, mode: 0o600)
        current.withLock { $0 = session }
    }

    /// Forgets a session, unless another has taken its place, here or in another app.
    package func clear(_ session: SessionAnswer?) {
        current.withLock { current in
            guard current == session else { return }
            let saved = Self.read(file)
            if let saved, saved != session {
                current = saved
            } else {
                current = nil
                try? FileManager.default.removeItem(at: file)
            }
        }
    }

    private static func read(_ file: URL) -> SessionAnswer? {
        (try? Data(contentsOf: file)).flatMap {
            try? WireCoding.decode(SessionAnswer.self, from: $0)
        }
    }
}
