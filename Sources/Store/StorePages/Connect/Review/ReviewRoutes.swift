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
        .get("/products/{id}/review", .viewApps, ProductReviewPages.show),
        .post("/products/{id}/review", .submit, ProductReviewPages.submit),
        .post("/products/{id}/review/withdraw", .submit, ProductReviewPages.withdraw),
        .get("/products/{id}/remove-from-sale", .changeSale, SalePages.askRemoval),
        .post("/products/{id}/remove-from-sale", .changeSale, SalePages.remove),
        .post("/products/{id}/return-to-sale", .changeSale, SalePages.putBack),
        .get("/products/{id}/take-down", .operate, SalePages.askTakeDown),
        .post("/products/{id}/take-down", .operate, SalePages.takeDown),
        .post("/products/{id}/reinstate", .operate, SalePages.reinstate),
        .get("/review", .review, QueuePages.list),
        .get("/review/{id}", .review, QueuePages.show),
        .post("/review/{id}/claim", .review, QueuePages.claim),
        .post("/review/{id}/items/{item}", .review, QueuePages.decide),
        .get("/review/{id}/items/{item}/screenshot", .review, ReviewScreenshot.show),
    ]
}
