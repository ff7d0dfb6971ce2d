import Testing

@testable import StoreCommands

@Suite struct InterceptVariablesTests {
    private func values(
        _ environment: [String: String] = [:], store: [String] = ["http://127.0.0.1:8080"]
    ) -> [String: String] {
        let variables = InterceptVariables(
            proxy: "127.0.0.1:8888", root: "/store/intercept/root.pem", store: store)
        let list = variables.values(over: environment)
        #expect(Set(list.map { $0.name }).count == list.count)
        return Dictionary(list.map { ($0.name, $0.value) }) { $1 }
    }

    @Test func `proxies lead to the store, and its root is all that is trusted`() {
        let values = values(["ALL_PROXY": "socks5://elsewhere", "PATH": "/bin"])
        for name in ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] {
            #expect(values[name] == "http://127.0.0.1:8888")
        }
        for name in [
            "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
        ] {
            #expect(values[name] == "/store/intercept/root.pem")
        }
        #expect(values["ALL_PROXY"] == nil)
        #expect(values["all_proxy"] == nil)
        #expect(values["PATH"] == nil)
    }

    @Test(
        arguments: [
            (["http://127.0.0.1:8080"], "localhost,127.0.0.1,::1"),
            (["http://[::1]:8080"], "localhost,127.0.0.1,::1"),
            (
                ["http://10.0.0.7:8080", "https://store.example.com"],
                "localhost,127.0.0.1,::1,10.0.0.7,store.example.com"
            ),
        ] as [([String], String)])
    func `the store itself is reached without the proxy`(store: [String], hosts: String) {
        let values = values(store: store)
        #expect(values["NO_PROXY"] == hosts)
        #expect(values["no_proxy"] == hosts)
    }

    @Test(
        arguments: [
            ("db.internal, 10.0.0.0/8,cache:6379", "db.internal,10.0.0.0/8,cache:6379"),
            ("db.internal cache", "db.internal,cache"), ("localhost,db", "db"),
            ("*", ""), ("apple.com", ""), (".apple.com", ""), ("*.apple.com,db", "db"),
            ("buy.itunes.apple.com:443", ""), (".com", ""), ("COM", ""), ("itunes.apple.com", ""),
            ("local-testing-base-url", ""), ("pineapple.com", "pineapple.com"),
            ("www.apple.com", "www.apple.com"), (",,", ""), (":", ":"), (".", "."),
        ] as [(String, String)])
    func `hosts that were exempt stay so, but none of Apple's`(given: String, kept: String) {
        let base = "localhost,127.0.0.1,::1"
        let expected = kept.isEmpty ? base : "\(base),\(kept)"
        #expect(values(["NO_PROXY": given])["NO_PROXY"] == expected)
        #expect(values(["no_proxy": given, "NO_PROXY": "other"])["no_proxy"] == expected)
    }

    @Test(
        arguments: [
            ("/a/b-c_1.pem", "/a/b-c_1.pem"), ("", "''"), ("it's", "'it'\\''s'"),
            ("a'\u{301};id", "'a'\\''\u{301};id'"), ("a\u{600}'$(id)", "'a\u{600}'\\''$(id)'"),
            ("a\r\nb", "'a\r\nb'"), ("e\u{301}", "'e\u{301}'"), ("a/\u{301}", "'a/\u{301}'"),
        ] as [(String, String)])
    func `a value stays in its quotes in a shell`(text: String, word: String) {
        #expect(Array(shellWord(text).utf8) == Array(word.utf8))
    }

    @Test(
        arguments: [
            ("8888", "127.0.0.1", 8888), (":8888", "127.0.0.1", 8888), ("0", "127.0.0.1", 0),
            ("0.0.0.0:1", "0.0.0.0", 1), ("[::1]:8888", "::1", 8888),
            ("localhost:1", "localhost", 1),
        ] as [(String, String, UInt16)])
    func `who names no host stays on this machine`(
        text: String, host: String, port: UInt16
    ) throws {
        let found = try InterceptOptions.listening(text)
        #expect(found.host == host)
        #expect(found.port == port)
    }

    @Test(arguments: ["", ":", "x", "65536", "127.0.0.1", "127.0.0.1:", "[::1]", "-1", "1:2:x"])
    func `what is no port is a clear error`(text: String) {
        #expect {
            try InterceptOptions.listening(text)
        } throws: {
            "\($0)" == "--intercept: \"\(text)\" is not [HOST:]PORT, such as 8888"
        }
    }
}

@Suite struct RemainingArgumentTests {
    private func parse(_ words: String...) throws -> ParsedArguments {
        try ParsedArguments(words, for: InterceptRun.spec)
    }

    @Test func `what follows is not looked at`() throws {
        #expect(
            try parse("python3", "-c", "1", "--data", "x").rest == [
                "python3", "-c", "1", "--data", "x",
            ])
        #expect(
            try parse("--data", "d", "--", "-odd", "--", "--help").rest == ["-odd", "--", "--help"])
        let mixed = try parse("--data", "d", "cmd", "--data", "e")
        #expect(mixed["data"] == "d")
        #expect(mixed.rest == ["cmd", "--data", "e"])
    }

    @Test(arguments: [[], ["--"], ["--data", "d"], ["--data", "d", "--"]] as [[String]])
    func `nothing to run is a clear error`(words: [String]) {
        #expect {
            try ParsedArguments(words, for: InterceptRun.spec)
        } throws: {
            "\($0)".hasPrefix("COMMAND ... is missing\nUsage: openstore intercept run [--")
                && "\($0)".hasSuffix("-- COMMAND ...")
        }
    }

    @Test func `nothing behind the hyphens is an error, also where the command may be missing`()
        throws
    {
        #expect(try ParsedArguments(["a.storekit"], for: TestCommand.spec).rest.isEmpty)
        #expect {
            try ParsedArguments(["a.storekit", "--"], for: TestCommand.spec)
        } throws: {
            "\($0)".hasPrefix("COMMAND ... is missing")
        }
    }

    @Test func `options of ours come first`() {
        #expect {
            try parse("--shell", "x")
        } throws: {
            "\($0)".hasPrefix("unknown option --shell")
        }
    }
}
