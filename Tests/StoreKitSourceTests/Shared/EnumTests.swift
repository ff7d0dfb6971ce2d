import StoreKit
import Testing

// Point 7: Apple's enums, with Apple's raw values, open where Apple's are.

/// What an app writes for a state; `@unknown default` has to compile without a warning.
private func name(_ state: SKPaymentTransactionState) -> String {
    switch state {
    case .purchasing: return "purchasing"
    case .purchased: return "purchased"
    case .failed: return "failed"
    case .restored: return "restored"
    case .deferred: return "deferred"
    @unknown default: return "unknown \(state.rawValue)"
    }
}

/// Closed enums need no default.
private func name(_ state: SKDownloadState) -> String {
    switch state {
    case .waiting: return "waiting"
    case .active: return "active"
    case .paused: return "paused"
    case .finished: return "finished"
    case .failed: return "failed"
    case .cancelled: return "cancelled"
    }
}

private func name(_ visibility: SKProductStorePromotionVisibility) -> String {
    switch visibility {
    case .default: return "default"
    case .show: return "show"
    case .hide: return "hide"
    }
}

/// Libraries add what the framework leaves out.
extension SKPaymentTransactionState: @retroactive CustomDebugStringConvertible {
    /// The name of the case.
    public var debugDescription: String { name(self) }
}

@Suite struct Enums {
    @Test func `raw values are Apple's`() {
        let states: [SKPaymentTransactionState] = [
            .purchasing, .purchased, .failed, .restored, .deferred,
        ]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4])
        let downloads: [SKDownloadState] = [
            .waiting, .active, .paused, .finished, .failed, .cancelled,
        ]
        #expect(downloads.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        let units: [SKProduct.PeriodUnit] = [.day, .week, .month, .year]
        #expect(units.map(\.rawValue) == [0 as UInt, 1, 2, 3])
        let modes: [SKProductDiscount.PaymentMode] = [.payAsYouGo, .payUpFront, .freeTrial]
        #expect(modes.map(\.rawValue) == [0 as UInt, 1, 2])
        let types: [SKProductDiscount.`Type`] = [.introductory, .subscription]
        #expect(types.map(\.rawValue) == [0 as UInt, 1])
        let visibilities: [SKProductStorePromotionVisibility] = [.default, .show, .hide]
        #expect(visibilities.map(\.rawValue) == [0, 1, 2])
    }

    @Test func `values of the future are taken where Apple's enums are open`() throws {
        let state = try #require(SKPaymentTransactionState(rawValue: 92_159_124))
        #expect(name(state) == "unknown 92159124")
        #expect(String(reflecting: SKPaymentTransactionState.failed) == "failed")
        #expect(SKProduct.PeriodUnit(rawValue: 9)?.rawValue == 9)
        #expect(SKProductDiscount.PaymentMode(rawValue: 9)?.rawValue == 9)
        #expect(name(SKDownloadState.paused) == "paused")
        #expect(name(SKProductStorePromotionVisibility.hide) == "hide")
    }
}
