import Foundation
import StoreCore
import StoreModel
import StoreSecurity

/// The opaque value of a receipt: random bytes that make its hash another one each time, and the
/// number of the app transaction, by which the store finds whose receipt it is.
///
/// Nothing seals the number: the receipt's signature covers it, and apps read it in their signed
/// transactions too. Receipts that were made before have the random bytes only.
enum ReceiptMark {
    private static let randomCount = 16
    private static let count = randomCount + MemoryLayout<Int64>.size

    static func make(for id: AppTransactionID) throws -> Data {
        var mark = try SecureRandom.bytes(randomCount)
        withUnsafeBytes(of: id.number.bigEndian) { mark.append(contentsOf: $0) }
        return mark
    }

    /// Whose receipt it is; nil where the mark does not say.
    static func appTransaction(_ mark: Data) -> AppTransactionID? {
        guard mark.count == count else { return nil }
        return AppTransactionID(
            number: mark.dropFirst(randomCount).reduce(0) { $0 << 8 | Int64($1) })
    }
}

extension AppReceipt {
    /// Whose receipt it is; nil for one without a purchase that does not say.
    var holder: ReceiptHolder? {
        if let id = ReceiptMark.appTransaction(opaqueValue) { return .appTransaction(id) }
        guard let number = purchases.first.flatMap({ Int64($0.transactionID) }) else { return nil }
        return .transaction(TransactionID(number: number))
    }

    /// Which of the store's environments it was made in.
    var environment: StoreEnvironment {
        type.hasSuffix(scalars: "Sandbox") || type == EnvironmentNames.xcode.sandbox
            ? .sandbox : .production
    }

    var hasSubscriptions: Bool {
        purchases.contains { $0.productKind == .autoRenewable || $0.expirationDate != nil }
    }
}
