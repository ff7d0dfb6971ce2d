import StoreCore

extension PortalRouteTable {
    /// Hosted content of products.
    static let content: [PortalRoute] = [
        .get("/apps/{id}/products/{product}/content", .viewApps, ContentPages.show),
        .post("/apps/{id}/products/{product}/content/hosting", .manageProducts, ContentPages.host),
        .post(
            "/apps/{id}/products/{product}/content/package", .uploadContent,
            PackageRequests.takeWhole),
        .post(
            "/apps/{id}/products/{product}/content/uploads", .uploadContent,
            PackageRequests.begin),
        .get(
            "/apps/{id}/products/{product}/content/uploads/{upload}", .uploadContent,
            PackageRequests.status),
        .put(
            "/apps/{id}/products/{product}/content/uploads/{upload}/parts/{number}",
            .uploadContent, PackageRequests.take),
        .post(
            "/apps/{id}/products/{product}/content/uploads/{upload}/commit", .uploadContent,
            PackageRequests.commit),
        .post(
            "/apps/{id}/products/{product}/content/uploads/{upload}/cancel", .uploadContent,
            PackageRequests.cancel),
    ]
}
