import Foundation
import StoreTestSupport
import Testing

@testable import StoreSQL

/// How SQLite finds what is asked for often, or of much.
@Suite(.enabled(if: SQLiteShell.isInstalled, "the program sqlite3 is not installed"))
struct QueryPlanTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.file("store"))
        file = folder.file("store/store.sqlite")
    }

    private func plan(_ statement: StaticString) throws -> String {
        let result = try SQLiteShell.run("EXPLAIN QUERY PLAN \(statement)", on: file)
        #expect(result.status == 0, "\(result.output)")
        return result.output
    }

    @Test func `families are read without walking through a table`() throws {
        for statement in [
            SQLFamilyRepository.purchases, SQLFamilyRepository.firstShare,
            SQLFamilyRepository.sharesReceived, SQLFamilyRepository.sharesGiven,
        ] {
            let plan = try plan(statement)
            #expect(!plan.contains("SCAN") && !plan.contains("MATERIALIZE"), "\(plan)")
        }
    }

    @Test(arguments: [true, false])
    func `notifications that failed have an index of their own`(newestFirst: Bool) throws {
        let plan = try plan(
            SQLNotificationRepository.list(
                isOfAccount: false, onlyFailures: true, newestFirst: newestFirst))
        #expect(plan.contains("notification_not_delivered") && !plan.contains("B-TREE"), "\(plan)")
        let others = try self.plan(
            SQLNotificationRepository.list(
                isOfAccount: false, onlyFailures: false, newestFirst: newestFirst))
        #expect(others.contains("notification_by_app") && !others.contains("B-TREE"), "\(others)")
    }

    @Test func `requests for refunds are read app by app`() throws {
        let waiting = try plan(SQLRefundRepository.list(isOfApp: true, onlyWaiting: true))
        #expect(
            waiting.contains("refund_request_open") && !waiting.contains("B-TREE"), "\(waiting)")
        let all = try plan(SQLRefundRepository.list(isOfApp: true, onlyWaiting: false))
        #expect(all.contains("refund_request_by_app") && !all.contains("B-TREE"), "\(all)")
        let ofAll = try plan(SQLRefundRepository.list(isOfApp: false, onlyWaiting: true))
        #expect(!ofAll.contains("SCAN refund_request\n"), "\(ofAll)")
    }
}
