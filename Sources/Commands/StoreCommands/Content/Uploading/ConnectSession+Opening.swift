import Foundation
import FoundationNetworking
import StoreKit
import StoreWire
import Synchronization

extension ConnectSession {
    /// Options by which the store and the key are named.
    static let options: [CommandSpec.Option] =
        [
            .value(
                "url", "URL", "The store; $OPENSTORE_URL or http://127.0.0.1:8080 unless given.")
        ] + UploadKey.options + [StoreOpening.option]

    /// A session with the store that the command line names.
    static func open(
        _ arguments: ParsedArguments, output: Output
    ) async throws -> ConnectSession {
        let address =
            try StoreOpening.address(arguments)
            ?? ProcessInfo.processInfo.environment["OPENSTORE_URL"] ?? "http://127.0.0.1:8080"
        let lastReason = Mutex<String?>(nil)
        return ConnectSession(
            address: address, key: try await UploadKey.find(arguments), transport: HTTPTransport(),
            retrying: { reason in
                let isNews = lastReason.withLock { last in
                    defer { last = reason }
                    return last != reason
                }
                if isNews { output.error("note: \(reason); trying again") }
            })
    }

    /// Gets something into a file, piece by piece. The file is there when it is whole.
    ///
    /// - Returns: the fields of the answer's header.
    /// - Throws: `JSONAPIErrors` for a refusal, `URLError`.
    func download(_ path: String, to file: URL) async throws -> [String: String] {
        guard let url = URL(string: address + path) else {
            throw ConnectError(description: "\(address)\(path) is not an address")
        }
        var request = URLRequest(url: url)
        request.setValue(
            "Bearer \(try key.token(at: Date()))", forHTTPHeaderField: "Authorization")
        let part = file.appendingPathExtension("part")
        guard FileManager.default.createFile(atPath: part.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: part)
        else { throw UsageError(description: "\(file.path) can't be written") }
        defer { try? FileManager.default.removeItem(at: part) }
        let header = Mutex<[String: String]>([:])
        let status = Mutex(0)
        try await transport.stream(
            request,
            accept: { response in
                status.withLock { $0 = response.statusCode }
                header.withLock { header in
                    for (name, value) in response.allHeaderFields {
                        if let name = name as? String, let value = value as? String {
                            header[name] = value
                        }
                    }
                }
            }, sink: { try handle.write(contentsOf: $0) })
        try handle.close()
        let code = status.withLock { $0 }
        guard code == 200 else {
            let body = try Data(contentsOf: part)
            if let errors = try? WireCoding.decode(JSONAPIErrors.self, from: body) { throw errors }
            throw ConnectError(
                description: "What answers there with status \(code) is no OpenStore.")
        }
        guard rename(part.path, file.path) == 0 else {
            throw UsageError(description: "\(file.path) can't be written")
        }
        return header.withLock { $0 }
    }
}
