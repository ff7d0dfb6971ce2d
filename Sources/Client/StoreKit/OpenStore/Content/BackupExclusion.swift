import CStoreLinux

/// Marks folders whose content can be fetched again, as Linux's backup programs know it.
enum BackupExclusion {
    /// Understood by tar, Borg, restic, duplicity and others (bford.info/cachedir).
    private static let tag = """
        Signature: 8a477f597d28d172789f06886806bc55
        # The store has everything below this folder.

        """

    /// Makes a folder, and marks it where that was not done.
    static func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("CACHEDIR.TAG")
        if (try? String(contentsOf: file, encoding: .utf8)) != tag {
            try DurableFile.write(Data(tag.utf8), to: file, mode: 0o644)
        }
        // Not every file system has attributes; the tag is enough for most programs.
        let value = Array("false".utf8)
        _ = cstore_set_attribute(folder.path, "user.xdg.robots.backup", value, UInt(value.count))
    }
}
