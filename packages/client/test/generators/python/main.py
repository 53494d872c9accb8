"""Sends an event, lists it, and lists the environment's channels, with the client of openapi-python-client."""

import os

from postrider import AuthenticatedClient
from postrider.api.channels import list_channels
from postrider.api.events import create_event
from postrider.api.messages import list_messages
from postrider.models import (
    Accepted,
    ConfiguredChannelList,
    CreateEventRequest,
    EmailChannel,
    MessageList,
    WebhookChannel,
)

url = os.environ["POSTRIDER_URL"]
client = AuthenticatedClient(base_url=url, token=os.environ["POSTRIDER_TOKEN"])
event = CreateEventRequest.from_dict(
    {"event_key": "order.shipped", "recipient": {"email": "ada@example.com"}, "payload": {"order_id": "A-1"}}
)

sent = create_event.sync(client=client, body=event, idempotency_key=os.environ["IDEMPOTENCY_KEY"])
if not isinstance(sent, Accepted):
    raise SystemExit(f"the event was not accepted: {sent}")

listed = list_messages.sync(client=client)
if not isinstance(listed, MessageList):
    raise SystemExit(f"messages were not listed: {listed}")
for message in listed.data:
    if message.id == sent.message_id:
        print(message.id, message.payload["order_id"])

admin = AuthenticatedClient(base_url=url, token=os.environ["ADMIN_TOKEN"])
channels = list_channels.sync(os.environ["POSTRIDER_ENVIRONMENT"], client=admin)
if not isinstance(channels, ConfiguredChannelList):
    raise SystemExit(f"channels were not listed: {channels}")
for channel in channels.data:
    if isinstance(channel, WebhookChannel):
        print("webhook", channel.config.url)
    if isinstance(channel, EmailChannel):
        print("email", channel.config.from_.email)
