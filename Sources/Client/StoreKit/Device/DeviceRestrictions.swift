/// What the administrator of the machine allows customers to do.
///
/// A file in JSON that only the administrator can change; it stands for the parental
/// controls and device management of Apple's systems:
///
/// ```json
/// { "inAppPurchases": "allowed", "users": { "alice": { "inAppPurchases": "denied" } } }
/// ```
package struct DeviceRestrictions: Sendable {
    private struct Rules: Decodable {
        enum Permission: String, Decodable {
            case allowed
            case denied
        }

        struct User: Decodable {
            var inAppPurchases: Permission?
        }

        var inAppPurchases: Permission?
        var users: [String: User]?
    }

    /// Where the administrator of this machine writes.
    package static let system: DeviceRestrictions = DeviceRestrictions(
        file: "/etc/openstore/restrictions.json", owner: 0, user: NSUserName())

    private let file: String
    private let owner: uid_t
    private let user: String

    /// - Parameters:
    ///   - owner: the administrator; a file of anybody else counts for nothing.
    ///   - user: whose restrictions are looked up.
    package init(file: String, owner: uid_t, user: String) {
        self.file = file
        self.owner = owner
        self.user = user
    }

    /// Whether the user may buy. A file that can't be understood allows nothing: the
    /// administrator wanted to restrict something.
    package func allowsPayments(log: (String) -> Void = OpenStore.writeLog) -> Bool {
        var status = stat()
        guard stat(file, &status) == 0 else {
            // Where there is no file there are no restrictions. One that can't be looked at
            // is one that can't be understood.
            return errno == ENOENT || errno == ENOTDIR
        }
        guard status.st_uid == owner, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            log(
                "\(file) is ignored: it must belong to the administrator, and nobody else may be "
                    + "able to write it.")
            return true
        }
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            let rules = try JSONDecoder().decode(Rules.self, from: data)
            return (rules.users?[user]?.inAppPurchases ?? rules.inAppPurchases) != .denied
        } catch {
            log("\(file) can't be understood, so nothing can be bought: \(error)")
            return false
        }
    }
}
