import StoreKernel
import StoreSecurity
import StoreWire
import Synchronization

/// The app's receipt on this device.
struct ReceiptFile: Sendable {
    let url: URL
    private let profile: DeviceProfile
    let deviceID: UUID
    /// The 16 bytes that the hash of a receipt covers.
    let deviceIdentifier: Data
    private let order = WriteOrder()

    /// - Parameter deviceID: the UUID that receipts of this device are bound to.
    init(profile: DeviceProfile, folders: DeviceFolders, deviceID: UUID) {
        self.profile = profile
        self.deviceID = deviceID
        self.deviceIdentifier = withUnsafeBytes(of: deviceID.uuid) { Data($0) }
        self.url = Self.url(profile: profile, folders: folders)
    }

    /// Where the receipt lies: under the names that apps tell the environments apart by.
    static func url(profile: DeviceProfile, folders: DeviceFolders) -> URL {
        let name =
            switch profile.payload.environment {
            case .production: "receipt"
            case .sandbox: "sandboxReceipt"
            }
        return folders.state.appendingPathComponent(name)
    }

    /// Fetches a receipt and writes it; a readable file is there when this returns.
    ///
    /// Of two that overlap, the one that began later counts, whichever the store answers
    /// first: it knows everything that had happened before either began.
    func refresh(
        _ properties: ReceiptProperties?,
        fetch: (ReceiptRequest) async throws -> ReceiptAnswer
    ) async throws {
        let turn = order.begin()
        let answer = try await fetch(
            ReceiptRequest(
                deviceIdentifier: deviceIdentifier, applicationVersion: BundleVersion.current,
                properties: properties))
        try check(answer.receipt)
        try order.write(turn) { try DurableFile.write(answer.receipt, to: url, mode: 0o600) }
    }

    /// Checks that the store signed a receipt, for this app on this device.
    private func check(_ data: Data) throws {
        let receipt = try ReceiptVerifier(root: profile.verifier.root).verify(data)
        guard receipt.bundleID == profile.payload.bundleId.text else {
            throw SecurityError(.untrusted, "the receipt is for the app \(receipt.bundleID)")
        }
        guard try receipt.isMade(forDevice: deviceIdentifier) else {
            throw SecurityError(.untrusted, "the receipt is for another device")
        }
    }
}

/// The app's version, as its `Info.plist` has it.
enum BundleVersion {
    /// What its customers know it by, `CFBundleShortVersionString`; `current` where the app has
    /// none.
    static var marketing: String {
        let version = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        return version.flatMap { $0.isEmpty ? nil : String($0.prefix(64)) } ?? current
    }

    /// The version in its receipts: `CFBundleVersion` of the app's `Info.plist`; `1` where the app has none.
    static var current: String {
        let version = Bundle.main.infoDictionary?["CFBundleVersion"] as? String
        return version.flatMap { $0.isEmpty ? nil : String($0.prefix(16)) } ?? "1"
    }
}

/// Sees to it that an older answer never replaces a newer one.
private final class WriteOrder: Sendable {
    private let turns = Mutex((begun: 0, written: 0))

    func begin() -> Int {
        turns.withLock { turns in
            turns.begun += 1
            return turns.begun
        }
    }

    func write(_ turn: Int, _ body: () throws -> Void) throws {
        try turns.withLock { turns in
            guard turn > turns.written else { return }
            try body()
            turns.written = turn
        }
    }
}
