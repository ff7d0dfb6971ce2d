import StoreKit
import StoreModel
import StoreServer
import Synchronization

/// Answers for the customer of a test: by the session's settings, or by asking the app's own sheet.
struct SessionSheet: OpenStoreSheet {
    let settings: SettingsBox
    let failedPayments: FailedPayments
    let now: @Sendable () -> Date
    /// The tester's.
    let password: String

    private var asks: Bool { !settings.value.disableDialogs }

    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        let settings = settings.value
        if settings.failsTransactions {
            failedPayments.add(question.productIdentifier, at: now())
            throw SKError(
                settings.failure,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The test session fails purchases: failTransactionsEnabled is true."
                ])
        }
        return asks ? try await OpenStore.sheet.confirm(question) : true
    }

    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        guard question.problem == nil else { return nil }
        return OpenStoreCredentials(email: EphemeralStore.email, password: password)
    }

    func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        asks ? try await OpenStore.sheet.redeem(question) : nil
    }

    func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? {
        asks ? try await OpenStore.sheet.consent(question) : nil
    }

    func show(_ page: OpenStorePage) async throws {
        if asks { try await OpenStore.sheet.show(page) }
    }

    func present(_ item: OpenStoreItem) async throws {
        if asks { try await OpenStore.sheet.present(item) }
    }

    func review(_ question: OpenStoreReviewQuestion) async throws -> OpenStoreReview? {
        asks ? try await OpenStore.sheet.review(question) : nil
    }
}

/// What can be set of a session.
struct SessionSettings: Sendable, Equatable {
    var asksToBuy = false
    var interruptsPurchases = false
    var failsTransactions = false
    var failure = SKError.Code.unknown
    var disableDialogs = false
    var failsRenewals = false
    var hasGracePeriod = false
    var rate = SKTestSession.TimeRate.realTime
    var storefront = StoreModel.Storefront.unitedStates
    var locale = StoreModel.Storefront.unitedStates.locale
    var errors: [SimulatedErrors.Call: _SKTestFailureCode] = [:]

    /// What the store knows of them.
    var store: TestSettings {
        var settings = TestSettings()
        settings.asksToBuy = asksToBuy
        settings.interruptsPurchases = interruptsPurchases
        settings.failsRenewals = failsRenewals
        settings.hasGracePeriod = hasGracePeriod
        settings.schedule = rate.schedule
        settings.storefront = storefront
        return settings
    }
}

/// The settings as they are now.
final class SettingsBox: Sendable {
    private let settings: Mutex<SessionSettings>

    init(_ settings: SessionSettings) {
        self.settings = Mutex(settings)
    }

    var value: SessionSettings { settings.withLock { $0 } }

    func change(_ change: (inout SessionSettings) -> Void) {
        settings.withLock { change(&$0) }
    }
}
