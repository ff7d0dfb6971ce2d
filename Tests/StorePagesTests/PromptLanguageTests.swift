import StoreTestSupport
import Testing

/// Pages of questions in the language of the browser.
struct PromptLanguageTests {
    private static let russian = "de, ru-RU;q=0.9, en;q=0.1"

    @Test func `a question is in the browser's language, and so is what was wrong`() async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await PromptClient(shop, signedIn: TestStore.american)
        let prompt = try await client.ask(PromptClient.chapter(quantity: 3))
        let page = try await client.browser.open(prompt.url, languages: Self.russian)
        #expect(page.text.contains("<html lang=\"ru\">"))
        #expect(page.headers["Cache-Control"] == "no-store")
        for words in [
            "Подтвердите встроенную покупку",
            "Купить «The first chapter» × 3 за 5,97\u{a0}$?",
            "[Среда: Sandbox]", "Пароль", "Отменить",
            "Это тест. Деньги не списываются.",
        ] {
            #expect(page.words.contains(words), "\(words)")
        }
        let wrong = try await client.browser.submit(
            page, "yes", ["password": "wrong"], headers: ["Accept-Language": Self.russian])
        #expect(wrong.status == 422 && wrong.words.contains("Неверный пароль."))
        // Whatever it was before: each request says its language.
        let again = try await client.browser.open(prompt.url)
        #expect(again.text.contains("<html lang=\"en\">"))
        #expect(again.words.contains("Confirm Your In-App Purchase"))
        let hostile = try await client.browser.open(
            prompt.url, languages: String(repeating: "ru;q=1e999,", count: 500) + "\"<script>")
        #expect(hostile.text.contains("<html lang=\"en\">"))
    }
}
