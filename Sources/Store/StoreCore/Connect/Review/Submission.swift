import Foundation
import StoreDatabase
import StoreModel

/// The number of a submission; later ones have larger ones.
package typealias SubmissionID = ID<Submission>

/// The number of one of the things that were submitted together.
package typealias SubmissionItemID = ID<SubmissionItem>

/// Somebody who submits or reviews: the same whatever team they act for.
package struct ReviewParty: Sendable, Hashable {
    /// Tells parties apart, for example `person 7`.
    package let key: String
    /// What people read.
    package let name: String

    package init(key: String, name: String) {
        self.key = key
        self.name = name
    }

    package init(_ actor: ConnectActor) {
        switch actor.kind {
        case .person(let id, _): key = "person \(id.number)"
        case .key(let id): key = "key \(id)"
        case .machine: key = "machine"
        case .nobody: key = "nobody"
        }
        name = actor.auditName
    }
}

/// With a prefix, `submitter` and `submitter_name`.
extension ReviewParty: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        key = try column("", \.key)
        name = try column("_name", \.name)
    }
}

/// Things of one app that were submitted together.
package struct Submission: Sendable, Hashable {
    package let id: SubmissionID
    package let app: AppID
    package let team: Int64
    package let bundleID: BundleID
    package let appName: String
    package var state: SubmissionState
    package let submitter: ReviewParty
    /// Who reviews it; nil as long as nobody does.
    package var claimant: ReviewParty?
    package let created: Date
    /// When its state last changed.
    package var changed: Date
    package var items: [SubmissionItem] = []

    /// The products in it.
    package var products: [ProductNumber] { items.compactMap(\.product) }

    /// The version of the app in it; nil for products alone.
    package var version: AppVersionID? {
        items.lazy.compactMap(\.subject.version).first
    }
}

/// Without its items, which have rows of their own.
extension Submission: Record {
    package static let table: StaticString = "review_submission"
    package static let source: StaticString = """
        (SELECT s.*, a.team, a.bundle_id, a.name AS app_name
            FROM review_submission s JOIN app a ON a.id = s.app) submissions
        """

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        app = try column("app", \.app, .immutable)
        team = try column("team", \.team, .joined)
        bundleID = try column("bundle_id", \.bundleID, .joined)
        appName = try column("app_name", \.appName, .joined)
        state = try column("state", \.state)
        submitter = try column.part(\.submitter, prefix: "submitter")
        claimant = try column.part(\.claimant, prefix: "claimant")
        created = try column("created", \.created, .immutable)
        changed = try column("changed", \.changed)
    }
}

/// One of the things that were submitted together.
package struct SubmissionItem: Sendable, Hashable {
    package enum Subject: Sendable, Hashable {
        case product(ProductID)
        case version(AppVersionID)

        var product: ProductID? { if case .product(let id) = self { id } else { nil } }
        var version: AppVersionID? { if case .version(let id) = self { id } else { nil } }
    }

    package let id: SubmissionItemID
    package let submission: SubmissionID
    package let subject: Subject
    /// The number of the submitted product. Nil if a version of the app was submitted.
    package let product: ProductNumber?
    /// For people: a product identifier, or `Version 1.2`.
    package let name: String
    /// The version of hosted content that goes with it.
    package let content: ContentVersion?
    /// The revision of the product that goes with it.
    package let revision: Int?
    package var state: SubmissionItemState
    /// What the reviewer said.
    package var message: String?
    /// Who decided, and when.
    package var decider: ReviewParty?
    package var decided: Date?

    package var isVersion: Bool { subject.version != nil }
}

extension SubmissionItem: Record {
    package static let table: StaticString = "review_item"
    package static let source: StaticString = """
        (SELECT i.*, p.app, p.product_id
            FROM review_item i LEFT JOIN product p ON p.id = i.product) items
        """

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        submission = try column("submission", \.submission, .immutable)
        subject = try column.part(\.subject)
        product = try column("product", \.product, .immutable)
        name = try column("name", \.name, .immutable)
        content = try column("content_version", \.content, .immutable)
        revision = try column("revision", \.revision, .immutable)
        state = try column("state", \.state)
        message = try column("message", \.message)
        decider = try column.part(\.decider, prefix: "decider")
        decided = try column("decided", \.decided)
    }
}

extension SubmissionItem.Subject: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        self = try column.either(
            "product_id", \.product, Self.product, "app_version", \.version, Self.version, .joined,
            .immutable)
    }
}

/// Something to be submitted.
package struct SubmissionItemDraft: Sendable, Hashable {
    package var subject: SubmissionItem.Subject
    /// The number of the submitted product. Nil if a version of the app was submitted.
    package var product: ProductNumber?
    package var name: String
    package var content: ContentVersion?
    package var revision: Int?
    /// The product as reviewers shall see it; nil for versions.
    package var snapshot: ProductSnapshot?
}

/// What a reviewer decides.
package enum ReviewDecision: Sendable, Hashable {
    case approve
    /// With what the publisher is to know.
    case reject(String)
    /// With what the publisher is to do.
    case askDeveloper(String)

    /// What reviewers say, without spaces around it.
    ///
    /// - Throws: `ConnectRefusal` with the rules `messageMissing`, `messageLength` or
    ///   `messageCharacters`.
    func message() throws -> String? {
        switch self {
        case .approve: return nil
        case .reject(let text), .askDeveloper(let text):
            do {
                return try Self.messageRule.checked(text)
            } catch {
                throw Self.refusal(error)
            }
        }
    }

    private static func refusal(_ violation: TextRule.Violation) -> ConnectRefusal {
        switch violation {
        case .empty:
            ConnectRefusal(
                .invalid, rule: "messageMissing", field: "message",
                "The message to the publisher is empty.",
                help: "Say what is wrong, and what to do about it.")
        case .length(let count):
            ConnectRefusal(
                .invalid, rule: "messageLength", field: "message",
                "The message to the publisher has \(count) characters.",
                help: "It may have \(longestMessage).")
        case .characters, .direction:
            ConnectRefusal(
                .invalid, rule: "messageCharacters", field: "message",
                "The message to the publisher contains control characters.",
                help: "Only line breaks and tabs are allowed.")
        }
    }

    /// Unicode scalars.
    package static let longestMessage = 4000
    /// What the store writes to a publisher about a decision.
    static let messageRule = TextRule(length: 1...longestMessage, allowsLines: true)
}
