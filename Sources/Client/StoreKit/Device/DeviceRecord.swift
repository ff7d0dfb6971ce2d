/// A small file of the device's state, which several processes of the app may change.
///
/// A change is on disk when `update` returns, and is either whole or not there.
struct DeviceRecord<Content: Codable>: Sendable {
    let file: URL

    /// - Parameters:
    ///   - name: what the file is called, besides the store's tag.
    ///   - device: whose state folder it lies in.
    init(_ name: String, of device: StoreDevice) {
        file = device.folders.state.appendingPathComponent("\(name)-\(device.profile.tag).json")
    }

    /// What the file holds; nil where there is none yet.
    ///
    /// - Throws: an error of the file system or of decoding: a file that can't be read is not
    ///   an empty one.
    func read() throws -> Content? {
        guard access(file.path, F_OK) == 0 else { return nil }
        return try JSONDecoder().decode(Content.self, from: try Data(contentsOf: file))
    }

    /// Changes what the file holds. Nobody else changes it meanwhile.
    func update<Answer>(_ change: (inout Content?) throws -> Answer) throws -> Answer {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let lock = file.appendingPathExtension("lock")
        let descriptor = open(lock.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DurableFile.failure("can't be opened", lock) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw DurableFile.failure("can't be locked", lock) }
        }
        var content = try read()
        let answer = try change(&content)
        if let content {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            try DurableFile.write(try encoder.encode(content), to: file, mode: 0o600)
        }
        return answer
    }
}
