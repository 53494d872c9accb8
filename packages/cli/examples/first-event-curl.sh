#!/usr/bin/env bash
# From an installation without anything in it to the first delivered event, with curl alone.
#
#   ADMIN_TOKEN=… POSTRIDER_URL=http://127.0.0.1:3000 WEBHOOK_URL=http://127.0.0.1:4000/webhooks \
#     packages/cli/examples/first-event-curl.sh
set -euo pipefail

# A field of a JSON answer.
field() { node -pe "JSON.parse(fs.readFileSync(0))['$1']"; }
# A call of the management API, or with a token of an environment of the public one.
call() {
  curl -sS --fail-with-body -H "Authorization: Bearer $1" -H 'Content-Type: application/json' "${@:2}"
}

admin="$POSTRIDER_URL/admin/v1"
call "$ADMIN_TOKEN" "$admin/plans/first-event-curl" >/dev/null 2>&1 ||
  call "$ADMIN_TOKEN" "$admin/plans" -d '{"code":"first-event-curl","name":"Starter","events_per_month":10000}'
tenant=$(call "$ADMIN_TOKEN" "$admin/tenants" -d '{"name":"Acme","plan":"first-event-curl"}' | field id)
environment=$(call "$ADMIN_TOKEN" "$admin/tenants/$tenant/environments" -d '{"name":"staging"}' | field id)
call "$ADMIN_TOKEN" "$admin/environments/$environment/channels" \
  -d '{"kind":"webhook","name":"Shop","config":{"url":"'"$WEBHOOK_URL"'"}}'
token=$(call "$ADMIN_TOKEN" "$admin/environments/$environment/tokens" -d '{"name":"first"}' | field token)

api="$POSTRIDER_URL/api/v1"
event='{"event_key":"order.shipped","recipient":{"email":"ada@example.com"},"payload":{"order_id":"A-1001"}}'
key=$(node -p 'crypto.randomUUID()')
message=$(call "$token" "$api/events" -H "Idempotency-Key: $key" -d "$event" | field message_id)
until [ "$(call "$token" "$api/messages/$message" | field status)" != pending ]; do sleep 0.2; done
call "$token" "$api/messages/$message/deliveries"
