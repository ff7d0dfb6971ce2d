import Foundation
import StoreModel
import Testing

@testable import StoreCore

@Suite struct ProductCompletenessTests {
    private static let date = Situation().date

    private static func record(
        _ product: Product, screenshot: ProductAsset.State? = .complete
    ) -> ProductRecord {
        let number = ProductNumber(number: 7)
        return ProductRecord(
            summary: ProductSummary(
                number: number, app: AppID(number: 1), productID: product.details.productID,
                type: product.details.type, referenceName: "badge", state: .missingMetadata,
                isFamilyShareable: false, hostsContent: product.hostsContent, reviewNote: ""),
            product: product, openRevision: nil, revisionOnSale: nil,
            assets: screenshot.map {
                [
                    ProductAsset(
                        id: AssetID(UUID()), product: number, kind: .reviewScreenshot,
                        fileName: "a.png", size: 1, state: $0, created: date)
                ]
            } ?? [])
    }

    /// Something that is taken away from a complete product, and what is said then.
    struct Lack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let item: MissingItem
        let change: @Sendable (inout Product) -> Void

        init(_ item: MissingItem, _ change: @escaping @Sendable (inout Product) -> Void) {
            testDescription = item.code
            self.item = item
            self.change = change
        }
    }

    static let lacks: [Lack] = [
        Lack(.texts) { $0.details.texts = [:] },
        Lack(.description(locale: "de_DE")) {
            $0.details.texts["de_DE"] = ProductText(title: "Abzeichen", description: "")
        },
        Lack(.price) { $0.details.prices = [:] },
        Lack(.price) {
            $0.details.prices = PriceSchedule(
                baseTerritory: "USA",
                entries: [.init(territory: "USA", figure: .tier("1"), end: date)])
        },
        Lack(.availability) { $0.availability = .only([]) },
        Lack(.content) { $0.hostsContent = true },
    ]

    @Test func `a complete product lacks nothing`() {
        #expect(
            ProductCompleteness.missing(in: Self.record(Situation().product), at: Self.date)
                .isEmpty)
    }

    @Test(arguments: lacks)
    func `what is missing is named, with what to do`(lack: Lack) {
        var product = Situation().product
        lack.change(&product)
        let missing = ProductCompleteness.missing(in: Self.record(product), at: Self.date)
        #expect(missing == [lack.item])
        #expect(lack.item.sentence.hasSuffix("."))
        #expect(!lack.item.isForReview)
    }

    @Test func `only a screenshot that was taken counts`() {
        func missing(_ state: ProductAsset.State?) -> [MissingItem] {
            ProductCompleteness.missing(
                in: Self.record(Situation().product, screenshot: state), at: Self.date)
        }
        #expect(missing(nil) == [.reviewScreenshot])
        for state in ProductAsset.State.allCases where state != .complete {
            #expect(missing(state) == [.screenshotUnfinished])
        }
        #expect(MissingItem.reviewScreenshot.isForReview)
    }

    @Test func `an empty product lacks everything at once`() {
        var product = Situation().product
        product.details.texts = [:]
        product.details.prices = [:]
        product.availability = .only([])
        product.hostsContent = true
        let missing = ProductCompleteness.missing(
            in: Self.record(product, screenshot: nil), at: Self.date)
        #expect(missing == [.texts, .price, .availability, .reviewScreenshot, .content])
        #expect(
            Set(missing.map(\.section)) == Set(MissingItem.Section.allCases),
            "each section of the page can be named")
    }
}
