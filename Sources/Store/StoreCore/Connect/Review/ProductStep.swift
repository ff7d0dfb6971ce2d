import StoreDatabase

/// Something that happens to a product between its making and its end, and to the revision
/// and the content that go through review with it.
package enum ProductStep: String, Hashable, CaseIterable, TextColumnValue {
    // MARK: Hosted content

    /// The publisher has the store host the product's content.
    case host
    /// The publisher takes that back.
    case unhost
    /// A package was uploaded, and is being processed.
    case receive
    /// The package became a version that testers get.
    case prepare

    // MARK: Metadata

    /// Nothing is missing any longer.
    case complete
    /// Something is missing again.
    case spoil
    /// The publisher changes texts, review notes, or whatever else reviewers look at.
    case edit

    // MARK: Review

    case submit
    /// The publisher takes back what waits for review.
    case withdraw
    case beginReview
    case approve
    /// The product is approved, but the binary that it was submitted with isn't yet.
    case awaitBinary
    /// The binary that it waits for was approved.
    case approveBinary
    /// The binary that it was submitted with was rejected, or taken back.
    case rejectBinary
    case reject
    /// The reviewer needs something of the publisher before there can be a decision.
    case askDeveloper

    // MARK: Sale

    /// The publisher takes it from sale.
    case removeFromSale
    case returnToSale
    /// The store takes it from sale.
    case takeDown
    case reinstate

    case delete

    /// What it is called after "can't be".
    package var participle: String {
        switch self {
        case .host: "hosted"
        case .unhost: "taken out of hosting"
        case .receive: "given new content"
        case .prepare: "made ready"
        case .complete: "completed"
        case .spoil: "made incomplete"
        case .edit: "edited"
        case .submit: "submitted"
        case .withdraw: "taken back from review"
        case .beginReview: "reviewed"
        case .approve: "approved"
        case .awaitBinary: "approved with its binary"
        case .approveBinary: "approved by its binary"
        case .rejectBinary: "returned with its binary"
        case .reject: "rejected"
        case .askDeveloper: "sent back with a question"
        case .removeFromSale: "removed from sale"
        case .returnToSale: "put on sale again"
        case .takeDown: "taken from sale by the store"
        case .reinstate: "reinstated"
        case .delete: "deleted"
        }
    }
}
