import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore

private let needsShell: ConditionTrait = .enabled(
    if: SQLiteShell.isInstalled, "the program sqlite3 is not installed")

/// Files of schemas 4 and 5, opened by this program.
@Suite(.usesFiles, needsShell) struct ReviewMigrationTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }
    private let app = AppID(number: 1)

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes a file as a program with an earlier schema left it.
    private func write(schema number: Int64, rows: String) async throws {
        let statements = SchemaMigration.all.filter { $0.number <= number }.map(\.statements)
        let result = try await SQLiteShell.run(
            statements.joined(separator: "\n") + "PRAGMA user_version = \(number);" + rows, on: file
        )
        try #require(result.status == 0, "\(result.output)")
    }

    /// Opens the file, which makes it one of this program's schema.
    private func open() async throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: file.path)
        let check = "PRAGMA integrity_check; PRAGMA foreign_key_check"
        #expect(try await SQLiteShell.run(check, on: file).output == "ok")
        return database
    }

    private static let digest = String(repeating: "a", count: 64)

    @Test func `what waited for a decision without a submission is ready to submit`() async throws {
        func release(_ id: Int, _ product: Int, _ state: String) -> String {
            "(\(id), \(product), '1.0', '\(Self.digest)', 10, 100, 200, '\(state)', 1000, 1000)"
        }
        try await write(
            schema: 4,
            rows: """
                INSERT INTO team VALUES (1, 'Example', 1);
                INSERT INTO app VALUES (1, 1, 'com.example.shop', 'Shop', 'READY_FOR_SALE', 1);
                INSERT INTO product (id, app, product_id, type, reference_name,
                    family_shareable, state, primary_locale, hosts_content)
                VALUES (1, 1, 'a', 'Non-Consumable', 'n', 0, 'WAITING_FOR_REVIEW', 'en_US', 1),
                    (2, 1, 'b', 'Non-Consumable', 'n', 0, 'IN_REVIEW', 'en_US', 1),
                    (3, 1, 'c', 'Non-Consumable', 'n', 0, 'APPROVED', 'en_US', 1),
                    (4, 1, 'd', 'Non-Consumable', 'n', 0, 'REJECTED', 'en_US', 1);
                INSERT INTO content_release (id, product, version, manifest_digest,
                    manifest_length, download_length, unpacked_length, state, created, changed)
                VALUES \(release(1, 1, "WAITING_FOR_REVIEW")), \(release(2, 2, "IN_REVIEW")),
                    \(release(3, 3, "IN_REVIEW")), \(release(4, 4, "REJECTED"));
                """)
        let database = try await open()
        let app = app
        let (products, counts) = try await database.read {
            (try $0.catalog.products(of: app), try $0.products.counts(of: app))
        }
        #expect(
            products.map(\.details.state) == [.readyToSubmit, .readyToSubmit, .approved, .rejected])
        #expect(
            products.map { $0.releases.map(\.state) }
                == [[.readyToSubmit], [.readyToSubmit], [.readyToSubmit], [.rejected]])
        #expect(counts == [.readyToSubmit: 2, .approved: 1, .rejected: 1])
    }

    @Test func `what is with the reviewers stays there, and its screenshot is kept`()
        async throws
    {
        let other = String(repeating: "b", count: 64)
        try await write(
            schema: 5,
            rows: """
                INSERT INTO team VALUES (1, 'Example', 1);
                INSERT INTO bundle_identifier VALUES (1, 1, 'com.example.shop', 'N', 'IOS', 1);
                INSERT INTO app (id, team, bundle_id, name, binary_state, generation, identifier,
                    sku, primary_locale)
                VALUES (1, 1, 'com.example.shop', 'S', 'READY_FOR_SALE', 1, 1, 'S', 'en-US');
                INSERT INTO product (id, app, product_id, type, reference_name,
                    family_shareable, state, primary_locale)
                VALUES (1, 1, 'a', 'Consumable', 'n', 0, 'WAITING_FOR_REVIEW', 'en_US'),
                    (2, 1, 'b', 'Consumable', 'n', 0, 'APPROVED', 'en_US');
                INSERT INTO review_submission VALUES
                    (1, 1, 'WAITING_FOR_REVIEW', 'person 1', 'P', NULL, NULL, 1, 1),
                    (2, 1, 'COMPLETE', 'person 1', 'P', 'person 2', 'Q', 1, 1);
                INSERT INTO review_item (submission, product, name, snapshot, state, decider,
                    decider_name, decided)
                VALUES (1, 1, 'a', '{"screenshot":"\(Self.digest)"}', 'WAITING_FOR_REVIEW', NULL,
                        NULL, NULL),
                    (2, 2, 'b', '{"screenshot":"\(other)"}', 'APPROVED', 'person 2', 'Q', 1);
                """)
        let database = try await open()
        let app = app
        let needed = try await database.read { repositories in
            try [Self.digest, other, String(repeating: "c", count: 64)].map {
                try repositories.assets.isNeeded(ContentDigest($0)!)
            }
        }
        #expect(needed == [true, true, false])
        let states = try await database.read { try $0.catalog.products(of: app) }
            .map(\.details.state)
        #expect(states == [.waitingForReview, .approved])
        database.close()
        for column in ["screenshot = NULL", "message = 'x'"] {
            let change = try await SQLiteShell.run("UPDATE review_item SET \(column)", on: file)
            #expect(change.status != 0, "what was submitted or decided is constant")
        }
    }

    @Test func `identifiers that were deleted go on with their generations`() async throws {
        func entry(_ action: String, _ subject: String) -> String {
            "(1, 'person 1', 'bundleId.\(action)', '\(subject)', 1)"
        }
        try await write(
            schema: 5,
            rows: """
                INSERT INTO team VALUES (1, 'Example', 1), (2, 'Other', 1);
                INSERT INTO bundle_identifier VALUES (1, 1, 'com.example.a', 'N', 'IOS', 3),
                    (2, 2, 'com.example.b', 'N', 'IOS', 1);
                INSERT INTO app (id, team, bundle_id, name, binary_state, generation, identifier,
                    sku, primary_locale)
                VALUES (1, 2, 'com.example.b', 'S', 'READY_FOR_SALE', 1, 2, 'S', 'en-US');
                INSERT INTO audit (team, actor, action, subject, date) VALUES
                    \(entry("register", "com.example.a")),
                    \(entry("register", "com.example.b")),
                    \(entry("removeCapability", "com.example.b")),
                    \(entry("delete", "com.example.b")), \(entry("register", "com.example.b")),
                    \(entry("register", "com.example.c")), \(entry("delete", "com.example.c"));
                """)
        let database = try await open()
        let app = app
        let (generations, ofApp) = try await database.write { repositories in
            let made = try repositories.bundleIdentifiers.insert(
                ApplicationIdentifier("com.example.c")!, name: "N", platform: .iOS, team: 2)
            return (
                [
                    try repositories.bundleIdentifiers.explicit("com.example.a")?.generation,
                    try repositories.bundleIdentifiers.explicit("com.example.b")?.generation,
                    made.generation,
                ], try repositories.catalog.app(app)?.generation
            )
        }
        #expect(generations == [3, 6, 4])
        #expect(ofApp == 6)
    }

    @Test func `groups that subscriptions name become kept resources`() async throws {
        func product(_ id: Int, _ app: Int, _ group: String, _ name: String) -> String {
            """
            (\(id), \(app), 'p\(id)', 'Auto-Renewable Subscription', 'n', 0, 'APPROVED', 'en_US',
                '{"groupID":"\(group)","groupName":"\(name)","level":1,
                    "period":{"unit":"M","count":1},"offers":[]}')
            """
        }
        try await write(
            schema: 5,
            rows: """
                INSERT INTO team VALUES (1, 'Example', 1);
                INSERT INTO bundle_identifier VALUES (1, 1, 'com.example.a', 'N', 'IOS', 1),
                    (2, 1, 'com.example.b', 'N', 'IOS', 1);
                INSERT INTO app (id, team, bundle_id, name, binary_state, generation, identifier,
                    sku, primary_locale)
                VALUES (1, 1, 'com.example.a', 'S', 'READY_FOR_SALE', 1, 1, 'S', 'en-US'),
                    (2, 1, 'com.example.b', 'S', 'READY_FOR_SALE', 1, 2, 'T', 'en-US');
                INSERT INTO kept_resource (id, kind, app, scope, name, attributes, links, created)
                VALUES ('k', 'subscriptionGroups', 1, 'app 1', 'Kept',
                    '{"referenceName":"Kept"}', '{}', 1);
                INSERT INTO product (id, app, product_id, type, reference_name,
                    family_shareable, state, primary_locale, subscription)
                VALUES \(product(1, 1, "0A1B", "Reading")), \(product(2, 1, "0A1B", "Reading")),
                    \(product(3, 2, "0A1B", "Reading")), \(product(4, 1, "Kept", "Kept")),
                    \(product(5, 1, "My group", "My group")), \(product(6, 1, "k", "Kept"));
                """)
        let database = try await open()
        let groups = try await database.read { repositories in
            try [1, 2].map { app in
                try repositories.kept.page(
                    .subscriptionGroups, of: .app(AppID(number: app)), territories: nil,
                    PageRequest(limit: 9)
                ).items.map { "\($0.id) \($0.attributes["referenceName"]?.text ?? "")" }
            }
        }
        #expect(
            groups == [["k Kept", "0A1B Reading", "group-5 My group"], ["group-3 Reading"]])
        let members = try await database.read { repositories in
            try [("0A1B", 1), ("group-3", 2), ("k", 1), ("group-5", 1)].map { group, app in
                try repositories.subscriptions.page(
                    ofGroup: group, of: AppID(number: app), SubscriptionFilter(),
                    PageRequest(limit: 9)
                ).items.map(\.number)
            }
        }
        #expect(members == [[1, 2], [3], [4, 6], [5]])
        let terms = try await database.read { try $0.catalog.products(of: AppID(number: 2)) }
        #expect(terms.map { $0.details.subscription?.groupID } == ["group-3"])
    }
}
