import Foundation
import StoreModel
import Testing

@testable import StoreCore

@Suite struct UploadRulesTests {
    /// Bytes, bytes of a part, and the bytes of each part.
    static let files: [(size: Int64, partSize: Int64, parts: [Range<Int64>])] = [
        (1, 10, [0..<1]), (9, 10, [0..<9]), (10, 10, [0..<10]), (11, 10, [0..<10, 10..<11]),
        (30, 10, [0..<10, 10..<20, 20..<30]),
    ]

    @Test(arguments: files)
    func `parts cover the file without a gap`(
        size: Int64, partSize: Int64, ranges: [Range<Int64>]
    ) {
        let parts = UploadParts(size: size, partSize: partSize)
        #expect(parts.count == ranges.count)
        #expect((0..<parts.count).map { parts.range(of: $0) } == ranges)
        #expect(parts.range(of: -1) == nil)
        #expect(parts.range(of: parts.count) == nil)
        #expect(parts.bytes(of: Array(0..<parts.count)) == size)
    }

    @Test(
        arguments: [
            ([], [0...9]), ([0], [1...9]), ([9], [0...8]), ([4], [0...3, 5...9]),
            ([0, 1, 2, 7, 9], [3...6, 8...8]), (Array(0...9), []), ([-1, 10, 99], [0...9]),
        ] as [([Int], [ClosedRange<Int>])])
    func `what is missing is told in ranges`(present: [Int], missing: [ClosedRange<Int>]) {
        let parts = UploadParts(size: 100, partSize: 10)
        #expect(parts.missing(without: present) == missing)
        #expect(parts.missing(without: present.reversed()) == missing)
    }

    @Test(arguments: [
        "", "a.zip", ".pkg\u{301}", "a/b.pkg", "a/\u{301}b.pkg", "\u{600}/a.pkg", "a\n.pkg",
    ])
    func `a package has a name without folders`(name: String) throws {
        let draft = UploadDraft(
            id: try #require(UploadID("00000000-0000-0000-0000-000000000000")),
            bundleID: Situation.bundleID, subject: .product(Situation.badge), fileName: name,
            size: 1,
            digest: try #require(ContentDigest(String(repeating: "a", count: 64))))
        #expect(
            UploadRules().refusal(of: draft, open: 0, ofTeam: 0, promised: 0, free: .max)
                == .nameInvalid(endings: ".pkg"))
    }

    @Test(
        arguments: [
            ("Shop.AppImage", true), ("shop.flatpak", true), ("shop.deb", true),
            ("shop.tar.zst", true), ("shop.ZIP", true), ("shop.tar.gz", false), ("shop", false),
            ("shop.pkg", false), ("a/shop.zip", false), ("shop.zip\u{301}", false),
        ] as [(String, Bool)])
    func `a build's file has the ending of a format that is taken`(
        name: String, isTaken: Bool
    ) throws {
        let draft = UploadDraft(
            id: try #require(UploadID("00000000-0000-0000-0000-000000000000")),
            bundleID: Situation.bundleID, subject: .build(AppBuildID(UUID())), fileName: name,
            size: 1, digest: try #require(ContentDigest(String(repeating: "a", count: 64))))
        let refusal = UploadRules().refusal(
            of: draft, open: 0, ofTeam: 0, promised: 0, free: .max)
        #expect(refusal == (isTaken ? nil : .nameInvalid(endings: AppPackageFormat.endings)))
    }

    /// Bytes of the package, those promised to others, those that are free, and whether it may
    /// come.
    static let spaces: [(size: Int64, promised: Int64, free: Int64, fits: Bool)] = [
        (.max, 0, .max, false), (99, 0, 1000, false), (100, 0, 1199, false), (100, 0, 1200, true),
        (100, 50, 1249, false), (100, 50, 1250, true),
    ]

    @Test(arguments: spaces)
    func `a package needs its space twice, beside what others were promised`(
        size: Int64, promised: Int64, free: Int64, fits: Bool
    ) {
        var rules = UploadRules()
        rules.largestFile = .max
        rules.reserve = 1000
        let draft = UploadDraft(
            id: UploadID("00000000-0000-0000-0000-000000000000")!, bundleID: Situation.bundleID,
            subject: .product(Situation.badge), fileName: "a.pkg", size: size,
            digest: ContentDigest(String(repeating: "a", count: 64))!)
        let refusal = rules.refusal(
            of: draft, open: 0, ofTeam: 0, promised: promised, free: free)
        #expect((refusal == nil) == fits, "\(String(describing: refusal))")
    }

    @Test(
        arguments: [(0, 0, true), (1, 100, true), (1, 101, false), (2, .max, false)]
            as [(Int, Int64, Bool)])
    func `further packages of a team stay within its share of the disk`(
        open: Int, ofTeam: Int64, fits: Bool
    ) {
        var rules = UploadRules()
        rules.reserve = 1000
        let draft = UploadDraft(
            id: UploadID("00000000-0000-0000-0000-000000000000")!, bundleID: Situation.bundleID,
            subject: .product(Situation.badge), fileName: "a.pkg", size: 100,
            digest: ContentDigest(String(repeating: "a", count: 64))!)
        let refusal = rules.refusal(
            of: draft, open: open, ofTeam: ofTeam, promised: 0, free: 1800)
        #expect((refusal == nil) == fits, "\(String(describing: refusal))")
    }
}
