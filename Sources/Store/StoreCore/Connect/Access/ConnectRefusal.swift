/// What the rules of Connect refuse: which rule, what is wrong, and what would help.
///
/// The API makes an error object of it, the portal a sentence beside the field.
package struct ConnectRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// There is no such thing, or not for this team.
        case notFound
        /// The role does not allow it.
        case forbidden
        /// A value is not one that could be accepted.
        case invalid
        /// Something of this name exists.
        case taken
        /// Not in the state that things are in.
        case state
        /// Too many, or too often.
        case tooMany
    }

    package let kind: Kind
    /// The rule's stable name, for programs and tests, for example `productIDTaken`.
    package let rule: String
    /// The attribute or relationship that is wrong, named as in the API; nil where it is none.
    package let field: String?
    /// One sentence: what is wrong.
    package let problem: String
    /// One sentence: what would help.
    package let help: String

    package init(
        _ kind: Kind, rule: String, field: String? = nil, _ problem: String, help: String
    ) {
        self.kind = kind
        self.rule = rule
        self.field = field
        self.problem = problem
        self.help = help
    }

    package var description: String { "\(problem) \(help)" }

    /// The same, of what the field is called where the value came from.
    package func named(_ field: String) -> ConnectRefusal {
        ConnectRefusal(kind, rule: rule, field: field, problem, help: help)
    }

    package static func notFound(_ what: String, _ id: String) -> ConnectRefusal {
        ConnectRefusal(
            .notFound, rule: "notFound", "There is no \(what) \(id).",
            help: "Check the identifier, and that it belongs to this team.")
    }
}

extension Optional {
    /// The value that was looked for, or a refusal as of what is not there.
    ///
    /// - Throws: `ConnectRefusal.notFound` for nil.
    package func orNotFound(_ what: String, _ id: @autoclosure () -> String) throws -> Wrapped {
        guard let self else { throw ConnectRefusal.notFound(what, id()) }
        return self
    }
}
