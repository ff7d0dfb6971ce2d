import Foundation
import StoreAPI
import StoreDatabase
import StoreHTTP
import StoreCore
import Synchronization

/// Gathers everything that `/metrics` tells.
final class MetricsReport: Sendable {
    /// The outbox is counted no further: it may hold what a publisher's server missed for days.
    private static let outboxLimit = 100_000

    let requests: RequestMetrics
    private let store: Store
    private let version: String
    private let start = Date()
    private let server = Mutex(ServerMetrics())

    /// What the server tells. Functions are fields here for the reason that `Listener` has.
    private struct ServerMetrics {
        var connections: @Sendable () -> HTTPServer.Connections? = { nil }
        var certificateEnd: @Sendable () -> Date? = { nil }
    }

    init(store: Store, routes: [Router.Route], version: String) {
        self.store = store
        self.version = version
        requests = RequestMetrics(routes: routes)
    }

    /// Tells where to ask about the server, which begins after its routes are made.
    func watch(
        connections: @escaping @Sendable () -> HTTPServer.Connections?,
        certificateEnd: @escaping @Sendable () -> Date?
    ) {
        server.withLock {
            $0 = ServerMetrics(connections: connections, certificateEnd: certificateEnd)
        }
    }

    /// All metrics. What the database does not tell now is left out, and the rest told all the
    /// same.
    func text() async -> String {
        var text = MetricsText()
        writeProcess(&text)
        writeRequests(&text)
        writeConnections(&text)
        await writeQueues(&text)
        writeJobs(&text)
        return text.text
    }

    private func writeProcess(_ text: inout MetricsText) {
        text.begin("openstore_build_info", .gauge, "The version that runs; always 1.")
        text.value("openstore_build_info", ["version": version], 1)
        let process = ProcessMetrics.now()
        text.single(
            "process_start_time_seconds", .gauge, "When the process began, since 1970.",
            start.timeIntervalSince1970)
        text.single(
            "openstore_uptime_seconds", .gauge, "How long the store has run.",
            max(0, Date().timeIntervalSince(start)))
        if let bytes = process.residentBytes {
            text.single(
                "process_resident_memory_bytes", .gauge, "Memory in use.", Double(bytes))
        }
        if let seconds = process.processorSeconds {
            text.single(
                "process_cpu_seconds_total", .counter, "Processor time.", seconds)
        }
        if let count = process.descriptors {
            text.single("process_open_fds", .gauge, "Open files and sockets.", Double(count))
        }
        if let count = process.descriptorLimit {
            text.single(
                "process_max_fds", .gauge, "How many may be open.", Double(count))
        }
        if let end = server.withLock({ $0 }).certificateEnd() {
            text.single(
                "openstore_tls_certificate_end_seconds", .gauge,
                "When the certificate that clients see ends, since 1970.",
                end.timeIntervalSince1970)
        }
    }

    private func writeRequests(_ text: inout MetricsText) {
        text.begin(
            "openstore_http_requests_total", .counter,
            "Requests by route, method and status; status 0 for those without an answer.")
        for count in requests.all() {
            text.value(
                "openstore_http_requests_total",
                ["route": count.route, "method": count.method, "status": count.status], count.count)
        }
        text.begin(
            "openstore_http_request_duration_seconds", .histogram,
            "From a request's header to the end of its answer, waiting included.")
        for durations in requests.allDurations() {
            text.histogram(
                "openstore_http_request_duration_seconds",
                label: ("interface", durations.interface),
                bounds: RequestMetrics.bounds.map { Double($0) / 1_000_000 },
                counts: durations.counts, sum: durations.sum)
        }
        let bytes = requests.bodyBytes
        text.single(
            "openstore_http_received_bytes_total", .counter, "Bytes of requests' bodies.",
            Double(bytes.received))
        text.single(
            "openstore_http_sent_bytes_total", .counter, "Bytes of answers' bodies.",
            Double(bytes.sent))
    }

    private func writeConnections(_ text: inout MetricsText) {
        text.begin(
            "openstore_http_waiting_requests", .gauge,
            "Requests that wait for events, or for a customer's answer.")
        let services = store.services
        text.value(
            "openstore_http_waiting_requests", ["for": "events"], services.events.waiting)
        text.value(
            "openstore_http_waiting_requests", ["for": "prompts"], services.promptWaiters.count)
        guard let connections = server.withLock({ $0 }).connections() else { return }
        text.single(
            "openstore_http_connections", .gauge, "Connections of clients.",
            Double(connections.open))
        text.single(
            "openstore_http_connections_total", .counter, "Connections that clients have opened.",
            Double(connections.opened))
        text.begin(
            "openstore_http_connections_ended_total", .counter,
            "Connections that the store ended, by the reason.")
        for end in ConnectionEnd.allCases {
            text.value(
                "openstore_http_connections_ended_total", ["reason": end.name],
                connections.ends[end] ?? 0)
        }
    }

    private func writeQueues(_ text: inout MetricsText) async {
        let waiting = try? await store.database.read { repositories in
            (
                notifications: try repositories.notifications.waitingCount(
                    limit: Self.outboxLimit),
                uploads: try repositories.uploads.waitingCount()
            )
        }
        let writes = (store.database as? SQLiteDatabase)?.writeMetrics
        text.begin(
            "openstore_queue_depth", .gauge,
            "What waits: notifications (counted to 100000), uploads, transactions that write.")
        if let waiting {
            text.value("openstore_queue_depth", ["queue": "notifications"], waiting.notifications)
            text.value("openstore_queue_depth", ["queue": "uploads"], waiting.uploads)
        }
        guard let writes else { return }
        text.value("openstore_queue_depth", ["queue": "writes"], writes.waiting)
        text.begin(
            "openstore_commit_group_size", .histogram, "Transactions of one commit.")
        text.histogram(
            "openstore_commit_group_size", label: nil,
            bounds: WriteMetrics.bounds.map(Double.init), counts: writes.groups,
            sum: Double(writes.transactions))
    }

    private func writeJobs(_ text: inout MetricsText) {
        let jobs = store.jobMetrics.all
        text.begin("openstore_job_runs_total", .counter, "Runs of the store's jobs.")
        for (job, metrics) in jobs {
            text.value("openstore_job_runs_total", ["job": job], metrics.runs)
        }
        text.begin("openstore_job_failures_total", .counter, "Runs that failed.")
        for (job, metrics) in jobs {
            text.value("openstore_job_failures_total", ["job": job], metrics.failures)
        }
        text.begin("openstore_job_seconds_total", .counter, "How long the runs took.")
        for (job, metrics) in jobs {
            text.value("openstore_job_seconds_total", ["job": job], metrics.duration / .seconds(1))
        }
    }
}

extension ConnectionEnd {
    /// The reason, as a label.
    fileprivate var name: String {
        switch self {
        case .slowHeader: "slow_header"
        case .slowBody: "slow_body"
        case .slowReader: "slow_reader"
        case .tooMany: "too_many_of_client"
        }
    }
}
