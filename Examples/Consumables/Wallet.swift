import Foundation

/// The customer's credits, in a file, each purchase counted once.
///
/// Balance and handled transactions are one file that is replaced as a whole, so a program
/// that is killed at any moment leaves either both or neither behind.
final class Wallet {
    private struct Content: Codable {
        var credits = 0
        /// Transactions whose credits are in the balance.
        var delivered: Set<String> = []
    }

    /// Where an app keeps what has to survive: `~/.local/share/Consumables` on Linux.
    static var standardFile: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            .appendingPathComponent("Consumables/wallet.json")
    }

    private let file: URL
    private var content = Content()

    /// - Throws: where the file is there and can't be read: that is not an empty wallet.
    init(file: URL) throws {
        self.file = file
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        content = try read()
    }

    var credits: Int { content.credits }

    /// Adds what a transaction has bought.
    ///
    /// - Returns: false where the credits of this transaction were added before.
    func deliver(_ credits: Int, for transaction: String) throws -> Bool {
        try change { content in
            guard content.delivered.insert(transaction).inserted else { return false }
            content.credits += credits
            return true
        }
    }

    /// - Returns: false where there are not as many.
    func spend(_ credits: Int) throws -> Bool {
        try change { content in
            guard content.credits >= credits else { return false }
            content.credits -= credits
            return true
        }
    }

    /// Changes the newest content, and brings it to disk where `body` gives true.
    private func change(_ body: (inout Content) -> Bool) throws -> Bool {
        let lock = open(file.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { close(lock) }
        // Another process may have the wallet open too.
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
        var changed = try read()
        let isChanged = body(&changed)
        if isChanged { try write(changed) }
        content = changed
        return isChanged
    }

    private func read() throws -> Content {
        guard FileManager.default.fileExists(atPath: file.path) else { return Content() }
        return try JSONDecoder().decode(Content.self, from: Data(contentsOf: file))
    }

    /// Writes beside the file, to disk, and renames.
    private func write(_ content: Content) throws {
        let partial = file.path + ".new"
        try JSONEncoder().encode(content).write(to: URL(fileURLWithPath: partial))
        try synchronize(partial)
        guard rename(partial, file.path) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        try synchronize(file.deletingLastPathComponent().path)
    }

    /// Waits until a file, or the names in a folder, are on disk.
    private func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
    }
}
