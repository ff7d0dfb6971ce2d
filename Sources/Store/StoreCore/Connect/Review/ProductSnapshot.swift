import Foundation

/// A product as it was submitted: what reviewers compare.
///
/// Kept as JSON beside the submission; a field that an earlier program has not written is
/// empty.
package struct ProductSnapshot: Sendable, Hashable, Codable {
    package struct Text: Sendable, Hashable, Codable {
        package var title: String
        package var description: String
    }

    package var type: String
    package var referenceName: String
    package var isFamilyShareable: Bool
    /// Group, level and period of an auto-renewable subscription, in words; nil for anything
    /// else, and from earlier programs.
    package var subscription: String?
    /// By locale.
    package var texts: [String: Text]
    /// What it costs, by territory and date, in words.
    package var prices: [String: String]
    /// Where it is sold, in words.
    package var availability: String
    package var reviewNote: String
    /// The digest of the screenshot for reviewers.
    package var screenshot: String?
    package var contentVersion: String?
    /// The digest of the manifest of that version.
    package var contentManifest: String?

    /// Whether another one has the same of what a revision is about: prices, availability and
    /// content go their own ways.
    package func hasRevision(of other: Self) -> Bool {
        let hasSameTerms =
            subscription == nil || other.subscription == nil || subscription == other.subscription
        return hasSameTerms && texts == other.texts && reviewNote == other.reviewNote
            && screenshot == other.screenshot && isFamilyShareable == other.isFamilyShareable
    }
}

/// What is different in a submitted product.
package struct ProductDiff: Sendable, Hashable {
    /// One thing that differs. Nothing before: it is new; nothing after: it is gone.
    package struct Change: Sendable, Hashable {
        /// What it is about, for people, for example `Title (en_US)`.
        package let name: String
        package let before: String?
        package let after: String?

        package init(name: String, before: String?, after: String?) {
            self.name = name
            self.before = before
            self.after = after
        }
    }

    package let changes: [Change]

    /// - Parameter before: what was approved last; nil for a product that never was.
    package init(from before: ProductSnapshot?, to after: ProductSnapshot) {
        let fields = [before, after].map { $0.map(Self.fields) ?? [:] }
        let keys = Set(fields[0].keys).union(fields[1].keys).sorted()
        changes = keys.compactMap { key in
            let (old, new) = (fields[0][key], fields[1][key])
            guard old != new else { return nil }
            return Change(name: key.name, before: old, after: new)
        }
    }

    /// A field with its place in the list.
    private struct Field: Hashable, Comparable {
        let position: Int
        let name: String

        static func < (left: Self, right: Self) -> Bool {
            (left.position, left.name) < (right.position, right.name)
        }
    }

    private static func fields(of snapshot: ProductSnapshot) -> [Field: String] {
        var fields: [Field: String] = [:]
        func add(_ position: Int, _ name: String, _ value: String?) {
            if let value, !value.isEmpty {
                fields[Field(position: position, name: name)] = value
            }
        }
        add(0, "Type", snapshot.type)
        add(1, "Reference name", snapshot.referenceName)
        add(1, "Subscription", snapshot.subscription)
        for (locale, text) in snapshot.texts {
            add(2, "Title (\(locale))", text.title)
            add(3, "Description (\(locale))", text.description)
        }
        for (place, price) in snapshot.prices { add(4, "Price (\(place))", price) }
        add(5, "Availability", snapshot.availability)
        add(6, "Family Sharing", snapshot.isFamilyShareable ? "on" : "off")
        add(7, "Content version", snapshot.contentVersion)
        add(8, "Screenshot for review", snapshot.screenshot)
        add(9, "Review notes", snapshot.reviewNote)
        return fields
    }
}
