import Testing

@testable import StoreCommands

@Suite struct WantedAppTests {
    @Test(
        arguments: [
            ("100000000017", nil, 100_000_000_017, ""),
            ("Lamp", nil, nil, "Lamp"),
            ("com.example.lamp", nil, nil, "com.example.lamp"),
            ("https://store.example.com/us/app/lamp/id17", "https://store.example.com", 17, ""),
            ("http://[::1]:8080/app/id17?mt=8", "http://[::1]:8080", 17, ""),
            ("https://store.example.com/us", nil, nil, "https://store.example.com/us"),
            ("99999999999999999999", nil, nil, "99999999999999999999"),
            ("\u{0661}", nil, nil, "\u{0661}"),
        ] as [(String, String?, Int64?, String)])
    func `an app is named by number, name, identifier or the address of its page`(
        text: String, store: String?, number: Int64?, name: String
    ) {
        let wanted = WantedApp(text)
        #expect(wanted.store == store && wanted.number == number && wanted.name == name)
    }

    @Test(
        arguments: [
            ("/home/ada/.local/lamp", "/home/ada/.local/lamp"),
            ("/home/a da/la$mp", #""/home/a da/la\\$mp""#),
            (#"/home/a"b\c%U"#, #""/home/a\\"b\\\\c%%U""#),
        ] as [(String, String)])
    func `a path is one argument of a desktop entry, whatever it is`(path: String, quoted: String) {
        #expect(DesktopFiles.quoted(path) == quoted)
    }
}
