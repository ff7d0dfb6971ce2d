import Foundation

/// The statements of one purchase, as a store sends them to PostgreSQL: read from the server's log
/// while a customer buys, so that they are those of the program that is measured.
struct PurchaseStatements {
    private struct Statement {
        let text: String
        /// `$1`, `$2` and so on, as SQL; nil for NULL.
        let parameters: [String?]
    }

    private let statements: [Statement]
    private let account: String
    private let key: String
    private let transaction: String

    /// - Parameter buyer: whoever is signed in under this number buys three times.
    init(of shop: BenchShop, _ cluster: PostgresCluster, _ rows: LedgerRows, buyer: Int) throws {
        account = "\(rows.account(of: buyer))"
        try cluster.run("ALTER SYSTEM SET log_statement = 'all'", on: "postgres")
        try cluster.run("SELECT pg_reload_conf()", on: "postgres")
        usleep(1_000_000)
        guard let url = URL(string: shop.url("/device/v1/purchases")) else {
            throw BenchFailure("no address")
        }
        let connection = try RawConnection(url)
        var key = ""
        // The first ones read what the store then knows.
        for number in 0..<3 {
            key = "bench-statements-\(getpid())-\(number)"
            let body = """
                {"confirmedPrice":{"currency":"USD","thousandths":990},\
                "productId":"\(BenchShop.identifiers[0])","purchaseKey":"\(key)","quantity":1}
                """
            try connection.send(
                "POST", url.path,
                headers: shop.customerHeaders(
                    token: LedgerRows.token(of: buyer), device: "bench-phone"),
                body: body)
            guard try connection.receive() == 200 else { throw BenchFailure("not sold") }
        }
        self.key = key
        try cluster.run("ALTER SYSTEM SET log_statement = 'none'", on: "postgres")
        try cluster.run("SELECT pg_reload_conf()", on: "postgres")
        transaction = try shop.database.run(
            "SELECT id FROM ledger WHERE purchase_key = '\(key)'"
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        usleep(500_000)
        statements = try Self.read(
            cluster.folder.appendingPathComponent("data/log/statements.json"), key: key)
    }

    /// Everything that the connection sent which sold under the key: from the beginning of the
    /// transaction to the next one's.
    private static func read(_ log: URL, key: String) throws -> [Statement] {
        struct Line: Decodable {
            let pid: Int
            let message: String?
            let detail: String?
        }
        let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("\"execute s") }
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        guard
            let sale = lines.first(where: {
                $0.message?.contains("INSERT INTO ledger (") == true
                    && $0.detail?.contains("'\(key)'") == true
            })
        else { throw BenchFailure("the log of PostgreSQL has no purchase \(key)") }
        let own = try lines.filter { $0.pid == sale.pid }.map { line in
            guard let message = line.message, let colon = message.firstIndex(of: ":") else {
                throw BenchFailure("a line of the log can't be read: \(line)")
            }
            return Statement(
                text: message[message.index(after: colon)...]
                    .trimmingCharacters(in: .whitespacesAndNewlines),
                parameters: parameters(line.detail ?? ""))
        }
        let sold = own.firstIndex {
            $0.text.contains("INSERT INTO ledger (") && $0.parameters.contains("'\(key)'")
        }
        guard let sold, let begin = own[..<sold].lastIndex(where: { $0.text.hasPrefix("BEGIN") })
        else { throw BenchFailure("the log of PostgreSQL has no beginning of \(key)") }
        let next = own[sold...].firstIndex { $0.text.hasPrefix("BEGIN") } ?? own.endIndex
        return Array(own[begin..<next])
    }

    /// From `parameters: $1 = 'purchase', $2 = NULL`.
    private static func parameters(_ detail: String) -> [String?] {
        detail.matches(of: /\$\d+ = (NULL|'(?:[^']|'')*')/).map { match in
            match.1 == "NULL" ? nil : String(match.1)
        }
    }

    /// How many there are, with those that begin and end the transaction.
    var count: Int { statements.count }

    /// As a script for pgbench, in which `:account` and `:key` are set, each client has three
    /// customers of its own among all of them, and `:id` becomes the
    /// transaction's. Statements are sent together where the store sends them together: the first
    /// one with the beginning, the last one with what comes after it.
    func script() -> String {
        let texts = statements.map { statement in
            var text = statement.text
            for (index, value) in statement.parameters.enumerated().reversed() {
                let word =
                    switch value {
                    case nil: "NULL"
                    case "'\(account)'": ":account"
                    case "'\(key)'": ":key"
                    case "'\(transaction)'": ":id"
                    case .some(let text): text
                    }
                text = text.replacingOccurrences(of: "$\(index + 1)", with: word)
            }
            return text.contains("INSERT INTO ledger (") ? text + " \\gset" : text + ";"
        }
        let end = texts.firstIndex { $0.hasPrefix("COMMIT") } ?? texts.endIndex
        return """
            \\set n :n + 1
            \\set account :base + (:client_id * 3 + :n % 3) * :step
            \\set key :first + :client_id * 10000000 + :n
            \\startpipeline
            \(texts.prefix(2).joined(separator: "\n"))
            \\endpipeline
            \(texts[2..<end].joined(separator: "\n"))
            \\startpipeline
            \(texts[end...].joined(separator: "\n"))
            \\endpipeline

            """
    }

    /// Only the row of the ledger, which is a transaction of its own.
    func bareScript() -> String {
        let lines = script().split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex { $0.hasPrefix("INSERT INTO ledger (") } ?? 0
        let end = lines[start...].firstIndex { $0.hasSuffix("\\gset") } ?? lines.endIndex - 1
        return (lines.prefix(3) + lines[start...end]).joined(separator: "\n") + "\n"
    }
}
