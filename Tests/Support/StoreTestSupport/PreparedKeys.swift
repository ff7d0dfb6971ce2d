import Foundation
import StoreCore
import StoreServer
import Synchronization

/// Keys that test stores share: making an RSA key takes a tenth of a second, and a hundred
/// stores are made in a run.
package enum PreparedKeys {
    private static let known = Mutex<[Date?: [String: Data]]>([:])

    /// Puts keys into the folder of a store that is to be made, where there are some for its
    /// clock: certificates are valid from the time on at which they were made.
    package static func install(into folder: URL, clock: any StoreClock) throws {
        guard let files = known.withLock({ $0[start(clock)] }) else { return }
        let keys = folder.appendingPathComponent("keys")
        try FileManager.default.createDirectory(
            at: keys, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for (name, data) in files {
            let file = keys.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try data.write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
    }

    /// Keeps the keys of a store for those that come after it.
    package static func keep(from folder: URL, clock: any StoreClock) throws {
        guard known.withLock({ $0[start(clock)] == nil }) else { return }
        let keys = folder.appendingPathComponent("keys")
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: keys.path) {
            let file = keys.appendingPathComponent(name)
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            else { continue }
            files[name] = try Data(contentsOf: file)
        }
        known.withLock { $0[start(clock)] = files }
    }

    /// Nil for the time of the machine, which only goes on.
    private static func start(_ clock: any StoreClock) -> Date? {
        clock is SystemClock ? nil : clock.now()
    }
}
