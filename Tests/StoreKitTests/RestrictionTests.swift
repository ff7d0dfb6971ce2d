import Foundation
@testable import StoreKit
import StoreTestSupport
import Testing

struct Restrictions {
    private static func restrictions(
        _ text: String, in folder: TemporaryFolder, mode: Int = 0o644, owner: uid_t = getuid()
    ) throws -> DeviceRestrictions {
        let file = try folder.write("restrictions.json", text)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: file.path)
        return DeviceRestrictions(file: file.path, owner: owner, user: "alice")
    }

    @Test(arguments: [
        (#"{}"#, true),
        (#"{ "inAppPurchases": "allowed" }"#, true),
        (#"{ "inAppPurchases": "denied" }"#, false),
        (
            #"{ "inAppPurchases": "denied", "users": { "alice": { "inAppPurchases": "allowed" } } }"#,
            true
        ),
        (#"{ "users": { "alice": { "inAppPurchases": "denied" } } }"#, false),
        (#"{ "users": { "bob": { "inAppPurchases": "denied" } } }"#, true),
        // What can't be understood restricts.
        (#"{ "inAppPurchases": "sometimes" }"#, false),
        ("nonsense", false),
    ])
    func `the administrator's file decides`(text: String, isAllowed: Bool) throws {
        let folder = try TemporaryFolder()
        let restrictions = try Self.restrictions(text, in: folder)
        #expect(restrictions.allowsPayments(log: { _ in }) == isAllowed)
    }

    @Test func `a file that others can write, or own, counts for nothing`() throws {
        let folder = try TemporaryFolder()
        let denied = #"{ "inAppPurchases": "denied" }"#
        var lines: [String] = []
        #expect(
            try Self.restrictions(denied, in: folder, mode: 0o666)
                .allowsPayments { lines.append($0) })
        #expect(
            try Self.restrictions(denied, in: folder, owner: getuid() + 1)
                .allowsPayments { lines.append($0) })
        #expect(lines.count == 2 && lines.allSatisfy { $0.contains("must belong to") })
        #expect(
            DeviceRestrictions(file: "/nowhere/at/all", owner: 0, user: "alice").allowsPayments())
    }

    @Test func `a restricted payment fails before anything is asked or sent`() async throws {
        let store = try await TestStore()
        let folder = try TemporaryFolder()
        let requests = Counter()
        let transport = InterferingTransport(before: { _ in _ = requests.next() })
        let device = try await TestDevice(
            store, transport: transport,
            restrictions: try Self.restrictions(#"{ "inAppPurchases": "denied" }"#, in: folder)
        ) { _ in
            Issue.record("nobody is to be asked")
            return true
        }
        let failed = try await device.buy(SampleShop.credits)
        #expect((failed.error as? SKError)?.code == .paymentNotAllowed)
        #expect(requests.value == 0)
    }
}
