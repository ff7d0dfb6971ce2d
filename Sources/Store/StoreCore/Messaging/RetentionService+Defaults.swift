import StoreModel

/// Which message the subscribers to a product get in their language.
extension RetentionService {
    /// - Throws: `RetentionRefusal`.
    package func setDefault(
        _ id: RetentionID, for product: String, _ locale: String, of scope: AppScope
    ) async throws {
        try await shop.write { work in
            let (product, locale) = try Self.place(product, locale, scope, work)
            guard let message = try work.retention.message(id, of: scope) else {
                throw RetentionRefusal.messageNotFound
            }
            guard message.state == .approved else { throw RetentionRefusal.messageNotApproved }
            for picture in message.content.pictures {
                let image = try RetentionID(picture.id).flatMap {
                    try work.retention.image($0, of: scope)
                }
                guard image?.state == .approved else { throw RetentionRefusal.imageNotApproved }
            }
            try work.retention.setDefaultMessage(id, for: product, locale, of: scope)
        }
    }

    /// - Throws: `RetentionRefusal`.
    package func defaultMessage(
        for product: String, _ locale: String, of scope: AppScope
    ) async throws -> RetentionID {
        try await shop.read { work in
            let (product, locale) = try Self.place(product, locale, scope, work)
            let found = try work.retention.defaultMessage(for: product, locale, of: scope)
            guard let found else { throw RetentionRefusal.defaultNotFound }
            return found
        }
    }

    /// - Throws: `RetentionRefusal`.
    package func deleteDefault(
        for product: String, _ locale: String, of scope: AppScope
    ) async throws {
        try await shop.write { work in
            let (product, locale) = try Self.place(product, locale, scope, work)
            guard
                try work.retention.deleteDefaultMessage(for: product, locale, of: scope)
            else { throw RetentionRefusal.defaultNotFound }
        }
    }

    /// A product that can be subscribed to, and a language that the store knows.
    private static func place(
        _ product: String, _ locale: String, _ scope: AppScope,
        _ repositories: StoreRepositories
    ) throws -> (ProductID, ConnectLocale) {
        guard let id = ProductID(product),
            let found = try repositories.catalog.product(id, in: scope.app), !found.isDeleted,
            found.details.subscription != nil
        else { throw RetentionRefusal.productUnknown }
        guard let known = ConnectLocale(locale) else { throw RetentionRefusal.localeUnknown }
        return (id, known)
    }
}
