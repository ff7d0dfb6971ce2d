import Foundation

/// Body of `POST /device/v1/receipt` and of `POST /device/v1/transactions/{id}/receipt`.
package struct ReceiptRequest: Codable, Sendable, Hashable {
    /// What the receipt is bound to: bytes that apps on the device can find out, base64.
    package var deviceIdentifier: Data
    /// The app's `CFBundleVersion`.
    package var applicationVersion: String
    /// What a test wants the receipt to be like; heeded in the sandbox only.
    package var properties: ReceiptProperties?

    package init(
        deviceIdentifier: Data, applicationVersion: String, properties: ReceiptProperties? = nil
    ) {
        self.deviceIdentifier = deviceIdentifier
        self.applicationVersion = applicationVersion
        self.properties = properties
    }

    /// - Throws: `WireFormatError` where a value has an impossible length.
    package func check() throws {
        guard (1...64).contains(deviceIdentifier.count) else {
            throw WireFormatError("deviceIdentifier does not have 1 to 64 bytes")
        }
        guard (1...64).contains(applicationVersion.utf8.count),
            applicationVersion.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
        else {
            throw WireFormatError("applicationVersion does not have 1 to 64 printable characters")
        }
    }
}

/// Receipts that are hard to come by otherwise.
package struct ReceiptProperties: Codable, Sendable, Hashable {
    package var expired: Bool
    package var revoked: Bool
    package var volumePurchase: Bool

    package init(expired: Bool = false, revoked: Bool = false, volumePurchase: Bool = false) {
        self.expired = expired
        self.revoked = revoked
        self.volumePurchase = volumePurchase
    }
}

/// The receipt.
package struct ReceiptAnswer: Codable, Sendable, Hashable {
    /// CMS SignedData in DER, or the property list of a transaction's receipt; base64.
    package var receipt: Data

    package init(receipt: Data) {
        self.receipt = receipt
    }
}
