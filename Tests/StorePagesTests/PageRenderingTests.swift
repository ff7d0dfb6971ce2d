import Foundation
import StoreCore
import StoreModel
import StorePages
import StoreTestSupport
import StoreTexts
import Testing

/// Pages as values give them.
@Suite struct PageRenderingTests {
    private let chapter = PromptProduct(
        title: "The first <chapter>", description: "In English", locale: "en_US")
    private let folder: TemporaryFolder
    private let layout: PageLayout

    init() async throws {
        folder = try TemporaryFolder()
        let store = try await StorePagesTests.openStore(in: folder)
        layout = PageLayout(assets: PageAssets(naming: store.services.pageSessions))
    }

    private func words(_ page: HTML) -> String {
        page.document().replacing(/<[^>]*>/, with: " ").replacing(/\s+/, with: " ")
    }

    @Test func `an account that asks to buy is asked in these words`() {
        let question = PromptQuestion(
            environment: .sandbox, appName: "Shop", account: "kid@example.com",
            subject: .purchase(
                chapter, quantity: 1, total: Money(thousandths: 1990, currency: "USD"),
                needsApproval: true))
        let page = PromptPage(question: question, isProven: true, formToken: "token")
            .html(in: layout)
        #expect(words(page).contains("Ask for Permission"))
        #expect(words(page).contains("Do you want to ask for permission to buy one “ "))
        #expect(page.document().contains(">Ask</button>"))
        #expect(!page.document().contains(">Buy</button>"))
    }

    @Test func `what is owned already is shown as free`() throws {
        var product = chapter
        product.charge = .owned
        let question = PromptQuestion(
            environment: .sandbox, appName: "Shop", account: "ada@example.com",
            subject: .purchase(
                product, quantity: 1, total: Money(thousandths: 0, currency: "USD"),
                needsApproval: false))
        let page = PromptPage(question: question, isProven: true, formToken: "token")
            .html(in: layout)
        #expect(words(page).contains(Texts.english.owned))
    }

    @Test(arguments: [true, false])
    func `before a subscription stand price, period, renewal and where it is cancelled`(
        needsApproval: Bool
    ) throws {
        let texts = Texts.english
        let magazine = PromptProduct(
            title: "Magazine", description: "", locale: nil,
            renewal: SubscriptionPeriod(unit: .month, count: 3),
            cancellationPath: "/us/account/subscriptions")
        let question = PromptQuestion(
            environment: .production, appName: "Shop", account: "kid@example.com",
            subject: .purchase(
                magazine, quantity: 1, total: Money(thousandths: 9990, currency: "USD"),
                needsApproval: needsApproval))
        let page = PromptPage(question: question, isProven: true, formToken: "token")
            .html(in: layout)
        let text = page.document()
        let button = try #require(
            text.range(of: needsApproval ? ">Ask</button>" : ">Subscribe</button>"))
        let terms = texts.terms(of: SubscriptionPeriod(unit: .month, count: 3), price: "$9.99")
        let way = texts.howToCancel
        let facts =
            terms.map { "<dd><bdi>\($0.value)</bdi></dd>" } + [
                "<dd><a href=\"/us/account/subscriptions\" target=\"_blank\" rel=\"noopener\">"
                    + "\(way)</a></dd>"
            ]
        for fact in facts {
            let place = try #require(text.range(of: fact), "\(fact)")
            #expect(place.upperBound <= button.lowerBound)
        }
        #expect(words(page).contains("to subscribe to “ Magazine ” for"))
        #expect(words(page).contains("Confirm Your Subscription") == !needsApproval)
        #expect(!text.contains(">Buy</button>"))
    }

    private func approval(
        _ state: ApprovalPage.State, guardian: ApprovalPage.Guardian = .known("parent@example.com")
    ) -> ApprovalPage {
        ApprovalPage(
            requester: "kid@example.com", appName: "Shop", product: chapter, quantity: 2,
            total: "$3.98", environment: .production, state: state, formToken: "<token>",
            guardian: guardian)
    }

    @Test func `a guardian sees who asks for what at which price`() {
        let page = approval(.pending).html(in: layout)
        let text = words(page)
        for expected in [
            "kid@example.com", "2 × ", "The first &lt;chapter&gt;", "Shop", "$3.98",
            "Do you allow it?", "Approve", "Decline",
        ] {
            #expect(text.contains(expected), "\(expected)")
        }
        #expect(!text.contains("[Environment: Sandbox]"))
        #expect(page.document().contains("value=\"&lt;token&gt;\""))
        #expect(!page.document().contains("type=\"password\""))
    }

    @Test func `a guardian whose browser is new types the password`() {
        let text = approval(.pending, guardian: .toProve("parent@example.com")).html(in: layout)
            .document()
        #expect(text.contains("type=\"password\""))
        #expect(text.contains("value=\"parent@example.com\""))
    }

    @Test(
        arguments: [
            (ApprovalPage.State.approved, "The purchase goes on."),
            (.declined, "Nothing was bought."),
            (.lapsed, "Nobody decided within a day."),
            (.exhausted, "The password was wrong too often."),
        ] as [(ApprovalPage.State, String)])
    func `a decided approval can't be decided again`(
        state: ApprovalPage.State, sentence: String
    ) {
        let page = approval(state).html(in: layout)
        #expect(words(page).contains(sentence))
        #expect(!page.document().contains("<form"))
    }
}
