import Foundation

/// What a program needs to know of the store that it tests with, as `openstore test --json` writes it.
struct TestDescription: Encodable, Sendable {
    struct Key: Encodable, Sendable {
        let keyId: String
        let issuerId: String
        /// PEM.
        let privateKey: String
    }

    struct Tester: Encodable, Sendable {
        let email: String
        let password: String
    }

    /// Where devices and the App Store Server API are answered; the latter below `/sandbox`.
    let address: String
    /// Where the test does what it wants to the store: `Documentation/Backends/Testing.md`.
    let control: String
    let bundleId: String
    let appAppleId: Int64
    /// As signed statements name it.
    let environment: String
    /// DER, base64.
    let rootCertificate: String
    /// For the App Store Server API and App Store Connect's.
    let apiKey: Key
    /// For `/verifyReceipt`.
    let sharedSecret: String
    /// The app's provisioning profile, a file.
    let profile: String
    let tester: Tester

    /// One line.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
