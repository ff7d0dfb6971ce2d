import StoreKit
import StoreModel
import StoreServer

extension TestEnvironment {
    /// Changes settings, and brings the store to them.
    func change(_ change: (inout SessionSettings) -> Void) {
        settings.change(change)
        do { try BlockingCall.run { [self] in try await applySettings() } } catch {
            OpenStore.writeLog("A setting of the test session could not be made: \(error)")
        }
    }

    /// Changes settings, and returns when the store has them.
    func changing(_ change: (inout SessionSettings) -> Void) async throws {
        try requireCharge()
        settings.change(change)
        try await BlockingCall.apart { [self] in try await applySettings() }
    }

    /// Brings the store to the settings as they are when it is this call's turn: of two calls the
    /// later one never brings back what was set before.
    func applySettings() async throws {
        await settingsTurn.wait()
        defer { settingsTurn.end() }
        let (former, now) = (state.withLock { $0.applied }, settings.value)
        guard former != now else { return }
        try await apply(now, over: former)
        state.withLock { $0.applied = now }
    }

    /// Has the app ask for texts in another language.
    func setLocale(_ identifier: String) {
        let identifier = Self.localeIdentifier(identifier)
        guard PriceLocale.isLocale(identifier) else {
            return OpenStore.writeLog(
                "The test session knows no locale \(identifier): one is de, de_DE or zh_Hans.")
        }
        change { $0.locale = identifier }
    }

    /// A locale as the store writes it: `zh_Hans` for `zh-Hans`, and without what follows an at sign.
    static func localeIdentifier(_ text: String) -> String {
        String(text.prefix { $0 != "@" }).replacing(scalar: "-", with: "_")
    }

    /// Moves the tester to another storefront.
    func setStorefront(_ code: String) {
        guard let storefront = StoreModel.Storefront.named(code) else {
            return OpenStore.writeLog("The test session knows no storefront \(code).")
        }
        change { $0.storefront = storefront }
    }

    private func apply(_ now: SessionSettings, over former: SessionSettings) async throws {
        try await perform { try await $0.apply(now.store, over: former.store) }
        // The session on the device says which storefront it is, and whether somebody else approves.
        if now.storefront != former.storefront || now.asksToBuy != former.asksToBuy {
            try await signIn()
        }
        for call in SimulatedErrors.Call.allCases where now.errors[call] != former.errors[call] {
            simulatedErrors[call] = now.errors[call]?.error
        }
        if now.rate != former.rate { setRunning(now.rate != .realTime) }
    }
}
