import Foundation
import StoreCore
import StoreKernel
import StoreModel
import StoreSecurity

/// Packages on their way in, in an object store: one object for each part, so that any machine
/// takes any part and any machine processes the whole.
package struct ObjectUploadStore: UploadStore {
    private let client: ObjectClient
    private let threads: BlockingPool
    private let scratch: ScratchSpace
    /// Ends in a slash.
    private let folder: String

    init(client: ObjectClient, threads: BlockingPool, scratch: ScratchSpace, folder: String) {
        self.client = client
        self.threads = threads
        self.scratch = scratch
        self.folder = folder
    }

    package func apart<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await threads.run(leavesWhenCancelled: false, work)
    }

    package func open(_ id: UploadID, isAlone: Bool) -> (any UploadFile)? {
        ObjectUploadFile(client: client, folder: folder(of: id))
    }

    package func remove(_ id: UploadID) throws {
        var names: [String] = []
        try client.list(folder(of: id)) { names.append($0.name) }
        for name in names { try client.remove(name) }
    }

    package func list() throws -> [UploadID] {
        try client.folders(folder).compactMap { UploadID($0) }
    }

    /// An object store has no measure of its room; who processes a package has it here.
    package func freeBytes() throws -> Int64 { Int64(clamping: try scratch.freeBytes()) }

    /// The object store has compared each part, and keeps it for good.
    package var keepsCheckedParts: Bool { true }

    package func wholeFile(
        of id: UploadID, digest: ContentDigest, in folder: URL, proceed: () throws -> Void
    ) throws -> URL {
        let url = folder.appendingPathComponent("content.pkg")
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw ObjectStoreError.system(url.path)
        }
        let file = try FileHandle(forWritingTo: url)
        defer { try? file.close() }
        var parts: [(offset: Int64, name: String)] = []
        try client.list(self.folder(of: id)) { object in
            guard let offset = Int64(object.name.split(scalar: "/").last ?? "") else { return }
            parts.append((offset, object.name))
        }
        let whole = SHA256Digest()
        for part in parts.sorted(by: { $0.offset < $1.offset }) {
            try withoutActuallyEscaping(proceed) { proceed in
                _ = try client.read(part.name) { bytes in
                    try proceed()
                    whole.update(bytes)
                    try file.write(contentsOf: Data(bytes))
                }
            }
        }
        guard SHA256Digest.hexadecimal(whole.finish()) == digest.text else {
            throw OtherUploadFile()
        }
        return url
    }

    private func folder(of id: UploadID) -> String { "\(folder)\(id.text)/" }
}

private struct ObjectUploadFile: UploadFile {
    let client: ObjectClient
    let folder: String

    func write(_ bytes: Data, at offset: Int64) throws {
        try client.store(bytes, as: folder + String(offset))
    }

    func read(_ range: Range<Int64>) throws -> Data {
        try client.data(of: folder + String(range.lowerBound), limit: range.count) ?? Data()
    }

    /// Each part is kept for good when `write` returns.
    func synchronize() {}
}
