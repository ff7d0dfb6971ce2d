import Foundation
import StoreCore
import StoreHTTP
import StoreTestSupport
import Testing

@testable import StoreServer

struct MetricsTests {
    @Test func `requests are counted by route, method and status`() async throws {
        let store = try await ListeningStore()
        for path in [
            "/healthz", "/healthz", "/us", "/jp", "/content/00", "/made-up/1", "/made-up/2",
        ] {
            _ = try await store.get(path)
        }
        let client = LoopbackClient(port: store.server.port)
        _ = try await client.send(HTTPRequest(method: "HEAD", path: "/healthz"))
        _ = try await client.send(HTTPRequest(method: "PURGE", path: "/healthz"))
        let sent = HTTPRequest(method: "POST", path: "/healthz", body: Data("12345".utf8))
        _ = try await client.send(sent)
        // The end of each connection is seen behind its answer.
        var values: [String: Double] = [:]
        try await until {
            values = try await store.metrics()
            let counts = values.filter {
                $0.key.hasPrefix("openstore_http_requests_total")
                    && !$0.key.contains("route=\"/metrics\"")
            }
            // They are counted one after the other.
            return counts.values.reduce(0, +) >= 10
                && values["openstore_http_received_bytes_total"] == 5
                && values["openstore_http_request_duration_seconds_count{interface=\"healthz\"}"]
                    == 3
        }
        #expect(values[Self.count("none", "POST", 405)] == 1)
        #expect(values[Self.count("/healthz", "GET", 200)] == 2)
        #expect(values[Self.count("/healthz", "HEAD", 200)] == 1)
        #expect(values[Self.count("none", "other", 405)] == 1)
        #expect(values[Self.count("none", "GET", 404)] == 2)
        #expect(values["openstore_http_sent_bytes_total", default: 0] > 1000)
        let durations = "openstore_http_request_duration_seconds"
        #expect(values[durations + "_bucket{interface=\"healthz\",le=\"+Inf\"}"] == 3)
        #expect(values[durations + "_sum{interface=\"healthz\"}", default: 0] > 0)
        // Whatever is asked for, the labels are those of the routes.
        #expect(!values.keys.contains { $0.contains("made-up") || $0.contains("PURGE") })
        let routes = values.keys.filter { $0.hasPrefix("openstore_http_requests_total") }
        #expect(routes.contains { $0.contains("route=\"/{country}\"") }, "\(routes)")
    }

    private static func count(_ route: String, _ method: String, _ status: Int) -> String {
        "openstore_http_requests_total{route=\"\(route)\",method=\"\(method)\",status=\"\(status)\"}"
    }

    @Test func `the process, its queues, writes and jobs have metrics`() async throws {
        let store = try await ListeningStore()
        for _ in 1...3 { try await store.store.database.write { _ in } }
        store.store.jobMetrics.add("ranking_items", took: .milliseconds(1500), failed: false)
        store.store.jobMetrics.add("ranking_items", took: .milliseconds(500), failed: true)
        let values = try await store.metrics()
        #expect(values["openstore_build_info{version=\"7.8.9\"}"] == 1)
        for name in [
            "process_resident_memory_bytes", "process_open_fds", "process_max_fds",
            "process_start_time_seconds", "process_cpu_seconds_total", "openstore_http_connections",
        ] {
            #expect(values[name, default: 0] > 0, "\(name)")
        }
        for name in [
            "openstore_queue_depth{queue=\"notifications\"}",
            "openstore_queue_depth{queue=\"uploads\"}", "openstore_queue_depth{queue=\"writes\"}",
            "openstore_http_waiting_requests{for=\"events\"}",
            "openstore_http_waiting_requests{for=\"prompts\"}",
        ] {
            #expect(values[name] == 0, "\(name)")
        }
        #expect(values["openstore_commit_group_size_count", default: 0] >= 1)
        #expect(values["openstore_commit_group_size_sum", default: 0] >= 3)
        #expect(values["openstore_job_runs_total{job=\"ranking_items\"}"] == 2)
        #expect(values["openstore_job_failures_total{job=\"ranking_items\"}"] == 1)
        #expect(values["openstore_job_seconds_total{job=\"ranking_items\"}"] == 2)
    }

    @Test(arguments: StoreJob.allCases.map(\.label) + StoreTask.allCases.map(\.rawValue))
    func `jobs are named in one style`(label: String) {
        #expect(label.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
    }

    @Test func `the text is as Prometheus reads it`() async throws {
        let store = try await ListeningStore()
        _ = try await store.get("/healthz")
        let answer = try await store.get("/metrics")
        #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        let text = answer.text
        #expect(text.hasSuffix("\n"))
        let line = /[a-z_]+(\{([a-z]+="[^"\\\n]*",?)+\})? -?[0-9.e+-]+/
        var types: [String: String] = [:]
        for part in text.split(separator: "\n") {
            if part.hasPrefix("# TYPE ") {
                let words = part.split(separator: " ").map(String.init)
                try #require(words.count == 4)
                #expect(types.updateValue(words[3], forKey: words[2]) == nil, "\(part)")
            } else if !part.hasPrefix("# HELP ") {
                #expect(part.wholeMatch(of: line) != nil, "\(part)")
                let name = String(part.prefix { $0 != "{" && $0 != " " })
                let base = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }
                    .map { String(name.dropLast($0.count)) }
                #expect(types[name] != nil || base.flatMap { types[$0] } == "histogram", "\(part)")
            }
        }
    }

    @Test func `a label that nobody expects is escaped`() {
        var text = MetricsText()
        text.value("a", ["b": "c\"d\\e\nf\"\u{301}\\\u{301}"], 0.5)
        text.histogram("h", label: ("x", "y"), bounds: [1, 2.5], counts: [1, 0, 2], sum: 9)
        #expect(
            text.text == """
                a{b="c\\"d\\\\e\\nf\\"\u{301}\\\\\u{301}"} 0.5
                h_bucket{x="y",le="1"} 1
                h_bucket{x="y",le="2.5"} 1
                h_bucket{x="y",le="+Inf"} 3
                h_sum{x="y"} 9
                h_count{x="y"} 3

                """)
    }

    @Test func `groups of writes are counted by their size`() async throws {
        let opened = try await OpenedStore()
        let database = try #require(opened.store.database as? SQLiteDatabase)
        let before = database.writeMetrics
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...40 {
                group.addTask { try? await opened.store.database.write { _ in } }
            }
        }
        let after = database.writeMetrics
        #expect(after.transactions - before.transactions == 40)
        let groups = zip(after.groups, before.groups).map { $0 - $1 }
        #expect(groups.reduce(0, +) > 0 && groups.reduce(0, +) <= 40)
        #expect(after.waiting == 0)
    }
}
