import StoreCore
import StoreModel
import Testing

@Suite struct ProductTests {
    /// The titles that a product has, the storefront that asks, and the title it gets.
    struct Wanted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let locales: [String]
        let storefront: String
        let title: String

        init(_ description: String, _ locales: [String], _ storefront: String, _ title: String) {
            testDescription = description
            self.locales = locales
            self.storefront = storefront
            self.title = title
        }
    }

    static let titles: [Wanted] = [
        Wanted("its own locale", ["en_US", "fr_CA", "fr_FR"], "FRA", "fr_FR"),
        Wanted("its own, not the first", ["de_AT", "de_DE", "en_US"], "DEU", "de_DE"),
        Wanted("its language", ["de_DE", "en_US"], "AUT", "de_DE"),
        Wanted("its language without a region", ["de", "en_US"], "AUT", "de"),
        Wanted("the first of its language", ["de_CH", "de_DE", "en_US"], "AUT", "de_CH"),
        Wanted("the primary one", ["de_DE", "en_US"], "JPN", "en_US"),
        Wanted("any, without the primary one", ["fr_FR", "it_IT"], "JPN", "fr_FR"),
        Wanted("its script", ["zh_Hans", "zh_Hant"], "TWN", "zh_Hant"),
        Wanted("its language by another name", ["da", "en_US", "no"], "NOR", "no"),
        Wanted("the reference name, without any", [], "JPN", "badge"),
    ]

    @Test(arguments: titles)
    func `a storefront gets the nearest text`(wanted: Wanted) {
        var product = Situation().product
        product.details.texts = Dictionary(
            uniqueKeysWithValues: wanted.locales.map {
                ($0, ProductText(title: $0, description: ""))
            })
        #expect(
            product.text(in: .named(wanted.storefront)!, environment: .production).title
                == wanted.title)
    }

    @Test func `customers read approved texts, and testers what is being written`() {
        var product = Situation().product
        product.approvedTexts = ["en_US": ProductText(title: "Approved", description: "")]
        let usa = Storefront.unitedStates
        #expect(product.text(in: usa, environment: .production).title == "Approved")
        #expect(product.text(in: usa, environment: .sandbox).title == "A badge")
    }

    @Test func `a price is in the currency of the storefront`() {
        let product = Situation().product
        let date = Situation().date
        #expect(
            product.price(in: .named("JPN")!, at: date)
                == Money(thousandths: 120_000, currency: "JPY"))
        #expect(
            product.price(in: .unitedStates, at: date) == Money(thousandths: 990, currency: "USD"))
        #expect(product.price(in: .named("FRA")!, at: date) == nil)
    }

    @Test func `a buyer gets the newest version that the environment delivers`() {
        var product = Situation().product
        product.hostsContent = true
        product.releases = [
            .made("1.9", isApproved: true), .made("1.10", isApproved: true),
            .made("2.0", isApproved: false), .made("1.2", isApproved: true),
        ]
        #expect(product.currentRelease(in: .sandbox)?.version.text == "2.0")
        #expect(product.currentRelease(in: .production)?.version.text == "1.10")
    }

    @Test func `without approved content production has none to deliver`() {
        var product = Situation().product
        product.hostsContent = true
        #expect(product.currentRelease(in: .sandbox) == nil)
        product.releases = [.made("1.0", isApproved: false)]
        #expect(product.currentRelease(in: .production) == nil)
    }

    @Test func `nobody gets a version whose bytes were given up`() {
        var product = Situation().product
        product.hostsContent = true
        product.releases = [.made("1.0", isApproved: true), .made("1.1", isApproved: true)]
        product.releases[1].isRetired = true
        for environment in StoreEnvironment.allCases {
            #expect(product.currentRelease(in: environment)?.version.text == "1.0")
        }
    }

    @Test func `a device may fetch the manifest and every blob`() {
        var release = ContentRelease.made("1.0", isApproved: true)
        let older = ContentDigest(String(repeating: "c", count: 64))!
        release.blobs.append(ContentBlob(digest: older, length: 5))
        #expect(release.digests == [release.manifestDigest, release.blobs[0].digest, older])
    }
}
