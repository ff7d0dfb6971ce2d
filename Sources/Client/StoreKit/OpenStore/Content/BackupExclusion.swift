import CStoreLinux
import CStoreReceiptURL
import StoreKernel

/// Marks what can be fetched again, as Linux's backup programs know it.
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
        _ = setAttribute(of: folder)
    }

    /// Marks a file or a folder, or takes the mark away.
    ///
    /// - Throws: `CocoaError` or a POSIX error where nothing is there, or the mark can't be
    ///   written.
    static func set(_ isExcluded: Bool, of url: URL) throws {
        var isFolder: ObjCBool = false
        guard url.isFileURL,
            FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        else { throw CocoaError(.fileNoSuchFile, userInfo: [NSURLErrorKey: url]) }
        guard !isFolder.boolValue else {
            if isExcluded { return try make(url) }
            let file = url.appendingPathComponent("CACHEDIR.TAG")
            // Another program's tag stays.
            if (try? String(contentsOf: file, encoding: .utf8)) == tag {
                try FileManager.default.removeItem(at: file)
            }
            return removeAttribute(of: url)
        }
        guard isExcluded else { return removeAttribute(of: url) }
        guard setAttribute(of: url) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSURLErrorKey: url])
        }
    }

    private static let attribute = "user.xdg.robots.backup"

    private static func setAttribute(of url: URL) -> Bool {
        let value = Array("false".utf8)
        return cstore_set_attribute(url.path, attribute, value, UInt(value.count)) == 0
    }

    private static func removeAttribute(of url: URL) {
        _ = cstore_remove_attribute(url.path, attribute)
    }
}

extension NSURL {
    /// What Foundation's `setResourceValues(_:)` does in this process once `CStoreReceiptURL` has
    /// put this method in its place: it marks what is to be excluded from backups, which
    /// Foundation on Linux ignores, and lets Foundation set the rest. The C source names it, which
    /// is why its symbol has a name of its own.
    @_silgen_name("openstorekit_set_resource_values")
    package func openStoreKitSetResourceValues(_ keyedValues: [URLResourceKey: Any]) throws {
        var others = keyedValues
        if let isExcluded = others.removeValue(forKey: .isExcludedFromBackupKey) as? Bool {
            try BackupExclusion.set(isExcluded, of: self as URL)
        }
        if !others.isEmpty { try foundationSetResourceValues(others) }
    }

    /// The same for a single value.
    @_silgen_name("openstorekit_set_resource_value")
    package func openStoreKitSetResourceValue(
        _ value: Any?, forKey key: URLResourceKey
    ) throws {
        if key == .isExcludedFromBackupKey, let isExcluded = value as? Bool {
            return try BackupExclusion.set(isExcluded, of: self as URL)
        }
        try foundationSetResourceValue(value, forKey: key)
    }

    @_silgen_name("$s10Foundation5NSURLC16setResourceValue_6forKeyyypSg_AA011URLResourceG0VtKF")
    private func foundationSetResourceValue(_ value: Any?, forKey key: URLResourceKey) throws

    /// Foundation's own method, called by its symbol instead of through the vtable.
    @_silgen_name("$s10Foundation5NSURLC17setResourceValuesyySDyAA14URLResourceKeyVypGKF")
    private func foundationSetResourceValues(_ keyedValues: [URLResourceKey: Any]) throws
}

/// Whether `isExcludedFromBackup` marks files and folders in this process.
package var marksBackupExclusion: Bool { cstore_resource_values_are_installed() != 0 }
