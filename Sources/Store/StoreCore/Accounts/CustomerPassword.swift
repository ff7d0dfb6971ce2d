/// What passwords of customers and testers have to be.
package enum CustomerPassword {
    /// Characters.
    package static let shortest = 8
    /// Bytes.
    package static let longest = 1024

    /// For who chooses one.
    package static let rule =
        "A password has at least \(shortest) characters, and at most \(longest) bytes."

    static func isPermitted(_ password: String) -> Bool {
        password.count >= shortest && password.utf8.count <= longest
    }
}
