import Foundation

/// What the customer owns, and the versions that are installed of it.
///
/// ```
/// library.json                        what is owned, and which version is the current one
/// Chapters/CACHEDIR.TAG               no backup: the store has it all
/// Chapters/<product>/<version>/…      a new version stands beside the old one
/// ```
final class Library {
    private struct Record: Codable {
        var owned: Set<String> = []
        /// The version that is shown, by product identifier.
        var current: [String: String] = [:]
    }

    /// Where an app keeps its own files: in `~/.local/share` on Linux.
    static var standardFolder: URL {
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
            .appendingPathComponent("HostedNonConsumables")
    }

    private let recordFile: URL
    private let chapters: URL
    private var record = Record()

    /// - Throws: where the record is there and can't be read: that is not an empty library.
    init(folder: URL) throws {
        recordFile = folder.appendingPathComponent("library.json")
        chapters = folder.appendingPathComponent("Chapters")
        try FileManager.default.createDirectory(at: chapters, withIntermediateDirectories: true)
        try keepOutOfBackups(chapters)
        if FileManager.default.fileExists(atPath: recordFile.path) {
            record = try JSONDecoder().decode(Record.self, from: Data(contentsOf: recordFile))
        }
    }

    func owns(_ product: String) -> Bool { record.owned.contains(product) }

    /// The installed version that is shown; nil where there is none.
    func version(of product: String) -> String? {
        guard let version = record.current[product], isInstalled(product, version) else {
            return nil
        }
        return version
    }

    /// The files of the version that is shown.
    func folder(of product: String) -> URL? {
        version(of: product).map { folder(product, $0) }
    }

    func own(_ product: String) throws {
        try change { $0.owned.insert(product) }
    }

    /// Makes an installed version the current one.
    ///
    /// - Returns: false where it is not installed.
    func use(_ product: String, version: String) throws -> Bool {
        guard isInstalled(product, version) else { return false }
        try change { $0.current[product] = version }
        return true
    }

    /// Moves the files of a version into the library, and makes it the current one.
    ///
    /// A folder with the version's name is a complete version, whenever the program is killed:
    /// the files are brought together under another name.
    func install(_ content: URL, as product: String, version: String) throws {
        let files = FileManager.default
        let target = folder(product, version)
        let incoming = chapters.appendingPathComponent("\(product)/\(version).incoming")
        try files.createDirectory(
            at: incoming.deletingLastPathComponent(), withIntermediateDirectories: true)
        try? files.removeItem(at: incoming)
        try files.moveItem(at: content, to: incoming)
        if isInstalled(product, version) { try files.removeItem(at: target) }
        try files.moveItem(at: incoming, to: target)
        try change { $0.current[product] = version }
    }

    /// Whether a version is newer: integers separated by periods, compared one by one.
    static func isNewer(_ version: String, than other: String) -> Bool {
        func numbers(_ text: String) -> [Int] { text.split(separator: ".").map { Int($0) ?? 0 } }
        return numbers(other).lexicographicallyPrecedes(numbers(version))
    }

    // MARK: Files

    private func folder(_ product: String, _ version: String) -> URL {
        chapters.appendingPathComponent("\(product)/\(version)")
    }

    private func isInstalled(_ product: String, _ version: String) -> Bool {
        FileManager.default.fileExists(atPath: folder(product, version).path)
    }

    private func change(_ body: (inout Record) -> Void) throws {
        var changed = record
        body(&changed)
        try JSONEncoder().encode(changed).write(to: recordFile, options: .atomic)
        record = changed
    }

    /// Marks a folder whose content can be fetched again.
    private func keepOutOfBackups(_ folder: URL) throws {
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try folder.setResourceValues(values)
    }
}
