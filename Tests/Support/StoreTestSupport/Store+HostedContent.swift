import StoreCore
import StoreModel
import StoreServer

/// Takes hosted content of the sample shop through review, with the rights of the machine's owner.
extension Store {
    /// Switches hosting of a product's content on or off.
    @discardableResult
    package func setHosting(_ isHosted: Bool, of id: ProductID) async throws -> Product {
        _ = try await services.hosting.setHosting(
            isHosted, of: try await sample(id).number, by: .machine)
        return try await sample(id).product
    }

    /// Submits what is new of a product.
    @discardableResult
    package func submitContent(of id: ProductID) async throws -> Product {
        _ = try await services.reviews.submit(
            numbers: [try await sample(id).number], by: .machine)
        return try await sample(id).product
    }

    /// Begins the review of what was submitted of a product.
    @discardableResult
    package func beginReview(of id: ProductID) async throws -> Product {
        let item = try await openItem(of: id)
        _ = try await services.reviews.claim(item.submission, by: .machine)
        return try await sample(id).product
    }

    /// Decides about what is reviewed of a product.
    @discardableResult
    package func decide(_ decision: ReviewDecision, about id: ProductID) async throws -> Product {
        let item = try await openItem(of: id)
        _ = try await services.reviews.decide(decision, on: item.id, by: .machine)
        return try await sample(id).product
    }

    private func openItem(of id: ProductID) async throws -> SubmissionItem {
        try await database.read { repositories in
            let item = try repositories.submissions.openItem(
                of: id, in: repositories.sampleApp().id)
            guard let item else {
                throw SampleMissing(description: "nothing of \(id) is submitted")
            }
            return item
        }
    }

    private func sample(_ id: ProductID) async throws -> ProductRecord {
        try await database.read { repositories in
            let number = try repositories.products.number(of: id, in: repositories.sampleApp().id)
            guard let record = try number.flatMap({ try repositories.products.record($0) }) else {
                throw SampleMissing(description: "the sample shop has no \(id)")
            }
            return record
        }
    }
}

extension StoreRepositories {
    /// The app of the sample shop.
    package func sampleApp() throws -> App {
        guard let app = try catalog.app(SampleShop.bundleID) else {
            throw SampleMissing(description: "the store has no sample shop")
        }
        return app
    }
}

/// A test's store lacks what the test takes for granted.
struct SampleMissing: Error, CustomStringConvertible {
    let description: String
}
