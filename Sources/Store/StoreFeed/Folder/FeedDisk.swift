import Foundation
import StoreKernel
import StoreSecurity

/// Files of an export on their way to the disk.
enum FeedDisk {
    /// Waits until a file's or folder's bytes are on the disk; gives its size.
    @discardableResult
    static func sync(_ url: URL) throws -> UInt64 {
        try onDisk { try DurableFile.synchronize(url) }
        var status = stat()
        guard lstat(url.path, &status) == 0 else { throw FeedError.system(url.path) }
        return UInt64(status.st_size)
    }

    /// Writes a new small file, to the disk.
    static func write(_ data: Data, to url: URL) throws {
        do {
            try data.write(to: url, options: .withoutOverwriting)
        } catch {
            throw FeedError(.disk, "\(url.path) can't be written: \(error.localizedDescription)")
        }
        try sync(url)
    }

    static func move(_ url: URL, to place: URL) throws {
        try onDisk { try DurableFile.move(url, to: place) }
    }

    private static func onDisk(_ body: () throws -> Void) throws {
        do { try body() } catch let error as NSError {
            throw FeedError(.disk, error.localizedDescription)
        }
    }

    /// Lets a name stand for another one beside it, in one step.
    static func link(_ name: String, to target: String, in folder: URL) throws {
        let fresh = folder.appendingPathComponent(".\(name).new").path
        unlink(fresh)
        guard symlink(target, fresh) == 0,
            rename(fresh, folder.appendingPathComponent(name).path) == 0
        else { throw FeedError.system(folder.appendingPathComponent(name).path) }
        try sync(folder)
    }

    static func md5(of url: URL) throws -> String {
        let handle: FileHandle
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch {
            throw FeedError(.disk, "\(url.path) can't be read: \(error.localizedDescription)")
        }
        defer { try? handle.close() }
        return try MD5Checksum.hex { try handle.read(upToCount: 1 << 20) }
    }
}
