import StoreModel
import Testing

@Suite("Content path")
struct ContentPathTests {
    @Test(arguments: [
        "a", "Contents", "Contents/a.txt", "Contents/章/ä.txt", "...", "a/..b", "a/b..",
        ".hidden", "a b", "a\\b", String(repeating: "x", count: 255),
    ])
    func `a relative path is taken as it is`(_ text: String) {
        #expect(ContentPath(text)?.text == text)
    }

    @Test(arguments: [
        "", "/", "/etc/passwd", "..", ".", "a/..", "../a", "a/../b", "a/./b", "./a", "a//b", "a/",
        "a\u{0}b", "a/\u{0}", String(repeating: "x", count: 256),
        String(repeating: "x/", count: 512) + "x",
    ])
    func `a path that leaves, loops, ends in a slash or is too long is refused`(_ text: String) {
        #expect(ContentPath(text) == nil)
    }

    /// Swift sees a slash and a combining mark behind it as one character; a file system
    /// sees a slash.
    @Test(arguments: [
        "../\u{301}a", "a/../\u{301}b", "a/..\u{2f}\u{200d}b", "/\u{301}etc", "a/./\u{301}b",
    ])
    func `a combining mark behind a slash hides nothing`(_ text: String) {
        #expect(ContentPath(text) == nil)
    }

    @Test func `components are those of the file system`() throws {
        let path = try #require(ContentPath("a/\u{301}b/c"))
        #expect(path.components.map(String.init) == ["a", "\u{301}b", "c"])
    }
}

@Suite("Link inside content")
struct ContentLinkTests {
    @Test(arguments: [
        ("Contents/a", "b", "Contents/b"), ("Contents/a", "./b", "Contents/b"),
        ("Contents/d/a", "../b", "Contents/b"), ("Contents/d/a", "..", "Contents"),
        ("Contents/d/e/a", "../../b/c", "Contents/b/c"), ("Contents/a", ".", "Contents"),
        ("Contents/a", "b//c", "Contents/b/c"),
    ])
    func `a link that stays inside resolves to where it leads`(
        _ path: String, _ target: String, _ resolved: String
    ) throws {
        let path = try #require(ContentPath(path))
        #expect(path.resolving(link: target)?.text == resolved)
    }

    @Test(arguments: [
        ("Contents/a", ""), ("Contents/a", "/etc/passwd"), ("Contents/a", "/"),
        ("Contents/a", ".."), ("Contents/a", "../b"), ("Contents/a", "../Contents/b"),
        ("Contents/d/a", "../../b"), ("Contents/a", "b\u{0}"), ("Contents", "b"), ("a", ".."),
        ("Contents/a", "/\u{301}etc"), ("Contents/a", "../\u{301}b"),
    ])
    func `a link that is absolute or leaves its folder resolves to nothing`(
        _ path: String, _ target: String
    ) throws {
        let path = try #require(ContentPath(path))
        #expect(path.resolving(link: target) == nil)
    }

    /// `d/l` may itself be a link upwards, and then `d/l/..` is above all content.
    @Test(arguments: ["b/..", "d/l/..", "d/../b", "./b/.."])
    func `a link does not go up again from a name`(_ target: String) throws {
        let path = try #require(ContentPath("Contents/x"))
        #expect(path.resolving(link: target) == nil)
    }
}
