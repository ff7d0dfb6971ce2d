/// Which ledger and which accounts a request is about. One process serves both over
/// one catalog, under two base URLs.
package enum StoreEnvironment: String, Sendable, Codable, CaseIterable {
    case production = "Production"
    case sandbox = "Sandbox"

    /// What comes between the host and the path of a route: nothing, or `/sandbox`.
    package var pathPrefix: String {
        switch self {
        case .production: ""
        case .sandbox: "/sandbox"
        }
    }

    /// The word on the command line: `production` or `sandbox`.
    package var word: String { rawValue.lowercased() }

    /// The name as it stands inside a sentence.
    package var nameInSentence: String {
        switch self {
        case .sandbox: "the sandbox"
        case .production: "the production store"
        }
    }

    package init?(word: String) {
        guard let match = Self.allCases.first(where: { $0.word == word.lowercased() }) else {
            return nil
        }
        self = match
    }
}
