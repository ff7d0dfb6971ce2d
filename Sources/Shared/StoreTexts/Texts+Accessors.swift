// Written by Scripts/texts.py from texts.pot; not to be edited.

extension Texts {
    /// “Buy”: the button that buys; also begins the question on a terminal
    package var buy: String { text("buy") }

    /// “Subscribe”: the button that subscribes
    package var subscribe: String { text("subscribe") }

    /// “Cancel”: the button that gives up
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
        self.text("openToGoOn", ["address": address])
    }

    /// “Ask to Buy: somebody else approves what your account buys. It can't buy this here.”: below an item on a terminal, for a child
    package var approvalHere: String { text("approvalHere") }

    /// “{count} ratings”: how many customers have rated an item
    package func ratings(count: Int) -> String {
        self.text("ratings", count: count)
    }

    /// “{stars} {mean} ({ratings})”: stars, their mean, and how many have rated: ★★★★☆ 4.2 (3 ratings)
    package func starsWithRatings<Part: TextPart>(stars: Part, mean: Part, ratings: Part) -> Part {
        self.text("starsWithRatings", ["stars": stars, "mean": mean, "ratings": ratings])
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
        self.text("everyDays", count: count)
    }

    /// “every {count} weeks”: how often a subscription renews, more than one week
    package func everyWeeks(count: Int) -> String {
        self.text("everyWeeks", count: count)
    }

    /// “every {count} months”: how often a subscription renews, more than one month
    package func everyMonths(count: Int) -> String {
        self.text("everyMonths", count: count)
    }

    /// “every {count} years”: how often a subscription renews, more than one year
    package func everyYears(count: Int) -> String {
        self.text("everyYears", count: count)
    }

    /// “{price} {period}”: a price with how often it is paid: $9.99 every month
    package func priceEvery<Part: TextPart>(price: Part, period: Part) -> Part {
        self.text("priceEvery", ["price": price, "period": period])
    }

    /// “{period} at this price until you cancel”: behind the label Renews; {period} is such as: every month
    package func renewsUntil<Part: TextPart>(period: Part) -> Part {
        self.text("renewsUntil", ["period": period])
    }

    /// “at any time on your account’s page in the store, under Subscriptions”: behind the label Cancel
    package var howToCancel: String { text("howToCancel") }

    /// “You own this: it is free.”: below a purchase that costs nothing
    package var owned: String { text("owned") }

    /// “You have this subscription; it goes on, and nothing is charged now.”: below a subscription that the customer has
    package var subscriptionRuns: String { text("subscriptionRuns") }

    /// “Starts on {date}, when the period that you have paid for ends; nothing is charged before.”: below a subscription that the customer changes to
    package func startsOn<Part: TextPart>(date: Part) -> Part {
        self.text("startsOn", ["date": date])
    }

    /// “Starts when the period that you have paid for ends; nothing is charged before.”: the same where the date is not known
    package var startsLater: String { text("startsLater") }

    /// “Starts now; you get the money back for what is left of the period that you have paid for.”: below a subscription that takes the place of one that is paid for
    package var startsNow: String { text("startsNow") }

    /// “Free for {duration}; after that the price is charged.”: below a subscription that begins with a free trial; {duration} is such as: 1 week
    package func beginsFree<Part: TextPart>(duration: Part) -> Part {
        self.text("beginsFree", ["duration": duration])
    }

    /// “{price} for {duration}; after that the price is charged.”: below a subscription that begins at a reduced price; {price} is such as: $0.99 every month, or $9.99
    package func beginsReduced<Part: TextPart>(price: Part, duration: Part) -> Part {
        self.text("beginsReduced", ["price": price, "duration": duration])
    }

    /// “First {first}, then {second}; after that the price is charged.”: below a subscription that begins with two offers; {first} and {second} are such as: free for 1 week
    package func beginsTwice<Part: TextPart>(first: Part, second: Part) -> Part {
        self.text("beginsTwice", ["first": first, "second": second])
    }

    /// “free for {duration}”: one of two offers in a sentence; {duration} is such as: 1 week
    package func freeFor<Part: TextPart>(duration: Part) -> Part {
        self.text("freeFor", ["duration": duration])
    }

    /// “{price} for {duration}”: one of two offers in a sentence; {price} is such as: $0.99 every month, or $9.99
    package func reducedFor<Part: TextPart>(price: Part, duration: Part) -> Part {
        self.text("reducedFor", ["price": price, "duration": duration])
    }

    /// “Do you want to buy one “{product}” for {price}?”: asked before a purchase of one
    package func wantOne<Part: TextPart>(product: Part, price: Part) -> Part {
        self.text("wantOne", ["product": product, "price": price])
    }

    /// “Do you want to buy {quantity} × “{product}” for {price}?”: asked before a purchase of more than one; {quantity} is 2 or more
    package func wantSeveral<Part: TextPart>(quantity: Part, product: Part, price: Part) -> Part {
        self.text("wantSeveral", ["quantity": quantity, "product": product, "price": price])
    }

    /// “Do you want to subscribe to “{product}” for {price}?”: asked before a subscription; {price} is such as: $9.99 every month
    package func wantSubscription<Part: TextPart>(product: Part, price: Part) -> Part {
        self.text("wantSubscription", ["product": product, "price": price])
    }

    /// “Do you want to subscribe to {quantity} × “{product}” for {price}?”: asked before a subscription to more than one; {price} is such as: $9.99 every month
    package func wantSubscriptions<Part: TextPart>(quantity: Part, product: Part, price: Part)
        -> Part
    {
        self.text("wantSubscriptions", ["quantity": quantity, "product": product, "price": price])
    }

    /// “Do you want to ask for permission to buy one “{product}” for {price}?”: asked before a guardian is asked for a purchase of one
    package func askOne<Part: TextPart>(product: Part, price: Part) -> Part {
        self.text("askOne", ["product": product, "price": price])
    }

    /// “Do you want to ask for permission to buy {quantity} × “{product}” for {price}?”: the same for more than one; {quantity} is 2 or more
    package func askSeveral<Part: TextPart>(quantity: Part, product: Part, price: Part) -> Part {
        self.text("askSeveral", ["quantity": quantity, "product": product, "price": price])
    }

    /// “Do you want to ask for permission to subscribe to “{product}” for {price}?”: asked before a guardian is asked for a subscription
    package func askSubscription<Part: TextPart>(product: Part, price: Part) -> Part {
        self.text("askSubscription", ["product": product, "price": price])
    }

    /// “Do you want to ask for permission to subscribe to {quantity} × “{product}” for {price}?”: the same for more than one; {quantity} is 2 or more
    package func askSubscriptions<Part: TextPart>(quantity: Part, product: Part, price: Part)
        -> Part
    {
        self.text("askSubscriptions", ["quantity": quantity, "product": product, "price": price])
    }

    /// “The price of “{product}” rises from {current} to {new}. Do you agree?”: asked before a price rises, in one sentence
    package func priceRises<Part: TextPart>(product: Part, current: Part, new: Part) -> Part {
        self.text("priceRises", ["product": product, "current": current, "new": new])
    }

    /// “{app} wants to sign you in to the store. It does not see your password.”: on the page for signing in; {app} is an app's name
    package func wantsToSignIn<Part: TextPart>(app: Part) -> Part {
        self.text("wantsToSignIn", ["app": app])
    }

    /// “Go on only if you opened this page from the app, on this computer, a moment ago. Whoever sent you the link would be signed in as you.”: a warning on the page for signing in
    package var onlyIfYouOpened: String { text("onlyIfYouOpened") }

    /// “Enter the code that you were given for {app}.”: on the page for redeeming a code; {app} is an app's name
    package func enterCodeFor<Part: TextPart>(app: Part) -> Part {
        self.text("enterCodeFor", ["app": app])
    }

    /// “The price of “{product}” rises. Do you agree to the new price?”: on the page about a higher price, above both prices
    package func priceRisesAsk<Part: TextPart>(product: Part) -> Part {
        self.text("priceRisesAsk", ["product": product])
    }

    /// “What you get”: read out by screen readers before the product
    package var whatYouGet: String { text("whatYouGet") }

    /// “{quantity} × {product}”: a product's name with how many of it: 3 × Gem
    package func times<Part: TextPart>(quantity: Part, product: Part) -> Part {
        self.text("times", ["quantity": quantity, "product": product])
    }

    /// “Account: {account}”: below the buttons, whose account it is
    package func accountIs<Part: TextPart>(account: Part) -> Part {
        self.text("accountIs", ["account": account])
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
        self.text("tooManyPasswords", count: count)
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
        self.text("testerConverted", ["email": email])
    }

    /// “{email} is a tester. Signing in here makes it a customer of the production store for good: it pays from then on, and tests no longer. Testers sign in to the sandbox, whose pages begin with /sandbox.”: asked where a tester of the sandbox, {email}, signs in outside of it
    package func wouldConvert<Part: TextPart>(email: Part) -> Part {
        self.text("wouldConvert", ["email": email])
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
        self.text("wantsToBuy", ["requester": requester, "product": product, "app": app])
    }

    /// “{requester} wants to buy {quantity} × “{product}” in {app}. Do you allow it?”: the same for more than one; {quantity} is 2 or more
    package func wantsToBuySeveral<Part: TextPart>(
        requester: Part, quantity: Part, product: Part, app: Part
    ) -> Part {
        self.text(
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

    /// “More people sign in than the store can check; try again in a few seconds.”: below Too Many at Once
    package var passwordsBusy: String { text("passwordsBusy") }

    /// “Something Broke”: the title where the store has failed
    package var somethingBroke: String { text("somethingBroke") }

    /// “The store failed. Reload the page to see what became of your answer.”: below Something Broke
    package var storeFailed: String { text("storeFailed") }

    /// “The store failed while it was writing: what you sent may have taken effect, or may not. Reload the page to see what became of your answer.”: below Something Broke, where it is not known what was kept
    package var storeFailedWriting: String { text("storeFailedWriting") }

    /// “The store’s log calls this request {number}.”: behind a failure, for who asks the store's operator about it
    package func reference<Part: TextPart>(number: Part) -> Part {
        self.text("reference", ["number": number])
    }

    /// “Too Many Requests”: the title where too much is asked from one address
    package var tooManyRequests: String { text("tooManyRequests") }

    /// “Too much is asked from where you are. Wait {count} seconds, and try again.”: below Too Many Requests
    package func waitSeconds(count: Int) -> String {
        self.text("waitSeconds", count: count)
    }

    /// “{label} {value}.”: a label with its value as a sentence: Renews every month at this price until you cancel.
    package func labelled<Part: TextPart>(label: Part, value: Part) -> Part {
        self.text("labelled", ["label": label, "value": value])
    }

    /// “Cannot connect to iTunes Store”: an error that an app shows, in Apple's words
    package var cannotConnect: String { text("cannotConnect") }

    /// “Purchases are restricted on this device.”: an error that an app shows
    package var purchasesRestricted: String { text("purchasesRestricted") }

    /// “The store has changed the price with each order; nothing was bought. Try later.”: an error that an app shows
    package var priceKeepsChanging: String { text("priceKeepsChanging") }

    /// “The storefront has changed from {old} to {new}.”: an error that an app shows; both are codes of countries such as USA
    package func storefrontChanged<Part: TextPart>(old: Part, new: Part) -> Part {
        self.text("storefrontChanged", ["old": old, "new": new])
    }

    /// “The customer cancelled the payment.”: an error that an app shows
    package var paymentCancelled: String { text("paymentCancelled") }

    /// “The customer did not sign in.”: an error that an app shows
    package var didNotSignIn: String { text("didNotSignIn") }

    /// “The customer could not be signed in.”: an error that an app shows
    package var couldNotSignIn: String { text("couldNotSignIn") }

    /// “This purchase belongs to the account {email}.”: where another account was signed in to; {email} is an address
    package func belongsToAccount<Part: TextPart>(email: Part) -> Part {
        self.text("belongsToAccount", ["email": email])
    }

    /// “The customer did not answer in time.”: an error that an app shows
    package var noAnswerInTime: String { text("noAnswerInTime") }

    /// “The password was wrong too often on the store's page.”: an error that an app shows
    package var passwordWrongOnPage: String { text("passwordWrongOnPage") }

    /// “The email address or the password is wrong, or there were too many attempts: then try again in some minutes.”: an error that an app shows, and what stands above the fields when they are shown again
    package var signInRefused: String { text("signInRefused") }

    /// “The purchase was not approved.”: an error that an app shows: a guardian has declined
    package var purchaseDeclined: String { text("purchaseDeclined") }

    /// “Nobody approved the purchase in time.”: an error that an app shows
    package var approvalLapsed: String { text("approvalLapsed") }

    /// “The payment was declined. Nothing was charged.”: an error that an app shows
    package var paymentDeclined: String { text("paymentDeclined") }

    /// “The purchase was taken back.”: an error that an app shows
    package var purchaseRevoked: String { text("purchaseRevoked") }

    /// “This is not for sale at the moment.”: an error that an app shows
    package var productNotSold: String { text("productNotSold") }

    /// “This is not available in the store of your country or region.”: an error that an app shows
    package var itemUnknown: String { text("itemUnknown") }

    /// “There is no such code.”: an error that an app shows, and what stands above the field when it is shown again
    package var codeUnknown: String { text("codeUnknown") }

    /// “The code has expired.”: the same where a code was good once
    package var codeEnded: String { text("codeEnded") }

    /// “The code was redeemed already.”: the same where a code was redeemed before
    package var codeUsed: String { text("codeUsed") }

    /// “The store is busy. Try again later.”: an error that an app shows
    package var storeBusy: String { text("storeBusy") }

    /// “The store has failed. Try again later.”: an error that an app shows
    package var storeHasFailed: String { text("storeHasFailed") }

    /// “Rate “{app}””: the title of the question for a review; {app} is an app's name
    package func rateApp<Part: TextPart>(app: Part) -> Part {
        self.text("rateApp", ["app": app])
    }

    /// “{sentence} You can close this page and return to the app.”: after a question was answered; {sentence} says what became of it
    package func andGoBack<Part: TextPart>(sentence: Part) -> Part {
        self.text("andGoBack", ["sentence": sentence])
    }

    /// “Type a letter or a number from the list, or press Return when you are done: ”: asked on a terminal below the list of what can be done with an item; a space ends it
    package var chooseOnItem: String { text("chooseOnItem") }

    /// “Type a letter or a number from the list, or press Return to go back: ”: asked on a terminal below a page of reviews; a space ends it
    package var chooseOnReviews: String { text("chooseOnReviews") }

    /// “Seller”: the label before who sells an item
    package var sellerLabel: String { text("sellerLabel") }

    /// “Rating”: the label before the stars of an item
    package var ratingLabel: String { text("ratingLabel") }

    /// “Genre”: the label before the genre of an item
    package var genreLabel: String { text("genreLabel") }

    /// “Age rating”: the label before the age from which an item is for
    package var ageRatingLabel: String { text("ageRatingLabel") }

    /// “Size”: the label before how large a download is
    package var sizeLabel: String { text("sizeLabel") }

    /// “Your review”: the label before the stars that the customer gave
    package var yourReviewLabel: String { text("yourReviewLabel") }

    /// “Free”: in the place of a price
    package var freePrice: String { text("freePrice") }

    /// “Version history”: a heading above the versions of an app
    package var versionHistory: String { text("versionHistory") }

    /// “Version {version}, {day}”: a version and the day on which it appeared
    package func versionOfDay<Part: TextPart>(version: Part, day: Part) -> Part {
        self.text("versionOfDay", ["version": version, "day": day])
    }

    /// “Version {version}”: a version whose day is not known
    package func versionAlone<Part: TextPart>(version: Part) -> Part {
        self.text("versionAlone", ["version": version])
    }

    /// “In-app purchases”: a heading above what is sold in an app
    package var purchasesInside: String { text("purchasesInside") }

    /// “Contents”: a heading above the songs of an album or the episodes of a season
    package var contentsOfItem: String { text("contentsOfItem") }

    /// “More by {maker}”: a heading above other items of the same maker
    package func moreByMaker<Part: TextPart>(maker: Part) -> Part {
        self.text("moreByMaker", ["maker": maker])
    }

    /// “You might also like”: a heading above related items
    package var alsoLike: String { text("alsoLike") }

    /// “Buy for {price}”: what can be done with an item: buy it
    package func buyForPrice<Part: TextPart>(price: Part) -> Part {
        self.text("buyForPrice", ["price": price])
    }

    /// “Get it for free”: what can be done with an item that costs nothing
    package var getFree: String { text("getFree") }

    /// “Download {file} ({size})”: what can be done with an item that the customer has
    package func downloadFile<Part: TextPart>(file: Part, size: Part) -> Part {
        self.text("downloadFile", ["file": file, "size": size])
    }

    /// “Read reviews”: what can be done with an item
    package var readReviews: String { text("readReviews") }

    /// “Write a review”: what can be done with an item
    package var writeReview: String { text("writeReview") }

    /// “Change your review”: what can be done with an item that the customer has reviewed
    package var changeReview: String { text("changeReview") }

    /// “Remove your review”: what can be done with an item that the customer has reviewed
    package var removeReview: String { text("removeReview") }

    /// “Read the whole description”: what can be done with an item whose description is long
    package var wholeDescription: String { text("wholeDescription") }

    /// “Read the version history”: what can be done with an app that has several versions
    package var wholeHistory: String { text("wholeHistory") }

    /// “Support (opens in the browser)”: what can be done with an item: leads to the pages of its publisher
    package var supportInBrowser: String { text("supportInBrowser") }

    /// “Open its page in the browser”: what can be done with an item
    package var pageInBrowser: String { text("pageInBrowser") }

    /// “Back to “{title}””: what can be done with an item that another one has led to
    package func backToItem<Part: TextPart>(title: Part) -> Part {
        self.text("backToItem", ["title": title])
    }

    /// “It is yours.”: about an item that the customer has
    package var itemIsYours: String { text("itemIsYours") }

    /// “It is yours. There is no file to download.”: about an item that the customer has
    package var nothingToFetch: String { text("nothingToFetch") }

    /// “It is another publisher’s: testers download only what their own publisher sells.”: about an item that a tester has
    package var notForTester: String { text("notForTester") }

    /// “Confirm Your Purchase”: the title of the question whether to buy an item
    package var confirmItem: String { text("confirmItem") }

    /// “Get This Item”: the title of the question whether to get an item that costs nothing
    package var confirmFree: String { text("confirmFree") }

    /// “Get it? [y/n] ”: asked on a terminal, where y or n is typed; a space ends it
    package var askGet: String { text("askGet") }

    /// “It is yours now.”: after a purchase of an item
    package var nowYours: String { text("nowYours") }

    /// “Downloading {file}: {done} of {size}. Return stops it. ”: while a file is downloaded; {done} is such as 45 %
    package func downloadingFile<Part: TextPart>(file: Part, done: Part, size: Part) -> Part {
        self.text("downloadingFile", ["file": file, "done": done, "size": size])
    }

    /// “Saved as {path}”: after a download; {path} is the place of the file
    package func downloadSaved<Part: TextPart>(path: Part) -> Part {
        self.text("downloadSaved", ["path": path])
    }

    /// “The download was stopped. Started again, it goes on from there.”: after a download that the customer has stopped
    package var downloadStopped: String { text("downloadStopped") }

    /// “The file is being downloaded by another program.”: another program is downloading the same file
    package var downloadBusy: String { text("downloadBusy") }

    /// “What arrived is not the file that the store has. Try again later.”: after a download whose bytes are wrong
    package var downloadDamaged: String { text("downloadDamaged") }

    /// “There is not enough room on the disk. Make room, and start the download again.”: after a download that has no room
    package var diskFull: String { text("diskFull") }

    /// “The store can’t be reached. Try again later.”: when the store does not answer
    package var storeAway: String { text("storeAway") }

    /// “Opened in the browser: {address}”: after a page was opened
    package func openedInBrowser<Part: TextPart>(address: Part) -> Part {
        self.text("openedInBrowser", ["address": address])
    }

    /// “Nobody has written a review yet.”: in the place of reviews
    package var noReviewsYet: String { text("noReviewsYet") }

    /// “Reviews, most helpful first”: a heading above reviews
    package var reviewsHelpful: String { text("reviewsHelpful") }

    /// “Reviews, most recent first”: a heading above reviews
    package var reviewsRecent: String { text("reviewsRecent") }

    /// “Reviews, best first”: a heading above reviews
    package var reviewsFavorable: String { text("reviewsFavorable") }

    /// “Reviews, worst first”: a heading above reviews
    package var reviewsCritical: String { text("reviewsCritical") }

    /// “Page {page} of {pages}”: below a page of reviews
    package func pageOfPages<Part: TextPart>(page: Part, pages: Part) -> Part {
        self.text("pageOfPages", ["page": page, "pages": pages])
    }

    /// “Next page”: what can be done with a list of reviews
    package var nextReviews: String { text("nextReviews") }

    /// “Previous page”: what can be done with a list of reviews
    package var previousReviews: String { text("previousReviews") }

    /// “Sort in another way”: what can be done with a list of reviews
    package var otherOrder: String { text("otherOrder") }

    /// “The number of a review says that it helps you”: what can be done with a list of reviews; the number before a review is typed
    package var numberHelps: String { text("numberHelps") }

    /// “Thank you. You find this review helpful.”: after a customer has said that a review helps
    package var voteCounted: String { text("voteCounted") }

    /// “{name}, {day}”: below a review: who wrote it when
    package func reviewerOnDay<Part: TextPart>(name: Part, day: Part) -> Part {
        self.text("reviewerOnDay", ["name": name, "day": day])
    }

    /// “The publisher answers: {text}”: below a review
    package func publisherAnswers<Part: TextPart>(text: Part) -> Part {
        self.text("publisherAnswers", ["text": text])
    }

    /// “How many stars, 1 to 5? Return goes back. ”: asked on a terminal; a space ends it
    package var askStars: String { text("askStars") }

    /// “Title, or Return for none: ”: asked on a terminal; a space ends it
    package var askTitle: String { text("askTitle") }

    /// “Title; Return keeps “{title}”, a hyphen removes it: ”: asked on a terminal when a review is changed; a space ends it
    package func askTitleAgain<Part: TextPart>(title: Part) -> Part {
        self.text("askTitleAgain", ["title": title])
    }

    /// “Your review; an empty line ends it:”: asked on a terminal; lines are typed
    package var askBody: String { text("askBody") }

    /// “Your review; an empty line ends it. An empty one keeps what you wrote, a hyphen removes it:”: asked on a terminal when a review is changed; lines are typed
    package var askBodyAgain: String { text("askBodyAgain") }

    /// “The name that others see below it: ”: asked on a terminal; a space ends it
    package var askNickname: String { text("askNickname") }

    /// “The name that others see below it; Return keeps “{name}”: ”: asked on a terminal when a review is changed; a space ends it
    package func askNicknameAgain<Part: TextPart>(name: Part) -> Part {
        self.text("askNicknameAgain", ["name": name])
    }

    /// “Your review is saved.”: after a review was written
    package var reviewSaved: String { text("reviewSaved") }

    /// “Your review is saved. Others see it once somebody of the store has looked at it.”: after a review was written
    package var reviewHeld: String { text("reviewHeld") }

    /// “Others don’t see your review: it does not follow the store’s rules.”: about the review of the customer
    package var reviewHidden: String { text("reviewHidden") }

    /// “Your review is removed.”: after a review was removed
    package var reviewGone: String { text("reviewGone") }

    /// “Remove your review? [y/n] ”: asked on a terminal, where y or n is typed; a space ends it
    package var askRemoveReview: String { text("askRemoveReview") }

    /// “Only those who got it from this store can review it.”: when somebody wants to review what they have not got
    package var gotItFirst: String { text("gotItFirst") }

    /// “Are you enjoying “{app}”? Rate it with 1 to 5 stars.”: above the question for stars, in an app
    package func enjoyApp<Part: TextPart>(app: Part) -> Part {
        self.text("enjoyApp", ["app": app])
    }

    /// “Shown by {app}”: above an item that an app shows; whose page it is
    package func shownBy<Part: TextPart>(app: Part) -> Part {
        self.text("shownBy", ["app": app])
    }

    /// “(opens the store)”: after what leaves the app and opens the store, for those who listen to the page
    package var opensStore: String { text("opensStore") }

    /// “These open in the store. {app} goes on.”: above other items on a page that an app shows
    package func theseOpenStore<Part: TextPart>(app: Part) -> Part {
        self.text("theseOpenStore", ["app": app])
    }

    /// “Get”: the button that gets an item that costs nothing
    package var getItem: String { text("getItem") }

    /// “Ask to Buy: somebody else approves what {account} buys, and that can’t be asked for here. You can look at this, and whoever approves can get it with an account of their own.”: instead of the button that buys, where somebody else approves what the account buys
    package func approvalOfAccount<Part: TextPart>(account: Part) -> Part {
        self.text("approvalOfAccount", ["account": account])
    }

    /// “Skip to content”: a link at the top of a page, for keyboards
    package var skipToContent: String { text("skipToContent") }

    /// “Screenshots”: a heading above pictures of an app
    package var screenshots: String { text("screenshots") }

    /// “{title}, scrolls sideways”: the name of a row of pictures, for those who listen; {title} is its heading
    package func scrollsSideways<Part: TextPart>(title: Part) -> Part {
        self.text("scrollsSideways", ["title": title])
    }

    /// “Screenshot {number}”: a picture of an app, for those who listen
    package func screenshotNumber<Part: TextPart>(number: Part) -> Part {
        self.text("screenshotNumber", ["number": number])
    }

    /// “Preview”: a heading above a sample that plays
    package var preview: String { text("preview") }

    /// “Preview of {title}”: a player of a sample, for those who listen
    package func previewOf<Part: TextPart>(title: Part) -> Part {
        self.text("previewOf", ["title": title])
    }

    /// “Songs”: a heading above the songs of an album
    package var songsOfAlbum: String { text("songsOfAlbum") }

    /// “Episodes”: a heading above the episodes of a season
    package var episodesOfSeason: String { text("episodesOfSeason") }

    /// “Explicit”: a mark of what is not for children
    package var explicitContent: String { text("explicitContent") }

    /// “Clean”: a mark of a version without strong language
    package var cleanContent: String { text("cleanContent") }

    /// “From {title}”: below a song or an episode; {title} is the album or the season
    package func fromWhole<Part: TextPart>(title: Part) -> Part {
        self.text("fromWhole", ["title": title])
    }

    /// “Rental price {price}”: below the button that buys a film
    package func rentalPriceIs<Part: TextPart>(price: Part) -> Part {
        self.text("rentalPriceIs", ["price": price])
    }

    /// “{mean} out of 5 stars”: stars, for those who listen
    package func meanOfFiveStars<Part: TextPart>(mean: Part) -> Part {
        self.text("meanOfFiveStars", ["mean": mean])
    }

    /// “out of 5”: below the mean of the ratings, a large number
    package var outOfFive: String { text("outOfFive") }

    /// “Ratings by stars”: the name of a table of ratings, for those who listen
    package var ratingsByStars: String { text("ratingsByStars") }

    /// “Description”: a heading above what the publisher says of an item
    package var descriptionHeading: String { text("descriptionHeading") }

    /// “What’s New”: a heading above what is new in a version
    package var whatIsNew: String { text("whatIsNew") }

    /// “Version History”: opens the list of earlier versions
    package var historyOfVersions: String { text("historyOfVersions") }

    /// “In-App Purchases”: a heading above what is sold inside of an app
    package var inAppPurchases: String { text("inAppPurchases") }

    /// “Ratings and Reviews”: a heading above what customers think
    package var ratingsAndReviews: String { text("ratingsAndReviews") }

    /// “Nobody has rated it yet.”: instead of stars
    package var nobodyRated: String { text("nobodyRated") }

    /// “Review”: stands for the title of a review that has none
    package var reviewWithoutTitle: String { text("reviewWithoutTitle") }

    /// “Publisher’s response”: above what the publisher answers to a review
    package var publisherResponse: String { text("publisherResponse") }

    /// “{helpful} of {votes} found this helpful”: below a review
    package func foundHelpful<Part: TextPart>(helpful: Part, votes: Part) -> Part {
        self.text("foundHelpful", ["helpful": helpful, "votes": votes])
    }

    /// “Helpful?”: before the buttons Yes and No below a review
    package var isItHelpful: String { text("isItHelpful") }

    /// “Yes”: a button: the review is helpful
    package var helpfulYes: String { text("helpfulYes") }

    /// “No”: a button: the review is not helpful
    package var helpfulNo: String { text("helpfulNo") }

    /// “review by {name}”: after Yes and No, for those who listen: whose review
    package func reviewOf<Part: TextPart>(name: Part) -> Part {
        self.text("reviewOf", ["name": name])
    }

    /// “Order of reviews”: the name of a list of links, for those who listen
    package var orderOfReviews: String { text("orderOfReviews") }

    /// “Most Helpful”: how reviews are sorted
    package var orderHelpful: String { text("orderHelpful") }

    /// “Most Recent”: how reviews are sorted
    package var orderRecent: String { text("orderRecent") }

    /// “Most Favorable”: how reviews are sorted
    package var orderFavorable: String { text("orderFavorable") }

    /// “Most Critical”: how reviews are sorted
    package var orderCritical: String { text("orderCritical") }

    /// “Pages of reviews”: the name of links to further pages, for those who listen
    package var pagesOfReviews: String { text("pagesOfReviews") }

    /// “Previous”: a link to the page before
    package var previousPage: String { text("previousPage") }

    /// “Next”: a link to the page after
    package var nextPage: String { text("nextPage") }

    /// “Your review:”: before the stars that the customer gave
    package var ownReviewIs: String { text("ownReviewIs") }

    /// “Others see it once somebody of the store has looked at it.”: about the customer's own review
    package var ownReviewHeld: String { text("ownReviewHeld") }

    /// “Others don’t see it: it does not follow the store’s rules.”: about the customer's own review
    package var ownReviewRejected: String { text("ownReviewRejected") }

    /// “Edit Your Review”: a link to the form of the customer's own review
    package var editYourReview: String { text("editYourReview") }

    /// “Write a Review”: a link to the form of a review
    package var writeYourReview: String { text("writeYourReview") }

    /// “More”: a heading above other items of the same publisher
    package var otherItems: String { text("otherItems") }

    /// “You Might Also Like”: a heading above related items
    package var mightAlsoLike: String { text("mightAlsoLike") }

    /// “See All”: a link to a whole list
    package var seeAll: String { text("seeAll") }

    /// “Information”: a heading above facts about an item
    package var informationHeading: String { text("informationHeading") }

    /// “Publisher”: before a book's publisher
    package var publisherLabel: String { text("publisherLabel") }

    /// “Released”: before the day of the release
    package var releasedLabel: String { text("releasedLabel") }

    /// “Version”: before the number of a version
    package var versionLabel: String { text("versionLabel") }

    /// “Length”: before how long it lasts
    package var lengthLabel: String { text("lengthLabel") }

    /// “Languages”: before the languages of an app
    package var languagesLabel: String { text("languagesLabel") }

    /// “Compatibility”: before what an app needs
    package var compatibilityLabel: String { text("compatibilityLabel") }

    /// “Features”: before a list of an app's features
    package var featuresLabel: String { text("featuresLabel") }

    /// “Composer”: before a name
    package var composerLabel: String { text("composerLabel") }

    /// “Director”: before a name
    package var directorLabel: String { text("directorLabel") }

    /// “Producers”: before names
    package var producersLabel: String { text("producersLabel") }

    /// “Cast”: before actors' names
    package var castLabel: String { text("castLabel") }

    /// “Copyright”: before whose rights they are
    package var copyrightLabel: String { text("copyrightLabel") }

    /// “Requires {system} or later”: the least version of the system that an app needs
    package func requiresSystem<Part: TextPart>(system: Part) -> Part {
        self.text("requiresSystem", ["system": system])
    }

    /// “Seller’s website”: a link
    package var sellerWebsite: String { text("sellerWebsite") }

    /// “Support”: a link to the page on which a publisher helps
    package var supportLink: String { text("supportLink") }

    /// “Podcast feed”: a link
    package var podcastFeed: String { text("podcastFeed") }

    /// “Download”: the button that fetches what the customer has
    package var downloadItem: String { text("downloadItem") }

    /// “It is yours. There is no file to download yet.”: instead of a button, of what the customer has
    package var yoursNoFile: String { text("yoursNoFile") }

    /// “It is yours. There is nothing to download here: apps are installed and opened on the device.”: instead of a button, of an app that the customer has
    package var yoursApp: String { text("yoursApp") }

    /// “It is yours. There is nothing to download here: its feed has the episodes.”: instead of a button, of a podcast that the customer has
    package var yoursPodcast: String { text("yoursPodcast") }

    /// “It is yours. Download its parts one by one below.”: instead of a button, of an album or a season that the customer has
    package var yoursParts: String { text("yoursParts") }

    /// “It is yours. It is another publisher’s: testers pay nothing, so they download what their own publisher sells.”: instead of a button, of what a tester has of another publisher
    package var yoursWithheld: String { text("yoursWithheld") }

    /// “The publisher can’t sell for money at present. Try again later.”: instead of the button that buys
    package var heldForAgreement: String { text("heldForAgreement") }

    /// “This can’t be bought at present: there is no file for its buyers yet.”: instead of the button that buys
    package var heldForFile: String { text("heldForFile") }

    /// “Not Available”: the title of a page about what is not sold
    package var notAvailableTitle: String { text("notAvailableTitle") }

    /// “This is not sold in the country or region of your account, or not any longer.”: on a page about what is not sold
    package var notSoldWhereYouAre: String { text("notSoldWhereYouAre") }

    /// “The price has changed: it is {price} now. Nothing was charged. Do you still want it?”: when the price is not the one that the customer saw
    package func priceHasChanged<Part: TextPart>(price: Part) -> Part {
        self.text("priceHasChanged", ["price": price])
    }

    /// “This is not sold any more. Look for another one.”: when a customer wants to buy
    package var notSoldAnyMore: String { text("notSoldAnyMore") }

    /// “Title”: the field for the title of a review
    package var reviewTitleField: String { text("reviewTitleField") }

    /// “Review”: the field for the text of a review
    package var reviewBodyField: String { text("reviewBodyField") }

    /// “Nickname”: the field for the name below a review
    package var nicknameField: String { text("nicknameField") }

    /// “Others see it below your review. Your email address is never shown.”: below the field for the nickname
    package var nicknameHint: String { text("nicknameHint") }

    /// “Save”: the button that saves a review
    package var saveReview: String { text("saveReview") }

    /// “Remove review”: the button that removes the customer's review
    package var removeOwnReview: String { text("removeOwnReview") }

    /// “Back to {title}”: a link back to an item
    package func backToTitle<Part: TextPart>(title: Part) -> Part {
        self.text("backToTitle", ["title": title])
    }

    /// “Back”: a link back
    package var backToPage: String { text("backToPage") }

    /// “Get It”: a button that leads to where an item is got
    package var getIt: String { text("getIt") }

    /// “Only those who got it from this store can review it. Get it first, or sign in with the account that has it.”: instead of the form of a review
    package var onlyOwnersReview: String { text("onlyOwnersReview") }

    /// “Choose 1 to 5 stars.”: when a review has no stars
    package var chooseStars: String { text("chooseStars") }

    /// “Others say whether a review helps; this one is yours.”: when a customer votes on a review
    package var ownReviewVote: String { text("ownReviewVote") }

    /// “This review is not there any longer.”: when a customer votes on a review
    package var reviewNotThere: String { text("reviewNotThere") }

    /// “Not Counted”: the title of a page, when a vote does not count
    package var notCounted: String { text("notCounted") }

    /// “Sign in”: a heading above the fields for signing in
    package var signInHeading: String { text("signInHeading") }

    /// “With the account that you buy with in apps.”: below that heading
    package var signInLead: String { text("signInLead") }

    /// “App”: what an item is
    package var kindSoftware: String { text("kindSoftware") }

    /// “Mac App”: what an item is
    package var kindMacSoftware: String { text("kindMacSoftware") }

    /// “Book”: what an item is
    package var kindEbook: String { text("kindEbook") }

    /// “Album”: what an item is
    package var kindAlbum: String { text("kindAlbum") }

    /// “Song”: what an item is
    package var kindSong: String { text("kindSong") }

    /// “Music Video”: what an item is
    package var kindMusicVideo: String { text("kindMusicVideo") }

    /// “Film”: what an item is
    package var kindMovie: String { text("kindMovie") }

    /// “Short Film”: what an item is
    package var kindShortFilm: String { text("kindShortFilm") }

    /// “TV Episode”: what an item is
    package var kindTvEpisode: String { text("kindTvEpisode") }

    /// “TV Season”: what an item is
    package var kindTvSeason: String { text("kindTvSeason") }

    /// “Podcast”: what an item is
    package var kindPodcast: String { text("kindPodcast") }

    /// “Audiobook”: what an item is
    package var kindAudiobook: String { text("kindAudiobook") }

    /// “Cancel”: the label before how a subscription is cancelled
    package var cancellation: String { text("cancellation") }

    /// “Tablet Screenshots”: a heading above pictures of an app on a tablet
    package var tabletScreenshots: String { text("tabletScreenshots") }

    /// “day”: the unit of a subscription's period, without a number: the price of one day
    package var dayUnit: String { text("dayUnit") }

    /// “week”: the unit of a subscription's period, without a number: the price of one week
    package var weekUnit: String { text("weekUnit") }

    /// “month”: the unit of a subscription's period, without a number: the price of one month
    package var monthUnit: String { text("monthUnit") }

    /// “year”: the unit of a subscription's period, without a number: the price of one year
    package var yearUnit: String { text("yearUnit") }

    /// “{count} days”: how long a subscription or an offer runs
    package func days(count: Int) -> String {
        self.text("days", count: count)
    }

    /// “{count} weeks”: how long a subscription or an offer runs
    package func weeks(count: Int) -> String {
        self.text("weeks", count: count)
    }

    /// “{count} months”: how long a subscription or an offer runs
    package func months(count: Int) -> String {
        self.text("months", count: count)
    }

    /// “{count} years”: how long a subscription or an offer runs
    package func years(count: Int) -> String {
        self.text("years", count: count)
    }
}
