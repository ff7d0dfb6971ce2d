import CBenchCrypto
import Foundation

/// Reads what an account may use, beside reading and verifying the same statements bare.
struct EntitlementBench {
    private static let rounds = 9

    let apps: URL
    let shop: BenchShop

    func run(_ owned: Int) throws -> [Figure] {
        let environment = try shop.makeHome("home")
        // The first launch fetches them.
        _ = try launch(environment, expecting: owned)
        var ours: [Double] = []
        var bare: [Double] = []
        for _ in 0..<Self.rounds {
            ours.append(try launch(environment, expecting: owned))
            let start = ContinuousClock.now
            let count = try Self.verifyBare(try journal(of: environment))
            bare.append((ContinuousClock.now - start) / .microseconds(1) / 1000)
            guard count == owned else { throw BenchFailure("\(count) statements were verified") }
        }
        return [
            Figure(
                "Entitlements of \(owned.formatted()) transactions in a new launch, beside the "
                    + "statements verified bare", ours, bare, "ms", aim: "at most 3")
        ]
    }

    /// Milliseconds that an app takes for its entitlements.
    private func launch(_ environment: [String: String], expecting count: Int) throws -> Double {
        let app = try MeasuredApp(
            apps.appendingPathComponent("LaunchApp").path, ["entitlements"],
            environment: environment)
        let said = try app.number(after: "delivered").number
        guard said == count else { throw BenchFailure("the app is entitled to \(said)") }
        let time = try app.number(after: "microseconds").number
        _ = try app.finish()
        return Double(time) / 1000
    }

    private func journal(of environment: [String: String]) throws -> URL {
        let home = URL(fileURLWithPath: environment["HOME"] ?? "")
        let files = FileManager.default.enumerator(at: home, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            if file.lastPathComponent.hasPrefix("journal-") { return file }
        }
        throw BenchFailure("the app has no journal")
    }

    // MARK: Bare

    private struct Line: Decodable {
        struct History: Decodable {
            struct Signed: Decodable { var text: String }
            var transactions: [Signed]?
        }
        var history: History?
    }

    /// Reads the statements of a journal, checks each signature, and decodes each payload.
    private static func verifyBare(_ journal: URL) throws -> Int {
        var count = 0
        var keys: [String: OpaquePointer] = [:]
        for line in try Data(contentsOf: journal).split(separator: UInt8(ascii: "\n")).dropFirst() {
            let decoded = try JSONDecoder().decode(Line.self, from: Data(line.dropFirst(17)))
            for signed in decoded.history?.transactions ?? [] {
                try verify(signed.text, &keys)
                count += 1
            }
        }
        return count
    }

    private static func verify(_ jws: String, _ keys: inout [String: OpaquePointer]) throws {
        let parts = jws.split(separator: ".").map(String.init)
        guard parts.count == 3, let header = bytes(parts[0]), let payload = bytes(parts[1]),
            let signature = bytes(parts[2]), signature.count == 64
        else { throw BenchFailure("no statement") }
        if keys[parts[0]] == nil {
            let fields = try JSONSerialization.jsonObject(with: header) as? [String: Any]
            guard let text = (fields?["x5c"] as? [String])?.first,
                let der = Data(base64Encoded: text)
            else { throw BenchFailure("no certificate") }
            keys[parts[0]] = der.withUnsafeBytes { raw -> OpaquePointer? in
                var start = raw.bindMemory(to: UInt8.self).baseAddress
                return d2i_X509(nil, &start, raw.count).flatMap { X509_get_pubkey($0) }
            }
        }
        guard let key = keys[parts[0]] else { throw BenchFailure("no key") }
        let message = [UInt8]("\(parts[0]).\(parts[1])".utf8)
        let pair = ECDSA_SIG_new()
        defer { ECDSA_SIG_free(pair) }
        let halves = [UInt8](signature)
        ECDSA_SIG_set0(
            pair, BN_bin2bn(Array(halves[..<32]), 32, nil),
            BN_bin2bn(Array(halves[32...]), 32, nil))
        var der: UnsafeMutablePointer<UInt8>?
        let length = i2d_ECDSA_SIG(pair, &der)
        defer { free(der) }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key)
        guard EVP_DigestVerify(context, der, Int(length), message, message.count) == 1 else {
            throw BenchFailure("a signature is wrong")
        }
        _ = try JSONSerialization.jsonObject(with: payload)
    }

    private static func bytes(_ text: String) -> Data? {
        let standard = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        return Data(
            base64Encoded: standard + String(repeating: "=", count: (4 - text.count % 4) % 4))
    }
}
