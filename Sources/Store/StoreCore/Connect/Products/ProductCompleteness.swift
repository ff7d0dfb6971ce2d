import Foundation
import StoreModel

/// Something that a product lacks before it can be submitted for review.
package enum MissingItem: Sendable, Hashable {
    /// It has no text in any language.
    case texts
    /// A language has a name but no description.
    case description(locale: String)
    case price
    /// It is sold in no territory.
    case availability
    case reviewScreenshot
    /// The screenshot was reserved but never arrived, or was refused.
    case screenshotUnfinished
    /// The store hosts its content, but has none.
    case content

    /// Where on the product's page it is put right.
    package enum Section: String, Sendable, Hashable, CaseIterable {
        case texts
        case prices
        case availability
        case screenshot
        case content
    }

    package var section: Section {
        switch self {
        case .texts, .description: .texts
        case .price: .prices
        case .availability: .availability
        case .reviewScreenshot, .screenshotUnfinished: .screenshot
        case .content: .content
        }
    }

    /// Whether only reviewers miss it: without it, testers can buy the product all the same.
    package var isForReview: Bool { section == .screenshot }

    /// The stable name for programs.
    package var code: String {
        switch self {
        case .texts: "texts"
        case .description: "description"
        case .price: "price"
        case .availability: "availability"
        case .reviewScreenshot: "reviewScreenshot"
        case .screenshotUnfinished: "screenshotUnfinished"
        case .content: "content"
        }
    }

    /// What to do, as one sentence.
    package var sentence: String {
        switch self {
        case .texts: "Add a display name and a description in at least one language."
        case .description(let locale):
            "Add a description in \(ProductLocale.name(of: locale))."
        case .price: "Choose a price."
        case .availability: "Choose at least one territory in which it is sold."
        case .reviewScreenshot:
            "Upload a screenshot that shows reviewers where the app offers it."
        case .screenshotUnfinished: "Finish the upload of the screenshot for reviewers."
        case .content: "Upload its hosted content."
        }
    }
}

/// What a product lacks before it can be submitted for review.
package enum ProductCompleteness {
    /// Everything that is missing, in the order in which the product's page asks for it.
    package static func missing(in record: ProductRecord, at date: Date) -> [MissingItem] {
        let product = record.product
        var missing = missingTexts(in: product.details)
        if !isPriced(product, at: date) { missing.append(.price) }
        if product.availability.territories.isEmpty { missing.append(.availability) }
        switch record.reviewScreenshot?.state {
        case .complete: break
        case nil: missing.append(.reviewScreenshot)
        default: missing.append(.screenshotUnfinished)
        }
        if product.hostsContent, product.currentRelease(in: .sandbox) == nil {
            missing.append(.content)
        }
        return missing
    }

    private static func missingTexts(in details: ProductDraft) -> [MissingItem] {
        guard !details.texts.isEmpty else { return [.texts] }
        return details.texts.filter { $0.value.description.isEmpty }.keys.sorted()
            .map { .description(locale: $0) }
    }

    /// Whether it costs something, be it nothing, somewhere; now or at some later date.
    private static func isPriced(_ product: Product, at date: Date) -> Bool {
        product.details.prices.entries.contains { $0.end.map { $0 > date } ?? true }
    }
}
