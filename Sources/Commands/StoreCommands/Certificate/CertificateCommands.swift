import Foundation
import StoreSecurity
import StoreServer

/// A certificate as the commands show it.
private struct CertificateRow: Encodable {
    let serial: String
    let use: String
    let name: String
    let start: Date
    let end: Date
    let state: String
    let revoked: Date?
    let ocspAddress: String?

    init(_ certificate: StoreCertificate) {
        serial = certificate.serial.text
        use = certificate.role?.rawValue ?? (certificate.isRoot ? "root" : "server")
        name = certificate.name
        start = certificate.start
        end = certificate.end
        state =
            certificate.revoked != nil ? "revoked" : certificate.isCurrent ? "current" : "former"
        revoked = certificate.revoked
        ocspAddress = certificate.ocspAddress
    }

    static let columns = ["SERIAL", "USE", "STATE", "FROM", "UNTIL", "ASKED AT"]

    var cells: [String] {
        [
            serial, use, revoked.map { "revoked \($0.formatted(.iso8601))" } ?? state,
            start.formatted(.iso8601), end.formatted(.iso8601), ocspAddress ?? "-",
        ]
    }

    /// The rows of certificates that a change has touched.
    static func rows(
        of certificates: [Certificate], in store: Store
    ) throws -> [CertificateRow] {
        let serials = Set(certificates.compactMap(\.serial))
        return try store.keys.certificates().filter { serials.contains($0.serial) }
            .map { CertificateRow($0) }
    }
}

extension Output {
    fileprivate func show(_ rows: [CertificateRow]) {
        var table = Table(CertificateRow.columns)
        table.rows = rows.map(\.cells)
        write(table.text(on: self))
    }
}

/// `openstore certificate list`
enum CertificateList: Command {
    static let spec = CommandSpec(
        words: ["certificate", "list"], summary: "List the store's own certificates.",
        discussion: """
            The store signs with those that are current; former ones stay good for what was signed
            with them. openstore api-key list shows the keys of Connect's API.
            """,
        options: [
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let rows = try await StoreOpening.with(arguments) { store in
            try store.keys.certificates().map { CertificateRow($0) }
        }
        if arguments.has("json") { return try output.json(rows) }
        output.show(rows)
    }
}

/// `openstore certificate rotate`
enum CertificateRotate: Command {
    static let spec = CommandSpec(
        words: ["certificate", "rotate"], summary: "Make fresh keys that the store signs with.",
        discussion: """
            A running store signs with them from then on. What was signed before stays valid, and
            the root stays: nobody has to be told. The store renews its keys by itself before they
            expire; this is for doing it now.
            """,
        options: [
            .flag("intermediate", "Also for the authority between the root and the others."),
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let rows = try await StoreOpening.with(arguments) { store in
            let new = try store.keys.rotate(
                intermediate: arguments.has("intermediate"), at: store.clock.now())
            return try CertificateRow.rows(of: new, in: store)
        }
        if arguments.has("json") { return try output.json(rows) }
        output.show(rows)
    }
}

/// `openstore certificate revoke`
enum CertificateRevoke: Command {
    static let spec = CommandSpec(
        words: ["certificate", "revoke"],
        summary: "Take a certificate of the store back, for good.",
        discussion: """
            For a key that has come into wrong hands: who asks the store about the certificate is
            told from then on that it is revoked, and refuses what was signed with it, whenever that
            was. All certificates over the same key are revoked. Where the store uses the key, it
            gets a fresh one first.
            """,
        arguments: [
            .init(name: "SERIAL", help: "The number that openstore certificate list shows.")
        ],
        options: [
            StoreOpening.option, StoreOpening.database, .json,
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        guard let serial = CertificateSerial(arguments.argument(0)) else {
            throw UsageError(
                description: "\"\(arguments.argument(0))\" is no number of a certificate: it has "
                    + "hexadecimal digits, as openstore certificate list shows it")
        }
        let rows = try await StoreOpening.with(arguments) { store in
            let revoked = try store.keys.revoke(serial, at: store.clock.now())
            return try CertificateRow.rows(of: revoked, in: store)
        }
        if arguments.has("json") { return try output.json(rows) }
        output.show(rows)
    }
}
