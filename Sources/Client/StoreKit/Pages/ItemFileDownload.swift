import FoundationNetworking
import StoreDelivery
import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Fetches the file of an item into the customer's folder for downloads.
///
/// It gets its name when all of it is there and its digest is the one that the store has named,
/// and never takes the place of another file. Until then it has a hidden name, by which a download
/// that was broken off goes on.
struct ItemFileDownload: Sendable {
    let device: StoreDevice
    let item: Int64
    let file: WireItemFile
    var retry = RetryPolicy.standard

    /// The longest name of a file, in bytes: less than systems allow, so that a number fits.
    private static let nameLimit = 200
    private static let copies = 1...9999
    /// A connection that brings this many bytes sets the count of failures back.
    private static let progress = 64 << 10

    /// - Parameter progress: hears how many bytes are there.
    /// - Returns: where the file is.
    /// - Throws: `WireError`, `URLError`, `DeliveryError`, `CancellationError`, or an error of the
    ///   file system.
    func run(progress: @escaping @Sendable (Int64) -> Void) async throws -> URL {
        guard let digest = ContentDigest(file.digest), file.size >= 0 else {
            throw DeliveryError.damaged("What the store says of the file")
        }
        let folder = device.folders.downloads
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent(".\(digest.text.prefix(16)).part")
        let partial = try PartialFile(path)
        try partial.checkRoom(upTo: file.size)
        var isSecondTime = false
        while true {
            try await fetch(into: partial, progress: progress)
            if try await partial.digest() == digest.text { break }
            try partial.truncate()
            guard !isSecondTime else { throw DeliveryError.damaged(name) }
            isSecondTime = true
        }
        try partial.synchronize()
        let place = try name(path, in: folder)
        try DurableFile.synchronize(folder: folder)
        return place
    }

    /// Fetches what is missing, in as many requests as it takes.
    private func fetch(
        into partial: PartialFile, progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        if try partial.length() > file.size { try partial.truncate() }
        var failures = 0
        while case let start = try partial.length(), start < file.size {
            try Task.checkCancellation()
            progress(start)
            // Nobody is asked in the midst of it.
            guard let session = device.noticeSession() else {
                throw WireError(code: .notSignedIn, message: "Nobody is signed in.")
            }
            do {
                try await device.client.itemFile(
                    item, from: start, session: session,
                    restart: { try partial.truncate() },
                    sink: { data in
                        let length = try partial.append(data)
                        guard length <= file.size else { throw DeliveryError.damaged(name) }
                        progress(length)
                    })
                // An answer that ends too early is a connection that was cut.
                guard try partial.length() < file.size else { break }
                throw URLError(.networkConnectionLost)
            } catch let error where error.isOfPassing {
                let brought = try partial.length() - start
                failures = brought >= Self.progress ? 1 : failures + 1
                guard failures < retry.attempts, !Task.isCancelled else { throw error }
                try await retry.sleep(retry.delay(after: failures - 1))
            }
        }
        progress(file.size)
    }

    /// Gives the file its name, or the first free one like it.
    private func name(_ partial: URL, in folder: URL) throws -> URL {
        let parts = name.split(scalar: ".", omittingEmptySubsequences: false)
        let ending = parts.count > 1 ? "." + String(parts[parts.count - 1]) : ""
        let stem = String(name.unicodeScalars.dropLast(ending.unicodeScalars.count))
        for number in Self.copies {
            let place = folder.appendingPathComponent(
                number == 1 ? name : "\(stem) (\(number))\(ending)")
            if link(partial.path, place.path) == 0 {
                unlink(partial.path)
                return place
            }
            if errno == EEXIST { continue }
            // A file system without links: the name is claimed by an empty file, which is
            // this one's to replace.
            let claim = DurableFile.open(place, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            if claim < 0, errno == EEXIST { continue }
            guard claim >= 0 else { throw DurableFile.failure("can't be made", place) }
            close(claim)
            guard rename(partial.path, place.path) == 0 else {
                let failure = DurableFile.failure("can't be made", place)
                unlink(place.path)
                throw failure
            }
            return place
        }
        throw CocoaError(.fileWriteFileExists)
    }

    /// The store's name for it, made harmless: one part of a path, not hidden.
    private var name: String {
        let last = file.name.split(scalar: "/").last.map(String.init) ?? ""
        var name = String.UnicodeScalarView()
        var bytes = 0
        for scalar in last.terminalText().unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= Self.nameLimit else { break }
            name.append(scalar)
        }
        let text = String(name).trimmingCharacters(in: .whitespaces)
        return text.isEmpty || text.hasPrefix(scalars: ".") ? "download\(text)" : text
    }
}

/// A file that is not all there yet, which nobody else writes to.
private final class PartialFile: Sendable {
    private let handle: FileHandle
    private let url: URL
    private let size: Mutex<Int64>

    /// Opens what is there of it, or makes it.
    ///
    /// - Throws: `CocoaError.fileLocking` where another program downloads it.
    init(_ url: URL) throws {
        self.url = url
        for _ in 1...8 {
            let descriptor = DurableFile.open(
                url, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o666)
            guard descriptor >= 0 else { throw DurableFile.failure("can't be made", url) }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                throw CocoaError(.fileLocking)
            }
            var status = stat()
            var named = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw DurableFile.failure("can't be used", url)
            }
            // Whoever had it before has finished it, or was killed before it lost this name.
            let isNamed = lstat(url.path, &named) == 0 && named.st_ino == status.st_ino
            guard isNamed, status.st_nlink == 1 else {
                if isNamed { unlink(url.path) }
                continue
            }
            self.handle = handle
            size = Mutex(Int64(status.st_size))
            return
        }
        throw CocoaError(.fileLocking)
    }

    func length() throws -> Int64 { size.withLock { $0 } }

    /// - Throws: `DeliveryError.diskFull` where the disk has no room for the rest of a file.
    func checkRoom(upTo length: Int64) throws {
        let needed = length - size.withLock { $0 }
        // Where nobody knows, the disk itself refuses.
        guard let free = DiskSpace.free(at: url), free < needed else { return }
        throw DeliveryError.diskFull(needed: needed, free: free)
    }

    func truncate() throws {
        guard ftruncate(handle.fileDescriptor, 0) == 0 else {
            throw DurableFile.failure("can't be written", url)
        }
        size.withLock { $0 = 0 }
    }

    /// - Returns: the length then.
    func append(_ data: Data) throws -> Int64 {
        try size.withLock { size in
            do {
                try data.withUnsafeBytes {
                    try DurableFile.append($0, to: handle.fileDescriptor, at: size, of: url)
                }
            } catch let error as NSError where [Int(ENOSPC), Int(EDQUOT)].contains(error.code) {
                throw DeliveryError.diskFull(needed: 0, free: 0)
            }
            size += Int64(data.count)
            return size
        }
    }

    func synchronize() throws {
        guard fsync(handle.fileDescriptor) == 0 else {
            throw DurableFile.failure("can't be brought to disk", url)
        }
    }

    /// The SHA-256 of what is there, hexadecimal.
    @concurrent func digest() async throws -> String {
        let digest = SHA256Digest()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: off_t = 0
        while true {
            try Task.checkCancellation()
            let count = pread(handle.fileDescriptor, &buffer, buffer.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw DurableFile.failure("can't be read", url) }
            guard count > 0 else { break }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += off_t(count)
        }
        return SHA256Digest.hexadecimal(digest.finish())
    }
}
