import StoreKernel
import StoreModel
import StoreSecurity

/// The last good copy of a list on disk, and which invalid identifiers were reported.
struct ProductIdentifierCache: Sendable {
    /// A copy with what the server said about it.
    struct Copy: Codable, Sendable, Hashable {
        var format: Int = 1
        let url: String
        var identifiers: [String]
        var entityTag: String?
        var lastModified: String?
        var freshness: HTTPFreshness
    }

    private let file: URL
    private let reportsFile: URL
    private let url: String

    /// - Parameter folder: for all lists of the app; made when something is written.
    init(folder: URL, url: URL) {
        self.url = url.absoluteString
        let name = SHA256Digest.hex(Data(url.absoluteString.utf8)).prefix(32)
        file = folder.appendingPathComponent("\(name).json")
        reportsFile = folder.appendingPathComponent("\(name).reported.json")
    }

    /// The folder of the app in the device's cache.
    ///
    /// The app is known by its bundle identifier, else by that of its provisioning profile,
    /// else by the name of its executable: a list can be loaded before there is a profile.
    static func folder(environment: [String: String]) -> URL {
        let bundleID =
            Bundle.main.bundleIdentifier.flatMap { BundleID($0) }
            ?? (try? DeviceProfile.current(environment: environment))?.payload.bundleId
        let name = bundleID?.text ?? ProcessInfo.processInfo.processName
        return DeviceFolders(
            bundleID: name.replacing(scalar: "/", with: "_"), environment: environment
        ).cache.appendingPathComponent("ProductIdentifiers")
    }

    /// The copy; nil where there is none of this address.
    ///
    /// - Throws: where the file is damaged, or a newer version wrote it.
    func read() throws -> Copy? {
        guard access(file.path, F_OK) == 0 else { return nil }
        let copy = try JSONDecoder().decode(Copy.self, from: Data(contentsOf: file))
        guard copy.format == 1, copy.url == url else { return nil }
        return copy
    }

    func write(_ copy: Copy) throws {
        try DurableFile.write(JSONEncoder().encode(copy), to: file, mode: 0o600)
    }

    func remove() throws {
        if unlink(file.path) != 0, errno != ENOENT { throw DurableFile.failure("stays", file) }
    }

    // MARK: Reports

    /// Sets of identifiers that are remembered as reported; the oldest are forgotten.
    private static let reportLimit = 64

    func wasReported(_ identifiers: [String]) -> Bool {
        reports.contains(Self.digest(identifiers))
    }

    func remember(reported identifiers: [String]) throws {
        let all = (reports + [Self.digest(identifiers)]).suffix(Self.reportLimit)
        try DurableFile.write(JSONEncoder().encode(Array(all)), to: reportsFile, mode: 0o600)
    }

    private var reports: [String] {
        // One that can't be read means that something is reported twice.
        (try? JSONDecoder().decode([String].self, from: Data(contentsOf: reportsFile))) ?? []
    }

    private static func digest(_ identifiers: [String]) -> String {
        SHA256Digest.hex(Data(identifiers.joined(separator: "\n").utf8))
    }
}
