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

    /// Where it is sold today, in the order of the store's list.
    package var territories: [Storefront] { Storefront.all.filter { includes($0.code) } }
}
