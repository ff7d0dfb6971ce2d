import Foundation

/// Files that a command makes where the user wants them.
enum OutputFile {
    /// Writes a file whole, or leaves what was there. A device, a pipe or a link is written to, and not
    /// replaced.
    ///
    /// - Throws: `CommandFailure`.
    static func write(_ data: Data, to file: URL) throws {
        var status = stat()
        let isOther = lstat(file.path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        do {
            try data.write(to: file, options: isOther ? [] : .atomic)
        } catch {
            let reason = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error
            throw CommandFailure(
                description: "\(file.path) can't be written: \(reason.localizedDescription)",
                exitCode: .notCreated)
        }
    }
}

/// Files that the user names for a command to read.
enum InputFile {
    /// Refuses a folder, of which reading says less.
    ///
    /// - Throws: `UsageError`.
    static func expect(_ file: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
            isFolder.boolValue
        else { return }
        throw UsageError(description: "\(file.path) is a folder; name a file")
    }
}
