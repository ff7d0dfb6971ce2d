import Foundation

/// A key of the store's API, and the tokens made with it.
struct APIKey {
    let file: URL
    let id: String
    let issuer: String

    /// Makes one.
    ///
    /// - Parameters:
    ///   - folder: where its private half is written.
    ///   - options: say which store.
    init(program: String, role: String, folder: URL, options: [String]) throws {
        let made = try BenchShop.run(
            program,
            ["api-key", "create", "--name", "bench", "--role", role, "-o", folder.path, "--json"]
                + options)
        guard
            let row = try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any],
            let file = row["file"] as? String, let id = row["id"] as? String,
            let issuer = row["issuerId"] as? String
        else { throw BenchFailure("no key: \(made)") }
        self.file = URL(fileURLWithPath: file)
        self.id = id
        self.issuer = issuer
    }

    /// Makes one for an app's own server.
    init(program: String, for shop: BenchShop) throws {
        try self.init(
            program: program, role: "ADMIN", folder: shop.folder,
            options: ["--data", shop.folder.appendingPathComponent("store").path]
                + shop.database.options)
    }

    /// A token of the API, signed by OpenSSL's program.
    ///
    /// - Parameter bundle: the app, for the App Store Server API.
    func token(bundle: String? = nil) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        let header = "{\"alg\":\"ES256\",\"kid\":\"\(id)\",\"typ\":\"JWT\"}"
        let app = bundle.map { ",\"bid\":\"\($0)\"" } ?? ""
        let claims = """
            {"iss":"\(issuer)","iat":\(now),"exp":\(now + 900),"aud":"appstoreconnect-v1"\(app)}
            """
        let signed = "\(Self.base64(Data(header.utf8))).\(Self.base64(Data(claims.utf8)))"
        let input = file.deletingLastPathComponent().appendingPathComponent("signed")
        let output = file.deletingLastPathComponent().appendingPathComponent("signature")
        try Data(signed.utf8).write(to: input)
        try BenchShop.run(
            "/usr/bin/openssl",
            ["dgst", "-sha256", "-sign", file.path, "-out", output.path, input.path])
        return "\(signed).\(Self.base64(try Self.raw(Data(contentsOf: output))))"
    }

    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// The two numbers of a signature in 32 bytes each, as JWS wants them, from ASN.1.
    private static func raw(_ der: Data) throws -> Data {
        let bytes = [UInt8](der)
        var index = 2
        var raw = Data()
        for _ in 0..<2 {
            guard index + 2 <= bytes.count, bytes[index] == 2 else {
                throw BenchFailure("no signature")
            }
            let end = index + 2 + Int(bytes[index + 1])
            let number = bytes[(index + 2)..<end].drop { $0 == 0 }
            raw += Data(count: 32 - number.count) + Data(number)
            index = end
        }
        return raw
    }
}
