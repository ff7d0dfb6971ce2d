import Dispatch
import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// What happens when more people sign in than passwords can be hashed.
@Suite struct SignInQueueTests {
    /// The only worker, which is at work until it is let go.
    private final class OccupiedWorker: Sendable {
        let workers: BlockingPool
        private let release = DispatchSemaphore(value: 0)

        init(waiting: Int) {
            workers = .passwords(threads: 1, queueLimit: waiting)
        }

        /// Does something while the worker is at work.
        func during<Value: Sendable>(
            _ body: @Sendable () async throws -> Value
        ) async throws -> Value {
            let (begun, begin) = AsyncStream<Void>.makeStream()
            // Blocks the worker as a long hash would: it runs apart from tasks.
            async let work: Void = workers.run { [release] in
                begin.yield()
                release.wait()
            }
            for await _ in begun { break }
            let result: Result<Value, any Error>
            do {
                // It is let go whatever has become of the body.
                defer { release.signal() }
                result = .success(try await body())
            } catch { result = .failure(error) }
            try await work
            return try result.get()
        }
    }

    @Test func `who finds the queue full is refused at once, and the others get their turn`()
        async throws
    {
        let worker = OccupiedWorker(waiting: 2)
        let workers = worker.workers
        let (refusals, refused) = AsyncStream<Void>.makeStream()
        let tries = try await worker.during {
            let tries = (0..<5).map { _ in
                Task<Bool, any Error> {
                    do { return try await workers.run { true } } catch is PasswordsBusy {
                        refused.yield()
                        return false
                    }
                }
            }
            // None of those that wait can end before the worker is let go.
            var left = 3
            for await _ in refusals {
                left -= 1
                if left == 0 { break }
            }
            return tries
        }
        var done = 0
        for attempt in tries {
            if try await attempt.value { done += 1 }
        }
        #expect(done == 2)
        #expect(try await workers.run { true })
    }

    @Test func `a full queue is 503 with a time to come back, and counts for no wrong password`()
        async throws
    {
        let worker = OccupiedWorker(waiting: 0)
        let shop = try await TestStore(hasContent: false, passwords: worker.workers)
        let email = "olga@example.com"
        let password = "a long password"
        _ = try await shop.store.services.people.firstOperator.create(
            email: email, name: "Olga Operator", password: password, by: .machine)
        let device = try await APIClient(shop, altitude: .socket)
        let http = LoopbackClient(port: shop.server.port)
        let signIn = SignInRequest(email: TestStore.american, password: TestStore.password)
        let session = Data(
            """
            {"data": {"type": "sessions", "attributes": {"email": "\(email)",
            "password": "\(password)"}}}
            """.utf8)
        @Sendable func byDevice() async throws -> HTTPResponse {
            try await device.send("POST", DeviceRoute.session, try WireCoding.encode(signIn))
        }
        @Sendable func byCommand() async throws -> HTTPResponse {
            try await http.send(
                HTTPRequest(
                    method: "POST", path: "/connect/openstore/v1/sessions",
                    headers: ["Content-Type": "application/json"], body: session))
        }
        @Sendable func byPortal() async throws -> HTTPResponse {
            let page = try await http.send(HTTPRequest(method: "GET", path: "/connect/sign-in"))
            let cookie = page.headers["Set-Cookie"]?.prefix { $0 != ";" }
            let match = page.text.firstMatch(of: /name="form" value="([^"]*)"/)
            let token = String(match?.1 ?? "").addingPercentEncoding(
                withAllowedCharacters: .alphanumerics)
            let form =
                "email=olga%40example.com&password=a+long+password&form=\(token ?? "")"
            return try await http.send(
                HTTPRequest(
                    method: "POST", path: "/connect/sign-in",
                    headers: [
                        "Content-Type": "application/x-www-form-urlencoded",
                        "Cookie": String(cookie ?? ""), "Sec-Fetch-Site": "same-origin",
                    ], body: Data(form.utf8)))
        }
        try await worker.during {
            // More often than passwords may be wrong.
            for _ in 0..<6 {
                for answer in [try await byDevice(), try await byCommand(), try await byPortal()] {
                    #expect(answer.status == 503)
                    #expect(answer.headers["Retry-After"] == "5")
                    #expect(answer.text.contains("try again in a few seconds"))
                }
            }
        }
        #expect(try await byDevice().status == 200)
        #expect(try await byCommand().status == 201)
        #expect(try await byPortal().status == 303)
    }
}
