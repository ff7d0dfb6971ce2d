import Foundation
import StoreSecurity
import Testing

struct DeviceVerificationTests {
    /// The digest is what `printf NONCE+DEVICE | openssl dgst -sha384` says.
    @Test func `it is the SHA-384 of nonce and device, both in lower case`() {
        let nonce = UUID(uuidString: "5FDC4A2E-9D1B-4C56-8B0F-0E4A6A2D7C11")!
        let device = "A3B1C5D7-0000-4000-8000-0123456789AB"
        let digest = DeviceVerification.digest(nonce: nonce, device: device)
        #expect(digest == DeviceVerification.digest(nonce: nonce, device: device.lowercased()))
        #expect(
            digest.base64EncodedString()
                == "ZghyNVz+2BCcEfJnZuCQ/rkcLsejbjqH0ToR5N5otfUGUC25actF5ztKn6IpdPX4")
    }
}
