/// What a request wants to change about an app; what is nil stays.
package struct AppChange: Sendable, Hashable {
    package var name: String?
    /// Another bundle identifier of the team, as text.
    package var bundleID: String?
    package var primaryLocale: String?
    /// In the inner optional: takes the declaration back.
    package var contentRights: ContentRights??
    package var statusURL: String??
    package var statusURLVersion: StatusURL.Version?
    package var sandboxStatusURL: String??
    package var sandboxStatusURLVersion: StatusURL.Version?
    package var isPurchasingStreamlined: Bool?
    package var accessibilityURL: String??
    /// Can't be taken back.
    package var isMadeForKids: Bool?

    package init() {}

    /// What the attributes become.
    ///
    /// - Throws: `ConnectRefusal`.
    func applied(
        to attributes: AppAttributes, targets: NotificationTargets
    ) throws -> AppAttributes {
        var attributes = attributes
        if let contentRights { attributes.contentRights = contentRights }
        attributes.statusURL = try Self.statusURL(
            statusURL, statusURLVersion, over: attributes.statusURL, targets,
            field: "subscriptionStatusUrl")
        attributes.sandboxStatusURL = try Self.statusURL(
            sandboxStatusURL, sandboxStatusURLVersion, over: attributes.sandboxStatusURL, targets,
            field: "subscriptionStatusUrlForSandbox")
        if let isPurchasingStreamlined {
            attributes.isPurchasingStreamlined = isPurchasingStreamlined
        }
        if let accessibilityURL {
            attributes.accessibilityURL = try accessibilityURL.map {
                try AppRules.url($0, field: "accessibilityUrl")
            }
        }
        if let isMadeForKids {
            guard isMadeForKids || !attributes.isMadeForKids else {
                throw ConnectRefusal(
                    .state, rule: "madeForKids", field: "isOrEverWasMadeForKids",
                    "The app was made for kids.",
                    help: "That is remembered for ever; make another app.")
            }
            attributes.isMadeForKids = isMadeForKids
        }
        return attributes
    }

    private static func statusURL(
        _ url: String??, _ version: StatusURL.Version?, over earlier: StatusURL?,
        _ targets: NotificationTargets, field: String
    ) throws -> StatusURL? {
        var result = earlier
        if let url {
            result = try url.map {
                let url = try AppRules.url($0, field: field)
                if url != earlier?.url { try targets.check(url, field: field) }
                return StatusURL(url: url, version: earlier?.version ?? .v2)
            }
        }
        guard let version else { return result }
        guard result != nil else {
            throw ConnectRefusal(
                .invalid, rule: "statusURLMissing", field: field,
                "There is a version of notifications, but no address.",
                help: "Give \(field) as well.")
        }
        result?.version = version
        return result
    }
}
