import Foundation
import StoreHTTP
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

/// A store that speaks TLS itself, with files that others replace.
@Suite(
    .enabled(if: CommandLineTool.openssl != nil && CommandLineTool.curl != nil))
struct ServerEndpointTests {
    private let folder: TemporaryFolder
    private let files: TLSFiles

    init() throws {
        folder = try TemporaryFolder()
        files = TLSFiles(
            certificate: folder.file("certificate.pem"), key: folder.file("key.pem"))
    }

    private func write(_ certificate: ServerCertificate) throws {
        try folder.write("certificate.pem", certificate.chain)
        try folder.write("key.pem", certificate.key)
    }

    /// Asks a store over TLS; what is not signed by the root is refused by curl.
    private func get(
        _ store: ListeningStore, _ path: String, trusting test: TestCertificate,
        _ more: [String] = []
    ) async throws -> (status: Int32, output: String) {
        let curl = try #require(CommandLineTool.curl)
        return try await curl.run(
            [
                "--silent", "--show-error", "--cacert", test.root.path,
                "--connect-to", "::127.0.0.1:", "https://localhost:\(store.server.port)\(path)",
            ] + more, in: folder.url)
    }

    @Test func `it is https everywhere, and browsers are told to stay there`() async throws {
        let test = try await TestCertificate(["localhost"])
        try write(test.certificate)
        let store = try await ListeningStore { $0.tls = files }
        #expect(store.server.address == "https://127.0.0.1:\(store.server.port)")
        let answer = try await get(store, "/healthz", trusting: test, ["--include"])
        #expect(answer.output.contains(" 200"))
        #expect(
            answer.output.lowercased().contains("strict-transport-security: max-age=31536000"))
        // The time of a certificate's end is a figure.
        let figures = try await get(store, "/metrics", trusting: test)
        #expect(figures.output.contains("\nopenstore_tls_certificate_end_seconds 1"))
        let plain = try await ListeningStore()
        #expect(try await plain.get("/healthz").headers["Strict-Transport-Security"] == nil)
    }

    @Test func `a new certificate is shown, on the same port, and a broken one is not`()
        async throws
    {
        let first = try await TestCertificate(["localhost"])
        let second = try await TestCertificate(["localhost"])
        try write(first.certificate)
        let store = try await ListeningStore { $0.tls = files }
        #expect(try await get(store, "/livez", trusting: first).status == 0)
        #expect(try await get(store, "/livez", trusting: second).status == 60)
        // Half of the files: certificate and key do not belong together.
        try folder.write("certificate.pem", second.certificate.chain)
        store.server.renewCertificate()
        #expect(try await get(store, "/livez", trusting: first).status == 0)
        let failure = try #require(
            store.log.last { $0.contains("certificate not replaced") })
        #expect(failure.contains("key.pem") && failure.contains("is not that of"))
        #expect(!failure.contains("PRIVATE"))
        // Both.
        try write(second.certificate)
        let rounds = Rounds()
        await store.server.watchCertificate(sleep: { _ in try rounds.next() })
        #expect(try await get(store, "/livez", trusting: second).status == 0)
        #expect(try await get(store, "/livez", trusting: first).status == 60)
        #expect(store.log.contains { $0.contains("certificate replaced") })
        // Nothing new is nothing.
        let count = store.log.count { $0.contains("certificate replaced") }
        store.server.renewCertificate()
        #expect(store.log.count { $0.contains("certificate replaced") } == count)
    }

    /// Lets a loop go round once.
    private final class Rounds: Sendable {
        private let left = Mutex(1)

        func next() throws {
            try left.withLock { left in
                guard left > 0 else { throw CancellationError() }
                left -= 1
            }
        }
    }

    @Test func `what is wrong with the files is told, and nothing of the key`() async throws {
        let test = try await TestCertificate(["localhost"])
        let other = try await TestCertificate(["localhost"])
        let valid = test.certificate
        for (certificate, key, words) in [
            (nil, valid.key, ["certificate.pem", "No such file"]),
            (valid.chain, nil, ["key.pem", "No such file"]),
            ("nonsense", valid.key, ["certificate.pem", "no certificate"]),
            (valid.chain, "secret words", ["key.pem", "no private key"]),
            (valid.chain, other.certificate.key, ["key.pem", "certificate.pem", "is not that of"]),
            ("", valid.key, ["certificate.pem", "is empty"]),
        ] as [(String?, String?, [String])] {
            for name in ["certificate.pem", "key.pem"] {
                try? FileManager.default.removeItem(at: folder.file(name))
            }
            if let certificate { try folder.write("certificate.pem", certificate) }
            if let key { try folder.write("key.pem", key) }
            let error = await #expect(throws: TLSFilesError.self) {
                try await ListeningStore { $0.tls = files }
            }
            let text = error?.description ?? ""
            for word in words { #expect(text.contains(word), "\(text)") }
            #expect(!text.contains("secret"), "\(text)")
        }
    }
}
