import Foundation
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@Suite struct DownloadUpdatesTests {
    /// Writes down each call: the downloads' contents and where they stand.
    private final class Listener: NSObject, SKPaymentTransactionObserver, Sendable {
        struct Seen: Equatable {
            var content: String
            var state: SKDownloadState
        }

        private let calls = Mutex<[[Seen]]>([])

        var heard: [[Seen]] { calls.withLock { $0 } }

        func paymentQueue(
            _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
        ) {}

        func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
            let seen = downloads.map { Seen(content: $0.contentIdentifier, state: $0.state) }
            calls.withLock { $0.append(seen) }
        }
    }

    /// Two downloads, and an app that is busy until it is released.
    private struct Fixture {
        let callbacks = DispatchQueue(label: "updates")
        let listener = Listener()
        let updates: DownloadUpdates
        let first: SKDownload
        let second: SKDownload
        private let queue: SKPaymentQueue
        private let transaction = SKPaymentTransaction()

        init() throws {
            let list = ObserverList(callbacks: .queue(callbacks))
            queue = SKPaymentQueue(
                engine: PaymentEngine(callbacks: .queue(callbacks), retry: .standard) {
                    throw SKError(.clientInvalid)
                })
            list.add(listener, of: queue)
            updates = DownloadUpdates(list: list)
            let version = try #require(ContentVersion("1.0"))
            let downloads = ["first", "second"].map { [transaction] name in
                SKDownload(
                    WireContent(contentIdentifier: name, version: version, length: 1),
                    of: transaction)
            }
            (first, second) = (downloads[0], downloads[1])
            callbacks.suspend()
        }

        func move(_ download: SKDownload, to state: SKDownloadState) {
            updates.tell(download) { status in
                status.state = state
                return true
            }
        }

        /// The calls that the app gets once it is no longer busy.
        func released() -> [[Listener.Seen]] {
            callbacks.resume()
            // The last step may be added by the one before it.
            callbacks.sync {}
            callbacks.sync {}
            return listener.heard
        }
    }

    @Test func `one call tells of all downloads that changed while the app was busy`() throws {
        let fixture = try Fixture()
        fixture.move(fixture.first, to: .active)
        fixture.move(fixture.second, to: .active)
        #expect(
            fixture.released() == [
                [
                    .init(content: "first", state: .active),
                    .init(content: "second", state: .active),
                ]
            ])
    }

    @Test func `no state of a download is passed over`() throws {
        let fixture = try Fixture()
        fixture.move(fixture.first, to: .active)
        fixture.move(fixture.first, to: .finished)
        fixture.move(fixture.second, to: .active)
        #expect(
            fixture.released() == [
                [.init(content: "first", state: .active)],
                [
                    .init(content: "first", state: .finished),
                    .init(content: "second", state: .active),
                ],
            ])
    }

    @Test func `what was added waits for the announcement and is told with it`() throws {
        let fixture = try Fixture()
        for download in [fixture.first, fixture.second] {
            fixture.updates.add(download) { status in
                status.state = .active
                return true
            }
        }
        #expect(fixture.first.state == .waiting)
        fixture.updates.announce()
        #expect(fixture.released().map(\.count) == [2])
    }

    @Test func `a change of which nobody hears calls nobody`() throws {
        let fixture = try Fixture()
        fixture.updates.tell(fixture.first) { status in
            status.progress = 0.5
            return false
        }
        #expect(fixture.released().isEmpty && fixture.first.progress == 0.5)
    }

    @Test func `downloads of one call are told as started in one call`() async throws {
        let store = try await TestStore()
        let device = try await TestDevice(store)
        let listener = Listener()
        device.queue.add(listener)
        let bought = try await device.buy(SampleShop.chapter)
        let again = try await device.buy(SampleShop.chapter)
        device.queue.start(bought.downloads + again.downloads)
        _ = try await device.recorder.download(.finished)
        _ = try await device.recorder.download(.finished)
        #expect(listener.heard.first?.map(\.state) == [.active, .active])
    }
}
