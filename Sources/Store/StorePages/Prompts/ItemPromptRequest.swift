import StoreCore
import StoreHTTP
import StoreModel

/// A request for an item's page that an app shows, with the app's prompt and the browser.
struct ItemPromptRequest: Sendable {
    let prompt: Prompt
    let question: PromptQuestion
    let item: ItemID
    let referral: Referral
    /// The storefront of the account that the prompt is for, or the one of nobody.
    private let home: Storefront
    /// What the page is called in its address.
    let name: String
    let browser: PageVisitor
    /// The browser's, and whether it has to be given it first.
    let token: String
    let isNew: Bool
    /// The account that the browser has signed in to and that may use the page; nil for none.
    private(set) var customer: Account?
    private let prompts: PromptService

    /// - Parameter account: the one that the browser has signed in to.
    /// - Returns: nil where the prompt asks something else.
    init?(
        _ prompt: Prompt, _ question: PromptQuestion, name: String, browser: PageVisitor,
        token: (text: String, isNew: Bool), account: Account?, prompts: PromptService
    ) {
        guard case .item(let item, let home) = question.subject,
            case .item(_, let referral) = prompt.details.subject
        else { return nil }
        self.prompt = prompt
        self.question = question
        self.item = item
        self.referral = referral
        self.home = home
        self.name = name
        self.browser = browser
        (self.token, isNew) = token
        let wanted = prompt.details.account
        customer = wanted == nil || account?.id == wanted ? account : nil
        self.prompts = prompts
    }

    var path: String { "\(question.environment.pathPrefix)/prompts/\(name)" }

    var storefront: Storefront { customer?.storefront ?? home }

    /// The only account that may use the page; nil for whoever signs in.
    var wanted: AccountID? { prompt.details.account }

    /// The same for nobody.
    var left: ItemPromptRequest {
        var request = self
        request.customer = nil
        return request
    }

    /// Who the customer is, by the password in a form.
    ///
    /// - Throws: `PromptRefusal`.
    func prove(_ form: FormFields, client: String?) async throws -> Account {
        guard !form["password"].isEmpty else { throw PromptRefusal.notProven }
        return try await prompts.prove(
            email: form["email"], password: form["password"], for: prompt, client: client,
            mayConvert: PageForm.mayConvert(form))
    }
}

extension PromptRefusal {
    /// Whether the prompt is over; its page says how it ended.
    var isEnd: Bool {
        switch self {
        case .notOpen, .exhausted, .unknown: true
        default: false
        }
    }
}
