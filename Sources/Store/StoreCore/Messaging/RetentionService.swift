import Foundation
import StoreModel

/// Keeps publishers' messages to customers who are about to cancel a subscription (against churn).
package struct RetentionService: Sendable {
    let shop: Shop
    private let files: any PictureFiles
    private let pictures: any PictureMaker
    package var limits: RetentionLimits
    private let makeID: @Sendable () -> AssetID

    /// - Parameter makeID: names pictures while they arrive.
    package init(
        database: any ShopDatabase, files: any PictureFiles, pictures: any PictureMaker,
        clock: any StoreClock, limits: RetentionLimits = RetentionLimits(),
        makeID: @escaping @Sendable () -> AssetID
    ) {
        shop = Shop(database: database, clock: clock)
        self.files = files
        self.pictures = pictures
        self.limits = limits
        self.makeID = makeID
    }

    // MARK: Images

    /// Takes an image.
    ///
    /// - Throws: `RetentionRefusal`, `PicturesBusy`, or what the disk says.
    package func addImage(
        _ bytes: Data, as id: RetentionID, _ size: RetentionImage.Size, of scope: AppScope
    ) async throws {
        try await shop.read { try checkRoom(for: id, of: scope, $0) }
        guard bytes.count <= RetentionRules.imageSize else {
            throw RetentionRefusal.imageInvalid("It has more than 10 MB.")
        }
        guard let header = ImageHeader(of: bytes), header.format == .png else {
            throw RetentionRefusal.imageInvalid("It is no PNG.")
        }
        if let problem = size.problem(with: header) {
            throw RetentionRefusal.imageInvalid(problem)
        }
        guard !PNGTransparency.isPossible(in: bytes) else {
            throw RetentionRefusal.imageInvalid("It has transparency.")
        }
        let digest = try await keep(bytes)
        let seen = try await BytePresence(
            [digest], in: .pictures, of: files, shop.database, at: shop.clock.now())
        try await shop.write { work in
            try checkRoom(for: id, of: scope, work)
            try seen.check(work)
            try work.retention.insert(
                RetentionImage(
                    id: id, size: size, state: .first(in: scope.environment), digest: digest,
                    date: work.now), of: scope)
        }
    }

    private func checkRoom(
        for id: RetentionID, of scope: AppScope, _ repositories: StoreRepositories
    ) throws {
        guard try repositories.retention.image(id, of: scope) == nil else {
            throw RetentionRefusal.imageExists
        }
        guard try repositories.retention.imageCount(of: scope) < limits.images else {
            throw RetentionRefusal.tooManyImages
        }
    }

    /// Brings bytes to disk that can be read as a picture to their end. What is refused is taken
    /// away when strangers are collected.
    private func keep(_ bytes: Data) async throws -> ContentDigest {
        let arriving = makeID()
        let files = files
        let kept: (ArrivedPicture, OpenContent)? = try await files.apart {
            try files.write(bytes, at: 0, of: arriving)
            guard let arrived = try files.finish(arriving),
                let content = try files.open(arrived.digest)
            else { return nil }
            return (arrived, content)
        }
        guard let (arrived, content) = kept
        else { throw RetentionRefusal.imageInvalid("Nothing of it has arrived.") }
        do {
            _ = try await pictures.check(content)
        } catch let problem as PictureProblem {
            throw RetentionRefusal.imageInvalid(problem.description)
        }
        return arrived.digest
    }

    package func images(of scope: AppScope) async throws -> [RetentionImage] {
        try await shop.read { try $0.retention.images(of: scope) }
    }

    /// - Throws: `RetentionRefusal`.
    package func deleteImage(_ id: RetentionID, of scope: AppScope) async throws {
        try await shop.write { work in
            guard try work.retention.image(id, of: scope) != nil else {
                throw RetentionRefusal.imageNotFound
            }
            guard try !work.retention.isImageInUse(id, of: scope) else {
                throw RetentionRefusal.imageInUse
            }
            try work.retention.deleteImage(id, of: scope)
        }
    }

    // MARK: Messages

    /// Takes a message; one that there is stays as it is.
    ///
    /// - Throws: `RetentionRefusal`.
    package func addMessage(
        _ content: RetentionMessage.Content, as id: RetentionID, of scope: AppScope
    ) async throws {
        try RetentionRules.check(content)
        try await shop.write { work in
            let retention = work.retention
            guard try retention.message(id, of: scope) == nil else {
                throw RetentionRefusal.messageExists
            }
            guard try retention.messageCount(of: scope) < limits.messages else {
                throw RetentionRefusal.tooManyMessages
            }
            for picture in content.pictures {
                guard let id = RetentionID(picture.id),
                    let image = try retention.image(id, of: scope)
                else { throw RetentionRefusal.imageNotFound }
                guard image.size == picture.size else { throw RetentionRefusal.imageSizeInvalid }
            }
            try retention.insert(
                RetentionMessage(
                    id: id, content: content, state: .first(in: scope.environment), date: work.now),
                of: scope)
        }
    }

    package func messages(of scope: AppScope) async throws -> [RetentionMessage] {
        try await shop.read { try $0.retention.messages(of: scope) }
    }

    /// Deletes a message; where it was the default, there is none any more.
    ///
    /// - Throws: `RetentionRefusal`.
    package func deleteMessage(_ id: RetentionID, of scope: AppScope) async throws {
        try await shop.write { work in
            guard try work.retention.message(id, of: scope) != nil else {
                throw RetentionRefusal.messageNotFound
            }
            try work.retention.deleteMessage(id, of: scope)
        }
    }
}
