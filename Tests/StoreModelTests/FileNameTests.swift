import StoreModel
import Testing

struct FileNameTests {
    @Test(arguments: [
        "chapter.pkg", "Kapitel 1 – Öl.png", "بيت\u{200C}.jpg", "a", "a..b",
        String(repeating: "ä", count: 127) + "b",
    ])
    func `a name without a folder is one`(_ name: String) {
        #expect(FileName.isValid(name))
    }

    @Test(arguments: [
        "", ".", ".hidden", "a/b", "a\\b", "a\nb", "a\0b", "a\u{202E}gnp.exe", "a\u{2028}b",
        "a\u{E000}b", String(repeating: "ä", count: 128),
    ])
    func `a folder, a hidden file or what nobody sees is no part of a name`(_ name: String) {
        #expect(!FileName.isValid(name))
    }
}
