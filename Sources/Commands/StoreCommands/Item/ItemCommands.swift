/// The commands about what customers browse.
enum ItemCommands {
    static let all: [any Command.Type] = [
        ItemCreate.self, ItemList.self, ItemShow.self, ItemChange.self, ItemMediaCommand.self,
        ItemPublish.self, ItemRemove.self, ItemSalesCommand.self, ItemRefund.self,
        CustomerReviewList.self, CustomerReviewRespond.self, CustomerReviewPublish.self,
        CustomerReviewReject.self, AffiliateCreate.self, AffiliateList.self,
        AffiliateChange.self, AffiliateReportCommand.self,
    ]
}
