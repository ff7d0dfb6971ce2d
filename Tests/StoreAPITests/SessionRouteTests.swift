import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct SessionRouteTests {
    @Test(arguments: Altitude.allCases, StoreEnvironment.allCases)
    func `signing in gives a session of the account`(
        altitude: Altitude, environment: StoreEnvironment
    ) async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        let client = try await APIClient(shop, altitude: altitude, environment: environment)
        let session: SessionAnswer = try await client.post(
            DeviceRoute.session,
            SignInRequest(email: "  Haruki@Example.com ", password: TestStore.password))
        #expect(session.email == TestStore.japanese)
        #expect(session.storefront == "JPN")
        #expect(session.storefrontId == "143462")
        #expect(session.token.utf8.count >= 43)
        #expect(session.expiresDate == clock.now().addingTimeInterval(90 * 86_400).milliseconds)
    }

    @Test(arguments: Altitude.allCases)
    func `a wrong password and an unknown address are answered alike`(
        altitude: Altitude
    ) async throws {
        let client = try await APIClient(
            try await TestStore(hasContent: false), altitude: altitude)
        var answers: [Refusal] = []
        for (email, password) in [
            (TestStore.american, "wrong-password"), ("nobody@example.com", TestStore.password),
            (TestStore.american, ""), ("", ""), (TestStore.american, TestStore.password + " "),
        ] {
            answers.append(
                try await client.refusal(
                    DeviceRoute.session, SignInRequest(email: email, password: password)))
        }
        #expect(answers[0].name == "401 signInRefused")
        #expect(answers.allSatisfy { $0 == answers[0] })
    }

    @Test func `a customer is unknown in the sandbox`() async throws {
        let shop = try await TestStore(hasContent: false)
        _ = try await shop.store.services.accounts.create(
            email: "only@example.com", password: TestStore.password, storefront: .unitedStates,
            environment: .production)
        let refusal = try await APIClient(shop, environment: .sandbox).refusal(
            DeviceRoute.session,
            SignInRequest(email: "only@example.com", password: TestStore.password))
        #expect(refusal.name == "401 signInRefused")
    }

    @Test func `a session ends after ninety days`() async throws {
        let clock = SettableClock()
        let shop = try await TestStore(hasContent: false, clock: clock)
        var client = try await APIClient.signedIn(shop)
        clock.advance(by: 90 * 86_400 - 1)
        #expect(try await client.unfinished().isEmpty)
        clock.advance(by: 1)
        let refusal = try await client.refusal("GET", DeviceRoute.unfinished)
        #expect(refusal.name == "401 notSignedIn")
        try await client.signIn(TestStore.american)
        #expect(try await client.unfinished().isEmpty)
    }

    @Test func `signing out ends one session and leaves the others`() async throws {
        let shop = try await TestStore(hasContent: false)
        let first = try await APIClient.signedIn(shop)
        let second = try await APIClient.signedIn(shop)
        #expect(first.token != second.token)
        #expect(try await first.send("DELETE", DeviceRoute.session).status == 204)
        #expect(
            try await first.refusal("DELETE", DeviceRoute.session).name == "401 notSignedIn")
        #expect(try await second.unfinished().isEmpty)
    }
}
