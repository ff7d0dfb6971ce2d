import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreTestSupport
import Synchronization
import Testing

struct Downloads {
    @Test func `content is where contentURL says, complete, once it is finished`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let bought = try await device.buy(SampleShop.chapter)
        let download = try #require(bought.downloads.first)
        #expect(download.state == .waiting && download.contentURL == nil)
        #expect(download.timeRemaining == SKDownloadTimeRemainingUnknown)
        #expect(download.transaction === bought)
        #expect(bought.downloads.count == 1 && download.contentIdentifier == SampleShop.chapter)
        #expect(download.contentVersion == "1.0" && download.expectedContentLength > 300_000)
        device.queue.start(bought.downloads)
        let finished = try await device.recorder.download(.finished)
        #expect(finished === download && finished.progress == 1)
        let url = try #require(finished.contentURL)
        let text = try String(
            contentsOf: url.appendingPathComponent("Contents/text.txt"), encoding: .utf8)
        #expect(text.hasPrefix("It was a dark night."))
        let noise = try Data(contentsOf: url.appendingPathComponent("Contents/pictures/noise.bin"))
        #expect(noise == SampleShop.noise(300_000, seed: 7))
        let link = url.appendingPathComponent("Contents/latest.txt").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "text.txt")

        device.queue.finishTransaction(bought)
        _ = try await device.recorder.next { $0.isRemoval }
        #expect(!FileManager.default.fileExists(atPath: url.path))
        #expect(download.contentURL == nil)
    }

    @Test func `bytes that were changed on the way never reach the app`() async throws {
        let store = try await TestStore()
        let transport = InterferingTransport(change: { path, answer in
            guard path.contains("/content/"), answer.count > 1000 else { return answer }
            var changed = answer
            changed[changed.startIndex + 500] ^= 1
            return changed
        })
        let device = try await TestDevice(store, transport: transport)
        let bought = try await device.buy(SampleShop.chapter)
        device.queue.start(bought.downloads)
        let failed = try await device.recorder.download(.failed)
        #expect((failed.error as? SKError)?.code == .unknown)
        #expect(failed.error?.localizedDescription.contains("damaged on its way") == true)
        #expect(failed.contentURL == nil)
    }

    @Test func `a connection that breaks is taken up where it broke`() async throws {
        let store = try await TestStore(noiseBytes: 3_000_000)
        let left = Mutex(Self.brokenAfter)
        let ranges = Counter()
        let transport = InterferingTransport(
            before: { request in
                if request.value(forHTTPHeaderField: "Range") != nil { _ = ranges.next() }
            },
            change: { path, answer in
                guard path.contains("/content/") else { return answer }
                let isBroken = left.withLock { left in
                    left -= answer.count
                    defer { if left < 0 { left = Self.brokenAfter } }
                    return left < 0
                }
                if isBroken { throw URLError(.networkConnectionLost) }
                return answer
            })
        let device = try await TestDevice(store, transport: transport)
        let bought = try await device.buy(SampleShop.chapter)
        device.queue.start(bought.downloads)
        let finished = try await device.recorder.download(.finished)
        let noise = try #require(finished.contentURL)
            .appendingPathComponent("Contents/pictures/noise.bin")
        #expect(try Data(contentsOf: noise) == SampleShop.noise(3_000_000, seed: 7))
        #expect(ranges.value >= 1)
    }

    /// Bytes of content between two breaks: more than four connections can hold of chunks that are
    /// not whole, so that each attempt finds more than the one before.
    private static let brokenAfter = 5 * (128 << 10)

    @Test func `finishing with a running download cancels it`() async throws {
        let store = try await TestStore(noiseBytes: 3_000_000)
        let (device, bought, gate) = try await halted(store)
        // However it ends.
        defer { gate.signal() }
        device.queue.finishTransaction(bought)
        _ = try await device.recorder.download(.cancelled)
        _ = try await device.recorder.next { $0.isRemoval }
        #expect(bought.downloads.first?.contentURL == nil)
    }

    @Test func `pausing keeps what is there, resuming goes on`() async throws {
        let store = try await TestStore(noiseBytes: 3_000_000)
        let (device, bought, gate) = try await halted(store)
        defer { gate.signal() }
        device.queue.pause(bought.downloads)
        gate.signal()
        let paused = try await device.recorder.download(.paused)
        #expect(paused.contentURL == nil)
        device.queue.resume(bought.downloads)
        _ = try await device.recorder.download(.finished)
    }

    @Test func `a waiting download that is cancelled stays cancelled, and the log says so`()
        async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let bought = try await device.buy(SampleShop.chapter)
        device.queue.cancel(bought.downloads)
        _ = try await device.recorder.download(.cancelled)
        #expect(!device.recorder.logged.contains { $0.contains("does not start") })
        device.queue.start(bought.downloads)
        #expect(bought.downloads.first?.state == .cancelled)
        let said = device.recorder.logged.filter { $0.contains("does not start") }
        #expect(said.count == 1 && said.allSatisfy { $0.contains(SampleShop.chapter) })
    }

    @Test func `a download knows its transaction when that is finished and released`() async throws
    {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let download: SKDownload
        do {
            let bought = try await device.buy(SampleShop.chapter)
            download = try #require(bought.downloads.first)
            device.queue.finishTransaction(bought)
            _ = try await device.recorder.next { $0.isRemoval }
        }
        let transaction = download.transaction
        #expect(transaction.transactionState == .purchased)
        #expect(transaction.transactionIdentifier != nil)
        #expect(transaction.payment.productIdentifier == SampleShop.chapter)
        // As often as an app likes.
        device.queue.finishTransaction(transaction)
        await device.engine.close()
    }

    @Test func `a download that is paused after it was cancelled stays cancelled`() async throws {
        let store = try await TestStore(noiseBytes: 3_000_000)
        let (device, bought, gate) = try await halted(store)
        defer { gate.signal() }
        device.queue.cancel(bought.downloads)
        device.queue.pause(bought.downloads)
        gate.signal()
        _ = try await device.recorder.download(.cancelled)
        #expect(bought.downloads.first?.state == .cancelled)
    }

    @Test(arguments: [true, false])
    func `a session that has ended is asked for once, however many downloads wait`(
        signsIn: Bool
    ) async throws {
        let store = try await TestStore()
        let questions = Counter()
        let isOver = Mutex(false)
        let answer = Gate()
        let customer = HeldCustomer {
            if isOver.withLock({ $0 }) {
                _ = questions.next()
                await answer.passes()
                guard signsIn else { return nil }
            }
            return OpenStoreCredentials(email: TestStore.american, password: TestStore.password)
        }
        let device = try await TestDevice(store, customer: customer)
        try await device.device.signedIn()
        let session = try #require(device.device.sessions.session)
        isOver.withLock { $0 = true }
        device.device.sessions.clear(session)
        let turn = device.device.signInTurn
        let asking = (1...5).map { _ in Task { try? await device.device.signedIn() } }
        await answer.isReached()
        try await until { turn.waitingCount == 4 }
        // Who is not wanted any more waits for nobody.
        let given = Task { try await device.device.signedIn() }
        try await until { turn.waitingCount == 5 }
        given.cancel()
        await #expect(throws: CancellationError.self) { try await given.value }
        answer.open()
        for task in asking { #expect((await task.value != nil) == signsIn) }
        #expect(questions.value == 1)
        // Who asks later is asked for again.
        _ = try? await device.device.signedIn()
        #expect(questions.value == (signsIn ? 1 : 2))
        await device.engine.close()
    }

    /// Signs in when a test lets them.
    private struct HeldCustomer: OpenStoreSheet {
        let answer: @Sendable () async -> OpenStoreCredentials?

        func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool { true }

        func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
            await answer()
        }
    }

    /// Writes down how far downloads are, as observers hear of it.
    private final class Listener: NSObject, SKPaymentTransactionObserver, Sendable {
        private let told = Mutex<[(state: SKDownloadState, progress: Float)]>([])

        /// What was told while the download was under way.
        var active: [Float] {
            told.withLock { $0.filter { $0.state == .active }.map(\.progress) }
        }

        func paymentQueue(
            _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
        ) {}

        func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            told.withLock { $0 += downloads.map { ($0.state, $0.progress) } }
        }
    }

    @Test func `progress begins at 0 and reaches 1 before the end, each told once`() async throws {
        let store = try await TestStore(noiseBytes: 3_000_000)
        let device = try await TestDevice(store)
        let listener = Listener()
        device.queue.add(listener)
        let bought = try await device.buy(SampleShop.chapter)
        device.queue.start(bought.downloads)
        _ = try await device.recorder.download(.finished)
        let active = listener.active
        #expect(active.first == 0 && active.last == 1, "\(active)")
        #expect(Set(active).count == active.count, "\(active)")
    }

    @Test func `content that the app took out is fetched again`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        do {
            let device = try await TestDevice(store, folder: folder)
            let bought = try await device.buy(SampleShop.chapter)
            device.queue.start(bought.downloads)
            let url = try #require(try await device.recorder.download(.finished).contentURL)
            try FileManager.default.removeItem(
                at: url.appendingPathComponent("Contents/text.txt"))
            await device.engine.close()
        }
        let relaunched = try await TestDevice(store, folder: folder)
        relaunched.queue.add(relaunched.recorder)
        let again = try await relaunched.recorder.transaction { _ in true }
        relaunched.queue.start(again.downloads)
        let url = try #require(try await relaunched.recorder.download(.finished).contentURL)
        let text = url.appendingPathComponent("Contents/text.txt")
        #expect(FileManager.default.fileExists(atPath: text.path))
    }

    /// A download under way whose first piece of content waits for the gate, or until it is not
    /// wanted any more.
    private func halted(
        _ store: TestStore
    ) async throws -> (TestDevice, SKPaymentTransaction, gate: DispatchSemaphore) {
        let gate = DispatchSemaphore(value: 0)
        let pieces = Counter()
        let transport = InterferingTransport(
            cancelled: { gate.signal() },
            change: { path, answer in
                // The first of the larger answers is the manifest. What comes behind it comes on a
                // thread of the transport's own.
                if path.contains("/content/"), answer.count > 1000, pieces.next() == 2 {
                    gate.wait()
                }
                return answer
            })
        let device = try await TestDevice(store, transport: transport)
        do {
            let bought = try await device.buy(SampleShop.chapter)
            device.queue.start(bought.downloads)
            _ = try await device.recorder.download(.active)
            return (device, bought, gate)
        } catch {
            gate.signal()
            throw error
        }
    }
}
