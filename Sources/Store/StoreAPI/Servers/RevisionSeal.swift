import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreWire

/// Places in a customer's history as servers and devices keep them: sealed, and good for the same
/// customer and the same question only.
struct RevisionSeal: Sendable {
    let seals: SealedTokens

    /// What a revision belongs to.
    struct Binding: Sendable {
        fileprivate let text: String

        init(history subject: HistorySubject, _ query: HistoryQuery) {
            let filter = [
                query.start.map { "\($0.milliseconds)" } ?? "",
                query.end.map { "\($0.milliseconds)" } ?? "",
                Self.list(query.products), Self.list(query.types.map(\.rawValue)),
                Self.list(query.groups), query.isShared.map { "\($0)" } ?? "",
                query.isRevoked.map { "\($0)" } ?? "", query.order.rawValue,
            ].joined(separator: "\u{1F}")
            let digest = SHA256Digest.hex(Data(filter.utf8)).prefix(16)
            text = "history/\(subject.account.number)/\(subject.app.number)/\(digest)"
        }

        init(refunds subject: HistorySubject) {
            text = "refunds/\(subject.account.number)/\(subject.app.number)"
        }

        private static func list(_ texts: [String]) -> String {
            Set(texts).sorted().joined(separator: "\u{1E}")
        }
    }

    func seal(_ revision: HistoryRevision, _ binding: Binding) -> String {
        seals.seal(Data("\(binding.text)/\(revision.number)".utf8))
    }

    /// - Throws: `ServerAPIError` for what was not sealed here, or for something else.
    func open(_ text: String, _ binding: Binding) throws -> HistoryRevision {
        guard text.utf8.count <= 400, let data = try? seals.open(text) else {
            throw ServerAPIError(.invalidRevision, "The revision was not made by this store.")
        }
        let statement = String(decoding: data, as: UTF8.self)
        guard let rest = statement.dropping(prefix: binding.text + "/"),
            let number = Int64(rest), number >= 0
        else {
            throw ServerAPIError(
                .invalidRevision,
                "The revision belongs to another customer, app, filter or order.")
        }
        return HistoryRevision(number: number)
    }

    // MARK: Devices

    func seal(_ cursor: DeviceHistoryCursor, of subject: HistorySubject) -> String {
        let cleared = cursor.cleared?.number ?? 0
        return seals.seal(
            Data(
                "\(Self.prefix(of: subject))\(cleared)/\(cursor.restoration)/\(cursor.revision.number)"
                    .utf8))
    }

    /// Nil for what was not sealed here, or for another account or app.
    func cursor(_ text: String, of subject: HistorySubject) -> DeviceHistoryCursor? {
        guard text.utf8.count <= 400, let data = try? seals.open(text),
            let rest = String(decoding: data, as: UTF8.self)
                .dropping(prefix: Self.prefix(of: subject))
        else { return nil }
        let numbers = rest.split(scalar: "/").map { Int64($0) ?? -1 }
        guard numbers.count == 3, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        return DeviceHistoryCursor(
            revision: HistoryRevision(number: numbers[2]),
            cleared: numbers[0] == 0 ? nil : TransactionID(number: numbers[0]),
            restoration: numbers[1])
    }

    private static func prefix(of subject: HistorySubject) -> String {
        "device-history/\(subject.account.number)/\(subject.app.number)/"
    }
}
