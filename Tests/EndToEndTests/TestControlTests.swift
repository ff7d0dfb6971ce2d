import Foundation
import FoundationNetworking
import StoreTestSupport
import Testing

/// The control of `openstore test`, as a test in any language reaches it.
struct TestControlTests {
    private let folder: TemporaryFolder
    private let configuration: URL

    init() throws {
        folder = try TemporaryFolder()
        configuration = try folder.write("Shop.storekit", SampleShop.configuration)
    }

    /// A store that is there, and what it says of itself.
    private func store(
        _ options: [String] = []
    ) async throws -> (program: Program, control: String) {
        let program = try await Program(
            "openstore",
            ["test", configuration.path, "--bundle-id", SampleShop.bundleID.text, "--json"]
                + options, environment: ["TMPDIR": folder.url.path])
        let line = try #require(await program.line(with: "\"control\""))
        let description = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(description["bundleId"] as? String == SampleShop.bundleID.text)
        #expect(description["environment"] as? String == "Sandbox")
        return (program, try #require(description["control"] as? String))
    }

    private func ask(
        _ address: String, _ method: String, _ path: String, _ body: String? = nil,
        origin: String? = nil
    ) async throws -> (status: Int, answer: [String: Any]) {
        var request = URLRequest(url: try #require(URL(string: address + path)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue(origin, forHTTPHeaderField: "Origin")
        let (data, response) = try await URLSession.shared.data(for: request)
        let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return (try #require(response as? HTTPURLResponse).statusCode, answer ?? [:])
    }

    @Test func `a purchase is made, refunded and deleted, and the clock is moved`() async throws {
        let (program, control) = try await store()
        let bought = try await ask(
            control, "POST", "/v1/purchases",
            #"{"productId": "\#(SampleShop.chapter)", "quantity": 1}"#)
        #expect(bought.status == 201)
        let one = try #require((bought.answer["transactions"] as? [[String: Any]])?.first)
        let id = try #require(one["transactionId"] as? String)
        #expect(one["productId"] as? String == SampleShop.chapter)
        #expect((one["signedTransaction"] as? String)?.split(separator: ".").count == 3)
        #expect((bought.answer["receipt"] as? String)?.isEmpty == false)

        let before = try #require(bought.answer["date"] as? Int64)
        let moved = try await ask(control, "POST", "/v1/clock", #"{"advance": 86400}"#)
        #expect(try #require(moved.answer["date"] as? Int64) >= before + 86_400_000)

        let refunded = try await ask(control, "POST", "/v1/transactions/\(id)/refund")
        let after = try #require((refunded.answer["transactions"] as? [[String: Any]])?.first)
        #expect(after["revocationDate"] != nil)
        let again = try await ask(control, "POST", "/v1/transactions/\(id)/refund")
        #expect(again.status == 409)
        #expect(again.answer["error"] as? String == "invalidAction")

        let deleted = try await ask(control, "DELETE", "/v1/transactions/\(id)")
        #expect((deleted.answer["transactions"] as? [Any])?.isEmpty == true)
        program.send(SIGTERM)
        #expect(await program.end().code == 0)
    }

    @Test func `what is not right is refused with a sentence, and nothing changes`() async throws {
        let (program, control) = try await store()
        let requests: [(method: String, path: String, body: String?, status: Int)] = [
            ("POST", "/v1/purchases", "{", 400),
            ("POST", "/v1/purchases", "{}", 400),
            ("POST", "/v1/purchases", #"{"productId": "com.example.nothing"}"#, 404),
            (
                "POST", "/v1/purchases",
                #"{"productId": "\#(SampleShop.chapter)", "offerId": "back"}"#, 400
            ),
            (
                "POST", "/v1/purchases",
                #"{"productId": "\#(SampleShop.chapter)", "offer": "a", "codeOffer": "b"}"#, 400
            ),
            ("PATCH", "/v1/settings", #"{"billingRetry": true}"#, 400),
            (
                "POST", "/v1/purchases",
                #"{"productId": "\#(SampleShop.chapter)", "quantity": -1}"#, 409
            ),
            ("POST", "/v1/transactions/99999999999999999999/refund", nil, 404),
            ("POST", "/v1/transactions/1/explode", nil, 409),
            ("POST", "/v1/transactions/1/request-price-consent", #"{"price": 9.99}"#, 400),
            ("DELETE", "/v1/transactions", "all", 400),
            ("POST", "/v1/purchases", #"{"productId": "a", "quantity": 1.5}"#, 400),
            ("POST", "/v1/clock", #"{"advance": 1e9}"#, 409),
            ("POST", "/v1/clock", #"{"advance": -1}"#, 409),
            ("POST", "/v1/clock", #"{"advance": 1e300}"#, 409),
            ("PATCH", "/v1/settings", #"{"storefront": "nowhere"}"#, 409),
            ("GET", "/v1/purchases", nil, 405),
            ("GET", "/v2", nil, 404),
        ]
        for request in requests {
            let (status, answer) = try await ask(
                control, request.method, request.path, request.body)
            #expect(status == request.status, "\(request): \(answer)")
            #expect((answer["message"] as? String)?.hasSuffix(".") == true, "\(request): \(answer)")
        }
        // A page of a browser is none that tests.
        let page = try await ask(
            control, "DELETE", "/v1/transactions", origin: "https://example.com")
        #expect(page.status == 403)
        let now = try await ask(control, "GET", "/v1/transactions")
        #expect((now.answer["transactions"] as? [Any])?.isEmpty == true)
        program.send(SIGTERM)
        #expect(await program.end().code == 0)
    }

    @Test func `the tester is where an option says, also for the settings`() async throws {
        let (program, control) = try await store(["--storefront", "JPN"])
        let begun = try await ask(control, "GET", "/v1/settings")
        #expect(begun.answer["storefront"] as? String == "JPN")
        let moved = try await ask(control, "PATCH", "/v1/settings", #"{"storefront": "USA"}"#)
        #expect(moved.answer["storefront"] as? String == "USA")
        let back = try await ask(control, "DELETE", "/v1/settings")
        #expect(back.answer["storefront"] as? String == "JPN")
        program.send(SIGTERM)
        #expect(await program.end().code == 0)
    }

    @Test func `a key of offers that is none is named by its place`() async throws {
        let file = try folder.write(
            "Key.storekit",
            Data(
                String(decoding: SampleShop.configuration, as: UTF8.self).replacing(
                    #""version""#,
                    with: #""subscriptionOffersKeyPair":{"id":"A","privateKey":"QUJD"},"version""#
                ).utf8))
        let refused = try await Program.run(
            "openstore",
            ["test", file.path, "--bundle-id", SampleShop.bundleID.text, "--", "true"],
            environment: ["TMPDIR": folder.url.path])
        #expect(refused.code == 65)
        #expect(refused.errors.contains("subscriptionOffersKeyPair.privateKey: is no private key"))
    }

    @Test func `with nohup the command outlasts the process that has started it`() async throws {
        let script = """
            nohup "$0" test "$1" --bundle-id "$2" --json --quiet -- sh -c \
                "while kill -0 $$; do sleep 0.05; done; sleep 1; touch $4" > "$3" 2>"$3.errors" &
            while ! grep -q control "$3"; do sleep 0.05; done
            """
        let (output, done) = (folder.file("description"), folder.file("done"))
        let started = try await Program.run(
            URL(fileURLWithPath: "/bin/sh"),
            [
                "-c", script, Program.path("openstore"), configuration.path,
                SampleShop.bundleID.text, output.path, done.path,
            ], environment: ["TMPDIR": folder.url.path])
        #expect(started.code == 0, "\(started.errors)")
        while try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .contains(where: { $0.hasPrefix("openstore-test-") })
        {
            await Task.yield()
        }
        // It was not ended, for it came to this.
        #expect(FileManager.default.fileExists(atPath: done.path))
    }

    @Test(arguments: ["", "-- sleep 6000"])
    func `the store ends with the process that has started it`(command: String) async throws {
        let script = """
            "$0" test "$1" --bundle-id "$2" --json --quiet \(command) > "$3" &
            while ! grep -q control "$3"; do sleep 0.05; done
            """
        let output = folder.file("description")
        let started = try await Program.run(
            URL(fileURLWithPath: "/bin/sh"),
            [
                "-c", script, Program.path("openstore"), configuration.path,
                SampleShop.bundleID.text, output.path,
            ], environment: ["TMPDIR": folder.url.path])
        #expect(started.code == 0, "\(started.errors)")
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(text.contains("\"control\""))
        // It takes its folder away.
        while try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .contains(where: { $0.hasPrefix("openstore-test-") })
        {
            await Task.yield()
        }
    }
}
