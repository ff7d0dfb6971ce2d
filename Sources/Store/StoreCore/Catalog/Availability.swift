import StoreDatabase
import StoreModel

/// In which territories a product is sold.
package enum Availability: Sendable, Hashable {
    /// In all but some, also in those that the store opens later; alpha-3 codes.
    case everywhere(except: Set<String>)
    /// In these and no others; alpha-3 codes.
    case only(Set<String>)

    package static let everywhere = Availability.everywhere(except: [])

    /// - Parameters:
    ///   - territories: those of today's in which it is sold.
    ///   - includesNew: whether it is sold in those that the store opens later.
    package init(territories: Set<String>, includesNew: Bool) {
        if includesNew {
            self = .everywhere(
                except: Set(Storefront.all.map(\.code)).subtracting(territories))
        } else {
            self = .only(territories)
        }
    }

    package func includes(_ territory: String) -> Bool {
        switch self {
        case .everywhere(let except): !except.contains(territory)
        case .only(let territories): territories.contains(territory)
        }
    }

    /// Whether it is sold in territories that the store opens later.
    package var includesNew: Bool {
        if case .everywhere = self { true } else { false }
    }

    /// The territories that it names: those where it is not sold, or those where it is.
    package var listed: Set<String> {
        switch self {
        case .everywhere(let except): except
        case .only(let territories): territories
        }
    }

    /// For reviewers and in the audit, by the territories' codes.
    var words: String {
        switch self {
        case .everywhere(let except) where except.isEmpty: "everywhere"
        case .everywhere(let except):
            "everywhere except \(except.sorted().joined(separator: " "))"
        case .only(let territories) where territories.isEmpty: "nowhere"
        case .only(let territories): "only in \(territories.sorted().joined(separator: " "))"
        }
    }

    /// - Throws: `ConnectRefusal` with the rule `territoryUnknown` where one of the territories
    ///   is none of the store's.
    package static func check(_ territories: Set<String>) throws {
        let unknown = territories.sorted().first { Storefront.named($0)?.code != $0 }
        guard let unknown else { return }
        throw ConnectRefusal(
            .invalid, rule: "territoryUnknown", field: "availableTerritories",
            "The store has no territory \"\(unknown.prefix(40))\".",
            help: "Use alpha-3 codes of the store's list, for example USA.")
    }

    /// Where it is sold today, in the order of the store's list.
    package var territories: [Storefront] { Storefront.all.filter { includes($0.code) } }
}

extension Availability: RecordPart {
    package init(_ column: borrowing RecordColumns<Self>) throws {
        let includesNew = try column("in_new_territories", \.includesNew)
        let listed = Set(
            try column("territories", \.listedText).split(scalar: " ").map(String.init))
        self = includesNew ? .everywhere(except: listed) : .only(listed)
    }

    /// As its column has them.
    var listedText: String { listed.sorted().joined(separator: " ") }
}
