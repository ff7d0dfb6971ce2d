import Foundation

/// What the store takes for a person's name and password.
package enum PersonRules {
    /// Characters that a password has at least.
    package static let shortestPassword = 10
    /// Bytes of the longest password that is looked at.
    package static let longestPassword = 256
    package static let longestName = 100

    /// The name without white space around it.
    package static func name(_ text: String, field: String = "name") throws -> String {
        guard let name = try? TextRule(length: 1...longestName).checked(text),
            !name.contains(scalar: "\u{2028}"), !name.contains(scalar: "\u{2029}")
        else {
            throw ConnectRefusal(
                .invalid, rule: "nameInvalid", field: field,
                "A name has 1 to \(longestName) characters on one line.",
                help: "Give a shorter one, without control characters.")
        }
        return name
    }

    package static func check(password: String, email: String, field: String = "password") throws {
        guard password.count >= shortestPassword, password.utf8.count <= longestPassword else {
            throw ConnectRefusal(
                .invalid, rule: "passwordLength", field: field,
                "A password has at least \(shortestPassword) characters, and \(longestPassword) "
                    + "bytes at most.",
                help: "A few words are easier to remember than many symbols.")
        }
        let known = EmailAddress.normalized(password)
        guard known != email, known != email.split(scalar: "@").first.map(String.init) else {
            throw ConnectRefusal(
                .invalid, rule: "passwordIsEmail", field: field,
                "The password is the email address.", help: "Choose one that nobody can guess.")
        }
    }
}
