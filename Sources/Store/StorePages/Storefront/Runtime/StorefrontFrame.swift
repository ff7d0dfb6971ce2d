import Foundation
import StoreCore
import StoreModel
import StoreTexts

/// Where a page stands: the environment, the country's store, and how links are made there.
package struct StorefrontFrame: Sendable {
    package let environment: StoreEnvironment
    package let storefront: Storefront
    /// Scheme and host that the customer reaches the store at, for links that leave the page.
    package let origin: String
    package let assets: PageAssets
    /// Nil in the storefront; what shows the page otherwise.
    package let app: AppFrame?
    /// What the customer reads. Pages of the storefront are the same for everybody: in English.
    package let texts: Texts

    package init(
        environment: StoreEnvironment, storefront: Storefront, origin: String, assets: PageAssets,
        app: AppFrame? = nil, texts: Texts = Texts(.english)
    ) {
        self.environment = environment
        self.storefront = storefront
        self.origin = origin
        self.assets = assets
        self.app = app
        self.texts = texts
    }

    /// Links from page to page: paths on this host.
    package var links: StorefrontLinks { StorefrontLinks(base: environment.pathPrefix) }

    /// The same, as others who refer to the page need them.
    package var outerLinks: StorefrontLinks {
        StorefrontLinks(base: origin + environment.pathPrefix)
    }

    /// The page with what is new in this country.
    package var home: String { "\(environment.pathPrefix)/\(country)" }

    /// The alpha-2 code as it stands in addresses.
    package var country: String { storefront.country.lowercased() }

    /// A page of this country's store.
    ///
    /// - Parameters:
    ///   - path: what follows the country, for example `charts/app`.
    ///   - query: empty values are left out.
    package func path(_ path: String, _ query: [(name: String, value: String)] = []) -> String {
        PortalLink("\(home)/\(path)", query).text
    }

    /// The same frame in another country's store.
    package func moved(to storefront: Storefront) -> StorefrontFrame {
        StorefrontFrame(
            environment: environment, storefront: storefront, origin: origin, assets: assets,
            app: app, texts: texts)
    }

    /// A path that somebody asked to be led to, where it is a page for customers of this
    /// environment, or of the app that shows the page; nil for any other, so that nobody is led
    /// elsewhere.
    func own(_ text: String) -> String? {
        guard let app else { return storefrontPath(text) }
        return [app.path, app.reviews, app.path + "/review"].first { $0 == text }
    }

    /// The same, of the storefront's pages only.
    func storefrontPath(_ text: String) -> String? {
        let prefix = environment.pathPrefix + "/"
        guard text.hasPrefix(scalars: prefix), text.utf8.count <= 1024,
            !text.contains(scalars: "//"), !text.contains(scalar: "\\"),
            !text.contains(scalars: ".."),
            // Browsers take an encoded dot of a path for a dot.
            !text.prefix(while: { $0 != "?" }).lowercased().contains(scalars: "%2e"),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
        else { return nil }
        let country = text.dropFirst(prefix.count).prefix { $0 != "/" && $0 != "?" }
        guard country.count == 2, Storefront.named(String(country)) != nil else { return nil }
        return text
    }
}
