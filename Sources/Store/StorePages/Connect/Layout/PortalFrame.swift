import StoreCore

/// Whom a page is shown to.
struct PortalFrame {
    let visit: PortalVisit
    /// Nil on pages for everybody.
    let visitor: ConnectVisitor?
}
