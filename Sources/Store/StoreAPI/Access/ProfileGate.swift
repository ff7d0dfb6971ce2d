import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Recognizes the provisioning profile that a request carries.
///
/// A verified profile is remembered by its digest, because every request of an app
/// carries the same one; whether it has expired is looked at each time.
package final class ProfileGate: Sendable {
    private static let capacity = 4096

    private let verifier: JWSVerifier
    private let clock: any StoreClock
    private let known = Mutex<[String: ProfilePayload]>([:])

    package init(verifier: JWSVerifier, clock: any StoreClock) {
        self.verifier = verifier
        self.clock = clock
    }

    /// The profile of a request.
    ///
    /// - Throws: `WireError` with `profileMissing`, `profileUnknown`, `profileUntrusted` or
    ///   `profileExpired`.
    package func profile(of request: HTTPRequest) throws -> ProfilePayload {
        guard let text = request.headers[DeviceRoute.profileHeader] else {
            throw WireError(
                code: .profileMissing,
                message: "The request carries no provisioning profile; send it in the header "
                    + "\(DeviceRoute.profileHeader).")
        }
        let profile: ProfilePayload
        if text.hasPrefix(DeviceRoute.profileDigestPrefix) {
            guard let seen = known.withLock({ $0[text] }) else {
                throw WireError(
                    code: .profileUnknown,
                    message: "The store has not seen this provisioning profile since its start; "
                        + "send all of it.")
            }
            profile = seen
        } else {
            let digest = DeviceRoute.profileDigestPrefix + SHA256Digest.hex(Data(text.utf8))
            profile = try known.withLock { $0[digest] } ?? verified(text, digest: digest)
        }
        guard profile.expirationDate > clock.now().milliseconds else {
            throw WireError(
                code: .profileExpired,
                message: "The provisioning profile \"\(profile.name)\" has expired; make a new one."
            )
        }
        return profile
    }

    private func verified(_ text: String, digest: String) throws -> ProfilePayload {
        let payload: ProfilePayload
        do {
            let data = try verifier.verify(text, type: SignedKind.profile) { data in
                Date(
                    milliseconds: try WireCoding.decode(ProfilePayload.self, from: data).signedDate)
            }
            payload = try WireCoding.decode(ProfilePayload.self, from: data)
        } catch {
            throw WireError(
                code: .profileUntrusted,
                message:
                    "The provisioning profile was not made by this store; make one here and put "
                    + "it into the app.")
        }
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            known[digest] = payload
        }
        return payload
    }
}

extension ProfilePayload {
    /// The entitlement without which an app can't sell.
    package static let inAppPurchase = "in-app-purchase"

    /// What the rules want to know of it.
    var claim: ProfileClaim {
        ProfileClaim(
            bundleID: bundleId, applicationIdentifier: applicationIdentifier,
            environment: environment,
            allowsInAppPurchase: entitlements.contains(Self.inAppPurchase),
            generation: generation)
    }
}
