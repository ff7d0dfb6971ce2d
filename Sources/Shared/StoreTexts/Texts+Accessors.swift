// Written by Scripts/texts.py from texts.pot; not to be edited.

extension Texts {
    /// “Buy”: the button that buys; also begins the question on a terminal
    package var buy: String { text("buy") }

    /// “Subscribe”: the button that subscribes
    package var subscribe: String { text("subscribe") }

    /// “Cancel”: the button that gives up; also the label of how a subscription is cancelled
    package var cancel: String { text("cancel") }

    /// “Ask”: the button that asks a guardian for permission to buy
    package var ask: String { text("ask") }

    /// “Redeem”: the button that redeems a code
    package var redeem: String { text("redeem") }

    /// “Agree”: the button that agrees to a higher price
    package var agree: String { text("agree") }

    /// “Decline”: the button that does not agree to a higher price, or to a purchase of a child
    package var decline: String { text("decline") }

    /// “Decide Later”: the button that decides about a higher price another time
    package var decideLater: String { text("decideLater") }

    /// “Approve”: the button of a guardian that allows a purchase
    package var approve: String { text("approve") }

    /// “Done”: the button that closes a page; also the title of one that is done
    package var done: String { text("done") }

    /// “Sign In”: the button that signs in, and the title of its page
    package var signIn: String { text("signIn") }

    /// “Sign out here”: the button that signs out in this browser only
    package var signOutHere: String { text("signOutHere") }

    /// “Become a Customer”: the button that signs a tester in as a customer
    package var becomeCustomer: String { text("becomeCustomer") }

    /// “Email”: the label of the field for the email address
    package var email: String { text("email") }

    /// “Password”: the label of the field for the password
    package var password: String { text("password") }

    /// “Account”: the label before the account that is charged
    package var account: String { text("account") }

    /// “Code”: the label of the field for an offer code
    package var code: String { text("code") }

    /// “Product”: the label before a product's name
    package var product: String { text("product") }

    /// “Quantity”: the label before how many are bought
    package var quantity: String { text("quantity") }

    /// “Price”: the label before a price
    package var price: String { text("price") }

    /// “Approval”: the label before what is said of permission to buy
    package var approval: String { text("approval") }

    /// “Renews”: the label before when a subscription renews
    package var renews: String { text("renews") }

    /// “Price now”: the label before the price until now
    package var priceNow: String { text("priceNow") }

    /// “Now”: the label above the price until now
    package var now: String { text("now") }

    /// “New price”: the label before the price from now on
    package var newPrice: String { text("newPrice") }

    /// “[Environment: Sandbox]”: on every question of the test environment; “Sandbox” stays as it is
    package var sandboxMark: String { text("sandboxMark") }

    /// “Confirm Your In-App Purchase”: the title of the question whether to buy in an app
    package var confirmPurchase: String { text("confirmPurchase") }

    /// “Confirm Your Subscription”: the title of the question whether to subscribe
    package var confirmSubscription: String { text("confirmSubscription") }

    /// “Ask for Permission”: the title of the question whether to ask a guardian
    package var askPermission: String { text("askPermission") }

    /// “Redeem Code”: the title of the question for an offer code
    package var redeemCode: String { text("redeemCode") }

    /// “Price Increase”: the title of the question about a higher price
    package var priceIncrease: String { text("priceIncrease") }

    /// “y yes”: what a customer may type for yes, words with spaces between them; y and yes can always be typed
    package var yesAnswers: String { text("yesAnswers") }

    /// “n no”: what a customer may type for no, words with spaces between them; n and no can always be typed
    package var noAnswers: String { text("noAnswers") }

    /// “Buy? [y/n] ”: asked on a terminal, where y or n is typed; a space ends it
    package var askBuy: String { text("askBuy") }

    /// “Subscribe? [y/n] ”: asked on a terminal, where y or n is typed; a space ends it
    package var askSubscribe: String { text("askSubscribe") }

    /// “Agree? [y/n, Return for later] ”: asked on a terminal, where y, n or nothing is typed; a space ends it
    package var askAgree: String { text("askAgree") }

    /// “Sign in to the store to go on.”: on a terminal, above the fields for email and password
    package var signInToGoOn: String { text("signInToGoOn") }

    /// “Enter the code that you were given.”: on a terminal, above the field for the code
    package var enterCode: String { text("enterCode") }

    /// “Press Return to go on, or o to open it in the browser. ”: on a terminal, below the address of a page; o is typed as it is
    package var returnOrOpen: String { text("returnOrOpen") }

    /// “Open this page to go on: {address}”: before the address of a page where no browser can be started
    package func openToGoOn<Part: TextPart>(address: Part) -> Part {
        text("openToGoOn", ["address": address])
    }

    /// “Go on on the page. Press Done there, or Return here, to come back.”: on a terminal, while the customer buys in the browser; Done is the button there
    package var goOnOnPage: String { text("goOnOnPage") }

    /// “o opens the page, b buys on the page, Return when you are done: ”: on a terminal, below an item; o and b are typed as they are
    package var itemChoices: String { text("itemChoices") }

    /// “Ask to Buy: somebody else approves what your account buys. It can't buy this here.”: below an item on a terminal, for a child
    package var approvalHere: String { text("approvalHere") }

    /// “{count} ratings”: how many customers have rated an item
    package func ratings(count: Int) -> String {
        text("ratings", count: count)
    }

    /// “{stars} {mean} ({ratings})”: stars, their mean, and how many have rated: ★★★★☆ 4.2 (3 ratings)
    package func starsWithRatings<Part: TextPart>(stars: Part, mean: Part, ratings: Part) -> Part {
        text("starsWithRatings", ["stars": stars, "mean": mean, "ratings": ratings])
    }

    /// “somebody else has to approve the purchase first”: behind the label Approval
    package var approvalFirst: String { text("approvalFirst") }

    /// “every day”: how often a subscription renews
    package var everyDay: String { text("everyDay") }

    /// “every week”: how often a subscription renews
    package var everyWeek: String { text("everyWeek") }

    /// “every month”: how often a subscription renews
    package var everyMonth: String { text("everyMonth") }

    /// “every year”: how often a subscription renews
    package var everyYear: String { text("everyYear") }

    /// “every {count} days”: how often a subscription renews, more than one day
    package func everyDays(count: Int) -> String {
        text("everyDays", count: count)
    }

    /// “every {count} weeks”: how often a subscription renews, more than one week
    package func everyWeeks(count: Int) -> String {
        text("everyWeeks", count: count)
    }

    /// “every {count} months”: how often a subscription renews, more than one month
    package func everyMonths(count: Int) -> String {
        text("everyMonths", count: count)
    }

    /// “every {count} years”: how often a subscription renews, more than one year
    package func everyYears(count: Int) -> String {
        text("everyYears", count: count)
    }

    /// “{price} {period}”: a price with how often it is paid: $9.99 every month
    package func priceEvery<Part: TextPart>(price: Part, period: Part) -> Part {
        text("priceEvery", ["price": price, "period": period])
    }

    /// “{period} at this price until you cancel”: behind the label Renews; {period} is such as: every month
    package func renewsUntil<Part: TextPart>(period: Part) -> Part {
        text("renewsUntil", ["period": period])
    }

    /// “at any time on your account’s page in the store, under Subscriptions”: behind the label Cancel
    package var howToCancel: String { text("howToCancel") }

    /// “You own this: it is free.”: below a purchase that costs nothing
    package var owned: String { text("owned") }

    /// “You have this subscription; it goes on, and nothing is charged now.”: below a subscription that the customer has
    package var subscriptionRuns: String { text("subscriptionRuns") }

    /// “Starts on {date}, when the period that you have paid for ends; nothing is charged before.”: below a subscription that the customer changes to
    package func startsOn<Part: TextPart>(date: Part) -> Part {
        text("startsOn", ["date": date])
    }

    /// “Starts when the period that you have paid for ends; nothing is charged before.”: the same where the date is not known
    package var startsLater: String { text("startsLater") }

    /// “Do you want to buy one “{product}” for {price}?”: asked before a purchase of one
    package func wantOne<Part: TextPart>(product: Part, price: Part) -> Part {
        text("wantOne", ["product": product, "price": price])
    }

    /// “Do you want to buy {quantity} × “{product}” for {price}?”: asked before a purchase of more than one; {quantity} is 2 or more
    package func wantSeveral<Part: TextPart>(quantity: Part, product: Part, price: Part) -> Part {
        text("wantSeveral", ["quantity": quantity, "product": product, "price": price])
    }

    /// “Do you want to subscribe to “{product}” for {price}?”: asked before a subscription; {price} is such as: $9.99 every month
    package func wantSubscription<Part: TextPart>(product: Part, price: Part) -> Part {
        text("wantSubscription", ["product": product, "price": price])
    }

    /// “Do you want to subscribe to {quantity} × “{product}” for {price}?”: asked before a subscription to more than one; {price} is such as: $9.99 every month
    package func wantSubscriptions<Part: TextPart>(quantity: Part, product: Part, price: Part)
        -> Part
    {
        text("wantSubscriptions", ["quantity": quantity, "product": product, "price": price])
    }

    /// “Do you want to ask for permission to buy one “{product}” for {price}?”: asked before a guardian is asked for a purchase of one
    package func askOne<Part: TextPart>(product: Part, price: Part) -> Part {
        text("askOne", ["product": product, "price": price])
    }

    /// “Do you want to ask for permission to buy {quantity} × “{product}” for {price}?”: the same for more than one; {quantity} is 2 or more
    package func askSeveral<Part: TextPart>(quantity: Part, product: Part, price: Part) -> Part {
        text("askSeveral", ["quantity": quantity, "product": product, "price": price])
    }

    /// “Do you want to ask for permission to subscribe to “{product}” for {price}?”: asked before a guardian is asked for a subscription
    package func askSubscription<Part: TextPart>(product: Part, price: Part) -> Part {
        text("askSubscription", ["product": product, "price": price])
    }

    /// “Do you want to ask for permission to subscribe to {quantity} × “{product}” for {price}?”: the same for more than one; {quantity} is 2 or more
    package func askSubscriptions<Part: TextPart>(quantity: Part, product: Part, price: Part)
        -> Part
    {
        text("askSubscriptions", ["quantity": quantity, "product": product, "price": price])
    }

    /// “The price of “{product}” rises from {current} to {new}. Do you agree?”: asked before a price rises, in one sentence
    package func priceRises<Part: TextPart>(product: Part, current: Part, new: Part) -> Part {
        text("priceRises", ["product": product, "current": current, "new": new])
    }
}
