import FoundationNetworking
import StoreKernel
import StoreWire
import Synchronization

/// The session of the signed-in account, in a file that only its owner can read.
///
/// All apps of the user share it, and `openstore account` changes it: what another
/// process writes counts from the next look on.
package final class SessionKeeper: Sendable {
    /// What tells one state of the file from another.
    private struct Stamp: Equatable {
        var inode: ino_t = 0
        var seconds: Int = 0
        var nanoseconds: Int = 0
    }

    private struct Known {
        var stamp: Stamp
        var session: SessionAnswer?
        /// Whether there is a file, and no session in it.
        var isDamaged = false

        init(stamp: Stamp, session: SessionAnswer?) {
            (self.stamp, self.session) = (stamp, session)
        }

        /// What is in a file now.
        init(_ file: URL) {
            // The stamp first: what is written after it is read again at the next look.
            self.init(stamp: SessionKeeper.stamp(of: file), session: SessionKeeper.read(file))
            // Somebody may have signed out in between.
            isDamaged =
                session == nil && stamp != Stamp() && SessionKeeper.stamp(of: file) == stamp
        }
    }

    private let file: URL
    private let log: @Sendable (String) -> Void
    private let known: Mutex<Known>

    /// - Parameters:
    ///   - folder: shared by all apps of the user.
    ///   - tag: of the store and environment that the session belongs to.
    ///   - note: hears that the file is damaged now; nil sends that to `log`.
    ///   - log: hears that it is damaged later.
    package init(
        folder: URL, tag: String, note: ((String) -> Void)? = nil,
        log: @escaping @Sendable (String) -> Void
    ) {
        file = folder.appendingPathComponent("session-\(tag).json")
        self.log = log
        let known = Known(file)
        self.known = Mutex(known)
        if known.isDamaged { (note ?? log)(Self.damage(file)) }
    }

    /// The session; nil where nobody is signed in.
    package var session: SessionAnswer? {
        let (session, isNewlyDamaged) = known.withLock { known in
            guard Self.stamp(of: file) != known.stamp else { return (known.session, false) }
            known = Known(file)
            return (known.session, known.isDamaged)
        }
        if isNewlyDamaged { log(Self.damage(file)) }
        return session
    }

    private static func damage(_ file: URL) -> String {
        "\(file.path) can't be read: nobody is signed in until somebody signs in again."
    }

    /// Writes a session down, in the place of the one before.
    ///
    /// - Throws: `URLError.badServerResponse` for a session that no request could carry, which
    ///   would stay in the way of each; an error of the file system.
    package func save(_ session: SessionAnswer) throws {
        guard session.canBeCarried else {
            throw URLError(
                .badServerResponse,
                userInfo: [
                    NSLocalizedDescriptionKey: "The store has made a session that can't be used."
                ])
        }
        try known.withLock { known in
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try locked {
                try DurableFile.write(try WireCoding.encode(session), to: file, mode: 0o600)
                known = Known(stamp: Self.stamp(of: file), session: session)
            }
        }
    }

    /// Forgets a session, unless another has taken its place, here or in another app.
    package func clear(_ session: SessionAnswer?) {
        known.withLock { known in
            locked {
                let saved = Known(file)
                if saved.session == session {
                    try? FileManager.default.removeItem(at: file)
                    known = Known(stamp: Stamp(), session: nil)
                } else {
                    known = saved
                }
            }
        }
    }

    /// Does something while no other process changes the file.
    private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        let descriptor = open(file.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0 { flock(descriptor, LOCK_EX) }
        return try body()
    }

    private static func stamp(of file: URL) -> Stamp {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return Stamp() }
        return Stamp(
            inode: status.st_ino, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }

    private static func read(_ file: URL) -> SessionAnswer? {
        (try? Data(contentsOf: file)).flatMap {
            try? WireCoding.decode(SessionAnswer.self, from: $0)
        }
    }
}

extension SessionAnswer {
    /// Whether a header takes the token, and the account has a name.
    fileprivate var canBeCarried: Bool {
        (1...1024).contains(token.utf8.count)
            && token.utf8.allSatisfy { (0x21...0x7e).contains($0) } && !email.isEmpty
    }
}
