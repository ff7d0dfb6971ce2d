import StoreModel
import StoreTexts
import StoreWire

/// A page of reviews as it stands on a terminal: values in, text out.
struct ReviewsScreen {
    enum Choice: Sendable, Hashable {
        case next, previous, order, done
        /// The review helps.
        case helps(Int64)
    }

    let title: String
    let answer: ItemReviewsAnswer
    /// Of `ItemReviewsAnswer.orders`.
    let order: String
    let texts: Texts

    func text(columns: Int) -> String {
        var frame = SheetFrame(title, columns: columns)
        frame.add(heading)
        guard !answer.reviews.isEmpty else {
            frame.add(texts.noReviewsYet)
            return frame.text
        }
        for (index, review) in answer.reviews.enumerated() {
            frame.add(lines: [""])
            // The stars first: nothing of the review looks like them.
            frame.add([("\(index + 1)  \(Texts.stars(review.rating))", review.title)])
            frame.add(lines: frame.wrapped(review.body))
            let day = texts.day(review.date) ?? ""
            frame.add(lines: frame.wrapped(texts.reviewerOnDay(name: review.nickname, day: day)))
            if let response = review.response, !response.isEmpty {
                frame.add(lines: frame.wrapped(texts.publisherAnswers(text: response)))
            }
        }
        frame.add(lines: [""])
        frame.add(
            texts.pageOfPages(page: texts.number(answer.page), pages: texts.number(answer.pages)))
        return frame.text
    }

    private var heading: String {
        switch order {
        case "mostrecent": texts.reviewsRecent
        case "mostfavorable": texts.reviewsFavorable
        case "mostcritical": texts.reviewsCritical
        default: texts.reviewsHelpful
        }
    }

    private var entries: [(key: String, text: String, choice: Choice)] {
        var entries: [(key: String, text: String, choice: Choice)] = []
        if answer.page < answer.pages { entries.append(("n", texts.nextReviews, .next)) }
        if answer.page > 1 { entries.append(("p", texts.previousReviews, .previous)) }
        if !answer.reviews.isEmpty { entries.append(("o", texts.otherOrder, .order)) }
        return entries
    }

    var menu: String {
        let lines = entries.map { "  \($0.key)  \($0.text)\n" }
        let numbers =
            answer.reviews.isEmpty ? "" : "  1-\(answer.reviews.count)  \(texts.numberHelps)\n"
        return lines.joined() + numbers
    }

    /// What somebody has typed; nil for what is not on the list.
    func choice(_ typed: String) -> Choice? {
        let word = typed.trimmingCharacters(in: .whitespaces).lowercased()
        if word.isEmpty || word == "q" { return .done }
        if let number = Int(word) {
            return number > 0 && number <= answer.reviews.count
                ? .helps(answer.reviews[number - 1].reviewId) : nil
        }
        return entries.first { $0.key == word }?.choice
    }
}
