#!/usr/bin/env bash
# From an installation without anything in it to the first delivered event, with the command line alone.
#
#   ADMIN_TOKEN=… POSTRIDER_URL=http://127.0.0.1:3000 WEBHOOK_URL=http://127.0.0.1:4000/webhooks \
#     packages/cli/examples/first-event.sh
set -euo pipefail

# Without the command on the PATH, that of this checkout.
command -v postrider >/dev/null || postrider() {
  npm run --silent --prefix "$(dirname "$0")/../../.." postrider -- "$@"
}
# A field of what a command prints with --json.
field() { node -pe "JSON.parse(fs.readFileSync(0))['$1']"; }

postrider plans get first-event >/dev/null 2>&1 ||
  postrider plans create --code first-event --name Starter --events-per-month 10000
tenant=$(postrider tenants create --name Acme --plan first-event --json | field id)
environment=$(postrider environments create --tenant "$tenant" --name staging --json | field id)
postrider channels create-webhook --environment "$environment" --name Shop --url "$WEBHOOK_URL"

POSTRIDER_TOKEN=$(postrider tokens create --environment "$environment" --name first --json | field token)
export POSTRIDER_TOKEN
postrider events send --event-key order.shipped --to ada@example.com --payload '{"order_id":"A-1001"}' --wait
