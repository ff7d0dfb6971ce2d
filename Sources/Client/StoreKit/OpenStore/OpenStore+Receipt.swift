import StoreSecurity

extension OpenStore {
    private static let foundReceiptURL: URL? = {
        guard let profile = try? DeviceProfile.current() else { return nil }
        let folders = DeviceFolders(
            bundleID: profile.payload.bundleId.text,
            environment: ProcessInfo.processInfo.environment)
        return ReceiptFile.url(profile: profile, folders: folders)
    }()

    /// Where the app's receipt lies; an addition of OpenStoreKit.
    ///
    /// Nil where the app has no provisioning profile. There may be no file yet: a purchase or
    /// `SKReceiptRefreshRequest` brings it. `Bundle.main.appStoreReceiptURL` gives the same
    /// wherever Foundation is linked dynamically.
    public static var receiptURL: URL? {
        let engine = PaymentEngine.current
        guard engine.isOfTest else { return foundReceiptURL }
        return (try? engine.makeDevice())?.receiptFile.url
    }

    /// The identifier that receipts on this device are bound to; an addition of OpenStoreKit.
    ///
    /// Its 16 bytes take the place of `identifierForVendor` in code that works out the hash
    /// of a receipt. It is made at random when the framework first runs for the app.
    ///
    /// - Throws: ``SKError/clientInvalid`` where the app has no usable profile; an error of
    ///   the file system where the identifier can't be kept.
    public static func receiptDeviceIdentifier() throws -> UUID {
        try StoreDevice.current().receiptFile.deviceID
    }

    /// Checks the receipt of this app on this device, as apps do when they start; an addition of
    /// OpenStoreKit.
    ///
    /// ```swift
    /// do {
    ///     try OpenStore.verifyReceipt(bundleIdentifier: "com.example.app", version: "7")
    /// } catch {
    ///     // Where a refresh does not help either:
    ///     SKTerminateForInvalidReceipt()
    /// }
    /// ```
    ///
    /// Signature, certificates, app, version and device are checked, and that the receipt of a
    /// volume purchase has not ended. Identifier and version are constants of the app: in a
    /// file beside it anybody could change them.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: the app's.
    ///   - version: its `CFBundleVersion`; nil to take any. After an update the receipt has the
    ///     version before until it is refreshed.
    ///   - rootCertificate: the store's root in DER, built into the app; nil for the one that the
    ///     app's provisioning profile names.
    /// - Returns: the receipt.
    /// - Throws: ``OpenStoreReceiptError``, with `missing` where there is no receipt yet.
    ///   ``SKError/clientInvalid`` where the app has no usable profile.
    @discardableResult
    public static func verifyReceipt(
        bundleIdentifier: String, version: String? = nil, rootCertificate: Data? = nil
    ) throws -> OpenStoreReceipt {
        try verifyReceipt(
            on: try StoreDevice.current(), bundleIdentifier: bundleIdentifier, version: version,
            rootCertificate: rootCertificate, at: Date())
    }

    static func verifyReceipt(
        on device: StoreDevice, bundleIdentifier: String, version: String? = nil,
        rootCertificate: Data? = nil, at date: Date
    ) throws -> OpenStoreReceipt {
        let root = try rootCertificate.map { try OpenStoreReceipt.root($0) }
        let receipt = try OpenStoreReceipt.read(
            on: device, root: root ?? device.profile.verifier.root)
        try receipt.verify(
            bundleIdentifier: bundleIdentifier, version: version,
            deviceIdentifier: device.receiptFile.deviceIdentifier, at: date)
        return receipt
    }
}
