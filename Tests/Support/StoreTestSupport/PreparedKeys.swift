import Foundation
import StoreCore
import StoreServer

/// Keys that test stores share: making an RSA key takes a tenth of a second, and a thousand stores
/// are made in a run.
package enum PreparedKeys {
    private static let made = OnceEach<Date?, TemporaryFolder>()

    /// Puts keys into the folder of a store that is to be made. Stores whose clocks begin at the
    /// same time get the same ones, as certificates are valid from when they were made.
    package static func install(into folder: URL, clock: any StoreClock) async throws {
        let start = clock is SystemClock ? nil : clock.now()
        let prepared = try await made.value(for: start) { try make(at: start) }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            at: prepared.file("keys"), to: folder.appendingPathComponent("keys"))
    }

    private static func make(at start: Date?) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.url)
        let store = try Store(
            directory: folder.url, clock: start.map { SettableClock($0) } ?? SystemClock(),
            vault: OpenSSLVault.forTests, log: .silent)
        defer { store.close() }
        try store.keys.prepareReceipts()
        return folder
    }
}
