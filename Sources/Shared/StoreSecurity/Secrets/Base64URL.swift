import CStoreCrypto
import Foundation

/// Base64 with the URL-safe alphabet and no padding (RFC 4648, section 5).
package enum Base64URL {
    package static func encode(_ data: some DataProtocol) -> String {
        let bytes = Array(data)
        return bytes.withUnsafeBytes { bytes in
            String(unsafeUninitializedCapacity: room(for: bytes.count)) { buffer in
                encode(bytes, into: buffer[...])
            }
        }
    }

    /// How many bytes `encode` needs to write so many bytes.
    static func room(for count: Int) -> Int { (count + 2) / 3 * 4 + 1 }

    /// Writes the text into a buffer with room for it.
    ///
    /// - Returns: its length.
    static func encode(
        _ bytes: UnsafeRawBufferPointer, into buffer: Slice<UnsafeMutableBufferPointer<UInt8>>
    ) -> Int {
        precondition(buffer.count >= room(for: bytes.count), "the buffer is too small")
        let text = UnsafeMutableBufferPointer(rebasing: buffer)
        // OpenSSL writes the other alphabet, padding, and a zero behind it.
        var length = Int(
            EVP_EncodeBlock(
                text.baseAddress, bytes.bindMemory(to: UInt8.self).baseAddress,
                Int32(bytes.count)))
        while length > 0, text[length - 1] == UInt8(ascii: "=") { length -= 1 }
        for index in 0..<length {
            switch text[index] {
            case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return length
    }

    /// Nil for padding, white space and anything else outside the alphabet.
    package static func decode(_ text: some StringProtocol) -> Data? {
        var base64: [UInt8] = []
        base64.reserveCapacity(text.utf8.count + 2)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): base64.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): base64.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: base64.append(byte)
            }
        }
        while base64.count % 4 != 0 { base64.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(base64))
    }
}
