/// A page of the portal, without what stands on all of them.
///
/// ```swift
/// var page = PortalPage("Testers", [table.html(call)], in: .sandbox)
/// page.actions = [.buttonLink("/connect/sandbox/testers/new", "Add Tester", isMeant: true)]
/// page.trail = [.init("Sandbox", "/connect/sandbox")]
/// ```
package struct PortalPage: Sendable {
    /// A page above this one.
    package struct Crumb: Sendable, Hashable {
        package let title: String
        package let path: String

        package init(_ title: String, _ path: String) {
            self.title = title
            self.path = path
        }
    }

    /// The heading, and with the store's name the window's title.
    package var title: String
    /// A short line above the heading, for example the kind of thing.
    package var kind: String?
    /// Beside the heading: a status badge.
    package var badge: HTML = .nothing
    /// One or two sentences below the heading.
    package var lead: String?
    package var section: PortalSection?
    /// The pages above this one, the highest first.
    package var trail: [Crumb] = []
    /// Links and forms at the right of the heading, the one that is meant last.
    package var actions: [HTML] = []
    package var tabs: HTML = .nothing
    package var content: [HTML]
    /// Whether it is one column for reading and typing.
    package var isNarrow = false

    package init(_ title: String, _ content: [HTML], in section: PortalSection? = nil) {
        self.title = title
        self.content = content
        self.section = section
    }
}
