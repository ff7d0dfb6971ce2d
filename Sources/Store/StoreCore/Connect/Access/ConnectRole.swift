import StoreDatabase

/// What a person or a key may do in Connect, named as in App Store Connect; the last two are
/// the store's own staff.
package enum ConnectRole: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    case accountHolder = "ACCOUNT_HOLDER"
    case admin = "ADMIN"
    case appManager = "APP_MANAGER"
    case developer = "DEVELOPER"
    case marketing = "MARKETING"
    case sales = "SALES"
    case finance = "FINANCE"
    case customerSupport = "CUSTOMER_SUPPORT"
    case reviewer = "REVIEWER"
    case `operator` = "OPERATOR"

    /// Whether it belongs to the store's staff, who act for no team.
    package var isStaff: Bool { self == .reviewer || self == .operator }

    /// The name that people read.
    package var title: String {
        switch self {
        case .accountHolder: "Account Holder"
        case .admin: "Admin"
        case .appManager: "App Manager"
        case .developer: "Developer"
        case .marketing: "Marketing"
        case .sales: "Sales"
        case .finance: "Finance"
        case .customerSupport: "Customer Support"
        case .reviewer: "Reviewer"
        case .operator: "Operator"
        }
    }
}
