"""Customers who subscribe, share with a family, and want their money back."""

import json
import uuid

from shop import BUNDLE, EMAIL, PASSWORD, ROOT, WARD
from storefront import ItemShop, Shopper

CLUB = [
    ("club.monthly", "Reading Club, monthly", "P1M", "3.99", 2),
    ("club.yearly", "Reading Club, yearly", "P1Y", "29.99", 2),
    ("club.gold", "Reading Club Gold", "P1M", "6.99", 1),
]


class AccountShop(ItemShop):
    """A store whose app has subscriptions, and shares what it sells. Close it."""

    def fill(self, data):
        super().fill(data)
        catalog = json.loads((ROOT / "Examples/Bookshop/Bookshop.storekit").read_text())
        for product in catalog["products"]:
            product["familyShareable"] = product["type"] == "NonConsumable"
        catalog["subscriptionGroups"] = [{
            "id": "20000001", "localizations": [], "name": "Reading Club",
            "subscriptions": [self.subscription(number, *club)
                              for number, club in enumerate(CLUB)],
        }]
        file = self.path / "club.storekit"
        file.write_text(json.dumps(catalog))
        self.openstore(
            "catalog", "import", str(file), "--bundle-id", BUNDLE, "--name",
            "Lighthouse Books", *data)

    @staticmethod
    def subscription(number, product, name, period, price, level):
        return {
            "adHocOffers": [], "codeOffers": [], "displayPrice": price, "familyShareable": True,
            "groupNumber": level, "internalID": f"3000000{number}",
            "localizations": [
                {"description": "A new book each month", "displayName": name, "locale": "en_US"}],
            "productID": f"{BUNDLE}.{product}", "recurringSubscriptionPeriod": period,
            "referenceName": name, "subscriptionGroupID": "20000001",
            "type": "RecurringSubscription",
        }

    def order(self, product, email=EMAIL):
        """Buys in the app, and gives the order as customers read it."""
        self.device(email).buy(product)
        return Shopper(self, email).last_order()

    def run(self, *words):
        """A command over the running store."""
        return self.openstore(*words, "--data", str(self.path / "store"))

    def share(self, email=WARD, organizer=EMAIL):
        self.run("family", "add", "--email", email, "--organizer", organizer)

    def tester(self, name):
        """Somebody who has bought nothing yet."""
        email = f"{name}-{uuid.uuid4().hex[:6]}@example.com"
        self.run(
            "tester", "create", "--email", email, "--password", PASSWORD, "--storefront", "USA")
        return email
