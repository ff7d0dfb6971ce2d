import StoreCore

extension PortalRouteTable {
    /// Hosted content of products.
    static let content: [PortalRoute] = [
        .get("/products/{id}/content", .viewApps, ContentPages.show),
        .post("/products/{id}/content/hosting", .manageProducts, ContentPages.host),
        .post(
            "/products/{id}/content/package", .uploadContent,
            PackageRequests.takeWhole),
        .post(
            "/products/{id}/content/uploads", .uploadContent,
            PackageRequests.begin),
        .get(
            "/products/{id}/content/uploads/{upload}", .uploadContent,
            PackageRequests.status),
        .put(
            "/products/{id}/content/uploads/{upload}/parts/{number}",
            .uploadContent, PackageRequests.take),
        .post(
            "/products/{id}/content/uploads/{upload}/commit", .uploadContent,
            PackageRequests.commit),
        .post(
            "/products/{id}/content/uploads/{upload}/cancel", .uploadContent,
            PackageRequests.cancel),
    ]
}
