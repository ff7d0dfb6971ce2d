import Foundation
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

@Suite struct ProfileIssuerTests {
    private func payload(_ profile: String, of store: Store) throws -> ProfilePayload {
        let data = try store.services.verifier.verify(profile, type: SignedKind.profile) {
            Date(milliseconds: try WireCoding.decode(ProfilePayload.self, from: $0).signedDate)
        }
        return try WireCoding.decode(ProfilePayload.self, from: data)
    }

    @Test(arguments: [
        (StoreEnvironment.production, "http://127.0.0.1:9"),
        (.sandbox, "http://127.0.0.1:9/sandbox"),
    ])
    func `a profile says which app may talk to which environment, and until when`(
        environment: StoreEnvironment, baseURL: String
    ) async throws {
        let opened = try await OpenedStore()
        try await opened.importShop()
        let profile = try await opened.store.makeProfile(
            bundleID: SampleShop.bundleID, environment: environment,
            address: "http://127.0.0.1:9", days: 30)
        let now = opened.clock.now()
        #expect(
            try payload(profile, of: opened.store)
                == ProfilePayload(
                    name: "Sample shop \(environment.word)", bundleId: SampleShop.bundleID,
                    applicationIdentifier: ApplicationIdentifier("com.example.shop")!,
                    environment: environment, baseURL: baseURL,
                    entitlements: ["in-app-purchase"], generation: 1,
                    signedDate: now.milliseconds,
                    expirationDate: now.addingTimeInterval(30 * 86_400).milliseconds))
    }

    @Test func `identifier and generation can be said`() async throws {
        let opened = try await OpenedStore()
        try await opened.importShop()
        let profile = try await opened.store.makeProfile(
            bundleID: SampleShop.bundleID,
            applicationIdentifier: ApplicationIdentifier("com.example.*"),
            environment: .sandbox, address: "http://127.0.0.1:9", generation: 7)
        let payload = try payload(profile, of: opened.store)
        #expect(payload.applicationIdentifier.text == "com.example.*")
        #expect(payload.generation == 7)
        #expect(payload.bundleId == SampleShop.bundleID)
    }

    @Test func `an unknown app gets no profile`() async throws {
        let opened = try await OpenedStore()
        await #expect {
            try await opened.store.makeProfile(
                bundleID: SampleShop.bundleID, environment: .sandbox, address: "http://x")
        } throws: {
            "\($0)".contains("no app com.example.shop") && "\($0)".contains("import its catalog")
        }
    }

    @Test func `a profile is not taken for another kind of statement`() async throws {
        let opened = try await OpenedStore()
        try await opened.importShop()
        let profile = try await opened.store.makeProfile(
            bundleID: SampleShop.bundleID, environment: .sandbox, address: "http://x")
        for type in [nil, SignedKind.delivery] {
            #expect(throws: SecurityError(.untrusted, "")) {
                try opened.store.services.verifier.verify(profile, type: type) { _ in Date() }
            }
        }
    }
}
