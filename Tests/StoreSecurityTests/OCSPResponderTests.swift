import Foundation
import StoreSecurity
import StoreTestSupport
import Testing

@Suite("Certificate status", .enabled(if: CommandLineTool.openssl != nil, "needs openssl"))
struct OCSPResponderTests {
    @Test(arguments: ["leaf", "intermediate"], ["sha1", "sha256"])
    func `the issuer says that a certificate is good`(name: String, digest: String) async throws {
        let test = try TestResponder()
        let answer = test.responder.answer(
            to: try await test.request(name, digest: digest), at: test.now)
        let judgement = try await test.judge(answer, about: name, digest: digest)
        #expect(judgement.contains("Response verify OK"), "\(judgement)")
        #expect(judgement.contains("\(name).pem: good"), "\(judgement)")
        #expect(judgement.contains("This Update") && judgement.contains("Next Update"))
    }

    @Test func `the responder is named by the hash of its key and signs with ECDSA`() async throws {
        let test = try TestResponder()
        let answer = test.responder.answer(to: try await test.request("leaf"), at: test.now)
        let text = try await test.judge(
            answer, about: "leaf", options: ["-no_nonce", "-resp_text"])
        let key = try await test.tool.run(
            ["x509", "-in", "intermediate.pem", "-noout", "-ext", "subjectKeyIdentifier"],
            in: test.folder.url
        ).output.split(separator: "\n").last.map {
            $0.trimmingCharacters(in: .whitespaces).replacing(":", with: "")
        }
        #expect(text.contains("Responder Id: \(try #require(key))"), "\(text)")
        #expect(text.contains("ecdsa-with-SHA256"))
    }

    @Test func `a revoked certificate is told with its time`() async throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let test = try TestResponder { .revoked(at: date) }
        let answer = test.responder.answer(to: try await test.request("leaf"), at: test.now)
        let judgement = try await test.judge(answer, about: "leaf")
        #expect(judgement.contains("Response verify OK"))
        #expect(judgement.contains("leaf.pem: revoked"))
        #expect(judgement.contains("Revocation Time: Nov 14 22:13:20 2023 GMT"))
    }

    @Test func `a certificate that the issuer did not issue is unknown`() async throws {
        let test = try TestResponder()
        try test.folder.write("stranger.pem", TestChain().leaf.pem())
        let answer = test.responder.answer(to: try await test.request("stranger"), at: test.now)
        let judgement = try await test.judge(answer, about: "stranger")
        #expect(judgement.contains("Response verify OK"))
        #expect(judgement.contains("stranger.pem: unknown"))
    }

    @Test(arguments: [true, false])
    func `a nonce comes back when there is one`(nonce: Bool) async throws {
        let test = try TestResponder()
        let answer = test.responder.answer(
            to: try await test.request("leaf", nonce: nonce), at: test.now)
        try test.folder.write("answer.der", answer)
        let judgement = try await test.tool.run(
            [
                "ocsp", "-reqin", "request.der", "-no_nonce", "-respin", "answer.der", "-CAfile",
                "root.pem", "-resp_text",
            ], in: test.folder.url
        ).output
        #expect(judgement.contains("OCSP Nonce") == nonce, "\(judgement)")
        #expect(judgement.contains("Response verify OK"))
        #expect(!judgement.contains("Nonce Verify error"))
    }

    @Test func `an answer is good for an hour`() async throws {
        // openssl forgives five minutes.
        let old = try TestResponder(at: Date().addingTimeInterval(-3600 - 310))
        let request = try await old.request("leaf")
        let stale = old.responder.answer(to: request, at: old.now)
        #expect(try await old.judge(stale, about: "leaf").contains("Status times invalid"))
        let fresh = old.responder.answer(to: request, at: Date())
        let judgement = try await old.judge(fresh, about: "leaf")
        #expect(!judgement.contains("Status times invalid"))
        let update = try #require(Self.date("This Update", in: judgement))
        let next = try #require(Self.date("Next Update", in: judgement))
        // It begins five minutes early, for clocks that are late.
        #expect(next.timeIntervalSince(update) == 3600 + 300, "\(judgement)")
    }

    /// A time that openssl names, as `Nov 14 22:13:20 2023 GMT`.
    private static func date(_ name: String, in judgement: String) -> Date? {
        let line = judgement.split(separator: "\n").first { $0.contains("\(name): ") }
        let words = line?.split(separator: " ").suffix(5).joined(separator: " ")
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "MMM d HH:mm:ss yyyy 'GMT'"
        return words.flatMap { formatter.date(from: $0) }
    }

    /// The five bytes of an answer without content (RFC 6960, section 4.2.1).
    private func refusal(_ status: UInt8) -> Data { Data([0x30, 3, 0x0a, 1, status]) }

    @Test func `a certificate of another issuer is nobody's here`() async throws {
        let test = try TestResponder()
        let other = try TestChain()
        try test.folder.write("other.pem", other.intermediate.pem())
        try test.folder.write("stranger.pem", other.leaf.pem())
        let request = try await test.request("stranger", issuer: "other.pem")
        #expect(test.responder.answer(to: request, at: test.now) == refusal(6))
    }

    @Test func `another hash than SHA-1 and SHA-256 is nobody's here`() async throws {
        let test = try TestResponder()
        let request = try await test.request("leaf", digest: "sha512")
        #expect(test.responder.answer(to: request, at: test.now) == refusal(6))
    }

    @Test func `a status that can't be told is an internal error`() async throws {
        struct Broken: Error {}
        let test = try TestResponder { throw Broken() }
        let request = try await test.request("leaf")
        #expect(test.responder.answer(to: request, at: test.now) == refusal(2))
    }

    @Test func `junk is malformed`() async throws {
        let test = try TestResponder()
        let request = try await test.request("leaf", nonce: true)
        var junk = [
            Data(), Data([0]), Data([0x30, 0]), Data("junk".utf8), request + [0],
            Data(repeating: 0x30, count: 4096), Data(repeating: 0, count: 1 << 20),
            // A request that asks about nothing.
            Data([0x30, 4, 0x30, 2, 0x30, 0]),
        ]
        for length in 0..<request.count { junk.append(request.prefix(length)) }
        for bytes in junk {
            #expect(
                test.responder.answer(to: bytes, at: test.now) == refusal(1),
                "\(bytes.count) bytes")
        }
    }

    @Test func `many questions at once are answered up to a limit`() async throws {
        let test = try TestResponder()
        func request(_ count: Int) async throws -> Data {
            let questions = Array(repeating: ["-cert", "leaf.pem"], count: count).flatMap { $0 }
            _ = try await test.tool.run(
                ["ocsp", "-issuer", "intermediate.pem", "-no_nonce"] + questions
                    + ["-reqout", "request.der"], in: test.folder.url)
            return try Data(contentsOf: test.folder.file("request.der"))
        }
        let answer = test.responder.answer(to: try await request(16), at: test.now)
        #expect(try await test.judge(answer, about: "leaf").contains("leaf.pem: good"))
        let tooMany = try await request(17)
        #expect(test.responder.answer(to: tooMany, at: test.now) == refusal(1))
    }

    @Test func `bytes changed anywhere don't stop the responder`() async throws {
        let test = try TestResponder()
        let request = try await test.request("leaf", digest: "sha256", nonce: true)
        for index in request.indices {
            for bit in 0..<8 {
                var changed = request
                changed[index] ^= 1 << bit
                #expect(!test.responder.answer(to: changed, at: test.now).isEmpty)
            }
        }
    }
}
