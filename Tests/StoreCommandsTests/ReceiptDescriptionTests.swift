import Foundation
import StoreSecurity
import Testing

@testable import StoreCommands

/// What `openstore receipt verify` shows.
@Suite struct ReceiptDescriptionTests {
    @Test func `the end of a period is shown, and nothing where there is none`() {
        let day = Date(timeIntervalSince1970: 1_800_000_000)
        var receipt = TransactionReceipt(
            environment: "Sandbox", bundleID: "com.example.shop", applicationVersion: "1",
            itemID: "1", deviceIdentifier: "device", productID: "com.example.shop.monthly",
            quantity: 1, transactionID: "7", originalTransactionID: "7", purchaseDate: day,
            originalPurchaseDate: day, signedDate: day)
        let column = ReceiptDescription(receipt).purchases.header.firstIndex(of: "UNTIL")
        func end() -> String? {
            column.flatMap { ReceiptDescription(receipt).purchases.rows.first?.dropFirst($0).first }
        }
        #expect(end() == "-")
        receipt.expirationDate = day.addingTimeInterval(3600)
        #expect(end() == "2027-01-15T09:00:00Z")
    }
}
