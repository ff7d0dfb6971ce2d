/// Something that broke below the store's rules, where whoever asked can do something about it.
package protocol StoreFailure: Error {
    var remedy: FailureRemedy? { get }
    /// Whether it is about the rows that were asked for, while others can be read and written.
    var isOfRows: Bool { get }
    /// Whether nobody knows if it was done after all: a commit was cut off.
    var isUncertain: Bool { get }
}

/// What helps after a failure.
package enum FailureRemedy: Sendable, Hashable {
    /// The same request again, in a moment: purchase keys and their like make it safe.
    case repeating
    /// Other text: there is a character in it that is not kept.
    case otherText

    /// What helps after an error; nil where nobody knows.
    package static func of(_ error: any Error) -> FailureRemedy? {
        (error as? any StoreFailure)?.remedy
    }

    /// Whether the outcome is uncertain: people have to check it before they try again; programs
    /// repeat the request with the same key.
    package static func isOutcomeUncertain(after error: any Error) -> Bool {
        (error as? any StoreFailure)?.isUncertain ?? false
    }
}
