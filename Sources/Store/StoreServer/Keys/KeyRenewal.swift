import Foundation
import StoreSecurity

/// What is to become of the keys below the root, beside what is due anyway.
private struct KeyChange {
    /// Roles that get a fresh key.
    var fresh: Set<KeyRole> = []
    /// Where certificates say to ask for them; nil for where they say now.
    var ocspAddress: String?
}

extension StoreKeys {
    /// Renews what has less than a third of its life left: the intermediate keeps its key, the
    /// others get fresh ones. What was signed before stays valid.
    ///
    /// - Returns: the new certificates.
    /// - Throws: `StoreKeysError`; what was renewed until then is whole.
    @discardableResult
    package func renewDue(at date: Date) throws -> [Certificate] {
        try apply(KeyChange(), at: date)
    }

    /// Whether something ends soon, by the certificates that this process knows: `renewDue` reads all files,
    /// which takes milliseconds.
    package func isRenewalDue(at date: Date) -> Bool {
        func isDue(_ end: Date, _ role: KeyRole, below ceiling: Date?) -> Bool {
            RenewalRule.isDue(
                end: end, days: role.days, ceiling: ceiling ?? .distantPast, at: date)
        }
        let issuer = intermediate.current().end
        return isDue(issuer, .intermediate, below: root.validity?.upperBound)
            || isDue(signingEnd(), .signing, below: issuer)
    }

    /// Issues certificates anew, over the same keys, where they don't say to ask for them at an
    /// address; renews what is due as well.
    ///
    /// - Returns: the new certificates.
    @discardableResult
    package func adopt(ocspAddress: String, at date: Date) throws -> [Certificate] {
        try apply(KeyChange(ocspAddress: ocspAddress), at: date)
    }

    /// Key rotation: makes fresh keys that sign from now on.
    ///
    /// - Parameter intermediate: whether the intermediate gets one, too.
    /// - Returns: the new certificates.
    @discardableResult
    package func rotate(intermediate: Bool = false, at date: Date) throws -> [Certificate] {
        var roles = Set(KeyRole.allCases)
        if !intermediate { roles.remove(.intermediate) }
        let new = try apply(KeyChange(fresh: roles), at: date)
        return try new + [prepareReceipts()].compactMap { $0 }
    }

    /// Takes a certificate back, with all others over the same key. Where the store uses one of
    /// them, it gets a fresh key first.
    ///
    /// - Returns: the certificates that are revoked by it.
    /// - Throws: `StoreKeysError` for a number that the store has not issued, and for the root.
    package func revoke(_ serial: CertificateSerial, at date: Date) throws -> [Certificate] {
        guard serial != root.serial else {
            throw StoreKeysError(
                description: "\(serial) is the root: what trusts it can't be told otherwise. Make "
                    + "a new store, and give its root to who needs it.")
        }
        // Those of older stores are recorded by it.
        try apply(KeyChange(), at: date)
        guard let certificate = issued.certificate(serial) else {
            throw StoreKeysError(
                description: "the store has issued no certificate \(serial); openstore certificate "
                    + "list shows them")
        }
        let affected = issued.all().filter { $0.hasKey(of: certificate) }
        let used = try usedCertificates().filter { used in
            used.certificates.contains { $0.hasKey(of: certificate) }
        }
        if !used.isEmpty { try apply(KeyChange(fresh: Set(used.map(\.role))), at: date) }
        try folder.locked {
            for serial in affected.compactMap(\.serial) { try issued.revoke(serial, at: date) }
        }
        // What another process has made meanwhile is replaced as well.
        try apply(KeyChange(), at: date)
        return affected
    }

    /// What to tell the operator where the intermediate wants a new certificate and can't get one,
    /// because the root's key is kept elsewhere; nil where all is well. What is below it is
    /// renewed nevertheless.
    ///
    /// - Parameter ocspAddress: where certificates are to say to ask for them; nil for where they
    ///   say now.
    package func lacksRootKey(ocspAddress: String? = nil, at date: Date) -> String? {
        let current = intermediate.current()
        guard !folder.has(FileName.rootKey),
            isOld(
                current, ocspAddress: ocspAddress ?? current.certificate.ocspAddresses.first,
                at: date)
        else { return nil }
        return "the intermediate certificate, good until "
            + "\(current.end.formatted(.iso8601)), is to be issued anew, and "
            + "\(folder.file(FileName.rootKey).path) is kept elsewhere; put it there until the "
            + "store has started once more"
    }

    func identity<Key: StoredKey>(_ role: KeyRole, _ type: Key.Type) throws -> KeyIdentity<Key> {
        try KeyIdentity.read(role, in: folder, below: root)
    }

    /// The roles that have a key: that of receipts may not be made yet.
    private var usedRoles: [KeyRole] {
        KeyRole.allCases.filter { $0 != .receipts || folder.has($0.fileName) }
    }

    /// The certificates in use by role.
    func usedCertificates() throws -> [(role: KeyRole, certificates: [Certificate])] {
        try usedRoles.map { role in
            switch role {
            case .receipts: (role, try identity(role, ReceiptKey.self).certificates)
            case .intermediate, .signing:
                (role, try identity(role, SigningKey.self).certificates)
            }
        }
    }

    // MARK: Steps

    /// Each step leaves all files whole: who is killed between two of them leaves keys that
    /// work, and the next change goes on.
    @discardableResult
    private func apply(_ change: KeyChange, at date: Date) throws -> [Certificate] {
        try folder.locked {
            try upgradeOlderFiles()
            try retireServer(at: date)
            var new: [Certificate] = []
            let issuer = try renewIntermediate(change, at: date, &new)
            try renew(.signing, SigningKey.self, change, under: issuer, at: date, &new)
            if usedRoles.contains(.receipts) {
                try renew(.receipts, ReceiptKey.self, change, under: issuer, at: date, &new)
            }
            return new
        }
    }

    /// Brings the files of stores that are older than renewal into the form of one file for
    /// each role.
    private func upgradeOlderFiles() throws {
        for (role, certificates) in try usedCertificates().reversed() {
            for certificate in certificates { try issued.record(certificate) }
            let count = try Certificate.all(pem: folder.text(role.fileName)).count
            guard count != certificates.count else { continue }
            let text =
                role == .receipts
                ? try identity(role, ReceiptKey.self).pem()
                : try identity(role, SigningKey.self).pem()
            try folder.put(text, as: role.fileName)
        }
        for role in KeyRole.allCases {
            if let name = role.olderCertificateName { folder.remove(name) }
        }
    }

    /// Earlier versions showed clients of Apple's servers a certificate below the root, under Apple's
    /// names. What was issued for that is taken back, and its key is no part of backups any more.
    private func retireServer(at date: Date) throws {
        guard folder.has(FileName.formerServer) else { return }
        for certificate in issued.all() where KeyRole(certificate) == nil {
            if let serial = certificate.serial { try issued.revoke(serial, at: date) }
        }
        folder.remove(FileName.formerServer)
    }

    /// Whether the intermediate's certificate is due, or says to ask somewhere else.
    private func isOld(
        _ intermediate: KeyIdentity<SigningKey>, ocspAddress: String?, at date: Date
    ) -> Bool {
        intermediate.certificate.ocspAddresses.first != ocspAddress
            || intermediate.isAhead(of: date)
            || RenewalRule.isDue(
                end: intermediate.end, days: KeyRole.intermediate.days,
                ceiling: root.validity?.upperBound ?? .distantPast, at: date)
    }

    private func renewIntermediate(
        _ change: KeyChange, at date: Date, _ new: inout [Certificate]
    ) throws -> KeyIdentity<SigningKey> {
        let current = try identity(.intermediate, SigningKey.self)
        let address = change.ocspAddress ?? current.certificate.ocspAddresses.first
        let isFresh =
            change.fresh.contains(.intermediate) || issued.isRevoked(current.certificate)
        guard isFresh || isOld(current, ocspAddress: address, at: date) else { return current }
        // It signs for years more, and so do the leaves below it.
        guard isFresh || folder.has(FileName.rootKey) else { return current }
        let rootKey = try SigningKey(pem: folder.text(FileName.rootKey))
        let renewed = try KeyIdentity.makeIntermediate(
            isFresh ? SigningKey.generate() : current.key, under: (root, rootKey), at: date,
            ocspAddress: address)
        if isFresh { try RetiredIntermediates(folder: folder).add(current) }
        try install(renewed, &new)
        return renewed
    }

    private func renew<Key: StoredKey>(
        _ role: KeyRole, _ type: Key.Type, _ change: KeyChange,
        under issuer: KeyIdentity<SigningKey>, at date: Date, _ new: inout [Certificate]
    ) throws {
        let current = try identity(role, type)
        let address = issuer.certificate.ocspAddresses.first
        let isFresh =
            change.fresh.contains(role)
            || current.certificates.contains(where: issued.isRevoked)
            || current.isAhead(of: date)
            || RenewalRule.isDue(end: current.end, days: role.days, ceiling: issuer.end, at: date)
        guard isFresh || current.certificate.ocspAddresses.first != address else { return }
        let renewed = try KeyIdentity<Key>.make(
            role, key: isFresh ? nil : current.key, under: issuer, at: date)
        try install(renewed, &new)
    }

    private func install<Key: StoredKey>(
        _ identity: KeyIdentity<Key>, _ new: inout [Certificate]
    ) throws {
        try issued.record(identity.certificate)
        try folder.put(try identity.pem(), as: identity.role.fileName)
        new.append(identity.certificate)
    }
}
