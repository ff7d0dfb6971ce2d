import StoreModel
import StoreTexts

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Product {
    /// How to format ``price``, and what an app reckons with it: in the storefront's currency and
    /// locale.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        let locale = backing.priceLocale
        return Decimal.FormatStyle.Currency(
            code: locale.currency?.identifier ?? "", locale: locale)
    }

    /// How to format a subscription's period: `1 month`, in the storefront's language.
    ///
    /// Foundation's `Date.ComponentsFormatStyle` formats nothing on Linux.
    public var subscriptionPeriodFormatStyle: OpenStorePeriodFormatStyle {
        OpenStorePeriodFormatStyle(locale: backing.priceLocale)
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension Product {
    /// How to format the unit of a subscription's period: `month`, in the storefront's language.
    public var subscriptionPeriodUnitFormatStyle: Product.SubscriptionPeriod.Unit.FormatStyle {
        Product.SubscriptionPeriod.Unit.FormatStyle(locale: backing.priceLocale)
    }
}

/// Formats a range of dates as the years, months, weeks and days that it has, by the Gregorian
/// calendar in the device's time zone: `1 month`, `1 year 2 weeks`.
///
/// It writes English, Japanese, Russian and Chinese; English for other locales.
public struct OpenStorePeriodFormatStyle: FormatStyle {
    private var locale: Locale

    init(locale: Locale) { self.locale = locale }

    /// The range, in words; `0 days` if it has less than a day.
    public func format(_ value: Range<Date>) -> String {
        let texts = Texts(of: locale)
        let calendar = Calendar(identifier: .gregorian)
        let found = calendar.dateComponents(
            [.year, .month, .day], from: value.lowerBound, to: value.upperBound)
        let days: Int = found.day ?? 0
        let parts: [(Int, StoreModel.SubscriptionPeriod.Unit)] = [
            (found.year ?? 0, .year), (found.month ?? 0, .month), (days / 7, .week),
            (days % 7, .day),
        ]
        let said: [String] = parts.filter { $0.0 > 0 }.map { texts.duration($0.0, $0.1) }
        return said.isEmpty ? texts.duration(0, .day) : said.joined(separator: " ")
    }

    /// The same style in another locale.
    public func locale(_ locale: Locale) -> OpenStorePeriodFormatStyle {
        OpenStorePeriodFormatStyle(locale: locale)
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit {
    /// Formats a unit by its name.
    ///
    /// It writes English, Japanese, Russian and Chinese; English for other locales.
    public struct FormatStyle: Foundation.FormatStyle {
        private var locale: Locale

        init(locale: Locale) { self.locale = locale }

        /// The unit's name, such as `month`.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String {
            Texts(of: locale).name(of: value.modelUnit)
        }

        /// The same style in another locale.
        public func locale(_ locale: Locale) -> Product.SubscriptionPeriod.Unit.FormatStyle {
            Product.SubscriptionPeriod.Unit.FormatStyle(locale: locale)
        }
    }

    /// The unit, formatted.
    ///
    /// - Parameter format: for example ``Product/subscriptionPeriodUnitFormatStyle``.
    public func formatted<S>(
        _ format: S
    ) -> S.FormatOutput where S: Foundation.FormatStyle, S.FormatInput == Self {
        format.format(self)
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Product.SubscriptionPeriod.Unit {
    /// The unit's name, in the language of the device.
    public var localizedDescription: String { Texts.device.name(of: modelUnit) }

    fileprivate var modelUnit: StoreModel.SubscriptionPeriod.Unit {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}

extension Texts {
    /// The texts in a locale's language; in English if there are none.
    fileprivate init(of locale: Locale) {
        self.init(StoreLanguage(tag: locale.identifier) ?? .english)
    }
}
