import StoreKernel

/// A small file of the device's state, which several processes of the app may change.
///
/// A change is on disk when `update` returns, and is either whole or not there. A damaged file
/// counts as one that is not there, which the log is told once; the next change replaces it.
/// Nothing that was bought may depend on it.
struct DeviceRecord<Content: Codable>: Sendable {
    let file: URL
    private let device: StoreDevice

    /// - Parameters:
    ///   - name: what the file is called, besides the store's tag.
    ///   - device: whose state folder it lies in.
    init(_ name: String, of device: StoreDevice) {
        self.device = device
        file = device.folders.state.appendingPathComponent("\(name)-\(device.profile.tag).json")
    }

    /// The file's content; `nil` if the file is missing or damaged.
    ///
    /// - Throws: an error of the file system: a file that can't be read is not an empty one.
    func read() throws -> Content? {
        let (content, isDamaged) = try stored()
        if isDamaged { logDamage() }
        return content
    }

    /// Changes what the file holds. Nobody else changes it meanwhile.
    ///
    /// - Throws: an error of the file system, and what `change` throws.
    func update<Answer>(_ change: (inout Content?) throws -> Answer) throws -> Answer {
        // The app's log may use the record: it is called after the lock.
        var isDamaged = false
        defer { if isDamaged { logDamage() } }
        return try DurableFile.whileLocked(file) {
            var content: Content?
            (content, isDamaged) = try stored()
            let answer = try change(&content)
            if let content {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys]
                try DurableFile.write(try encoder.encode(content), to: file, mode: 0o600)
            }
            return answer
        }
    }

    private func stored() throws -> (content: Content?, isDamaged: Bool) {
        guard access(file.path, F_OK) == 0 else { return (nil, false) }
        let data = try Data(contentsOf: file)
        guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
            return (nil, true)
        }
        return (content, false)
    }

    private func logDamage() {
        device.logOnce("\(file.path) is damaged, and counts as if it were not there.")
    }
}
