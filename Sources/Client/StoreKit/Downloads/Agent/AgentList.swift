import StoreKernel
import StoreSecurity

/// What the download agent has to do, for the next one where this one is killed: links to the
/// folders of downloads.
struct AgentList: Sendable {
    let folder: URL

    /// - Parameter environment: has the XDG variables.
    init(environment: [String: String]) {
        let state = environment["XDG_STATE_HOME"].flatMap {
            $0.hasPrefix(scalars: "/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil
        }
        let home = URL(fileURLWithPath: environment["HOME"] ?? NSHomeDirectory(), isDirectory: true)
        folder = (state ?? home.appendingPathComponent(".local/state"))
            .appendingPathComponent("openstore/downloads", isDirectory: true)
    }

    private func link(_ download: DownloadFolder) -> URL {
        folder.appendingPathComponent(SHA256Digest.hex(Data(download.path.utf8)))
    }

    /// - Throws: an error of the file system.
    func add(_ download: DownloadFolder) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let link = link(download)
        guard symlink(download.path, link.path) == 0 || errno == EEXIST else {
            throw DurableFile.failure("can't be made", link)
        }
        try DurableFile.synchronize(folder: folder)
    }

    func remove(_ download: DownloadFolder) {
        unlink(link(download).path)
    }

    /// What there is to do. What is no download, or has no order, leaves the list.
    func downloads() -> [DownloadFolder] {
        let files = FileManager.default
        let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            let link = folder.appendingPathComponent(name).path
            guard let path = try? files.destinationOfSymbolicLink(atPath: link),
                let download = DownloadFolder(path: path), download.hasOrder,
                !download.isFinished
            else {
                unlink(link)
                return nil
            }
            return download
        }
    }
}
