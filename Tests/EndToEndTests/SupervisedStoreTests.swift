import Foundation
import StoreTestSupport
import Testing

/// A store that is started again by whoever holds its socket, as systemd does.
@Suite struct SupervisedStoreTests {
    /// Listens, hands the socket to the store, and starts it again whenever it ends.
    private static let supervisor = """
        import os, signal, socket, sys
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        print("port", listener.getsockname()[1], flush=True)
        child, stopping = 0, False
        def stop(*_):
            global stopping
            stopping = True
            os.kill(child, signal.SIGTERM)
        signal.signal(signal.SIGTERM, stop)
        while not stopping:
            child = os.fork()
            if child == 0:
                os.dup2(listener.fileno(), 3)
                os.set_inheritable(3, True)
                os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
                os.execv("/usr/bin/setpriv", ["setpriv", "--pdeathsig=KILL", "--"] + sys.argv[1:])
            print("child", child, flush=True)
            os.waitpid(child, 0)
        """

    @Test func `a crash loses what is in flight, names it in the log, and nobody is refused`()
        async throws
    {
        let folder = try TemporaryFolder()
        let supervisor = try await Program(
            URL(fileURLWithPath: "/usr/bin/python3"),
            [
                "-c", Self.supervisor, Program.path("openstore"), "serve",
                "--data", folder.url.path,
            ], environment: ["SWIFT_BACKTRACE": "enable=no"])
        let port = try #require(UInt16(exactly: try await number(after: "port", from: supervisor)))
        for turn in 1...3 {
            let store = try await number(after: "child", from: supervisor)
            #expect(try await Self.isAnswered(port), "whoever connects before it listens waits")
            async let held = HeldConnection(port: port).exchange(
                "POST /device/v1/orders HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Request-ID: held-\(turn)\r\n"
                    + "Content-Length: 10\r\n\r\nhalf")
            let file = folder.url.appendingPathComponent("running-requests")
            try await until { try Data(contentsOf: file).contains(Array("held-\(turn) ".utf8)) }
            let asked = Counter()
            let lost = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var lost = 0
                        for _ in 0..<25 {
                            let count = asked.next()
                            if count == 20 { kill(pid_t(store), SIGILL) }
                            if try await !Self.isAnswered(port) { lost += 1 }
                        }
                        return lost
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(lost <= 4, "each client loses the request that it is waiting for, at most")
            _ = try await held
        }
        _ = try await number(after: "child", from: supervisor)
        #expect(try await Self.isAnswered(port))
        supervisor.send(SIGTERM)
        let log = await supervisor.end().errors
        for turn in 1...3 {
            #expect(log.contains("held-\(turn) POST /device/v1/orders"))
        }
    }

    private static func isAnswered(_ port: UInt16) async throws -> Bool {
        try await HeldConnection(port: port).exchange(
            "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", until: "never"
        ).hasPrefix("HTTP/1.1 200")
    }

    private func number(after word: String, from program: Program) async throws -> Int {
        let line = try #require(await program.line(with: word + " "))
        return try #require(Int(line.dropFirst(word.utf8.count + 1)))
    }
}
