import Foundation

// Code for Apple's platforms sets `formatterBehavior` before it formats a price, as Apple's
// own example does. Foundation on Linux has only the newer behaviour, and no such property.

extension NumberFormatter {
    /// The generations of number formatting, with Apple's raw values.
    public enum Behavior: UInt, Sendable {
        /// The system's choice: the same as ``behavior10_4`` here.
        case `default` = 0
        /// Formatting by Unicode's rules, since Mac OS X 10.4. The only one that there is.
        case behavior10_4 = 1040
    }

    /// The generation of formatting: always ``Behavior/behavior10_4``.
    ///
    /// Setting it changes nothing: both values mean the same here.
    public var formatterBehavior: Behavior {
        get { .behavior10_4 }
        set {}
    }

    /// The generation that new formatters have: always ``Behavior/behavior10_4``.
    public class func defaultFormatterBehavior() -> Behavior { .behavior10_4 }
}
