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

    /// “{app} wants to sign you in to the store. It does not see your password.”: on the page for signing in; {app} is an app's name
    package func wantsToSignIn<Part: TextPart>(app: Part) -> Part {
        text("wantsToSignIn", ["app": app])
    }

    /// “Go on only if you opened this page from the app, on this computer, a moment ago. Whoever sent you the link would be signed in as you.”: a warning on the page for signing in
    package var onlyIfYouOpened: String { text("onlyIfYouOpened") }

    /// “Enter the code that you were given for {app}.”: on the page for redeeming a code; {app} is an app's name
    package func enterCodeFor<Part: TextPart>(app: Part) -> Part {
        text("enterCodeFor", ["app": app])
    }

    /// “The price of “{product}” rises. Do you agree to the new price?”: on the page about a higher price, above both prices
    package func priceRisesAsk<Part: TextPart>(product: Part) -> Part {
        text("priceRisesAsk", ["product": product])
    }

    /// “What you get”: read out by screen readers before the product
    package var whatYouGet: String { text("whatYouGet") }

    /// “{quantity} × {product}”: a product's name with how many of it: 3 × Gem
    package func times<Part: TextPart>(quantity: Part, product: Part) -> Part {
        text("times", ["quantity": quantity, "product": product])
    }

    /// “Account: {account}”: below the buttons, whose account it is
    package func accountIs<Part: TextPart>(account: Part) -> Part {
        text("accountIs", ["account": account])
    }

    /// “This is a test. No money changes hands.”: at the foot of every page of the test environment
    package var noMoney: String { text("noMoney") }

    /// “Check the address in your browser before you type a password.”: at the foot of every page that asks for a password
    package var checkAddress: String { text("checkAddress") }

    /// “The password is wrong.”: where the account is given
    package var passwordWrong: String { text("passwordWrong") }

    /// “The email address or the password is wrong.”: where the email address was typed as well
    package var emailOrPasswordWrong: String { text("emailOrPasswordWrong") }

    /// “Type the password of the account.”: where the field was left empty
    package var typePassword: String { text("typePassword") }

    /// “There were too many wrong passwords; try again in {count} minutes.”: after many wrong passwords; {count} is a number of minutes
    package func tooManyPasswords(count: Int) -> String {
        text("tooManyPasswords", count: count)
    }

    /// “This belongs to another account. Sign in with that one.”: where another account was signed in to than the question is for
    package var otherAccount: String { text("otherAccount") }

    /// “That is not a code: it has letters and digits, without spaces.”: where something else than an offer code was typed
    package var noCode: String { text("noCode") }

    /// “This question is over. Go back to the app.”: where a question has ended meanwhile
    package var questionOver: String { text("questionOver") }

    /// “That is no answer to this question. Choose one that the page shows.”: where something else than a button of the page was sent
    package var noAnswer: String { text("noAnswer") }

    /// “{email} was used to sign in to the production store and is a real account now; it is no longer good for testing. Sign in with another tester.”: where a tester of the sandbox, {email}, has become a customer
    package func testerConverted<Part: TextPart>(email: Part) -> Part {
        text("testerConverted", ["email": email])
    }

    /// “{email} is a tester. Signing in here makes it a customer of the production store for good: it pays from then on, and tests no longer. Testers sign in to the sandbox, whose pages begin with /sandbox.”: asked where a tester of the sandbox, {email}, signs in outside of it
    package func wouldConvert<Part: TextPart>(email: Part) -> Part {
        text("wouldConvert", ["email": email])
    }

    /// “You can close this page and return to the app.”: after a question was answered
    package var goBack: String { text("goBack") }

    /// “Nothing Here”: the title of a page that does not exist
    package var nothingHere: String { text("nothingHere") }

    /// “This page does not exist, or not any longer. Go back to the app and try again.”: below Nothing Here
    package var pageUnknown: String { text("pageUnknown") }

    /// “There is no such file.”: below Nothing Here, for a file of a page
    package var noFile: String { text("noFile") }

    /// “Too Late”: the title where nobody answered in time
    package var tooLate: String { text("tooLate") }

    /// “Nobody answered for fifteen minutes. Go back to the app and try again.”: below Too Late
    package var nobodyAnswered: String { text("nobodyAnswered") }

    /// “Too Many Attempts”: the title after many wrong passwords
    package var tooManyAttempts: String { text("tooManyAttempts") }

    /// “The password was wrong too often. Nothing was bought. Go back to the app and try again.”: below Too Many Attempts, where something was asked
    package var attemptsBought: String { text("attemptsBought") }

    /// “The password was wrong too often. Go back to the app and try again.”: below Too Many Attempts, on the page of an item
    package var attemptsItem: String { text("attemptsItem") }

    /// “No Longer Needed”: the title where the app has gone on
    package var noLongerNeeded: String { text("noLongerNeeded") }

    /// “The app does not wait for this answer any longer.”: below No Longer Needed, where something was asked
    package var appWaitsNot: String { text("appWaitsNot") }

    /// “The app shows this item no longer.”: below No Longer Needed, on the page of an item
    package var appShowsNot: String { text("appShowsNot") }

    /// “Signed In”: the title after signing in
    package var signedIn: String { text("signedIn") }

    /// “You will be asked again.”: below Decide Later
    package var askedAgain: String { text("askedAgain") }

    /// “Code Sent”: the title after a code was typed
    package var codeSent: String { text("codeSent") }

    /// “The app redeems it now.”: below Code Sent
    package var appRedeems: String { text("appRedeems") }

    /// “Agreed”: the title after a higher price was agreed to
    package var agreed: String { text("agreed") }

    /// “You keep it at the new price.”: below Agreed
    package var keepAtNewPrice: String { text("keepAtNewPrice") }

    /// “Asking”: the title after a guardian was asked
    package var asking: String { text("asking") }

    /// “The app asks for permission now.”: below Asking
    package var appAsks: String { text("appAsks") }

    /// “Confirmed”: the title after a purchase was confirmed
    package var confirmed: String { text("confirmed") }

    /// “The app completes the purchase.”: below Confirmed
    package var appCompletes: String { text("appCompletes") }

    /// “Declined”: the title after a guardian or a customer has declined
    package var declined: String { text("declined") }

    /// “You do not pay the new price.”: below Declined, for a higher price
    package var notTheNewPrice: String { text("notTheNewPrice") }

    /// “Cancelled”: the title after a purchase was given up
    package var cancelled: String { text("cancelled") }

    /// “Nothing was bought.”: below Cancelled
    package var nothingBought: String { text("nothingBought") }

    /// “Closed”: the title of an item's page that was closed
    package var closed: String { text("closed") }

    /// “This page was open for half an hour. Go back to the app to see the item again.”: below Closed
    package var openHalfHour: String { text("openHalfHour") }

    /// “This page was closed. Go back to the app to see the item again.”: below Closed
    package var pageClosed: String { text("pageClosed") }

    /// “Permission to Buy”: the title of the page for a guardian
    package var permissionToBuy: String { text("permissionToBuy") }

    /// “{requester} wants to buy “{product}” in {app}. Do you allow it?”: asked of a guardian; {requester} is an address, {app} an app's name
    package func wantsToBuy<Part: TextPart>(requester: Part, product: Part, app: Part) -> Part {
        text("wantsToBuy", ["requester": requester, "product": product, "app": app])
    }

    /// “{requester} wants to buy {quantity} × “{product}” in {app}. Do you allow it?”: the same for more than one; {quantity} is 2 or more
    package func wantsToBuySeveral<Part: TextPart>(
        requester: Part, quantity: Part, product: Part, app: Part
    ) -> Part {
        text(
            "wantsToBuySeveral",
            ["requester": requester, "quantity": quantity, "product": product, "app": app])
    }

    /// “Asked by”: the label before who asks a guardian
    package var askedBy: String { text("askedBy") }

    /// “Charged”: the label before what a guardian allows to be charged
    package var charged: String { text("charged") }

    /// “Decline”: the button of a guardian that does not allow a purchase
    package var refuse: String { text("refuse") }

    /// “Approved”: the title after a guardian has allowed a purchase
    package var approved: String { text("approved") }

    /// “The purchase goes on. You can close this page.”: below Approved
    package var purchaseGoesOn: String { text("purchaseGoesOn") }

    /// “Nothing was bought. You can close this page.”: below Declined, for a guardian
    package var nothingBoughtClose: String { text("nothingBoughtClose") }

    /// “Nobody decided within a day. Nothing was bought; it can be asked for again.”: below Too Late, for a guardian
    package var nobodyDecided: String { text("nobodyDecided") }

    /// “The password was wrong too often. Nothing was bought, and this page takes no more passwords. After a day it can be asked for again.”: below Too Many Attempts, for a guardian
    package var attemptsGuardian: String { text("attemptsGuardian") }

    /// “Nobody is named who decides for this account, so whoever has the address of this page can.”: a warning on the page for a guardian
    package var anyoneCanDecide: String { text("anyoneCanDecide") }

    /// “This is not sold any longer; it can only be declined.”: where a guardian allows what is not sold any more
    package var notSoldAnyLonger: String { text("notSoldAnyLonger") }

    /// “Not Taken”: the title where a form was not the store's own
    package var notTaken: String { text("notTaken") }

    /// “The answer did not come from a page of this store in this browser, or cookies are blocked. Go back, reload the page and try again.”: below Not Taken
    package var foreignForm: String { text("foreignForm") }

    /// “Not Understood”: the title where something else than a form was sent
    package var notUnderstood: String { text("notUnderstood") }

    /// “What was sent is not the form of this page.”: below Not Understood
    package var notTheForm: String { text("notTheForm") }

    /// “Too Many at Once”: the title where many sign in at the same moment
    package var tooManyAtOnce: String { text("tooManyAtOnce") }

    /// “The store is checking many passwords at the moment; try again in a moment.”: below Too Many at Once
    package var passwordsBusy: String { text("passwordsBusy") }

    /// “Something Broke”: the title where the store has failed
    package var somethingBroke: String { text("somethingBroke") }

    /// “The store failed. Reload the page to see what became of your answer.”: below Something Broke
    package var storeFailed: String { text("storeFailed") }

    /// “The store failed while it was writing: what you sent may have taken effect, or may not. Reload the page to see what became of your answer.”: below Something Broke, where it is not known what was kept
    package var storeFailedWriting: String { text("storeFailedWriting") }

    /// “The store’s log calls this request {number}.”: behind a failure, for who asks the store's operator about it
    package func reference<Part: TextPart>(number: Part) -> Part {
        text("reference", ["number": number])
    }

    /// “Too Many Requests”: the title where too much is asked from one address
    package var tooManyRequests: String { text("tooManyRequests") }

    /// “Too much is asked from where you are. Wait {count} seconds, and try again.”: below Too Many Requests
    package func waitSeconds(count: Int) -> String {
        text("waitSeconds", count: count)
    }
}
