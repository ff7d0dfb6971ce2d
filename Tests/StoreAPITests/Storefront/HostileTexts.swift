/// Texts that break out of wherever they are put without care.
enum HostileTexts {
    static let all: [String] = [
        "<script>alert(1)</script>", "</script><script>alert(1)//", "</ScRiPt >", "<!--<script>",
        "-->", "]]>", "<![CDATA[x]]>", "<?xml version=\"1.0\"?>", "<!DOCTYPE x [<!ENTITY a 'b'>]>",
        "&lt;script&gt;", "&#60;b&#62;", "&#x0;", "&amp;amp;", "&undefined;", "&", "&&", "\"", "'",
        "\\", "\\\"", "\\u003c", "\\", "\"}],\"x\":[{\"", "');alert(1);('", "*/alert(1)/*",
        "`${1}`",
        "a\u{2028}b", "a\u{2029}b", "a\u{85}b", "line\nfeed", "return\r\nline", "tab\there",
        "\u{1}\u{2}\u{1F}", "\u{7F}", "nul\u{0}nul", "\u{B}\u{C}", "\u{202E}gnirts\u{202C}",
        "\u{200F}\u{200E}\u{2066}x\u{2069}", "a\u{FEFF}mark", "\u{FFFE}\u{FFFF}", "\u{FFFD}",
        "👩‍👩‍👧‍👦🏴‍☠️", "e\u{301}\u{302}\u{303}", "Z̷͈̈́a̶̹͝l̵̰̈g̵̹̈o̵̼͠", "チェス 国際象棋 شطرنج", "𝕊𝕦𝕣𝕣𝕠𝕘𝕒𝕥𝕖",
        "javascript:alert(1)", "\" onmouseover=\"alert(1)", "%3Cscript%3E", "../../etc/passwd",
        "';DROP TABLE item;--", "{{7*7}}", "${jndi:ldap://x}", " ", "\u{E000}\u{10FFFF}",
        String(repeating: "<\"&", count: 2_000),
    ]

    /// Whether a text is written so that it can end nothing that it stands in.
    static func isSafe(_ bytes: some Sequence<UInt8>) -> Bool {
        var before: (UInt8, UInt8) = (0, 0)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0..<0x0A, 0x0B..<0x20,
                0x7F:
                return false
            case 0xA8, 0xA9: if before == (0xE2, 0x80) { return false }
            default: break
            }
            before = (before.1, byte)
        }
        return true
    }
}
