import CStoreCurl
import Foundation
import StoreCore
import StoreSecurity
import Synchronization

/// The way to publishers' servers by libcurl: one thread carries all requests, over connections
/// that stay open for the next.
///
/// The thread starts with the first request, waits without a tick, and ends with the loop.
package final class PublisherLoop: PublisherConnection {
    private let core: Mutex<PublisherCore?> = Mutex(nil)
    private let settings: PublisherPost.Settings

    /// - Parameters:
    ///   - authorities: a file with the certificates that are trusted, PEM; nil for those of the
    ///     system.
    ///   - timeout: until an answer has come to its end.
    package init(
        targets: NotificationTargets, authorities: URL? = nil,
        timeout: Duration = DeliveryRules.timeout
    ) {
        settings = PublisherPost.Settings(
            targets: targets, authorities: authorities, timeout: timeout)
    }

    deinit {
        core.withLock { $0 }?.stop()
    }

    package func post(_ body: Data, to url: String) async -> SendOutcome? {
        await send(body, to: url, settings)?.outcome
    }

    package func ask(
        _ body: Data, of url: String, within timeout: Duration
    ) async -> SendAnswer? {
        await send(
            body, to: url,
            PublisherPost.Settings(
                targets: settings.targets, authorities: settings.authorities, timeout: timeout))
    }

    private func send(
        _ body: Data, to url: String, _ settings: PublisherPost.Settings
    ) async -> SendAnswer? {
        if let (problem, _) = settings.targets.problem(with: url) {
            return SendAnswer(SendOutcome(.other, detail: "The address \(problem)."))
        }
        guard let core = started() else {
            return SendAnswer(
                SendOutcome(.other, detail: "The store has no memory for connections."))
        }
        let id = UUID()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                core.add(id) {
                    PublisherPost(body, to: url, settings) { continuation.resume(returning: $0) }
                }
                // A cancellation before `add` has found nothing to end.
                if Task.isCancelled { core.cancel(id) }
            }
        } onCancel: {
            core.cancel(id)
        }
    }

    private func started() -> PublisherCore? {
        core.withLock { core in
            if let core { return core }
            guard let fresh = PublisherCore() else { return nil }
            core = fresh
            let thread = Thread { fresh.run() }
            thread.name = "notifications"
            thread.start()
            return fresh
        }
    }
}

/// What the thread and those who give it work share.
private final class PublisherCore: @unchecked Sendable {
    // Sendable: `multi` and `running` are used by the loop's thread only, but for
    // curl_multi_wakeup, which any thread may call; what others leave is behind the lock.
    private struct Mail {
        var added: [(id: UUID, make: @Sendable () -> PublisherPost)] = []
        var cancelled: Set<UUID> = []
        var isStopped = false
    }

    private let multi: OpaquePointer
    private let mail = Mutex(Mail())
    private var running: [UUID: PublisherPost] = [:]

    private static let isReady: Bool = {
        OpenSSLLibrary.ready
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    init?() {
        guard Self.isReady, let multi = curl_multi_init() else { return nil }
        self.multi = OpaquePointer(multi)
    }

    func add(_ id: UUID, _ make: @escaping @Sendable () -> PublisherPost) {
        leave { $0.added.append((id, make)) }
    }

    func cancel(_ id: UUID) {
        leave { $0.cancelled.insert(id) }
    }

    func stop() {
        leave { $0.isStopped = true }
    }

    private func leave(_ change: (inout Mail) -> Void) {
        mail.withLock { mail in
            // Behind the end there is nobody to wake.
            guard !mail.isStopped else { return }
            change(&mail)
            curl_multi_wakeup(UnsafeMutableRawPointer(multi))
        }
    }

    func run() {
        let multi = UnsafeMutableRawPointer(self.multi)
        while takeMail(multi) {
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            var code = CURLE_OK
            while let handle = cstore_curl_ended(multi, &code) { ended(handle, code, multi) }
            // Whoever leaves mail wakes it up.
            curl_multi_poll(multi, nil, 0, 600_000, nil)
        }
        for post in running.values { finish(post, nil, multi) }
        running = [:]
        curl_multi_cleanup(multi)
    }

    /// - Returns: false where the loop is to end.
    private func takeMail(_ multi: UnsafeMutableRawPointer) -> Bool {
        let mail = mail.withLock { mail in
            defer {
                mail.added = []
                mail.cancelled = []
            }
            return mail
        }
        for (id, make) in mail.added {
            let post = make()
            post.prepare()
            if curl_multi_add_handle(multi, post.handle) == CURLM_OK {
                running[id] = post
            } else {
                post.finish(SendOutcome(.other, detail: "The store has no memory for connections."))
            }
        }
        for id in mail.cancelled {
            if let post = running.removeValue(forKey: id) { finish(post, nil, multi) }
        }
        return !mail.isStopped
    }

    private func ended(
        _ handle: UnsafeMutableRawPointer, _ code: CURLcode, _ multi: UnsafeMutableRawPointer
    ) {
        guard let (id, post) = running.first(where: { $0.value.handle == handle }) else { return }
        running[id] = nil
        finish(post, post.outcome(of: code), multi)
    }

    private func finish(
        _ post: PublisherPost, _ outcome: SendOutcome?, _ multi: UnsafeMutableRawPointer
    ) {
        curl_multi_remove_handle(multi, post.handle)
        post.finish(outcome)
    }
}
