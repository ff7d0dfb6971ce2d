"""Makes the tables, twenty products, and customers with tokens. Usage: fill.py CUSTOMERS"""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
django.setup()

from django.contrib.auth import get_user_model
from django.core.management import call_command
from oscar.core.loading import get_model
from rest_framework.authtoken.models import Token

call_command("migrate", verbosity=0)
kind = get_model("catalogue", "ProductClass").objects.create(
    name="Consumable", requires_shipping=False, track_stock=False)
partner = get_model("partner", "Partner").objects.create(name="Publisher")
for number in range(1, 21):
    product = get_model("catalogue", "Product").objects.create(
        title="Thing", upc=f"com.example.bench.item{number}", product_class=kind)
    get_model("partner", "StockRecord").objects.create(
        product=product, partner=partner, partner_sku=product.upc, price_currency="USD",
        price="0.99")
User = get_user_model()
count = int(sys.argv[1])
users = User.objects.bulk_create(
    [User(username=f"customer{n}", email=f"customer{n}@example.com", password="!") for n in range(count)])
Token.objects.bulk_create([Token(key=f"bench-token-{n:06}", user=user) for n, user in enumerate(users)])
