/// What a look at a store has found.
package struct DiagnosticsReport: Sendable, Encodable {
    /// How bad something is.
    package enum Severity: String, Sendable, Encodable, CaseIterable {
        /// Nothing is wrong.
        case note
        /// Something will go wrong, or is not as it should be.
        case warning
        /// Something is wrong.
        case broken
    }

    /// Something that was found.
    package struct Finding: Sendable, Encodable, Equatable {
        package let severity: Severity
        /// The check that found it.
        package let check: String
        package let what: String
        /// A file, a folder, rows of a table, an address.
        package let place: String
        /// What to do.
        package let advice: String
    }

    /// A check that was made.
    package struct Check: Sendable, Encodable, Equatable {
        package let name: String
        /// What was looked at: `15 rules`, `1,204 files, 3.1 GB`.
        package let extent: String
    }

    package private(set) var findings: [Finding] = []
    package private(set) var checks: [Check] = []

    package init() {}

    package func has(_ severity: Severity) -> Bool {
        findings.contains { $0.severity == severity }
    }

    package mutating func add(
        _ severity: Severity, _ check: String, _ what: String, at place: String, _ advice: String
    ) {
        findings.append(
            Finding(severity: severity, check: check, what: what, place: place, advice: advice))
    }

    package mutating func passed(_ name: String, _ extent: String) {
        checks.append(Check(name: name, extent: extent))
    }
}
