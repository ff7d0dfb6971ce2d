import Foundation
import FoundationNetworking
import StoreKit
import StoreModel
import StoreSecurity

/// The root certificate of a store on another machine, kept in a file for programs that are to
/// trust it.
struct DistantRoot: Sendable {
    /// Scheme, host and port of the store.
    let address: String
    var transport: any StoreTransport = HTTPTransport()

    /// Fetches it, and writes it into the cache under its digest.
    ///
    /// - Throws: `ConnectFailure` where there is no store.
    func save() async throws -> URL {
        guard let url = URL(string: address + "/.well-known/openstore/root.pem") else {
            throw ConnectFailure.unreachable(address, "it is not an address")
        }
        let (data, response): (Data, HTTPURLResponse)
        do {
            (data, response) = try await transport.send(URLRequest(url: url))
        } catch let error as URLError {
            throw ConnectFailure.unreachable(address, error.localizedDescription)
        }
        guard response.statusCode == 200,
            let root = try? Certificate(pem: String(decoding: data, as: UTF8.self))
        else { throw ConnectFailure.noStore(at: address, status: response.statusCode) }
        let folder = Self.cache.appendingPathComponent("openstore/roots")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("\(SHA256Digest.hex(try root.der())).pem")
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
