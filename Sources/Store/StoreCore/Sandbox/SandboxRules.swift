import Foundation

/// What a store does in its sandbox otherwise than in production.
///
/// A value of the unit of work: `StoreRepositories.sandbox` has the ones that were in force when it
/// began.
package struct SandboxRules: Sendable, Hashable {
    /// How long periods of subscriptions last; `nil` if each tester's renewal rate says it.
    package var schedule: RenewalSchedule?
    /// How many times a subscription renews; `nil` for no limit.
    package var renewalLimit: Int?
    /// Whether customers go on for a while when a payment fails; `nil` if the publisher's settings
    /// of the app say it.
    package var hasGracePeriod: Bool?
    /// Whether payments for renewals fail, and those for purchases don't.
    package var declinesRenewals = false
    /// Public keys beside those of teams by which promotional offers are signed for: PEM by identifier.
    package var offerKeys: [String: String] = [:]

    /// How many times a subscription renews in the sandbox, as in Apple's.
    package static let sandboxRenewals = 12

    /// As Apple's sandbox.
    package static let standard = SandboxRules(renewalLimit: sandboxRenewals)
    /// As Xcode's: what its session says, without an end.
    package static let xcode = SandboxRules(schedule: .calendar, hasGracePeriod: false)
}
