import StoreCore

/// Somebody who uses the demo's portal. All of them are made up.
enum DemoPerson: CaseIterable {
    case `operator`
    case reviewer
    case accountHolder
    case admin
    case appManager
    case developer
    case marketing
    case finance
    /// Holds the account of another team, which has only just begun.
    case newcomer

    /// The role in the team, or among the store's staff.
    var role: ConnectRole {
        switch self {
        case .operator: .operator
        case .reviewer: .reviewer
        case .accountHolder, .newcomer: .accountHolder
        case .admin: .admin
        case .appManager: .appManager
        case .developer: .developer
        case .marketing: .marketing
        case .finance: .finance
        }
    }

    var name: String {
        switch self {
        case .operator: "Olga Okafor"
        case .reviewer: "Ravi Rao"
        case .accountHolder: "Hanna Holm"
        case .admin: "Adam Abel"
        case .appManager: "Maya Moreau"
        case .developer: "Deniz Demir"
        case .marketing: "Marta Marek"
        case .finance: "Finn Fischer"
        case .newcomer: "Nora Novak"
        }
    }

    var email: String {
        let first = name.prefix { $0 != " " }.lowercased()
        return switch self {
        case .operator, .reviewer: "\(first)@store.example"
        case .newcomer: "\(first)@harbour.example"
        default: "\(first)@lighthouse.example"
        }
    }

    /// What the person is a member of.
    var group: String {
        switch self {
        case .operator, .reviewer: "the store"
        case .newcomer: DemoTeam.otherName
        default: DemoTeam.name
        }
    }

    /// The members of the team who are invited by its account holder.
    static let invited: [DemoPerson] = [.admin, .appManager, .developer, .marketing, .finance]
}
