import StoreModel

/// Where the framework keeps its files, by the XDG base directory specification.
package struct DeviceFolders: Sendable {
    /// Journal and records: must survive.
    package let state: URL
    /// Downloads: can be fetched again.
    package let cache: URL
    /// The session of the signed-in account, shared by all apps of the user.
    package let sessions: URL
    /// Where the customer wants downloads to be.
    let downloads: URL

    /// What sets this process apart from others where each gets a device of its own.
    private static let process = UUID().uuidString.lowercased()

    /// - Parameter environment: has the XDG variables. `OPENSTORE_DEVICES` names a folder in which
    ///   each process gets folders of its own, as if it ran on another device; the session stays
    ///   the one of the user.
    package init(bundleID: String, environment: [String: String]) {
        let home = URL(
            fileURLWithPath: environment["HOME"] ?? NSHomeDirectory(), isDirectory: true)
        func base(_ variable: String, _ fallback: String) -> URL {
            // The specification has relative paths ignored.
            guard let path = environment[variable], path.hasPrefix(scalars: "/") else {
                return home.appendingPathComponent(fallback)
            }
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        let devices = environment["OPENSTORE_DEVICES"].flatMap { $0.isEmpty ? nil : $0 }
        let device = devices.map {
            URL(fileURLWithPath: $0, isDirectory: true).appendingPathComponent(Self.process)
        }
        state = (device?.appendingPathComponent("state") ?? base("XDG_STATE_HOME", ".local/state"))
            .appendingPathComponent(bundleID).appendingPathComponent("StoreKit")
        cache = (device?.appendingPathComponent("cache") ?? base("XDG_CACHE_HOME", ".cache"))
            .appendingPathComponent(bundleID).appendingPathComponent("StoreKit")
        let settings = base("XDG_CONFIG_HOME", ".config")
        sessions = settings.appendingPathComponent("openstore")
        downloads = Self.downloads(
            named: environment["XDG_DOWNLOAD_DIR"],
            by: settings.appendingPathComponent("user-dirs.dirs"), home: home)
    }

    /// The folder that the customer has chosen in `user-dirs.dirs`, as xdg-user-dirs(1) writes it:
    /// `XDG_DOWNLOAD_DIR="$HOME/Downloads"`.
    private static func downloads(named name: String?, by file: URL, home: URL) -> URL {
        let usual = home.appendingPathComponent("Downloads", isDirectory: true)
        func folder(_ text: some StringProtocol) -> URL? {
            let isBelowHome = text.hasPrefix(scalars: "$HOME/")
            let path =
                isBelowHome
                ? home.path + String(String(text).unicodeScalars.dropFirst(5)) : String(text)
            return path.hasPrefix(scalars: "/")
                ? URL(fileURLWithPath: path, isDirectory: true) : nil
        }
        if let name, let chosen = folder(name) { return chosen }
        guard let handle = try? FileHandle(forReadingFrom: file),
            let data = try? handle.read(upToCount: 64 << 10)
        else { return usual }
        let key = "XDG_DOWNLOAD_DIR=\""
        for line in String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard line.hasPrefix(scalars: key) else { continue }
            let value = line.unicodeScalars.dropFirst(key.unicodeScalars.count)
            guard value.last == "\"" else { continue }
            return folder(String(value.dropLast())) ?? usual
        }
        return usual
    }
}
