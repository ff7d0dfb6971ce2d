import StoreCore
import StoreKit
import StoreModel
import StoreWire

extension TestEnvironment {
    /// Changes settings, and brings the store to them.
    func change(_ change: (inout SessionSettings) -> Void) {
        let (before, now) = settings.change(change)
        guard before != now else { return }
        do {
            try BlockingCall.run { [self] in try await apply(now, over: before) }
        } catch {
            OpenStore.writeLog("A setting of the test session could not be made: \(error)")
        }
    }

    /// - Parameter before: what the store has; `nil` if it has none yet.
    func apply(_ now: SessionSettings, over before: SessionSettings?) async throws {
        let former = before ?? SessionSettings()
        if (now.asksToBuy, now.interruptsPurchases)
            != (former.asksToBuy, former.interruptsPurchases)
        {
            _ = try await services.accounts.change(tester) { settings in
                settings.asksToBuy = now.asksToBuy
                settings.interruptsPurchases = now.interruptsPurchases
            }
        }
        if now.rate != former.rate { setRunning(now.rate != .realTime) }
    }
}

extension SessionSettings {
    /// The settings of a file.
    init(_ configuration: StoreKitConfiguration) {
        storefront = configuration.storefront.code
        locale = configuration.locale
    }

    /// What the store does by them.
    var rules: SandboxRules {
        var rules = SandboxRules.xcode
        rules.pace = rate.pace
        rules.hasGracePeriod = hasGracePeriod
        return rules
    }
}
