import StoreModel
import StoreTexts
import StoreWire

/// The page of an item as it stands on a terminal, with the list of what a customer can do:
/// values in, text out.
struct ItemScreen {
    /// What a customer chooses from the list.
    enum Choice: Sendable, Hashable {
        case buy, download, reviews, writeReview, removeReview, description, versions
        case support, page, back
        case item(Int64)
        case done
    }

    /// The most lines of the description on the page itself.
    private static let descriptionLimit = 8
    private static let notesLimit = 3

    let page: ItemPageAnswer
    let isSandbox: Bool
    /// The title of the item that led to this one; nil for none.
    let previous: String?
    let texts: Texts

    // MARK: The page

    func text(columns: Int) -> String {
        var frame = SheetFrame(page.item.title, columns: columns)
        if !page.subtitle.isEmpty { frame.add(page.subtitle) }
        frame.add(facts)
        if isSandbox { frame.add(texts.sandboxMark) }
        if let standing { frame.add(standing) }
        let description = frame.wrapped(page.description)
        if !description.isEmpty {
            frame.add(lines: [""] + Self.cut(description, to: Self.descriptionLimit))
        }
        if let newest = page.versions.first {
            frame.add(lines: [""])
            frame.add(heading(of: newest))
            frame.add(lines: Self.cut(frame.wrapped(newest.notes), to: Self.notesLimit))
        }
        if !page.purchases.isEmpty {
            frame.add(lines: [""])
            frame.add(texts.purchasesInside)
            frame.add(items: page.purchases.map { "\($0.title), \(price($0.price))" })
        }
        var number = 0
        for (heading, items) in shelves where !items.isEmpty {
            frame.add(lines: [""])
            frame.add(heading)
            frame.add(
                items.map { item in
                    number += 1
                    return ("  \(number)", line(of: item))
                })
        }
        // The address on a line of its own: terminals make it a link.
        return frame.text + page.url.terminalText() + "\n"
    }

    /// All of the description, or of the history of versions.
    func wholeText(_ choice: Choice, columns: Int) -> String {
        var frame = SheetFrame(page.item.title, columns: columns)
        if choice == .versions {
            frame.add(texts.versionHistory)
            for version in page.versions {
                frame.add(lines: [""])
                frame.add(heading(of: version))
                frame.add(lines: frame.wrapped(version.notes))
            }
        } else {
            frame.add(lines: frame.wrapped(page.description))
        }
        return frame.text
    }

    /// What a customer decides by, each behind its label: a name can't look like a price.
    private var facts: [(label: String, value: String)] {
        var facts: [(label: String, value: String)] = [
            (texts.sellerLabel, page.seller.isEmpty ? page.item.maker : page.seller)
        ]
        if let amount = page.item.price { facts.append((texts.price, price(amount))) }
        if let stars = texts.stars(of: page.rating) { facts.append((texts.ratingLabel, stars)) }
        if let genre = page.genre { facts.append((texts.genreLabel, genre)) }
        if let age = page.ageRating { facts.append((texts.ageRatingLabel, age)) }
        if let size = page.customer?.file?.size ?? page.fileSize {
            facts.append((texts.sizeLabel, texts.bytes(size)))
        }
        if let own = page.customer?.review {
            facts.append((texts.yourReviewLabel, Texts.stars(own.rating)))
        }
        return facts
    }

    /// What the customer has of it, or what keeps them from having it.
    private var standing: String? {
        guard let customer = page.customer else { return texts.obstacle(of: page) }
        if customer.isOwned {
            if customer.isWithheld { return texts.notForTester }
            return customer.file == nil ? texts.nothingToFetch : texts.itemIsYours
        }
        return customer.needsApproval ? texts.approvalHere : texts.obstacle(of: page)
    }

    private var shelves: [(heading: String, items: [WireItem])] {
        [
            (texts.contentsOfItem, page.parts),
            (texts.moreByMaker(maker: page.item.maker), page.others),
            (texts.alsoLike, page.related),
        ]
    }

    private func line(of item: WireItem) -> String {
        [item.title, item.maker, item.price.map(price) ?? ""].filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    private func heading(of version: WireItemVersion) -> String {
        guard let day = version.date.flatMap(texts.day) else {
            return texts.versionAlone(version: version.version)
        }
        return texts.versionOfDay(version: version.version, day: day)
    }

    private func price(_ money: Money) -> String {
        let storefront = StoreModel.Storefront.named(page.storefront) ?? .unitedStates
        return money.thousandths == 0
            ? texts.freePrice
            : money.formatted(locale: texts.language.locale(in: storefront.locale))
    }

    private static func cut(_ lines: [String], to limit: Int) -> [String] {
        lines.count > limit ? lines.prefix(limit - 1) + ["…"] : lines
    }

    // MARK: The list

    /// What can be done, by the key that is typed.
    private var entries: [(key: String, text: String, choice: Choice)] {
        var entries: [(key: String, text: String, choice: Choice)] = []
        let customer = page.customer
        if let amount = page.item.price, customer?.isOwned != true, page.obstacle == nil,
            customer?.needsApproval != true
        {
            let title: String =
                amount.thousandths == 0
                ? texts.getFree : texts.buyForPrice(price: price(amount))
            entries.append(("b", title, .buy))
        }
        if let file = customer?.file {
            let size = texts.bytes(file.size)
            entries.append(("d", texts.downloadFile(file: file.name, size: size), .download))
        }
        entries.append(("r", texts.readReviews, .reviews))
        if customer?.review == nil {
            if customer == nil || customer?.mayReview == true {
                entries.append(("w", texts.writeReview, .writeReview))
            }
        } else {
            entries.append(("w", texts.changeReview, .writeReview))
            entries.append(("x", texts.removeReview, .removeReview))
        }
        if !page.description.isEmpty {
            entries.append(("m", texts.wholeDescription, .description))
        }
        if page.versions.count > 1 { entries.append(("v", texts.wholeHistory, .versions)) }
        if ItemScreen.address(page.supportUrl) != nil {
            entries.append(("s", texts.supportInBrowser, .support))
        }
        if ItemScreen.address(page.url) != nil {
            entries.append(("o", texts.pageInBrowser, .page))
        }
        if let previous { entries.append(("p", texts.backToItem(title: previous), .back)) }
        return entries
    }

    /// The list, one line for each.
    var menu: String {
        entries.map { "  \($0.key)  \($0.text.terminalText())\n" }.joined()
    }

    /// What somebody has typed; nil for what is not on the list.
    func choice(_ typed: String) -> Choice? {
        let word = typed.trimmingCharacters(in: .whitespaces).lowercased()
        if word.isEmpty || word == "q" { return .done }
        if let number = Int(word) {
            let items = shelves.flatMap(\.items)
            return number > 0 && number <= items.count
                ? .item(items[number - 1].itemId) : nil
        }
        return entries.first { $0.key == word }?.choice
    }

    /// An address that a browser may be sent to; nil for anything else.
    static func address(_ text: String?) -> URL? {
        guard let text, text.utf8.count <= 2048, let url = URL(string: text),
            url.scheme == "https" || url.scheme == "http", url.host?.isEmpty == false,
            url.user == nil
        else { return nil }
        return url
    }
}

extension Texts {
    /// Why nobody can buy an item now; nil where it can be bought. The store says it in English.
    func obstacle(of page: ItemPageAnswer) -> String? {
        page.obstacle.map { language == .english ? $0 : self.productNotSold }
    }

    /// Stars, their mean and how many have rated; nil where nobody has.
    func stars(of rating: WireRating) -> String? {
        let counts = rating.counts.prefix(5).map { min(max(0, $0), 1_000_000_000) }
        let total = counts.reduce(0, +)
        guard total > 0 else { return nil }
        let sum = counts.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
        let mean = Double(sum) / Double(total)
        return self.starsWithRatings(
            stars: Self.stars(Int(clamping: mean.rounded())), mean: number(mean, digits: 1),
            ratings: self.ratings(count: total))
    }

    static func stars(_ count: Int) -> String {
        let full = min(max(0, count), 5)
        return String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
    }

    /// A size as the language writes it.
    func bytes(_ count: Int64) -> String {
        max(0, count).formatted(
            .byteCount(style: .file).locale(Locale(identifier: language.rawValue)))
    }

    /// The day of a time in milliseconds; nil for what is none that people write.
    func day(_ milliseconds: Int64) -> String? {
        let date = Date(milliseconds: milliseconds)
        guard CalendarDay(of: date) != nil else { return nil }
        return date.formatted(
            Date.FormatStyle(
                date: .abbreviated, time: .omitted,
                locale: Locale(identifier: language.locale(in: language.rawValue)),
                timeZone: .gmt))
    }
}
