import Foundation
@testable import StoreCommands
@testable import StoreKit
import Testing

@Suite struct BookshopEventsTests {
    @Test func `a download that ends before its progress is read has ended once`() async throws {
        let events = BookshopEvents()
        let download = SKDownload()
        download.update { status in
            status.state = .active
            status.progress = 1
        }
        events.paymentQueue(.default(), updatedDownloads: [download])
        download.update { $0.state = .finished }
        events.paymentQueue(.default(), updatedDownloads: [download])
        var states: [SKDownloadState] = []
        for await event in events.stream.prefix(2) {
            if case .downloads(let downloads) = event { states += downloads.map(\.state) }
        }
        #expect(states == [.active, .finished])
    }

    @Test func `a transaction that goes on before it is read is bought once`() async throws {
        let events = BookshopEvents()
        let transaction = SKPaymentTransaction(
            key: "key", payment: SKMutablePayment(), status: SKPaymentTransaction.Status())
        events.paymentQueue(.default(), updatedTransactions: [transaction])
        transaction.update { $0.state = .purchased }
        events.paymentQueue(.default(), updatedTransactions: [transaction])
        var states: [SKPaymentTransactionState] = []
        for await event in events.stream.prefix(2) {
            if case .updated(let told) = event { states += told.map(\.state) }
        }
        #expect(states == [.purchasing, .purchased])
    }
}
