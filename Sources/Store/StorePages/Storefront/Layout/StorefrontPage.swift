import StoreKernel
import StoreModel

/// A page for customers, without what stands on all of them.
package struct StorefrontPage: Sendable {
    /// The window's title, without the store's name.
    package var title: String
    package var content: [HTML]
    /// A sentence for programs that show links to the page.
    package var summary = ""
    /// The address that stands for all addresses of the page, below the country; nil for a page
    /// that is not to be found by search engines.
    package var canonical: String?
    /// The page in other countries' stores, paths below the environment's base.
    package var alternates: [(storefront: Storefront, address: String)] = []
    /// A picture for programs that show links to the page: its address.
    package var picture: String?
    /// What the page is in the words of Open Graph.
    package var graphType = "website"
    package var structuredData: [ScriptJSON] = []
    /// The segment of the kind that the navigation marks; nil for none.
    package var section: String?
    /// Where the link to sign in leads back to; nil for the canonical address.
    package var returnPath: String?

    package init(_ title: String, _ content: [HTML]) {
        self.title = title
        self.content = content
    }
}
