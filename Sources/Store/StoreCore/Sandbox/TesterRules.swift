import Foundation
import StoreDatabase

/// Where a sandbox account is in its life.
package enum TesterStatus: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    case active
    /// Somebody signed in to the production store with it: a real account by now, which is no
    /// longer good for testing.
    case converted
    /// Gone for good. Its address can't be used for another tester.
    case deleted
}

/// What happens to a tester.
package enum TesterStep: String, Sendable, Hashable, CaseIterable {
    /// Signing in to the sandbox.
    case signIn
    /// Signing in to the production store.
    case convert
    /// Territory, renewal rate, and how the store treats purchases.
    case change
    case clearHistory
    case refund
    /// Letting a purchase that waits go through, or not.
    case decide
    case delete
}

/// The steps of a tester, and what can be asked of a new one.
package enum TesterRules {
    /// Where each step leads; what is not there is refused.
    package static let steps: [TesterStep: [TesterStatus: TesterStatus]] = [
        .signIn: [.active: .active],
        .convert: [.active: .converted],
        .change: [.active: .active],
        .clearHistory: [.active: .active],
        .refund: [.active: .active],
        .decide: [.active: .active],
        .delete: [.active: .deleted, .converted: .deleted],
    ]

    /// Where a step leads a tester.
    ///
    /// - Throws: `ConnectRefusal`: what was deleted is not found.
    @discardableResult
    package static func status(
        after step: TesterStep, of status: TesterStatus, email: String
    ) throws -> TesterStatus {
        if let next = steps[step]?[status] { return next }
        switch status {
        case .converted:
            throw ConnectRefusal(
                .state, rule: "testerConverted",
                "\(email) has become an account of the production store, and tests no longer.",
                help: "Make another tester, with an address that nobody signs in to the production "
                    + "store with.")
        case .active, .deleted:
            throw ConnectRefusal.notFound("sandbox tester", email)
        }
    }

    /// The most characters of a name, a question or an answer.
    package static let textLimit = 100

    /// Checks that everything is there that a form asks for. Programs may leave out names, and the
    /// question with its answer.
    ///
    /// - Throws: `ConnectRefusal`, with the field that is missing.
    package static func requireWhole(_ draft: TesterDraft) throws {
        try require(draft.firstName, "firstName", "first name")
        try require(draft.lastName, "lastName", "last name")
        try require(draft.secretQuestion, "secretQuestion", "secret question")
        try require(draft.secretAnswer, "secretAnswer", "answer")
    }

    /// Checks what a tester is to be made of, and gives it as it is kept: without white space
    /// around it, the address in lower case. Names may be empty, and the question with its answer.
    ///
    /// - Throws: `ConnectRefusal`, with the field that is wrong.
    package static func checked(_ draft: TesterDraft) throws -> TesterDraft {
        var draft = draft
        draft.firstName = try text(draft.firstName, "firstName", "first name")
        draft.lastName = try text(draft.lastName, "lastName", "last name")
        draft.email = try ConnectText.email(draft.email)
        guard draft.password.count >= CustomerPassword.shortest else {
            throw ConnectRefusal(
                .invalid, rule: "passwordTooShort", field: "password",
                "The password is too short.",
                help: "Choose at least \(CustomerPassword.shortest) characters.")
        }
        guard draft.password.utf8.count <= CustomerPassword.longest else {
            throw ConnectRefusal(
                .invalid, rule: "passwordTooLong", field: "password",
                "The password is too long.",
                help: "Choose at most \(CustomerPassword.longest) bytes.")
        }
        draft.secretQuestion = try text(draft.secretQuestion, "secretQuestion", "secret question")
        draft.secretAnswer = try text(draft.secretAnswer, "secretAnswer", "answer")
        if !draft.secretQuestion.isEmpty || !draft.secretAnswer.isEmpty {
            try require(draft.secretQuestion, "secretQuestion", "secret question")
            try require(draft.secretAnswer, "secretAnswer", "answer")
        }
        return draft
    }

    private static func require(_ text: String, _ field: String, _ word: String) throws {
        guard text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else { return }
        throw ConnectRefusal(
            .invalid, rule: "\(field)Missing", field: field, "There is no \(word).",
            help: "Type one of 1 to \(textLimit) characters.")
    }

    private static func text(_ text: String, _ field: String, _ word: String) throws -> String {
        guard let trimmed = try? TextRule(length: 0...textLimit).checked(text) else {
            throw ConnectRefusal(
                .invalid, rule: "\(field)Malformed", field: field,
                "The \(word) is too long, or holds characters that can't be seen.",
                help: "Type one of 1 to \(textLimit) characters.")
        }
        return trimmed
    }
}
