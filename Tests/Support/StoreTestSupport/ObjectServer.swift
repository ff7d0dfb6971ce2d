import Foundation
import FoundationNetworking
import StoreContent
import StoreKit
import StoreServer

/// A server that speaks S3's protocol (moto's, from PyPI), in a process of its own that ends with
/// this one. `Scripts/s3-server.sh` installs it.
package final class ObjectServer: Sendable {
    package static let bucket = "contract"

    /// Scheme, host and port.
    package let address: String
    package let accessKey: String
    package let secret: String
    /// A key that is good for some hours.
    package let session: ObjectCredentials
    private let input: Int32

    /// The one of this process, started when it is first asked for; tests keep to prefixes of
    /// their own.
    package static var shared: ObjectServer {
        get throws { try started.get() }
    }

    private static let started = Result { try ObjectServer() }

    private struct Greeting: Decodable {
        let address: String
        let key: String
        let secret: String
        let sessionKey: String
        let sessionSecret: String
        let sessionToken: String
    }

    private struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let python = root.appendingPathComponent(".build/s3-server/venv/bin/python").path
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Problem(description: "There is no \(python); run Scripts/s3-server.sh first.")
        }
        let script = root.appendingPathComponent("Tests/Support/S3/server.py").path
        let (requests, answers) = (try ChildProgram.Pipe(), try ChildProgram.Pipe())
        self.input = requests.writing
        // The server ends with the thread that started it.
        Thread.detachNewThread {
            let child = try? ChildProgram.start(
                [python, script], nil, streams: [requests.reading, answers.writing, 2])
            close(requests.reading)
            close(answers.writing)
            if let child { _ = ChildProgram.waitForEnd(of: child) }
        }
        let reader = FileHandle(fileDescriptor: answers.reading, closeOnDealloc: true)
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let more = reader.availableData
            guard !more.isEmpty else { throw Problem(description: "\(script) has ended.") }
            line += more
        }
        let greeting = try JSONDecoder().decode(Greeting.self, from: line)
        (address, accessKey, secret) = (greeting.address, greeting.key, greeting.secret)
        session = ObjectCredentials(
            accessKey: greeting.sessionKey, secret: greeting.sessionSecret,
            sessionToken: greeting.sessionToken)
    }

    // MARK: What is there for tests

    /// An option for `openstore`.
    package func option(_ prefix: String, _ more: String = "") -> String {
        "s3://\(Self.bucket)/\(prefix)?endpoint=\(address)\(more)"
    }

    package var environment: [String: String] {
        ["AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secret]
    }

    package func client(
        _ prefix: String, more: String = "", secret: String? = nil,
        retryPolicy: ObjectRetryPolicy = ObjectRetryPolicy()
    ) throws -> ObjectClient {
        ObjectClient(
            try ObjectLocation(option(prefix, more)),
            credentials: ObjectCredentials(accessKey: accessKey, secret: secret ?? self.secret),
            retryPolicy: retryPolicy)
    }

    package func storage(
        _ prefix: String, more: String = "", retryPolicy: ObjectRetryPolicy = ObjectRetryPolicy()
    ) throws -> ObjectStorage {
        ObjectStorage(
            client: try client(prefix, more: more, retryPolicy: retryPolicy),
            makeDigest: { ContentDigestStream() })
    }

    // MARK: What goes wrong

    /// An answer that the server gives instead of its own.
    package struct Fault: Encodable, Sendable {
        package var method: String?
        /// A part of the path.
        package var path: String
        /// A part of the query.
        package var query: String?
        package var times = 1
        package var status: Int?
        package var body: String?
        /// Instead of those that belong to the body; with another length of it, the connection is
        /// cut after the body.
        package var headers: [String: String]?
        /// How often the body comes.
        package var `repeat`: Int?
        /// Whether the connection is cut instead.
        package var cut: Bool?
        /// Whether the request is obeyed before.
        package var after: Bool?
        /// Bytes of the real answer before the connection is cut.
        package var cutAfter: Int?

        package init(path: String) { self.path = path }
    }

    package func plan(_ path: String, _ change: (inout Fault) -> Void) async throws {
        var fault = Fault(path: path)
        change(&fault)
        _ = try await control("fault", fault)
    }

    /// A request that the server has got.
    package struct Seen: Decodable, Sendable {
        package let method: String
        package let path: String
        package let query: String
        package let range: String
        /// The client's, which tells connections apart.
        package let port: Int
        package let headers: [String: String]
    }

    /// The requests to paths in the bucket that contain something.
    package func seen(_ part: String) async throws -> [Seen] {
        try JSONDecoder().decode(
            [Seen].self, from: try await control("seen", ["path": "/\(Self.bucket)"])
        ).filter { $0.path.contains(part) || $0.query.contains(part) }
    }

    /// Makes objects, or uploads in parts, as old as some seconds, with a prefix.
    package func age(_ prefix: String, _ seconds: Int) async throws {
        struct Ageing: Encodable {
            let prefix: String
            let seconds: Int
        }
        _ = try await control("age", Ageing(prefix: prefix, seconds: seconds))
    }

    private func control(_ what: String, _ body: some Encodable) async throws -> Data {
        var request = URLRequest(url: URL(string: "\(address)/-/\(what)")!)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(body)
        return try await HTTPTransport().send(request).0
    }
}
