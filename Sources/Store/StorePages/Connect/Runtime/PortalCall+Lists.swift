import StoreCore

extension PortalCall {
    /// The rows of the page that the list is asked for.
    package var pageRequest: PageRequest {
        PageRequest(
            limit: PortalPaging.size,
            cursor: page == 1 ? nil : String((page - 1) * PortalPaging.size))
    }

    /// Scheme, host and port that the browser reaches the store at.
    package var storeAddress: String { visit.browser.origin }

    /// What a profile made from here tells its app; nil where only the browser says it.
    var profileAddress: String? { visit.browser.trustedOrigin }

    /// All identifiers of the team, for menus.
    func identifiers() async throws -> [BundleIdentifier] {
        var found: [BundleIdentifier] = []
        var cursor: String?
        repeat {
            let page = try await services.bundleIdentifiers.identifiers(
                BundleIdentifierQuery(), PageRequest(limit: 200, cursor: cursor), by: actor)
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }
}
