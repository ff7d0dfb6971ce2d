import Foundation
import StoreCore
import StoreModel
import StoreTexts

// What pages about items say of values of the store.
extension Texts {
    /// What people call one of a kind.
    func title(of kind: ItemKind) -> String {
        switch kind {
        case .software: kindSoftware
        case .macSoftware: kindMacSoftware
        case .ebook: kindEbook
        case .album: kindAlbum
        case .song: kindSong
        case .musicVideo: kindMusicVideo
        case .movie: kindMovie
        case .shortFilm: kindShortFilm
        case .tvEpisode: kindTvEpisode
        case .tvSeason: kindTvSeason
        case .podcast: kindPodcast
        case .audiobook: kindAudiobook
        }
    }

    func title(of order: ReviewOrder) -> String {
        switch order {
        case .mostHelpful: orderHelpful
        case .mostRecent: orderRecent
        case .mostFavorable: orderFavorable
        case .mostCritical: orderCritical
        }
    }

    /// A day in UTC.
    func day(_ date: Date) -> HTML {
        guard language != .english, CalendarDay(of: date) != nil else {
            return PortalFormatting.day(date)
        }
        return .element(
            "time", [.init("datetime", date.formatted(.iso8601.year().month().day()))],
            date.formatted(
                Date.FormatStyle(
                    date: .long, time: .omitted, locale: Locale(identifier: language.rawValue),
                    calendar: Calendar(identifier: .gregorian), timeZone: .gmt)))
    }

    /// A language's name by its two-letter code; the code for an unknown one.
    func name(ofLanguage code: String) -> String {
        guard code.utf8.count <= 3, code.utf8.allSatisfy({ $0 < 0x80 }) else { return code }
        return Locale(identifier: language.rawValue)
            .localizedString(forLanguageCode: code.lowercased()) ?? code
    }

    /// What keeps an item from being sold.
    func sentence(of obstacle: ItemSaleObstacle) -> String {
        switch obstacle {
        case .noPaidAgreement: heldForAgreement
        case .nothingToFetch: heldForFile
        }
    }

    /// Why an item was not sold.
    ///
    /// - Parameter storefront: whose prices the customer reads.
    func sentence(of refusal: ItemSaleRefusal, in storefront: Storefront) -> String {
        switch refusal {
        case .priceChanged(let price):
            priceHasChanged(price: StorefrontFormatting.price(price, in: storefront, self))
        case .notForSale, .itemUnknown: notSoldAnyMore
        case .notInStorefront: notSoldWhereYouAre
        case .obstacle(let obstacle): sentence(of: obstacle)
        case .paymentDeclined: paymentDeclined
        // Of testers, and of who needs a guardian, whom the page offers nothing.
        case .asksToBuy, .interrupted: refusal.description
        }
    }

    /// Why a review, or a vote on one, was not taken.
    func sentence(of refusal: ReviewRefusal) -> String {
        switch refusal {
        case .notBought: onlyOwnersReview
        case .rating: chooseStars
        case .ownReview: ownReviewVote
        case .reviewUnknown: reviewNotThere
        case .itemUnknown: notSoldAnyMore
        case .text(let refusal): refusal.description
        }
    }

    /// What a customer reads who has something without a file.
    func yours(_ kind: ItemKind) -> String {
        switch kind {
        case .software, .macSoftware: yoursApp
        case .podcast: yoursPodcast
        default: yoursNoFile
        }
    }

    /// What others see of the customer's own review; empty for what needs no word.
    func sentence(of state: CustomerReviewState) -> String {
        switch state {
        case .published: ""
        case .held: ownReviewHeld
        case .rejected: ownReviewRejected
        }
    }
}
