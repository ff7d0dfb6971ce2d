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
    public static var receiptURL: URL? { foundReceiptURL }

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
}
