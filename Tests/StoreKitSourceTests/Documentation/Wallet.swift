import StoreKit

struct Wallet: Codable {
    private(set) var credits = 0
    private var counted: Set<String> = []

    static func load(from file: URL) throws -> Wallet {
        guard FileManager.default.fileExists(atPath: file.path) else { return Wallet() }
        return try JSONDecoder().decode(Wallet.self, from: Data(contentsOf: file))
    }

    mutating func add(_ amount: Int, for transaction: String, savingTo file: URL) throws {
        var changed = self
        guard changed.counted.insert(transaction).inserted else { return }
        changed.credits += amount
        try JSONEncoder().encode(changed).write(to: file, options: .atomic)
        self = changed
    }
}
