import Foundation
import StoreModel

/// Products as their publishers maintain them.
package protocol ProductRepository {
    /// A product, also a deleted one.
    func record(_ number: ProductNumber) throws -> ProductRecord?
    func summary(_ number: ProductNumber) throws -> ProductSummary?
    /// Also of a deleted product.
    func number(of id: ProductID, in app: AppID) throws -> ProductNumber?
    /// A page of an app's products, without deleted ones.
    ///
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    func page(
        of app: AppID, _ filter: ProductFilter, by order: ProductOrder, _ request: PageRequest
    ) throws -> ProductPage
    /// How many products an app has in each state, without deleted ones.
    func counts(of app: AppID) throws -> [ProductState: Int]

    func setDetails(
        referenceName: String, reviewNote: String, isFamilyShareable: Bool,
        of number: ProductNumber) throws
    func setTexts(_ texts: [String: ProductText], of number: ProductNumber) throws
    /// Adds or changes the text of a locale; nil takes it away.
    func setText(_ text: ProductText?, locale: String, of number: ProductNumber) throws
    func setPrices(_ prices: PriceSchedule, of number: ProductNumber) throws
    func setAvailability(_ availability: Availability, of number: ProductNumber) throws
    /// Deletes a product for its publisher. The identifier stays taken.
    func delete(_ number: ProductNumber, at date: Date) throws
}

/// What was submitted of products' texts.
package protocol RevisionRepository {
    func revision(_ id: Int64) throws -> ProductRevision?
    /// All of a product, the newest first.
    func revisions(of product: ProductNumber) throws -> [ProductRevision]
    /// The one that is being made or reviewed.
    func open(of product: ProductNumber) throws -> ProductRevision?
    /// The one that customers see.
    func onSale(of product: ProductNumber) throws -> ProductRevision?
    /// Adds the next revision of a product.
    func insert(
        of product: ProductNumber, state: RevisionState, texts: [String: ProductText],
        at date: Date
    ) throws -> ProductRevision
    func setState(_ state: RevisionState, of id: Int64, at date: Date) throws
    /// Keeps what is submitted, instead of what was before. The schema refuses it for what
    /// customers have read.
    func setTexts(_ texts: [String: ProductText], of id: Int64) throws
}

/// Pictures of products.
package protocol AssetRepository {
    func asset(_ id: AssetID) throws -> ProductAsset?
    func assets(of product: ProductNumber) throws -> [ProductAsset]
    func insert(_ asset: ProductAsset) throws
    func update(_ asset: ProductAsset) throws
    func delete(_ id: AssetID) throws
    /// Whether some picture has these bytes, or was submitted with them: reviewers look at what
    /// was submitted, whatever becomes of the picture. Media of items, and images of messages to
    /// subscribers, count as pictures: their bytes lie beside those of products.
    func isNeeded(_ digest: ContentDigest) throws -> Bool
}

/// Products that an app's page in the store shows.
package protocol PromotionRepository {
    func promotion(_ id: PromotionID) throws -> Promotion?
    func promotion(of product: ProductNumber) throws -> Promotion?
    /// All of an app, in their order.
    func promotions(of app: AppID) throws -> [Promotion]
    func insert(_ promotion: Promotion) throws
    func update(_ promotion: Promotion) throws
    func delete(_ id: PromotionID) throws
}
