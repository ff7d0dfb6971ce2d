@testable import StoreCore
import StoreModel
import Testing

@Suite struct ReleaseRequirementTests {
    private static var whole: ReleaseReadiness {
        var item = ItemDetails(kind: .software, title: "Shop", genres: [6018], prices: .free)
        item.texts[item.primaryLocale]?.description = "Stories by the chapter."
        item.facts.supportURL = "https://example.com/support"
        return ReleaseReadiness(
            hasBuild: true, item: item, hasArtwork: true, hasAgreement: true)
    }

    @Test func `whatever is missing is said, and nothing blank goes on sale`() throws {
        typealias Row = (missing: [ReleaseRequirement], change: (inout ReleaseReadiness) -> Void)
        let rows: [Row] = [
            ([], { _ in }), ([.build], { $0.hasBuild = false }), ([.storePage], { $0.item = nil }),
            ([.category], { $0.item?.genres = [] }),
            ([.category], { $0.item?.genres = [Genre.root(of: .software).id] }),
            ([.description], { $0.item?.texts["en_US"]?.description = "" }),
            ([.description], { $0.item?.texts["en_US"]?.description = " \n" }),
            ([.artwork], { $0.hasArtwork = false }),
            ([.supportURL], { $0.item?.facts.supportURL = nil }),
            ([.agreement], { $0.hasAgreement = false }),
            ([.artwork, .agreement], { ($0.hasArtwork, $0.hasAgreement) = (false, false) }),
        ]
        let version = try #require(ContentVersion("1.0"))
        for row in rows {
            var readiness = Self.whole
            row.change(&readiness)
            #expect(readiness.missing == row.missing)
            guard !row.missing.isEmpty else {
                try readiness.check(version)
                continue
            }
            let refusal = #expect(throws: ConnectRefusal.self) { try readiness.check(version) }
            #expect(refusal?.rule == "versionIncomplete")
            for requirement in row.missing {
                #expect(refusal?.help.contains(requirement.sentence) == true)
            }
        }
    }
}
