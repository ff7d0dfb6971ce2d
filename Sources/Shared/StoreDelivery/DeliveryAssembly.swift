import CStoreLinux
import Foundation
import StoreKernel
import StoreModel
import Synchronization

/// A version of content that is put together on the device, chunk by chunk, in any order.
///
/// The files are made at once, with their sizes and without their bytes. A chunk is compared
/// with its digest and written to all its places as soon as it is there. Nothing else is
/// kept: after a crash, what the files hold says which chunks are still missing.
package final class DeliveryAssembly: Sendable {
    package let manifest: DeliveryManifest
    let chunks: [DeliveryManifest.Chunk]
    let folder: URL
    private let allowsExecutables: Bool
    private let locations: ChunkLocations
    /// Chunks that nothing consists of count as present.
    private let isPresent: Mutex<[Bool]>
    private let present = Atomic<Int64>(0)

    /// A resumable download: begins one, or resumes the one that an earlier assembly of the same manifest began in the
    /// same folder.
    ///
    /// - Parameters:
    ///   - folder: for this manifest alone; made where it doesn't exist.
    ///   - allowsExecutables: whether programs may be run afterwards: those of an app, never what
    ///     calls itself content.
    /// - Throws: `DeliveryError.file` or `.diskFull`.
    package init(manifest: DeliveryManifest, folder: URL, allowsExecutables: Bool = false) throws {
        self.manifest = manifest
        self.folder = folder
        self.allowsExecutables = allowsExecutables
        chunks = manifest.blobs.flatMap(\.chunks)
        locations = ChunkLocations(manifest)
        isPresent = Mutex(manifest.isNeeded.map { !$0 })
        let older = try makeFiles()
        for entry in older { lookInto(entry) }
        try requireSpace()
    }

    /// Bytes, as they lie in the blobs, of the chunks that are in their places.
    package var presentLength: Int64 { present.load(ordering: .relaxed) }

    /// The chunks that are not in their places yet, in the order of the blobs.
    package var missing: [Int] {
        isPresent.withLock { isPresent in isPresent.indices.filter { !isPresent[$0] } }
    }

    /// Bytes of a chunk as it lies in its blob.
    package func length(of chunk: Int) -> Int { chunks[chunk].length }

    /// Unpacks a chunk and writes it to its places.
    ///
    /// - Returns: false where the bytes are not those of the chunk.
    /// - Throws: `DeliveryError.file` or `.diskFull`.
    package func receive(
        _ frame: UnsafeRawBufferPointer, of chunk: Int, through unpacker: ChunkUnpacker
    ) throws -> Bool {
        try unpacker.unpack(frame, as: chunks[chunk]) { bytes in
            guard let bytes else { return false }
            try place(bytes, of: chunk, through: unpacker.files)
            return true
        }
    }

    /// Writes verified bytes to all places of a chunk. Two threads that do it for the same
    /// chunk write the same.
    func place(_ bytes: UnsafeRawBufferPointer, of chunk: Int, through files: OpenFiles) throws {
        guard isPresent.withLock({ !$0[chunk] }) else { return }
        for location in locations[chunk] {
            let path = manifest.entries[Int(location.entry)].path.text
            do {
                try files.write(
                    bytes, to: folder.appendingPathComponent(path), number: location.entry,
                    at: location.offset)
            } catch DeliveryError.diskFull {
                throw fullDisk()
            }
        }
        setPresent(chunk)
    }

    private func setPresent(_ chunk: Int) {
        let isFirst = isPresent.withLock { isPresent in
            defer { isPresent[chunk] = true }
            return !isPresent[chunk]
        }
        if isFirst { present.add(Int64(chunks[chunk].length), ordering: .relaxed) }
    }

    /// Brings everything to disk and moves it to its place in one step.
    ///
    /// - Throws: `DeliveryError.file`; call again to try again.
    package func finish(into content: URL) throws {
        precondition(missing.isEmpty, "an assembly ends with its last chunk")
        // Links come last, so that no file is ever written through one.
        for entry in manifest.entries {
            guard case .link(let target) = entry.kind else { continue }
            let link = folder.appendingPathComponent(entry.path.text)
            try makeFolder(link.deletingLastPathComponent())
            try? FileManager.default.removeItem(at: link)
            guard symlink(target, link.path) == 0 else { throw DeliveryError(errnoAt: link.path) }
        }
        guard manifest.isComplete(in: folder) else {
            throw DeliveryError.file(path: folder.path, reason: "files were taken out of it")
        }
        for entry in manifest.entries where allowsExecutables && entry.isExecutable {
            let file = folder.appendingPathComponent(entry.path.text)
            guard fchmodat(AT_FDCWD, file.path, 0o755, 0) == 0 else {
                throw DeliveryError(errnoAt: file.path)
            }
        }
        try synchronize()
        guard rename(folder.path, content.path) == 0 else {
            throw DeliveryError(errnoAt: content.path)
        }
        let parent = content.deletingLastPathComponent()
        try DeliveryError.onDisk(parent) { try DurableFile.synchronize(folder: parent) }
    }

    // MARK: Files

    /// Makes folders and files; gives the files that were there already.
    private func makeFiles() throws -> [Int] {
        try makeFolder(folder)
        var made: Set<ContentPath> = []
        var older: [Int] = []
        for (number, entry) in manifest.entries.enumerated() {
            let url = folder.appendingPathComponent(entry.path.text)
            switch entry.kind {
            case .directory:
                try makeFolder(url)
            case .link:
                continue
            case .file(let length, _, _):
                if let parent = entry.path.parent, made.insert(parent).inserted {
                    try makeFolder(url.deletingLastPathComponent())
                }
                if try makeFile(url, length: length) { older.append(number) }
            }
        }
        return older
    }

    private func makeFolder(_ url: URL) throws {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            throw fullDisk()
        } catch {
            throw DeliveryError.file(path: url.path, reason: error.localizedDescription)
        }
    }

    /// - Returns: whether it was there, as long as it should be.
    private func makeFile(_ url: URL, length: Int64) throws -> Bool {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw DeliveryError(errnoAt: url.path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw DeliveryError(errnoAt: url.path) }
        guard Int64(status.st_size) != length else { return length > 0 }
        guard ftruncate(descriptor, Int(length)) == 0 else {
            throw DeliveryError(errnoAt: url.path)
        }
        return false
    }

    /// Finds the chunks that an older file holds.
    private func lookInto(_ number: Int) {
        let entry = manifest.entries[number]
        guard case .file(_, _, let ranges) = entry.kind,
            let file = ReadableFile(folder.appendingPathComponent(entry.path.text))
        else { return }
        var offset: Int64 = 0
        for chunk in ranges.joined() {
            let length = chunks[chunk].unpackedLength
            // With several places, all of them have to hold it; the last one says so.
            if let last = locations[chunk].last, last.entry == Int32(number), last.offset == offset,
                file.holds(chunks[chunk], at: offset),
                locations[chunk].dropLast().allSatisfy({ holds(chunk, at: $0) })
            {
                setPresent(chunk)
            }
            offset += Int64(length)
        }
    }

    private func holds(_ chunk: Int, at location: ChunkLocations.Location) -> Bool {
        let path = manifest.entries[Int(location.entry)].path.text
        return ReadableFile(folder.appendingPathComponent(path))?
            .holds(chunks[chunk], at: location.offset) ?? false
    }

    // MARK: Disk

    /// Finds out early that there is not enough room for the rest.
    private func requireSpace() throws {
        let (needed, free) = space()
        guard needed <= free else { throw DeliveryError.diskFull(needed: needed, free: free) }
    }

    private func fullDisk() -> DeliveryError {
        let (needed, free) = space()
        return .diskFull(needed: max(needed, 1), free: free)
    }

    /// Bytes that missing chunks unpack to, and those that are free.
    private func space() -> (needed: Int64, free: Int64) {
        let needed = missing.reduce(Int64(0)) { sum, chunk in
            sum + Int64(chunks[chunk].unpackedLength) * Int64(locations[chunk].count)
        }
        return (needed, DiskSpace.free(at: folder) ?? .max)
    }

    /// Files are durable only when the folders that name them are.
    private func synchronize() throws {
        // One call for all of the file system beats a thousand for files.
        if manifest.entries.count > 256 {
            let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard descriptor >= 0 else { throw DeliveryError(errnoAt: folder.path) }
            defer { close(descriptor) }
            guard syncfs(descriptor) == 0 else { throw DeliveryError(errnoAt: folder.path) }
            return
        }
        var folders: Set<URL> = [folder]
        for entry in manifest.entries {
            let url = folder.appendingPathComponent(entry.path.text)
            var parent = entry.path.parent
            while let path = parent,
                folders.insert(folder.appendingPathComponent(path.text)).inserted
            {
                parent = path.parent
            }
            switch entry.kind {
            case .file: try DeliveryError.onDisk(url) { try DurableFile.synchronize(url) }
            case .directory: folders.insert(url)
            case .link: break
            }
        }
        for folder in folders {
            try DeliveryError.onDisk(folder) { try DurableFile.synchronize(folder: folder) }
        }
    }
}
