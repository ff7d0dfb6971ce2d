"""One request that buys one thing: a basket, an order with one line and its price, and its payment,
all by Oscar's own services, in one transaction."""

import os

import django
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "settings")
application = get_wsgi_application()

from django.urls import path
from oscar.core.loading import get_class, get_model
from rest_framework.response import Response
from rest_framework.views import APIView

Basket = get_model("basket", "Basket")
PaymentEvent = get_model("order", "PaymentEvent")
PaymentEventQuantity = get_model("order", "PaymentEventQuantity")
PaymentEventType = get_model("order", "PaymentEventType")
Product = get_model("catalogue", "Product")
Source = get_model("payment", "Source")
SourceType = get_model("payment", "SourceType")
NoShippingRequired = get_class("shipping.methods", "NoShippingRequired")
OrderCreator = get_class("order.utils", "OrderCreator")
OrderNumberGenerator = get_class("order.utils", "OrderNumberGenerator")
OrderTotalCalculator = get_class("checkout.calculators", "OrderTotalCalculator")
Selector = get_class("partner.strategy", "Selector")


class Buy(APIView):
    def post(self, request):
        product = Product.objects.get(upc=request.data["product"])
        basket = Basket.objects.create(owner=request.user)
        basket.strategy = Selector().strategy(request=request, user=request.user)
        basket.add_product(product, request.data.get("quantity", 1))
        shipping = NoShippingRequired()
        charge = shipping.calculate(basket)
        total = OrderTotalCalculator().calculate(basket, charge)
        order = OrderCreator().place_order(
            basket=basket, total=total, shipping_method=shipping, shipping_charge=charge,
            user=request.user, order_number=OrderNumberGenerator().order_number(basket))
        # As OrderPlacementMixin of Oscar's checkout keeps a payment.
        kind, _ = SourceType.objects.get_or_create(name="Card")
        source = Source(
            source_type=kind, order=order, currency=total.currency,
            amount_allocated=total.incl_tax, reference=request.data["key"])
        source.save()
        source.debit(total.incl_tax, reference=request.data["key"])
        event_type, _ = PaymentEventType.objects.get_or_create(name="Debited")
        event = PaymentEvent.objects.create(
            order=order, amount=total.incl_tax, reference=request.data["key"],
            event_type=event_type)
        for line in order.lines.all():
            PaymentEventQuantity.objects.create(event=event, line=line, quantity=line.quantity)
        order.set_status("Paid")
        basket.submit()
        return Response(
            {"number": order.number, "status": order.status, "total": str(order.total_incl_tax),
             "currency": order.currency})


urlpatterns = [path("buy", Buy.as_view())]
