import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// What a tester has bought.
    static let sandboxPurchases = ResourceType(
        "sandboxPurchases", reading: .manageTesters,
        shape: ResourceShape([
            "bundleId": .text(1...255), "productId": .text(1...255), "productType": .text(1...40),
            "quantity": .integer(ProductType.quantities), "price": .text(1...40),
            "currency": .text(3...3),
            "territory": .text(3...3), "purchaseDate": .dateTime,
            "originalTransactionId": .text(1...40), "finishedDate": .optional(.dateTime),
            "refundedDate": .optional(.dateTime), "cleared": .flag,
        ]))

    /// What a tester wants to buy, and waits for somebody with.
    static let waitingPurchases = ResourceType(
        "waitingPurchases", at: "/openstore/v1/waitingPurchases", reading: .manageTesters,
        shape: ResourceShape([
            "bundleId": .text(1...255), "productId": .text(1...255),
            "quantity": .integer(ProductType.quantities),
            "price": .text(1...40), "currency": .text(3...3), "waitsFor": .text(1...40),
            "state": .choice(["WAITING", "APPROVED", "DECLINED", "LAPSED"]),
            "decision": .choice(["APPROVED", "DECLINED"]), "createdDate": .dateTime,
        ]),
        find: { call, id in
            let purchases = call.services.testerPurchases
            let pending = try await purchases.waiting(waiting(id), by: call.actor)
            return Resource(pending, status: purchases.status(of: pending))
        })

    /// Payments of testers that the store declined on purpose.
    static let declinedPayments = ResourceType(
        "declinedPayments", reading: .manageTesters,
        shape: ResourceShape([
            "productId": .text(1...255), "quantity": .integer(ProductType.quantities),
            "price": .text(1...40),
            "currency": .text(3...3), "createdDate": .dateTime,
        ]))

    /// Purchases of testers that are taken back.
    static let sandboxRefunds = ResourceType(
        "sandboxRefunds", at: "/openstore/v1/sandboxRefunds", reading: .manageTesters,
        shape: ResourceShape([
            "transactionId": .text(1...40), "productId": .text(1...255), "createdDate": .dateTime,
        ]))

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func waiting(_ text: String) throws -> PendingPurchaseID {
        guard let number = TransactionID(text)?.number else {
            throw ConnectRefusal.notFound("waiting purchase", String(text.prefix(40)))
        }
        return PendingPurchaseID(number: number)
    }
}

extension Resource {
    init(_ purchase: TesterPurchase) {
        let entry = purchase.entry
        let details = entry.details
        self.init(
            .sandboxPurchases, id: entry.id.description,
            [
                "bundleId": .string(details.bundleID.text),
                "productId": .string(details.productID.text),
                "productType": .string(details.productType.rawValue),
                "quantity": .integer(details.quantity),
                "price": .string("\(details.charged.decimal)"),
                "currency": .string(details.charged.currency),
                "territory": .string(details.storefront.code),
                "purchaseDate": .time(details.date),
                "originalTransactionId": .string(entry.original.id.description),
                "finishedDate": .time(purchase.finishDate),
                "refundedDate": .time(purchase.revocationDate),
                "cleared": .bool(purchase.isCleared),
            ])
    }

    init(_ pending: PendingPurchase, status: PendingPurchase.Status) {
        let order = pending.order
        let state =
            switch status {
            case .waiting: "WAITING"
            case .approved: "APPROVED"
            case .declined: "DECLINED"
            case .lapsed: "LAPSED"
            }
        self.init(
            .waitingPurchases, id: pending.id.description,
            [
                "bundleId": .string(order.bundleID.text),
                "productId": .string(order.productID.text),
                "quantity": .integer(order.quantity),
                "price": .string("\(order.charged.decimal)"),
                "currency": .string(order.charged.currency),
                "waitsFor": .string(pending.kind.rawValue.uppercased()),
                "state": .string(state), "createdDate": .time(order.date),
                "decision": .text(pending.decision?.outcome.rawValue.uppercased()),
            ])
    }

    init(_ payment: DeclinedPayment) {
        self.init(
            .declinedPayments, id: payment.key,
            [
                "productId": .string(payment.productID.text),
                "quantity": .integer(payment.quantity),
                "price": .string("\(payment.unitPrice.decimal * Decimal(payment.quantity))"),
                "currency": .string(payment.unitPrice.currency),
                "createdDate": .time(payment.date),
            ])
    }

    init(_ refund: TesterPurchaseRefund) {
        self.init(
            .sandboxRefunds, id: refund.transaction.description,
            [
                "transactionId": .string(refund.transaction.description),
                "productId": .string(refund.product.text), "createdDate": .time(refund.date),
            ])
    }
}

extension ConnectOperation {
    static let testerPurchases: [ConnectOperation] =
        reading(.waitingPurchases) + [
            .update(.waitingPurchases, .manageTesters, changing: ["decision"]) { call in
                let outcome = try call.data.value("decision", "APPROVED or DECLINED") {
                    PendingPurchase.Decision.Outcome(rawValue: $0.lowercased())
                }
                let purchases = call.services.testerPurchases
                let decided = try await purchases.decide(
                    outcome, on: ResourceType.waiting(call.id), by: call.actor)
                return Resource(decided, status: purchases.status(of: decided))
            },
            .create(.sandboxRefunds, .manageTesters, required: ["transactionId"]) { call in
                let id = try call.data.value(
                    "transactionId", "a transaction identifier", { TransactionID($0) })
                return Resource(
                    try await call.services.testerPurchases.refund(id, by: call.actor))
            },
        ]
}
