import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire

/// What happens on the device beside the app.
extension Run {
    /// The session that all apps of the user share.
    var sessions: SessionKeeper {
        SessionKeeper(folder: disk.folders.sessions, tag: shop.profile.tag) { _ in }
    }

    func signIn(_ account: Account) throws {
        try sessions.save(try shop.session(of: account))
    }

    func makeCode() throws -> String {
        guard codes.isEmpty || random.chance(70) else {
            return codes[random.below(codes.count)]
        }
        let products = [SampleShop.badge, SampleShop.credits]
        let code = "CODE\(shop.nextNumber())X\(1000 + random.below(9000))"
        codes.append(code)
        try shop.add(code: code, for: products[random.below(products.count)])
        return code
    }

    /// The journal is gone, or is no journal any more.
    func loseJournal() throws {
        let file = disk.journal(tag: shop.profile.tag)
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        if random.chance(50) {
            try FileManager.default.removeItem(at: file)
        } else {
            try Data("this is no journal".utf8).write(to: file)
        }
        let rows = try accounts.flatMap { try shop.ledger(of: $0) }
        view.loseJournal(
            unfinished: Set(rows.filter { !$0.isFinished && !$0.isRevoked }.map(\.id)))
    }

    /// The payments of which the journal says that they came to nothing.
    func failuresOnDisk() -> Set<String> {
        // A line that a crash has cut off may be no text.
        let lines = (try? journalLines()) ?? []
        let failures = lines.filter { $0.contains("\"failed\":") }
        return Set(view.payments.keys.filter { tag in failures.contains { $0.contains(tag) } })
    }

    /// The keys of the journal's lines: `put`, `remove`, `cursor`.
    func journalLines() throws -> [String] {
        let file = disk.journal(tag: shop.profile.tag)
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
            .map { String($0.dropFirst(17)) }
    }
}
