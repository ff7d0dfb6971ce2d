import Foundation
import StoreModel

/// Which bucket of which object store, and how it is spoken to.
///
///     s3://bucket/prefix?endpoint=https://objects.example.com&region=eu-central-1
package struct ObjectLocation: Sendable, Hashable {
    package var bucket: String
    /// What the names of all objects begin with: empty, or with a slash at its end.
    package var prefix: String
    package var region: String
    /// Scheme, host and port at which the store reaches it.
    package var endpoint: URL
    /// Those at which clients reach it.
    package var publicEndpoint: URL
    /// Whether the bucket is the first part of the path, and not of the host.
    package var usesPaths: Bool
    /// Whether clients are sent there for content.
    package var redirects: Bool
    /// A file with the certificates that are trusted, PEM; nil for those of the system.
    package var authorities: String?

    /// - Throws: `ObjectStoreError` with `address`, which says what is wrong, and repeats nothing
    ///   of what was given but names of options: somebody may have put a secret there.
    package init(_ text: String) throws {
        guard let parts = URLComponents(string: text), parts.scheme == "s3",
            let bucket = parts.host, !bucket.isEmpty, parts.port == nil, parts.user == nil,
            // As in s3://KEY:/SECRET@BUCKET: what stands before is no bucket.
            !parts.path.contains(scalar: "@")
        else {
            throw Self.wrong(
                "it is not s3://BUCKET/PREFIX?endpoint=URL&region=NAME. A key does not belong "
                    + "into it: it comes from the environment or a file")
        }
        var options: [String: String] = [:]
        for item in parts.queryItems ?? [] {
            guard options.updateValue(item.value ?? "", forKey: item.name) == nil else {
                throw Self.wrong("\(Self.shown(item.name)) is given twice")
            }
        }
        func choice(_ name: String, _ yes: String, _ no: String, _ usual: Bool) throws -> Bool {
            switch options.removeValue(forKey: name) {
            case nil: return usual
            case yes: return true
            case no: return false
            case .some: throw Self.wrong("\(name) is neither \(yes) nor \(no)")
            }
        }
        func address(_ name: String) throws -> URL? {
            guard let text = options.removeValue(forKey: name) else { return nil }
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme),
                url.host?.isEmpty == false, ["", "/"].contains(url.path), url.query == nil,
                url.user == nil
            else { throw Self.wrong("\(name) is not scheme, host and port") }
            return url
        }
        self.bucket = bucket
        let path = parts.path.split(scalar: "/").joined(separator: "/")
        prefix = path.isEmpty ? "" : path + "/"
        region = options.removeValue(forKey: "region") ?? "us-east-1"
        let endpoint = try address("endpoint")
        guard Self.isName(region),
            let own = endpoint ?? URL(string: "https://s3.\(region).amazonaws.com")
        else { throw Self.wrong("region is no name of a region") }
        self.endpoint = own
        publicEndpoint = try address("public") ?? own
        // Other object stores than Amazon's seldom have a name for each bucket.
        usesPaths = try choice("style", "path", "host", endpoint != nil)
        redirects = try choice("redirect", "on", "off", true)
        authorities = options.removeValue(forKey: "ca")
        if let unknown = options.keys.sorted().first {
            throw Self.wrong(
                "there is no option \(Self.shown(unknown)); there are endpoint, region, public, style, "
                    + "redirect and ca")
        }
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.count <= 40
            && text.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    || Character(UnicodeScalar($0)).isLetter && $0 < 128
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// The name of an option, and not what a secret with `&` in it has left.
    private static func shown(_ name: String) -> String {
        name.count <= 12
            && name.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            ? name : "of that name"
    }

    private static func wrong(_ problem: String) -> ObjectStoreError {
        ObjectStoreError(.address, "The address of the object store: \(problem).")
    }

    /// Host and port as the header `Host` has them.
    func host(_ endpoint: URL) -> String {
        var host = endpoint.host ?? ""
        if host.contains(scalar: ":"), !host.hasPrefix(scalars: "[") { host = "[\(host)]" }
        if !usesPaths { host = "\(bucket).\(host)" }
        let usual = endpoint.scheme == "https" ? 443 : 80
        if let port = endpoint.port, port != usual { host += ":\(port)" }
        return host
    }

    /// The encoded path of an object, or of the bucket.
    ///
    /// - Parameter key: with the prefix; empty for the bucket.
    func path(_ key: String) -> String {
        let name = RequestSignature.encode(key, keepsSlashes: true)
        return usesPaths ? "/\(bucket)\(key.isEmpty ? "" : "/")\(name)" : "/\(name)"
    }
}
