import StoreCore
import Testing

@Suite struct NotificationTargetsTests {
    @Test(arguments: [
        "https://example.com/", "https://example.com", "HTTPS://example.com/n?a=b",
        "https://example.com:443/", "https://example.com:8443/", "https://8.8.8.8/",
        "https://[2606:4700::1]:1024/", "https://localhost.example.com/",
    ])
    func `servers on the internet are targets`(url: String) throws {
        try NotificationTargets.internet.check(url, field: "url")
    }

    @Test(arguments: [
        "http://example.com/", "https://example.com:80/", "https://example.com:22/",
        "https://example.com:1023/", "https://example.com:0/", "https://example.com:65536/",
        "https://localhost/", "https://LOCALHOST./", "https://a.localhost/", "https://127.0.0.1/",
        "https://127.1/", "https://2130706433/", "https://10.1.2.3/", "https://[::1]/",
        "https://[::ffff:10.0.0.1]/", "https://[fd00::1]/", "https://169.254.169.254/latest",
        "ftp://example.com/", "https:///x", "https://", "example.com", "", "https://exa mple.com/",
        "https://example.com:port/", "file:///etc/passwd",
    ])
    func `all else is refused, with what would help`(url: String) throws {
        let refusal = try #require(throws: ConnectRefusal.self) {
            try NotificationTargets.internet.check(url, field: "url")
        }
        #expect(refusal.rule == "notificationTarget" && refusal.field == "url")
        #expect(!refusal.problem.isEmpty && !refusal.help.isEmpty)
    }

    @Test(arguments: [
        "http://localhost:8080/", "http://127.0.0.1/", "https://10.1.2.3:80/", "http://[::1]:1/",
    ])
    func `for development everything is a target that speaks HTTP`(url: String) throws {
        try NotificationTargets.anywhere.check(url, field: "url")
        #expect(throws: ConnectRefusal.self) {
            try NotificationTargets.anywhere.check("ftp://localhost/", field: "url")
        }
    }
}
