import StoreSecurity
import StoreWire

/// Certificates that the store has revoked: received with the history, kept in the journal, and
/// checked whenever a statement is verified.
extension PaymentEngine {
    /// Stores the list of revoked certificates. It is on disk when this returns.
    ///
    /// - Parameter list: `nil` if the store does not say.
    func note(_ list: RevokedCertificates?, _ opened: Opened) throws {
        guard let list, try opened.journal.put(list) else { return }
        feed.state.withLock { $0.revocations += 1 }
        feed.verified.removeAll()
        opened.device.log(
            "The store has taken back \(list.serials.count) certificates: what they have signed is "
                + "not verified.")
    }

    /// Stores the list of revoked certificates from a refused request: a device whose profile was
    /// signed with a revoked one gets no other answer.
    func noteRefusal(_ error: any Error, _ opened: Opened) {
        guard let error = error as? WireError, error.code == .profileUntrusted else { return }
        do { try note(error.revokedCertificates, opened) } catch {
            opened.device.log("Which certificates were revoked could not be written down: \(error)")
        }
    }

    /// Whether the device has transactions that were signed with a revoked certificate, or for the
    /// identifier that it had before: the store signs them again if it is asked for the whole history.
    func isOutdated(_ history: AccountHistory, _ opened: Opened) -> Bool {
        history.transactions.values.contains { verified($0)?.isOutdated == true }
    }

    /// Has the store sign the app transaction again if it is outdated.
    func renewAppTransaction(of session: SessionAnswer, _ opened: Opened) async throws {
        guard let signed = opened.journal.history(of: session.email)?.appTransaction,
            opened.verifier.appTransaction(signed)?.isOutdated == true
        else { return }
        _ = try await fetchAppTransaction(of: session, opened)
    }
}

extension VerificationResult {
    fileprivate var isOutdated: Bool {
        switch self {
        case .unverified(_, .revokedCertificate), .unverified(_, .invalidDeviceVerification): true
        default: false
        }
    }
}

extension StatementVerifier {
    /// A verifier of statements for a device, with the revoked certificates of its journal.
    init(_ device: StoreDevice, _ journal: DeviceJournal) {
        self.init(profile: device.profile, deviceID: device.client.deviceID) { certificate in
            let revoked = journal.revokedCertificates
            guard !revoked.isEmpty, let serial = certificate.serial else { return false }
            return revoked.contains(serial.text)
        }
    }
}
