"""Verifies webhooks with the library of Standard Webhooks. Each line of the input is one, as JSON; prints its type or `refused`."""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

for line in sys.stdin:
    request = json.loads(line)
    try:
        event = Webhook(request["secret"]).verify(request["body"], request["headers"])
        print(event["type"])
    except WebhookVerificationError:
        print("refused")
