import Foundation
import StoreModel
import StoreSecurity

/// Puts content together on the device from its manifest and blob.
package struct DeliveryAssembler {
    private let manifest: DeliveryManifest

    package init(manifest: DeliveryManifest) {
        self.manifest = manifest
    }

    /// Unpacks the blob into a folder that doesn't exist yet.
    ///
    /// Every chunk and every file is compared with its digest. The content is written
    /// beside `folder`, brought to disk, and appears there in one step.
    ///
    /// - Throws: `DeliveryError.damaged` with the offset from which on the blob has to be
    ///   fetched again; `.file` where the disk refuses.
    package func assemble(blob: URL, into folder: URL) throws {
        let staging = folder.deletingLastPathComponent()
            .appendingPathComponent(".\(folder.lastPathComponent).staging")
        let manager = FileManager.default
        try? manager.removeItem(at: staging)
        do {
            try manager.createDirectory(at: staging, withIntermediateDirectories: true)
            let source = try FileHandle(forReadingFrom: blob)
            defer { try? source.close() }
            for entry in manifest.entries where entry.kind == .directory {
                try manager.createDirectory(
                    at: staging.appendingPathComponent(entry.path.text),
                    withIntermediateDirectories: true)
            }
            for entry in manifest.entries where entry.kind == .file {
                try writeFile(entry, from: source, below: staging)
            }
            // Links come last, so that no file is ever written through one.
            for entry in manifest.entries where entry.kind == .link {
                let link = staging.appendingPathComponent(entry.path.text)
                try manager.createDirectory(
                    at: link.deletingLastPathComponent(), withIntermediateDirectories: true)
                try manager.createSymbolicLink(
                    atPath: link.path, withDestinationPath: entry.target ?? "")
            }
            try synchronizeDirectories(below: staging)
            guard rename(staging.path, folder.path) == 0 else {
                throw DeliveryError.file(
                    path: folder.path, reason: String(cString: strerror(errno)))
            }
            try synchronizeDirectory(folder.deletingLastPathComponent())
        } catch {
            try? manager.removeItem(at: staging)
            if error is DeliveryError { throw error }
            throw DeliveryError.file(path: folder.path, reason: error.localizedDescription)
        }
    }

    private func writeFile(
        _ entry: DeliveryManifest.Entry, from source: FileHandle, below staging: URL
    ) throws {
        let url = staging.appendingPathComponent(entry.path.text)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw DeliveryError.file(
                path: entry.path.text, reason: String(cString: strerror(errno)))
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? file.close() }
        let whole = SHA256Digest()
        for chunk in entry.chunks ?? [] {
            try unpack(chunk, of: entry.path, from: source) { piece in
                whole.update(piece)
                try file.write(contentsOf: Data(piece))
            }
        }
        guard SHA256Digest.hexadecimal(whole.finish()) == entry.digest?.text else {
            throw DeliveryError.damaged(
                path: entry.path.text, offset: entry.chunks?.first?.offset ?? 0)
        }
        try file.synchronize()
    }

    private func unpack(
        _ chunk: DeliveryManifest.Chunk, of path: ContentPath, from source: FileHandle,
        into sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let damaged = DeliveryError.damaged(path: path.text, offset: chunk.offset)
        try source.seek(toOffset: UInt64(chunk.offset))
        let decompressor = ZstdDecompressor()
        let digest = SHA256Digest()
        var left = chunk.length
        var produced: Int64 = 0
        while left > 0 {
            guard let piece = try source.read(upToCount: Int(min(left, 1 << 18))), !piece.isEmpty
            else { throw damaged }
            left -= Int64(piece.count)
            let isFrame = try piece.withUnsafeBytes { bytes in
                try decompressor.decompress(bytes) { unpacked in
                    produced += Int64(unpacked.count)
                    guard produced <= chunk.unpackedLength else { throw damaged }
                    digest.update(unpacked)
                    try sink(unpacked)
                }
            }
            guard isFrame else { throw damaged }
        }
        guard decompressor.isComplete, produced == chunk.unpackedLength,
            SHA256Digest.hexadecimal(digest.finish()) == chunk.digest.text
        else { throw damaged }
    }

    /// Files are durable only when the folders that name them are.
    private func synchronizeDirectories(below staging: URL) throws {
        var folders: Set<String> = [staging.path]
        for entry in manifest.entries {
            var url = staging.appendingPathComponent(entry.path.text)
            if entry.kind != .directory { url.deleteLastPathComponent() }
            folders.insert(url.path)
        }
        for folder in folders { try synchronizeDirectory(URL(fileURLWithPath: folder)) }
    }

    private func synchronizeDirectory(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw DeliveryError.file(
                path: folder.path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw DeliveryError.file(
                path: folder.path, reason: String(cString: strerror(errno)))
        }
    }
}
