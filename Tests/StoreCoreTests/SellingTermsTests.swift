@testable import StoreCore
import StoreModel
import Testing

@Suite struct SellingTermsTests {
    /// One thing that is wrong, and what the developer is told.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: InvalidReason
        let change: @Sendable (inout Situation) -> Void

        init(
            _ description: String, _ reason: InvalidReason,
            change: @escaping @Sendable (inout Situation) -> Void
        ) {
            testDescription = description
            self.reason = reason
            self.change = change
        }
    }

    static let everywhere: [Wrong] = [
        Wrong("misspelled", .unknownIdentifier(similar: Situation.badge)) {
            $0.wanted = "com.example.shop.bagde"
        },
        Wrong("upper case", .unknownIdentifier(similar: Situation.badge)) {
            $0.wanted = "com.example.shop.Badge"
        },
        Wrong("like no other", .unknownIdentifier(similar: nil)) { $0.wanted = "crown" },
        Wrong("not even an identifier", .unknownIdentifier(similar: nil)) {
            $0.wanted = "com.example.shop/badge and more"
        },
        Wrong("empty", .unknownIdentifier(similar: nil)) { $0.wanted = "" },
        Wrong("removed by the store", .removedFromSale) {
            $0.product.details.state = .removedFromSale
        },
        Wrong("removed by the publisher", .removedFromSale) {
            $0.product.details.state = .developerRemovedFromSale
        },
        Wrong("no price", .missingMetadata) { $0.product.details.prices = [:] },
        Wrong("no text", .missingMetadata) { $0.product.details.texts = [:] },
        Wrong("no price here", .notInStorefront("FRA")) { $0.storefront = .named("FRA")! },
        Wrong("not available here", .notInStorefront("USA")) {
            $0.product.availability = .everywhere(except: ["USA"])
        },
        Wrong("available elsewhere", .notInStorefront("USA")) {
            $0.product.availability = .only(["JPN"])
        },
        Wrong("no price yet", .notInStorefront("USA")) { situation in
            situation.product.details.prices = PriceSchedule(
                baseTerritory: "USA",
                entries: [
                    .init(
                        territory: "USA", figure: .tier("1"),
                        start: situation.date.addingTimeInterval(1))
                ])
        },
        Wrong("deleted", .unknownIdentifier(similar: nil)) { $0.product.isDeleted = true },
        Wrong("any app", .wildcardApplicationIdentifier(ApplicationIdentifier("*")!)) {
            $0.profile.applicationIdentifier = ApplicationIdentifier("*")!
        },
        Wrong(
            "wildcard", .wildcardApplicationIdentifier(ApplicationIdentifier("com.example.*")!)
        ) { $0.profile.applicationIdentifier = ApplicationIdentifier("com.example.*")! },
        Wrong(
            "profile of another app",
            .profileWrong("it is made for com.example.other, the app is com.example.shop")
        ) { $0.profile.applicationIdentifier = ApplicationIdentifier("com.example.other")! },
        Wrong("unknown app", .profileWrong("the store has no app com.example.shop")) {
            $0.hasApp = false
        },
        Wrong("no entitlement", .profileWrong("it lacks the in-app purchase entitlement")) {
            $0.profile.allowsInAppPurchase = false
        },
        Wrong("old profile", .profileOutOfDate) { $0.profile.generation = 2 },
        Wrong("no agreement", .noPaidAgreement(team: "Example")) {
            $0.team.hasPaidAgreement = false
        },
        Wrong("rejected", .binaryRejected(.rejected)) { $0.app.binaryState = .rejected },
        Wrong("withdrawn", .binaryRejected(.developerRejected)) {
            $0.app.binaryState = .developerRejected
        },
    ]

    /// States that production refuses, whatever the sandbox says.
    static let unapproved = ProductState.allCases.filter {
        $0 != .approved && !$0.isRemovedFromSale
    }
    /// Those whose product the sandbox refuses too.
    static let unfinished: [ProductState: InvalidReason] = [
        .waitingForUpload: .waitingForContent,
        .processingContent: .waitingForContent,
    ]

    @Test(arguments: StoreEnvironment.allCases)
    func `a product with everything right is sold`(environment: StoreEnvironment) {
        var situation = Situation()
        situation.enter(environment)
        #expect(situation.reason == nil)
    }

    @Test(arguments: everywhere, StoreEnvironment.allCases)
    func `what is wrong is named in both environments`(
        wrong: Wrong, environment: StoreEnvironment
    ) {
        var situation = Situation()
        situation.enter(environment)
        wrong.change(&situation)
        #expect(situation.reason == wrong.reason)
    }

    @Test(arguments: unapproved)
    func `production sells approved products only`(state: ProductState) {
        var situation = Situation()
        situation.product.details.state = state
        #expect(situation.reason == .notApproved(state))
    }

    @Test(arguments: unapproved)
    func `the sandbox sells what is complete, reviewed or not`(state: ProductState) {
        var situation = Situation.sandbox
        situation.product.details.state = state
        #expect(situation.reason == Self.unfinished[state])
    }

    @Test func `a profile sells only where it is made for`() {
        var situation = Situation()
        situation.profile.environment = .sandbox
        #expect(
            situation.reason
                == .profileWrong(
                    "it is made for the sandbox, the request came to the production store"))
        situation = .sandbox
        situation.profile.environment = .production
        #expect(
            situation.reason
                == .profileWrong(
                    "it is made for the production store, the request came to the sandbox"))
    }

    @Test func `a newer profile is as good as the current one`() {
        var situation = Situation()
        situation.profile.generation = 4
        #expect(situation.reason == nil)
    }

    @Test func `production waits for approved content, the sandbox takes any`() {
        var situation = Situation()
        situation.product.hostsContent = true
        #expect(situation.reason == .waitingForContent)
        situation.product.releases = [.made("1.0", isApproved: false)]
        #expect(situation.reason == .waitingForContent)
        situation.enter(.sandbox)
        #expect(situation.reason == nil)
    }

    @Test func `testers go on with what they have while newer content is processed`() {
        var situation = Situation.sandbox
        situation.product.details.state = .processingContent
        situation.product.hostsContent = true
        #expect(situation.reason == .waitingForContent)
        situation.product.releases = [.made("1.0", isApproved: false)]
        #expect(situation.reason == nil)
    }

    @Test func `content of a product that hosts none any more is nobody's business`() {
        var situation = Situation()
        situation.product.releases = [.made("1.0", isApproved: false)]
        #expect(situation.reason == nil)
        #expect(situation.product.currentRelease(in: .sandbox) == nil)
    }

    @Test func `an app that is wrong is told so even of unknown products`() {
        var situation = Situation()
        situation.wanted = "crown"
        situation.team.hasPaidAgreement = false
        #expect(situation.reason == .noPaidAgreement(team: "Example"))
    }
}
