import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore
@testable import StoreDatabase

/// How a database's query planner goes about a statement.
enum QueryPlan {
    /// What SQLite says of it, a step in each line.
    static func sqlite(_ statement: String, in file: URL) throws -> String {
        let steps = try SQLiteConnection(path: file.path)
            .values("EXPLAIN QUERY PLAN \(statement)", count: 4)
        return steps.map { columns in
            guard case .text(let step) = columns.last else { return "" }
            return step + "\n"
        }.joined()
    }

    /// A step of PostgreSQL's, with those that it takes its rows from.
    struct Step: Decodable {
        let kind: String
        let table: String?
        let index: String?
        let condition: String?
        let steps: [Step]?

        private enum CodingKeys: String, CodingKey {
            case kind = "Node Type"
            case table = "Relation Name"
            case index = "Index Name"
            case condition = "Index Cond"
            case steps = "Plans"
        }

        /// This one and all below it.
        var all: [Step] { [self] + (steps ?? []).flatMap(\.all) }
    }

    private struct Explanation: Decodable {
        let plan: Step

        private enum CodingKeys: String, CodingKey {
            case plan = "Plan"
        }
    }

    /// What PostgreSQL does on a connection as the store has them.
    ///
    /// - Parameters:
    ///   - parameters: numbers.
    ///   - isGeneric: whether it is planned once for all parameters, as what is run often is.
    static func postgres(
        _ statement: String, _ parameters: [Int64], isGeneric: Bool, in place: PostgresTestDatabase
    ) throws -> Step {
        let session = try PostgresSession(PostgresAddress(place.address))
        let types = parameters.map { _ in "BIGINT" }.joined(separator: ", ")
        let values = parameters.map(String.init).joined(separator: ", ")
        try session.run("SET plan_cache_mode TO force_\(isGeneric ? "generic" : "custom")_plan")
        try session.run("PREPARE asked (\(types)) AS \(PostgresText.translated(statement))")
        let rows = try session.values("EXPLAIN (FORMAT JSON) EXECUTE asked (\(values))")
        guard case .text(let json) = rows.first?.first else {
            throw SQLError(code: .other, "there is no plan: \(rows)")
        }
        let plans = try JSONDecoder().decode([Explanation].self, from: Data(json.utf8))
        return try #require(plans.first).plan
    }
}

/// How SQLite finds what is asked for often, or of much.
@Suite(.usesFiles) struct QueryPlanTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.file("store"))
        file = folder.file("store/store.sqlite")
    }

    @Test func `families are read without walking through a table`() throws {
        let account = AccountID(number: 1)
        for statement in [
            FamilyRepository.purchases(of: account),
            FamilyRepository.firstShare(of: TransactionID(number: 1), with: account),
            FamilyRepository.shares(to: account, at: Date()),
            FamilyRepository.shares(from: account, at: Date()),
        ] {
            let plan = try QueryPlan.sqlite(statement.text, in: file)
            #expect(!plan.contains("SCAN") && !plan.contains("MATERIALIZE"), "\(plan)")
        }
    }

    @Test(arguments: [true, false])
    func `notifications that failed have an index of their own`(newestFirst: Bool) throws {
        func plan(onlyFailures: Bool) throws -> String {
            var query = NotificationQuery()
            query.onlyFailures = onlyFailures
            let list = NotificationRepository.list(
                of: AppID(number: 1), in: .production, query,
                after: NotificationPosition(date: Date(), id: NotificationID(number: 1)),
                newestFirst: newestFirst, limit: 10)
            return try QueryPlan.sqlite(list.text, in: file)
        }
        let failures = try plan(onlyFailures: true)
        #expect(
            failures.contains("notification_not_delivered") && !failures.contains("B-TREE"),
            "\(failures)")
        let others = try plan(onlyFailures: false)
        #expect(others.contains("notification_by_app") && !others.contains("B-TREE"), "\(others)")
    }

    @Test func `requests for refunds are read app by app`() throws {
        let waiting = try refundPlan(isOfApp: true, isWaiting: true)
        #expect(
            waiting.contains("refund_request_open") && !waiting.contains("B-TREE"), "\(waiting)")
        let all = try refundPlan(isOfApp: true, isWaiting: nil)
        #expect(all.contains("refund_request_by_app") && !all.contains("B-TREE"), "\(all)")
        let ofAll = try refundPlan(isOfApp: false, isWaiting: true)
        #expect(!ofAll.contains("SCAN refund_request\n"), "\(ofAll)")
    }

    private func refundPlan(isOfApp: Bool, isWaiting: Bool?) throws -> String {
        let list = RefundRepository.list(
            RefundQuery(isWaiting: isWaiting), of: isOfApp ? AppID(number: 1) : nil, before: nil,
            limit: 10)
        let statement: SQL = "SELECT \(RefundRequest.columns) FROM refund_request \(list)"
        return try QueryPlan.sqlite(statement.text, in: file)
    }

    @Test func `what grows with sales is found by an index`() throws {
        let codes = try QueryPlan.sqlite(
            """
            SELECT 1 FROM offer_code_use u JOIN offer_code c ON c.code = u.code
            WHERE u.account = 1 AND c.app = 1 AND c.product_id = '' AND c.offer = ''
            """, in: file)
        #expect(codes.contains("offer_code_use_by_account") && !codes.contains("SCAN"), "\(codes)")
        let day = SalesDay(number: 1)
        for (team, app) in [(nil, nil), (1, nil), (1, AppID(number: 1))] as [(Int64?, AppID?)] {
            let facts = SalesFacts(
                query: try SalesQuery(
                    environment: .sandbox, first: day, last: day, app: app, grouping: []),
                team: team)
            let shown: SQL = "WITH shown (id) AS (\(facts.shown))"
            func plan(_ facts: SQL) throws -> String {
                try QueryPlan.sqlite("\(shown.text) \(facts.text)", in: file)
            }
            let (sold, items) = (try plan(facts.sold), try plan(facts.items))
            #expect(sold.contains("ledger_by_day"), "\(sold)")
            #expect(items.contains("item_refund_by_date"), "\(items)")
        }
    }
}
