import Foundation
import StoreModel

// What customers read before they buy, the same on every sheet and page.
extension Texts {
    /// The default of what is not yet written for every language.
    package static let english = Texts(.english)

    /// How often a subscription renews: `every month`, `every 3 months`.
    package func frequency(of period: SubscriptionPeriod) -> String {
        let isOne = period.count == 1
        return switch period.unit {
        case .day: isOne ? everyDay : everyDays(count: period.count)
        case .week: isOne ? everyWeek : everyWeeks(count: period.count)
        case .month: isOne ? everyMonth : everyMonths(count: period.count)
        case .year: isOne ? everyYear : everyYears(count: period.count)
        }
    }

    /// The price of a subscription with its period, `$9.99 every month`; the price alone of
    /// what does not renew.
    package func price(_ price: String, every period: SubscriptionPeriod?) -> String {
        period.map { priceEvery(price: price, period: frequency(of: $0)) } ?? price
    }

    /// What consumer law wants said before the button of a subscription: the price and its
    /// period, and that it renews by itself. How it is cancelled, `howToCancel`, follows.
    package func terms(
        of period: SubscriptionPeriod, price: String
    ) -> [(label: String, value: String)] {
        [
            (self.price, self.price(price, every: period)),
            (renews, renewsUntil(period: frequency(of: period))),
        ]
    }

    /// A price beside these texts.
    ///
    /// - Parameter storefront: its locale.
    package func price(_ price: Money, in storefront: String) -> String {
        price.formatted(locale: language.locale(in: storefront))
    }

    /// What is said of when a purchase charges; nil where the price says it all.
    ///
    /// - Parameters:
    ///   - storefront: its locale.
    ///   - currency: of the price.
    package func sentence(
        of charge: ChargeNotice, in storefront: String, _ currency: String
    ) -> String? {
        switch charge {
        case .now: nil
        case .owned: owned
        case .running: subscriptionRuns
        case .later(let date): beginning(at: date, in: storefront)
        case .offer(let offer): sentence(of: offer, in: storefront, currency)
        case .upgrade(let offer):
            offer.map { startsNow + " " + sentence(of: $0, in: storefront, currency) } ?? startsNow
        case .accepted(let offer, let date):
            beginning(at: date, in: storefront) + " "
                + sentence(of: offer, in: storefront, currency)
        }
    }

    private func beginning(at date: Date, in storefront: String) -> String {
        day(of: date, in: storefront).map { startsOn(date: $0) } ?? startsLater
    }

    /// What a subscription costs at first: `$0.99 every month for 3 months; after that the price is
    /// charged.`
    private func sentence(
        of offer: SubscriptionOffer, in storefront: String, _ currency: String
    ) -> String {
        let (price, duration) = (price(of: offer, in: storefront, currency), duration(of: offer))
        guard let follower = offer.follower else {
            return price.map { beginsReduced(price: $0, duration: duration) }
                ?? beginsFree(duration: duration)
        }
        let second = phrase(of: follower, in: storefront, currency)
        return beginsTwice(first: phrase(of: offer, in: storefront, currency), second: second)
    }

    /// One of two offers in a sentence: `$0.99 every month for 3 months`.
    private func phrase(
        of offer: SubscriptionOffer, in storefront: String, _ currency: String
    ) -> String {
        let duration = duration(of: offer)
        return price(of: offer, in: storefront, currency).map {
            reducedFor(price: $0, duration: duration)
        } ?? freeFor(duration: duration)
    }

    private func duration(of offer: SubscriptionOffer) -> String {
        duration(offer.length.count, offer.length.unit)
    }

    /// The price that an offer charges each time, with its period. A free trial has none.
    private func price(
        of offer: SubscriptionOffer, in storefront: String, _ currency: String
    ) -> String? {
        guard offer.paymentMode != .freeTrial else { return nil }
        let amount = price(
            Money(thousandths: offer.thousandths, currency: currency), in: storefront)
        return price(amount, every: offer.paymentMode == .payAsYouGo ? offer.period : nil)
    }

    /// The question whether to buy, as one sentence.
    ///
    /// - Parameters:
    ///   - price: of all of it, with its period.
    ///   - asks: whether a guardian is asked for permission.
    package func question<Part: TextPart>(
        quantity: Int, product: Part, price: Part, isSubscription: Bool, asks: Bool
    ) -> Part {
        let number = Part(text: self.number(quantity))
        return switch (isSubscription, quantity == 1, asks) {
        case (false, true, false): wantOne(product: product, price: price)
        case (false, false, false): wantSeveral(quantity: number, product: product, price: price)
        case (true, true, false): wantSubscription(product: product, price: price)
        case (true, false, false):
            wantSubscriptions(quantity: number, product: product, price: price)
        case (false, true, true): askOne(product: product, price: price)
        case (false, false, true): askSeveral(quantity: number, product: product, price: price)
        case (true, true, true): askSubscription(product: product, price: price)
        case (true, false, true):
            askSubscriptions(quantity: number, product: product, price: price)
        }
    }

    /// A day as it stands in a sentence, in UTC; nil beyond what calendars have.
    private func day(of date: Date, in storefront: String) -> String? {
        guard CalendarDay(of: date) != nil else { return nil }
        return date.formatted(
            Date.FormatStyle(
                date: .long, time: .omitted,
                locale: Locale(identifier: language.locale(in: storefront)),
                calendar: Calendar(identifier: .gregorian), timeZone: .gmt))
    }
}
