import Foundation
import StoreKernel
import StoreKit
import StoreModel

/// Where apps from stores lie, by the XDG base directory specification.
struct AppFolders: Sendable {
    /// The apps: a folder for each.
    let apps: URL
    /// Desktop entries of the user.
    let applications: URL
    /// Icons of the user, by size.
    let icons: URL
    /// Programs of the user.
    let programs: URL
    /// Sessions of accounts, shared with apps.
    let sessions: URL

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let home = URL(
            fileURLWithPath: environment["HOME"] ?? NSHomeDirectory(), isDirectory: true)
        // The specification has relative paths ignored.
        func base(_ variable: String, _ fallback: String) -> URL {
            guard let path = environment[variable], path.hasPrefix(scalars: "/") else {
                return home.appendingPathComponent(fallback)
            }
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        let data = base("XDG_DATA_HOME", ".local/share")
        apps = data.appendingPathComponent("openstore/apps")
        applications = data.appendingPathComponent("applications")
        icons = data.appendingPathComponent("icons/hicolor")
        programs = home.appendingPathComponent(".local/bin")
        sessions = base("XDG_CONFIG_HOME", ".config").appendingPathComponent("openstore")
    }

    /// The folder of an app, which need not exist.
    func app(_ id: BundleID) -> AppFolder {
        AppFolder(id: id, url: apps.appendingPathComponent(id.text))
    }

    /// The apps that are installed, by identifier.
    var installed: [InstalledApp] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: apps.path)) ?? []
        return names.sorted().compactMap { BundleID($0) }.compactMap { app($0).current }
    }

    /// The identifier of this device for stores, made when it is first needed.
    func deviceIdentifier() throws -> String {
        let file = apps.appendingPathComponent(".device")
        return try DurableFile.whileLocked(file) {
            if let text = try? String(contentsOf: file, encoding: .utf8),
                UUID(uuidString: text) != nil
            {
                return text
            }
            let text = UUID().uuidString.lowercased()
            try DurableFile.write(Data(text.utf8), to: file, mode: 0o600)
            return text
        }
    }

    /// Does something to an app that nobody else may do at the same time.
    ///
    /// - Throws: `CommandFailure` where somebody does.
    func whileLocked<Answer>(
        _ id: BundleID, _ body: () async throws -> Answer
    ) async throws -> Answer {
        let locks = apps.appendingPathComponent(".locks")
        try FileManager.default.createDirectory(
            at: locks, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let file = locks.appendingPathComponent(id.text)
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFile.failure("can't be opened", file) }
        // The lock ends with the process, however that ends.
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure(
                description:
                    "another openstore installs, updates or uninstalls \(id) at this moment; try "
                    + "again when it has ended", exitCode: .later)
        }
        sweep()
        return try await body()
    }

    /// Removes what is left of apps that were uninstalled.
    private func sweep() {
        let files = FileManager.default
        for name in (try? files.contentsOfDirectory(atPath: apps.path)) ?? []
        where name.hasPrefix(scalars: AppFolder.removedPrefix) {
            try? files.removeItem(at: apps.appendingPathComponent(name))
        }
    }
}
