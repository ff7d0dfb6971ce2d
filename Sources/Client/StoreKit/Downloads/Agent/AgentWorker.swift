import StoreDelivery
import StoreWire
import Synchronization

/// Does the orders of the download agent, with the same ``ContentFetcher`` as an app.
struct AgentWorker: Sendable {
    let transport: any RequestTransport
    let retry: RetryPolicy
    /// So long an order is tried for that no app waits for.
    let patience: Duration
    let log: @Sendable (String) -> Void

    /// The store does not let the agent go on; an app, with its session, may ask again.
    private struct NeedsApp: Error {}

    /// Does an order till it is finished, or till only the app can go on.
    func run(_ job: AgentJob) async -> AgentReport.Event {
        do {
            return try await job.download.whileAlone(retry) {
                guard let order = job.download.order else { return .released }
                return try await perform(order, job)
            }
        } catch {
            if !(error is CancellationError) {
                log("\(job.download.path) was left to the app: \(error)")
            }
            return .released
        }
    }

    private func perform(_ order: DownloadOrder, _ job: AgentJob) async throws -> AgentReport.Event
    {
        var order = order
        if job.download.isFinished(order) { return .finished }
        var fetcher = try fetcher(of: order, job)
        // Of a clock that goes on while the machine sleeps.
        let end = ContinuousClock.now + patience
        var rests = 0
        while true {
            do {
                try await fetcher.fetch()
                // An app that has taken the order back wants none of it.
                guard let current = job.download.order else { return .released }
                guard current.content == order.content else {
                    order = current
                    fetcher = try self.fetcher(of: order, job)
                    continue
                }
                try job.download.finish(current)
                return .finished
            } catch is NeedsApp {
                return .released
            } catch {
                try Task.checkCancellation()
                guard job.download.hasOrder, RetryPolicy.mayPass(error), !job.isAwaited,
                    ContinuousClock.now < end
                else { throw error }
                log("\(job.download.path) goes on later: \(error)")
                let pause = retry.pause(after: rests)
                rests += 1
                await job.rest { try await retry.sleep(pause) }
                try Task.checkCancellation()
            }
        }
    }

    private func fetcher(of order: DownloadOrder, _ job: AgentJob) throws -> ContentFetcher {
        let client = StoreClient(
            profile: try DeviceProfile(text: order.profile, source: job.download.path),
            deviceID: order.device, transport: transport)
        let grants = DownloadGrants(
            order.content, of: order.transaction, client: client, first: order.answer
        ) {
            guard let token = order.answer.token else { throw NeedsApp() }
            do {
                return try await client.renewDownload(token)
            } catch let error as WireError
                where ![.storeUnavailable, .internalError].contains(error.code)
            {
                throw NeedsApp()
            }
        }
        let lastTold = Mutex<ContinuousClock.Instant?>(nil)
        return ContentFetcher(
            folder: job.download, client: client, grants: grants, libraries: order.libraries,
            retry: retry, log: log
        ) { present, total in
            let now = ContinuousClock.now
            let isDue = lastTold.withLock { last in
                guard let before = last, present < total, now - before < .milliseconds(50) else {
                    last = now
                    return true
                }
                return false
            }
            guard isDue else { return }
            job.report(AgentReport(event: .progress, present: present, total: total))
        }
    }
}

extension RetryPolicy {
    /// The agent tries less often in a row: behind it come its pauses, or the app.
    var downloading: RetryPolicy {
        RetryPolicy(
            attempts: min(attempts, 4), longDelay: longDelay, sleep: sleep, idle: idle,
            jitter: jitter)
    }

    /// Half a minute, one, two, up to ten, less a random part.
    func pause(after rests: Int) -> Duration {
        .seconds(min(600, 30 << min(rests, 5))) * jitter()
    }

    /// Whether an error may pass by itself: the network, the store, a full disk.
    static func mayPass(_ error: any Error) -> Bool {
        if case DeliveryError.diskFull = error { return true }
        return !isFinal(error)
    }
}
