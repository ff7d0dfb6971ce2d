import Foundation
import FoundationNetworking
import StoreKit
import Synchronization

/// Where the app comes to its end: at the first time that it reaches the point.
///
/// - `confirm`: the payment is in the journal, nothing was sent.
/// - `request`: the confirmation is in the journal, the order is about to be sent.
/// - `answer`: the store has sold, the answer is not in the journal yet.
/// - `content:N`: N bytes of content have arrived.
/// - `wait:N`: N bytes of content have arrived; says `waiting` and goes on at the next
///   line on standard input.
final class Fault: Sendable {
    private let point: String
    private let bytes: Int
    private let received = Mutex(0)
    /// Where each process of a test adds a byte for each kilobyte of content that it got.
    private let tally: FileHandle? = {
        guard let path = ProcessInfo.processInfo.environment["TEST_TALLY"] else { return nil }
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        return FileHandle(fileDescriptor: descriptor)
    }()

    init(_ text: String) {
        let parts = text.split(separator: ":")
        point = parts.first.map(String.init) ?? ""
        bytes = parts.count > 1 ? Int(parts[1])! : 0
    }

    func reach(_ point: String) {
        if self.point == point { kill(getpid(), SIGKILL) }
    }

    /// Counts content on its way to the disk.
    func receive(_ count: Int) {
        let (before, after) = received.withLock { received in
            defer { received += count }
            return (received, received + count)
        }
        try? tally?.write(contentsOf: Data(count: after / 1024 - before / 1024))
        guard before < bytes, after >= bytes else { return }
        if point == "content" {
            say("received \(after)")
            kill(getpid(), SIGKILL)
        }
        if point == "wait" {
            say("waiting")
            _ = readLine()
        }
    }

    var total: Int { received.withLock { $0 } }
}

/// The real transport, which dies at the fault's point.
final class FaultyTransport: RequestTransport {
    private let inner = HTTPTransport()
    private let fault: Fault

    init(fault: Fault) {
        self.fault = fault
    }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let isPurchase = request.url?.path.hasSuffix("/purchases") ?? false
        if isPurchase { fault.reach("request") }
        let answer = try await inner.send(request)
        if isPurchase { fault.reach("answer") }
        return answer
    }

    func stream(
        _ request: URLRequest, accept: @escaping @Sendable (HTTPURLResponse) throws -> Void,
        sink: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let range = request.value(forHTTPHeaderField: "Range") ?? "whole"
        say("stream \(range)")
        let fault = fault
        let before = fault.total
        defer { say("streamed \(fault.total - before)") }
        try await inner.stream(request, accept: accept) { data in
            defer { fault.receive(data.count) }
            try sink(data)
        }
    }
}
