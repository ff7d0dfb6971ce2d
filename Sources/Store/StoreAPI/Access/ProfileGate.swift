import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire

/// Recognizes the provisioning profile that a request carries.
///
/// A verified profile is remembered by its digest, because every request of an app
/// carries the same one; whether it has expired, and whether the key that signed it was
/// revoked, is looked at each time.
package final class ProfileGate: Sendable {
    private struct Known {
        let profile: ProfilePayload
        /// Leaf and intermediate.
        let signers: [Certificate]
    }

    private let verifier: JWSVerifier
    private let clock: any StoreClock
    private let revokedCertificates: @Sendable () -> [CertificateSerial]
    /// By digest.
    private let known = Cache<String, Known>(limit: 4096)

    /// - Parameter revokedCertificates: what a device hears whose profile is refused.
    init(
        verifier: JWSVerifier, clock: any StoreClock,
        revokedCertificates: @escaping @Sendable () -> [CertificateSerial]
    ) {
        self.verifier = verifier
        self.clock = clock
        self.revokedCertificates = revokedCertificates
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
        let found: Known
        if text.hasPrefix(scalars: DeviceRoute.profileDigestPrefix) {
            guard let seen = known.value(for: text) else {
                throw WireError(
                    code: .profileUnknown,
                    message: "The store has not seen this provisioning profile since its start; "
                        + "send all of it.")
            }
            found = seen
        } else {
            let digest = DeviceRoute.profileDigestPrefix + SHA256Digest.hex(Data(text.utf8))
            found = try known.value(for: digest) ?? verified(text, digest: digest)
        }
        guard !found.signers.contains(where: verifier.isRevoked) else { throw untrusted }
        let profile = found.profile
        guard profile.expirationDate > clock.now().milliseconds else {
            throw WireError(
                code: .profileExpired,
                message: "The provisioning profile \"\(profile.name)\" has expired; make a new one."
            )
        }
        return profile
    }

    /// Whether the key of a request's profile was revoked since the profile was seen.
    func isRevoked(_ request: HTTPRequest) -> Bool {
        guard let text = request.headers[DeviceRoute.profileHeader] else { return false }
        let digest =
            text.hasPrefix(scalars: DeviceRoute.profileDigestPrefix)
            ? text : DeviceRoute.profileDigestPrefix + SHA256Digest.hex(Data(text.utf8))
        return known.value(for: digest)?.signers.contains(where: verifier.isRevoked) ?? false
    }

    private func verified(_ text: String, digest: String) throws -> Known {
        let found: Known
        do {
            let verified = try verifier.verified(text, type: SignedKind.profile) { data in
                Date(
                    milliseconds: try WireCoding.decode(ProfilePayload.self, from: data).signedDate)
            }
            found = Known(
                profile: try WireCoding.decode(ProfilePayload.self, from: verified.payload),
                signers: Array(verified.chain.dropLast()))
        } catch {
            throw untrusted
        }
        known.insert(found, for: digest)
        return found
    }

    private var untrusted: WireError {
        let revoked = revokedCertificates().lazy.map(\.text)
        return WireError(
            code: .profileUntrusted,
            message:
                "The provisioning profile was not made by this store, or its key was revoked; "
                + "make one here and put it into the app.",
            revokedCertificates: revoked.isEmpty ? nil : RevokedCertificates(revoked))
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
