import Foundation
import FoundationNetworking
import StoreKit
import StoreModel
import StoreSecurity
import StoreServer

/// The root of the interception at a store on another machine, kept in a file for programs that are
/// to trust it.
struct RemoteRoot: Sendable {
    /// Scheme, host and port of the store.
    let address: String
    /// The SHA-256 that the root must have, hexadecimal. Over plain HTTP anybody in between could
    /// send another one, so that only this tells which it is.
    let fingerprint: String?
    var transport: any RequestTransport = HTTPTransport()

    /// Fetches it, and writes it into the cache under its digest.
    ///
    /// - Throws: `ConnectFailure` where there is no store that intercepts, `UntrustworthyRoot`.
    func save() async throws -> URL {
        guard let url = URL(string: address + Interception.rootPath) else {
            throw ConnectFailure.unreachable(address, "it is not an address")
        }
        let (data, response): (Data, HTTPURLResponse)
        do {
            (data, response) = try await transport.send(URLRequest(url: url))
        } catch let error as URLError {
            throw ConnectFailure.unreachable(address, error.localizedDescription)
        }
        if response.statusCode == 404 {
            throw ConnectFailure.notFound(
                "The store at \(address) runs without interception; start it with openstore serve "
                    + "--intercept.")
        }
        guard response.statusCode == 200,
            let root = try? Certificate(pem: String(decoding: data, as: UTF8.self))
        else { throw ConnectFailure.noStore(at: address, status: response.statusCode) }
        let digest = SHA256Digest.hex(try root.der())
        if let fingerprint, fingerprint != digest {
            throw UntrustworthyRoot(
                description:
                    "The root that \(address) sends has the SHA-256 \(digest), which is not "
                    + "the --fingerprint: the store has a new root, or somebody is in between. No "
                    + "program is told to trust it.")
        }
        try InterceptedHosts.check(root, of: [address])
        let folder = Self.cache.appendingPathComponent("openstore/roots")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("\(digest).pem")
        try Data(try root.pem().utf8).write(to: file, options: .atomic)
        return file
    }

    /// As the XDG base directory specification says.
    private static var cache: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["XDG_CACHE_HOME"], path.hasPrefix(scalars: "/") {
            return URL(fileURLWithPath: path)
        }
        return FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache")
    }
}
