import CStoreCurl
import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
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

    /// Lets a transfer of 100 MB run for ten seconds, in steps of a hundredth.
    private func run(_ bytes: (Int) -> Int64) -> (told: Int, remaining: [TimeInterval]) {
        let callbacks = DispatchQueue(label: "progress")
        let list = ObserverList(callbacks: .queue(callbacks))
        let recorder = Recorder()
        let queue = SKPaymentQueue(
            engine: PaymentEngine(callbacks: .queue(callbacks), retry: .standard) {
                throw SKError(.clientInvalid)
            })
        list.add(recorder, of: queue)
        let transaction = SKPaymentTransaction()
        let download = SKDownload(
            WireContent(
                contentIdentifier: SampleShop.chapter, version: ContentVersion("1.0")!,
                length: 100_000_000), of: transaction)
        download.update { $0.state = .active }
        let meter = ProgressMeter(download: download, list: list) { [clock] in clock.now }
        var remaining: [TimeInterval] = []
        for step in 0..<1000 {
            meter.advance(to: bytes(step), of: 100_000_000)
            clock.turn(by: 0.01)
            callbacks.sync {}
            remaining.append(download.timeRemaining)
            #expect(download.progress <= Float(Double(bytes(step)) / 100_000_000))
        }
        return (recorder.history.count, remaining)
    }

    @Test func `observers hear of it at most ten times a second`() {
        let (told, _) = run { Int64($0) * 100_000 }
        #expect((90...101).contains(told))
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

    @Test func `a certificate that is refused makes one think of the clock`() {
        let error = URLError(CURLE_PEER_FAILED_VERIFICATION, url: nil)
        #expect(error.code == .serverCertificateUntrusted)
        #expect(error.localizedDescription.contains("clock"))
        #expect(URLError(CURLE_COULDNT_CONNECT, url: nil).code == .cannotConnectToHost)
    }
}
