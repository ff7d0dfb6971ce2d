import StoreCore
import StoreModel
import Synchronization

/// What a test can set of its store.
package struct TestSettings: Sendable, Equatable {
    /// Whether each purchase waits for somebody's approval.
    package var asksToBuy = false
    /// Whether each purchase fails at first, because the customer has to settle something.
    package var interruptsPurchases = false
    /// Whether payments for renewals fail.
    package var failsRenewals = false
    package var hasGracePeriod = false
    /// How long periods last; `nil` for as long as in the sandbox, where each tester's renewal rate
    /// says it, and twelve renewals are the end.
    package var schedule: RenewalSchedule? = .calendar
    package var storefront = Storefront.unitedStates

    package init() {}

    /// What the store does by them.
    package var rules: SandboxRules {
        var rules = schedule == nil ? SandboxRules.standard : .xcode
        rules.schedule = schedule
        rules.declinesRenewals = failsRenewals
        rules.hasGracePeriod = hasGracePeriod
        return rules
    }
}

/// The settings of a store as they are now, for whoever changes them and for the store.
package final class CurrentTestSettings: Sendable {
    private let settings: Mutex<TestSettings>

    package init(_ settings: TestSettings) {
        self.settings = Mutex(settings)
    }

    package var value: TestSettings { settings.withLock { $0 } }

    /// - Returns: those that it had before.
    func replace(by new: TestSettings) -> TestSettings {
        settings.withLock { settings in
            defer { settings = new }
            return settings
        }
    }
}

extension TestShop {
    /// Brings the store to settings. What the rules of the sandbox say of them, the store asks for
    /// by itself.
    ///
    /// - Parameter former: what the store has.
    package func apply(_ settings: TestSettings, over former: TestSettings) async throws {
        if (settings.asksToBuy, settings.interruptsPurchases)
            != (former.asksToBuy, former.interruptsPurchases)
        {
            _ = try await services.accounts.change(tester) { account in
                account.asksToBuy = settings.asksToBuy
                account.interruptsPurchases = settings.interruptsPurchases
            }
        }
        if settings.storefront != former.storefront {
            let tester = tester
            try await store.database.write { repositories in
                try repositories.accounts.setStorefront(settings.storefront, of: tester)
            }
        }
    }
}
