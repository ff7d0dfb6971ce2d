import StoreCore

extension PortalRouteTable {
    /// Hosted content of products.
    static let content: [PortalRoute] =
        [
            .get("/products/{id}/content", .viewApps, ContentPages.show),
            .post("/products/{id}/content/hosting", .manageProducts, ContentPages.host),
        ] + PackageRequests(ContentPages.requests).routes("/products/{id}/content")
}
