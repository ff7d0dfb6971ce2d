import StoreCore
import StoreWire

extension RetentionMessage.Content {
    /// Reads the request for a message.
    ///
    /// - Throws: `ServerAPIError`.
    init(_ body: ServerBody) throws {
        self.init(
            header: try body.text("header", .generalBadRequest),
            body: try body.text("body", .generalBadRequest),
            headerPosition: try body.optionalChoice("headerPosition", .generalBadRequest)
                ?? .aboveBody)
        if let image = body["image"] {
            picture = try RetentionMessage.Picture(ServerBody(image, "image"))
        }
        if let points = body["bulletPoints"] {
            guard let points = points.elements else {
                throw ServerAPIError(.generalBadRequest, "bulletPoints is not a list.")
            }
            bulletPoints = try points.map { point in
                let point = try ServerBody(point, "a bullet point")
                return RetentionMessage.BulletPoint(
                    text: try point.text("text", .generalBadRequest),
                    picture: try RetentionMessage.Picture(point))
            }
        }
    }
}

extension RetentionMessage.Picture {
    init(_ body: ServerBody) throws {
        guard let id = RetentionID(try body.text("imageIdentifier", .generalBadRequest)) else {
            throw ServerAPIError(.imageNotFound)
        }
        self.init(id: id, altText: try body.text("altText", .generalBadRequest))
    }
}

extension ServerAPIError {
    init(_ refusal: RetentionRefusal) {
        let (code, detail): (ServerErrorCode, String?) =
            switch refusal {
            case .imageInvalid(let problem): (.invalidImage, problem)
            case .imageSizeInvalid: (.invalidImageSize, nil)
            case .imageExists: (.imageAlreadyExists, nil)
            case .tooManyImages: (.tooManyImages, nil)
            case .imageNotFound: (.imageNotFound, nil)
            case .imageInUse: (.imageInUse, nil)
            case .imageNotApproved: (.imageNotApproved, nil)
            case .controlCharacters:
                (.generalBadRequest, "The text has control characters; take them out.")
            case .headerTooLong: (.headerTooLong, nil)
            case .bodyTooLong: (.bodyTooLong, nil)
            case .altTextTooLong: (.altTextTooLong, nil)
            case .tooManyBulletPoints: (.tooManyBulletPoints, nil)
            case .bulletPointTooLong: (.bulletPointTextTooLong, nil)
            case .headerNeedsImage: (.aboveImageRequiresImage, nil)
            case .messageExists: (.messageAlreadyExists, nil)
            case .tooManyMessages: (.tooManyMessages, nil)
            case .messageNotFound: (.messageNotFound, nil)
            case .messageNotApproved: (.messageNotApproved, nil)
            case .productUnknown: (.invalidProductID, nil)
            case .localeUnknown: (.invalidLocale, nil)
            case .defaultNotFound: (.defaultMessageNotFound, nil)
            case .urlInvalid(let problem): (.invalidRealtimeURL, problem)
            case .urlNotFound: (.realtimeURLNotFound, nil)
            case .noPassedTest: (.noPassingTest, nil)
            case .testNotPossible(let problem): (.invalidPerformanceTest, problem)
            case .testRunning: (.performanceTestRunning, nil)
            case .testNotFound: (.performanceTestNotFound, nil)
            }
        self.init(code, detail)
    }
}
