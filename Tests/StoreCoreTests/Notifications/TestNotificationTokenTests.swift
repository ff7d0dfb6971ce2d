import Foundation
@testable import StoreCore
import StoreModel
import Testing

@Suite struct TestNotificationTokenTests {
    @Test func `a token is the UUID and the date in milliseconds`() throws {
        let uuid = "6838c56a-0e4a-4a0e-8a6d-3a9d3f6f2c11"
        let token = TestNotificationToken(
            StoreNotification(
                id: NotificationID(number: 7), uuid: uuid,
                details: NotificationDraft(
                    app: AppID(number: 1), environment: .sandbox, type: .test),
                date: Date(timeIntervalSince1970: 1_800_000_000.123),
                status: NotificationStatus(due: nil)))
        #expect(token.description == "\(uuid)_1800000000123")
        #expect(TestNotificationToken(token.description) == token)
        #expect(TestNotificationToken(token.description.uppercased()) == token)
    }

    @Test(arguments: [
        "", "_", "x", "6838c56a-0e4a-4a0e-8a6d-3a9d3f6f2c11",
        "6838c56a-0e4a-4a0e-8a6d-3a9d3f6f2c11_", "6838c56a-0e4a-4a0e-8a6d-3a9d3f6f2c11_-1",
        "6838c56a-0e4a-4a0e-8a6d-3a9d3f6f2c11_1_2", "6838c56a0e4a4a0e8a6d3a9d3f6f2c11_1",
        "6838c56a-0e4a-4a0e-8a6d-3a9d3f6f2c11_99999999999999999999",
        "6838c56a-0e4a-4a0e-8a6d-3a9d3f6f2c11_١", String(repeating: "a", count: 100_000),
    ])
    func `all else is no token`(text: String) {
        #expect(TestNotificationToken(text) == nil)
    }
}
