import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreTransport
import StoreWire
import Synchronization
import Testing

/// The seconds of a clock that a test turns.
private final class TurnedClock: Sendable {
    private let time = Mutex<TimeInterval>(1000)

    var now: TimeInterval { time.withLock { $0 } }

    func turn(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }
}

@Suite struct Progress {
    private let clock = TurnedClock()

    /// A download that is under way, of 100 MB.
    private struct Fixture {
        let callbacks = DispatchQueue(label: "progress")
        let recorder = Recorder()
        let download: SKDownload
        let meter: ProgressMeter
        private let queue: SKPaymentQueue
        private let transaction = SKPaymentTransaction()

        init(_ clock: TurnedClock, at progress: Float = 0) {
            let list = ObserverList(callbacks: .queue(callbacks))
            queue = SKPaymentQueue(
                engine: PaymentEngine(callbacks: .queue(callbacks), retry: .standard) {
                    throw SKError(.clientInvalid)
                })
            list.add(recorder, of: queue)
            download = SKDownload(
                WireContent(
                    contentIdentifier: SampleShop.chapter, version: ContentVersion("1.0")!,
                    length: 100_000_000), of: transaction)
            download.update { status in
                status.state = .active
                status.progress = progress
            }
            meter = ProgressMeter(
                download: download, updates: DownloadUpdates(list: list)
            ) { clock.now }
        }

        /// How often observers have heard of it after a step.
        func told(at bytes: Int64) -> Int {
            meter.advance(to: bytes, of: 100_000_000)
            callbacks.sync {}
            return recorder.history.count
        }
    }

    /// Lets a transfer run for ten seconds, in steps of a hundredth.
    private func run(_ bytes: (Int) -> Int64) -> (told: Int, remaining: [TimeInterval]) {
        let fixture = Fixture(clock)
        var told = 0
        var remaining: [TimeInterval] = []
        for step in 0..<1000 {
            told = fixture.told(at: bytes(step))
            clock.turn(by: 0.01)
            remaining.append(fixture.download.timeRemaining)
            #expect(fixture.download.progress <= Float(Double(bytes(step)) / 100_000_000))
        }
        return (told, remaining)
    }

    @Test func `observers hear of it at most ten times a second`() {
        let (told, _) = run { Int64($0) * 100_000 }
        #expect((90...101).contains(told))
    }

    @Test func `what observers know is not told again, and the end is told at once`() {
        let fresh = Fixture(clock)
        // Without a turn of the clock: the end does not wait for the next tenth of a second.
        #expect(fresh.told(at: 0) == 0)
        #expect(fresh.told(at: 1_000_000) == 1 && fresh.told(at: 2_000_000) == 1)
        #expect(fresh.told(at: 100_000_000) == 2 && fresh.download.progress == 1)
        #expect(fresh.told(at: 100_000_000) == 2)
        let resumed = Fixture(clock, at: 0.25)
        #expect(resumed.told(at: 25_000_000) == 0 && resumed.told(at: 26_000_000) == 1)
    }

    @Test func `the remaining time is not known at first, and right with a steady rate`() {
        let (_, remaining) = run { Int64($0) * 100_000 }
        #expect(remaining[0] == SKDownloadTimeRemainingUnknown)
        for step in stride(from: 100, to: 900, by: 50) {
            #expect(abs(remaining[step] - Double(1000 - step) / 100) < 0.3)
        }
    }

    /// Half a second of nothing, half a second at twice the rate, over and over.
    @Test func `the remaining time of an uneven transfer does not jump`() {
        let (_, remaining) = run { step in
            Int64(step / 100 * 100 + max(0, step % 100 - 50) * 2) * 100_000
        }
        for step in stride(from: 300, to: 800, by: 10) {
            let wanted = Double(1000 - step) / 100
            #expect(remaining[step] > wanted * 0.5 && remaining[step] < wanted * 2)
        }
    }

    @Test func `the error of a refused certificate mentions the clock`() {
        let error = URLError(TransportError(.certificate, "No"), url: nil)
        #expect(error.code == .serverCertificateUntrusted)
        #expect(error.localizedDescription.contains("clock"))
        let nobody = TransportError(.unreachable, "No")
        #expect(URLError(nobody, url: nil).code == .cannotConnectToHost)
        #expect(URLError(nobody, url: nil).localizedDescription == "No")
    }
}
