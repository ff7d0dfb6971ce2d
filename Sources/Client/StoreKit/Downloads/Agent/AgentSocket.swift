import CStoreLinux
import StoreKernel

/// Where the download agent of a user listens: a local socket in a folder that only its owner can
/// enter.
struct AgentSocket: Sendable {
    let folder: URL

    /// - Parameter environment: has `XDG_RUNTIME_DIR`.
    /// - Returns: nil without `XDG_RUNTIME_DIR`.
    init?(environment: [String: String]) {
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix(scalars: "/") else {
            return nil
        }
        folder = URL(fileURLWithPath: runtime, isDirectory: true)
            .appendingPathComponent("openstore", isDirectory: true)
    }

    private static let name = "downloads.socket"
    var path: String { folder.appendingPathComponent(Self.name).path }
    /// Held by the agent that listens.
    var lock: URL { folder.appendingPathComponent("downloads.lock") }

    /// Calls with the address of the socket by way of its open folder, as an address holds 107 bytes
    /// and a path may be longer.
    private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        let opened = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return -1 }
        defer { close(opened) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            $0.copyBytes(from: "/proc/self/fd/\(opened)/\(Self.name)".utf8)
        }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Whether nobody else can enter the folder.
    private var isPrivate: Bool {
        var status = stat()
        return lstat(folder.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == getuid() && status.st_mode & 0o077 == 0
    }

    private static func make() -> Int32 {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard (0...STDERR_FILENO).contains(descriptor) else { return descriptor }
        defer { close(descriptor) }
        return fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    }

    /// Connects; nil where nobody of this user listens.
    func connect() -> AgentConnection? {
        guard isPrivate else { return nil }
        let descriptor = Self.make()
        guard descriptor >= 0 else { return nil }
        let connection = AgentConnection(descriptor)
        guard withAddress({ Glibc.connect(descriptor, $0, $1) }) == 0, connection.isOwn else {
            return nil
        }
        return connection
    }

    /// Makes the folder and the socket, in the place of one that nobody listens at any more. Only
    /// for who holds the lock.
    ///
    /// - Throws: an error of the file system.
    func listen() throws -> Int32 {
        unlink(path)
        let descriptor = Self.make()
        guard descriptor >= 0, withAddress({ bind(descriptor, $0, $1) }) == 0,
            Glibc.listen(descriptor, 64) == 0
        else {
            let failure = DurableFile.failure("can't be listened at", URL(fileURLWithPath: path))
            if descriptor >= 0 { close(descriptor) }
            throw failure
        }
        return descriptor
    }

    /// Makes the folder.
    func prepare() throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        guard isPrivate else {
            throw CocoaError(
                .fileWriteNoPermission,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "\(folder.path) can be entered by others; make it private (chmod 700)."
                ])
        }
    }
}
