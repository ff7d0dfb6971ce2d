import StoreCore

extension PortalRouteTable {
    /// Publishers' submissions, and the store's reviews of them.
    static let review: [PortalRoute] = [
        .get("/apps/{id}/submissions", .viewApps, SubmissionPages.list),
        .get("/apps/{id}/submissions/new", .submit, SubmitPages.choose),
        .post("/apps/{id}/submissions", .submit, SubmitPages.submit),
        .get("/apps/{id}/submissions/{submission}", .viewApps, SubmissionPages.show),
        .post("/apps/{id}/submissions/{submission}/withdraw", .submit, SubmissionPages.withdraw),
        .post("/apps/{id}/versions/{version}/withdraw", .submit, SubmissionPages.withdrawVersion),
        .get(
            "/apps/{id}/products/{product}/remove-from-sale", .changeSale, SalePages.askRemoval),
        .post("/apps/{id}/products/{product}/remove-from-sale", .changeSale, SalePages.remove),
        .post("/apps/{id}/products/{product}/return-to-sale", .changeSale, SalePages.putBack),
        .get("/apps/{id}/products/{product}/take-down", .operate, SalePages.askTakeDown),
        .post("/apps/{id}/products/{product}/take-down", .operate, SalePages.takeDown),
        .post("/apps/{id}/products/{product}/reinstate", .operate, SalePages.reinstate),
        .get("/review", .review, QueuePages.list),
        .get("/review/{id}", .review, QueuePages.show),
        .post("/review/{id}/claim", .review, QueuePages.claim),
        .post("/review/{id}/items/{item}", .review, QueuePages.decide),
        .get("/review/{id}/items/{item}/screenshot", .review, ReviewScreenshot.show),
    ]
}
