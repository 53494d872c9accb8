/**
 * Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
 */
import type { ResourceDescription } from './resource-description.ts';

export const GENERATED_RESOURCES: readonly ResourceDescription[] = [
  {
    "name": "plans",
    "member": "plans",
    "about": "what tenants may use.",
    "calls": [
      {
        "name": "create",
        "summary": "Create a plan",
        "parameters": [],
        "isOnOne": false,
        "body": [
          {
            "name": "code",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "Stable name that tenants refer to; it cannot be changed."
          },
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "A display name."
          },
          {
            "name": "events_per_month",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "Events and replays of a tenant in a calendar month, UTC. Null means unlimited."
          },
          {
            "name": "requests_per_second",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "The sustained rate of an environment, in requests per second; together with `burst`. Null means unlimited."
          },
          {
            "name": "burst",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "Requests that are allowed at once; together with `requests_per_second`. Null means unlimited."
          },
          {
            "name": "max_payload_bytes",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "The largest body of an event, in bytes; 262144 by default. Only base64 files may use what exceeds the default. Null means unlimited."
          },
          {
            "name": "max_schedule_days",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "How far ahead `schedule_at` may be. Null means unlimited."
          },
          {
            "name": "retention_days",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "Days after which messages are removed, with their runs and attempts. Null means unlimited."
          },
          {
            "name": "channel_kinds",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "Channel kinds that the tenant may use; all by default."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List plans",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "code",
          "name",
          "events_per_month",
          "requests_per_second",
          "burst",
          "max_payload_bytes",
          "max_schedule_days",
          "retention_days",
          "created_at",
          "updated_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read a plan",
        "parameters": [
          {
            "name": "code",
            "about": "The plan’s code."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "update",
        "summary": "Change a plan",
        "parameters": [
          {
            "name": "code",
            "about": "The plan’s code."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "A display name."
          },
          {
            "name": "events_per_month",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "Events and replays of a tenant in a calendar month, UTC. Null means unlimited."
          },
          {
            "name": "requests_per_second",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "The sustained rate of an environment, in requests per second; together with `burst`. Null means unlimited."
          },
          {
            "name": "burst",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "Requests that are allowed at once; together with `requests_per_second`. Null means unlimited."
          },
          {
            "name": "max_payload_bytes",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "The largest body of an event, in bytes; 262144 by default. Only base64 files may use what exceeds the default. Null means unlimited."
          },
          {
            "name": "max_schedule_days",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "How far ahead `schedule_at` may be. Null means unlimited."
          },
          {
            "name": "retention_days",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "Days after which messages are removed, with their runs and attempts. Null means unlimited."
          },
          {
            "name": "channel_kinds",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "Channel kinds that the tenant may use; all by default."
          }
        ],
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "tenants",
    "member": "tenants",
    "about": "the customers of the installation.",
    "calls": [
      {
        "name": "create",
        "summary": "Create a tenant",
        "parameters": [],
        "isOnOne": false,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "A display name."
          },
          {
            "name": "plan",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "The code of its plan."
          },
          {
            "name": "billing_status",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Whether it may send: `suspended` tenants may not, `past_due` ones only until `grace_ends_at`.",
            "choices": [
              "active",
              "past_due",
              "suspended"
            ]
          },
          {
            "name": "grace_ends_at",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "Only with `past_due`: until when it may still send. Null gives no grace period."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List tenants",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "id",
          "name",
          "plan",
          "billing_status",
          "grace_ends_at",
          "created_at",
          "updated_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read a tenant",
        "parameters": [
          {
            "name": "tenantId",
            "about": "The `id` of a tenant."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "update",
        "summary": "Change a tenant",
        "parameters": [
          {
            "name": "tenantId",
            "about": "The `id` of a tenant."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "A display name."
          },
          {
            "name": "plan",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "The code of its plan."
          },
          {
            "name": "billing_status",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "Whether it may send: `suspended` tenants may not, `past_due` ones only until `grace_ends_at`.",
            "choices": [
              "active",
              "past_due",
              "suspended"
            ]
          },
          {
            "name": "grace_ends_at",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "Only with `past_due`: until when it may still send. Null gives no grace period."
          }
        ],
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "environments",
    "member": "environments",
    "about": "development, staging, production of a tenant.",
    "calls": [
      {
        "name": "create",
        "summary": "Create an environment",
        "parameters": [
          {
            "name": "tenantId",
            "about": "The `id` of a tenant."
          }
        ],
        "isOnOne": false,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "Unique within the tenant; a part of its tokens, so it cannot be changed."
          },
          {
            "name": "unmatched_events",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay.",
            "choices": [
              "refuse",
              "store"
            ]
          },
          {
            "name": "missing_email_template",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` creates delivery runs only for the other channels.",
            "choices": [
              "refuse",
              "skip"
            ]
          },
          {
            "name": "idempotency_keys",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Which Idempotency-Keys are accepted: only a `uuid`, or `any` key of 1 to 255 visible ASCII characters.",
            "choices": [
              "uuid",
              "any"
            ]
          },
          {
            "name": "unknown_consumers",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "What happens to an event that names an unknown consumer: `refuse` answers 422 `unknown_consumer`; `create` creates it.",
            "choices": [
              "refuse",
              "create"
            ]
          },
          {
            "name": "https_only",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Whether channels must have https URLs. Cannot be set while one has an http URL."
          },
          {
            "name": "default_locale",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing it creates new versions of the active templates."
          },
          {
            "name": "soft_bounce_limit",
            "kind": "integer",
            "isRequired": false,
            "isNullable": false,
            "about": "The number of consecutive temporary bounces that suppress an address for a while; 0: never."
          },
          {
            "name": "soft_bounce_days",
            "kind": "integer",
            "isRequired": false,
            "isNullable": false,
            "about": "The number of days within which they count."
          },
          {
            "name": "soft_bounce_pause_days",
            "kind": "integer",
            "isRequired": false,
            "isNullable": false,
            "about": "For how many days the address is then suppressed."
          },
          {
            "name": "pause_streams_at_complaint_rate",
            "kind": "number",
            "isRequired": false,
            "isNullable": true,
            "about": "The share of a day’s email with complaints at which a stream is paused, such as 0.003. Null: never."
          },
          {
            "name": "stream_names",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "The names of streams for recipients, by stream and language, such as `{\"news\": {\"en\": \"Newsletter\"}}`. The pages of unsubscribe links show them."
          },
          {
            "name": "outcome_events",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "The outcomes of deliveries, such as `run.succeeded`, that operational channels get besides the events about the service. Each adds a row per delivery."
          },
          {
            "name": "portal",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "The portal of consumers: how it looks, its language, and the origins of the pages that may frame it. A session can choose another look."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List environments",
        "parameters": [
          {
            "name": "tenantId",
            "about": "The `id` of a tenant."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "id",
          "tenant_id",
          "name",
          "unmatched_events",
          "missing_email_template",
          "idempotency_keys",
          "unknown_consumers",
          "https_only",
          "default_locale",
          "soft_bounce_limit",
          "soft_bounce_days",
          "soft_bounce_pause_days",
          "pause_streams_at_complaint_rate",
          "created_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read an environment",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "update",
        "summary": "Change the settings of an environment",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "unmatched_events",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay.",
            "choices": [
              "refuse",
              "store"
            ]
          },
          {
            "name": "missing_email_template",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` creates delivery runs only for the other channels.",
            "choices": [
              "refuse",
              "skip"
            ]
          },
          {
            "name": "idempotency_keys",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "Which Idempotency-Keys are accepted: only a `uuid`, or `any` key of 1 to 255 visible ASCII characters.",
            "choices": [
              "uuid",
              "any"
            ]
          },
          {
            "name": "unknown_consumers",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "What happens to an event that names an unknown consumer: `refuse` answers 422 `unknown_consumer`; `create` creates it.",
            "choices": [
              "refuse",
              "create"
            ]
          },
          {
            "name": "https_only",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": true,
            "about": "Whether channels must have https URLs. Cannot be set while one has an http URL."
          },
          {
            "name": "default_locale",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The language (BCP 47) for recipients whose `locale` is unknown or not translated. Changing it creates new versions of the active templates."
          },
          {
            "name": "soft_bounce_limit",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "The number of consecutive temporary bounces that suppress an address for a while; 0: never."
          },
          {
            "name": "soft_bounce_days",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "The number of days within which they count."
          },
          {
            "name": "soft_bounce_pause_days",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "For how many days the address is then suppressed."
          },
          {
            "name": "pause_streams_at_complaint_rate",
            "kind": "number",
            "isRequired": false,
            "isNullable": true,
            "about": "The share of a day’s email with complaints at which a stream is paused, such as 0.003. Null: never."
          },
          {
            "name": "stream_names",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "The names of streams for recipients, by stream and language, such as `{\"news\": {\"en\": \"Newsletter\"}}`. The pages of unsubscribe links show them."
          },
          {
            "name": "outcome_events",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "The outcomes of deliveries, such as `run.succeeded`, that operational channels get besides the events about the service. Each adds a row per delivery."
          },
          {
            "name": "portal",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "The portal of consumers: how it looks, its language, and the origins of the pages that may frame it. A session can choose another look."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "configurationDrift",
        "summary": "Compare with the configuration that was applied last",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "tokens",
    "member": "tokens",
    "about": "tokens of an environment’s clients.",
    "calls": [
      {
        "name": "issue",
        "summary": "Issue a token",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "A display name; it need not be unique."
          },
          {
            "name": "expires_at",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The token is refused from this time on, by the database’s clock; an RFC 3339 time in the future. Null means never."
          },
          {
            "name": "consumer",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The consumer that the token is bound to: it sees and changes only its own channels and deliveries, with the scopes `channels:read`, `channels:write`, `event-types:read`, `messages:read`, `messages:content`, `replays:write`, `deliveries:cancel`, `consumers:read`, which it has by default. It ends with the consumer."
          },
          {
            "name": "scopes",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "What the token may do. Without a scope of the form `area:action` it has the default ones. Every action of an area includes its `read`.\n\n- `events:write`: send events\n- `messages:read`: find messages and their deliveries, with recipients masked and without content\n- `messages:content`: see recipients, payloads and what was sent\n- `replays:write`: replay messages, one by one and in bulk\n- `deliveries:cancel`: cancel and reschedule deliveries\n- `channels:read`: see channels, their health and what needs attention\n- `channels:write`: create, change, test, pause and resume channels\n- `consumers:read`: see consumers\n- `consumers:write`: create, change and delete consumers\n- `portal-sessions:write`: open the portal of a consumer with some of its own scopes\n- `event-types:read`: see event types\n- `event-types:write`: change event types\n- `templates:read`: see templates, layouts, partials and translations\n- `templates:write`: create and activate templates, layouts, partials and translations\n- `suppressions:read`: see the suppression list\n- `suppressions:write`: change the suppression list\n- `usage:read`: see usage, limits and figures\n- `ignore_suppression`: send email to addresses on the suppression list"
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List tokens",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "id",
          "environment_id",
          "consumer",
          "name",
          "prefix",
          "last_four",
          "created_at",
          "expires_at",
          "last_used_at",
          "revoked_at",
          "replaced_by"
        ]
      },
      {
        "name": "rotate",
        "summary": "Rotate a token",
        "parameters": [
          {
            "name": "tokenId",
            "about": "The `id` of a token."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "overlap_seconds",
            "kind": "integer",
            "isRequired": false,
            "isNullable": false,
            "about": "How long the old token stays valid, at most 30 days; 0 ends it immediately."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "revoke",
        "summary": "Revoke a token",
        "parameters": [
          {
            "name": "tokenId",
            "about": "The `id` of a token."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "channels",
    "member": "channels",
    "about": "the destinations of an environment.",
    "calls": [
      {
        "name": "list",
        "summary": "List channels",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [
          {
            "name": "order",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "`state`: failing, paused and blocked channels first. Default: newest first. With `state`, a channel whose state changes between two pages can be missing or repeated; others cannot.",
            "choices": [
              "newest",
              "state"
            ]
          },
          {
            "name": "needs_action",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Only channels that are failing, paused, probing or blocked, in that order. Includes up to 1,000 channels of consumers in each state.",
            "choices": [
              "true",
              "false"
            ]
          }
        ],
        "columns": []
      },
      {
        "name": "get",
        "summary": "Read a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "delete",
        "summary": "Delete a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "rotateSecret",
        "summary": "Rotate the signing secret of a webhook",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "overlap_seconds",
            "kind": "integer",
            "isRequired": false,
            "isNullable": false,
            "about": "How long both secrets sign, at most 30 days; 0 ends the old one immediately."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "feedbackToken",
        "summary": "Create a new feedback token for a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "filterTest",
        "summary": "Test a filter with past messages",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "filter",
            "kind": "json",
            "isRequired": true,
            "isNullable": true,
            "about": "Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{\"payload\": {\"amount\": {\"$gte\": 100}}}`; null takes all. A change replaces the whole filter."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "preview",
        "summary": "Preview what a webhook would send",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "config",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "Fields of the config of the channel’s kind, as in its creation; null removes one."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "pause",
        "summary": "Pause a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "resume",
        "summary": "Resume a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "blockedKeys",
        "summary": "List the blocked ordering keys of a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": [
          "ordering_key",
          "sequence",
          "blocked_at",
          "delivery_run_id",
          "message_id",
          "last_error_code",
          "waiting"
        ]
      },
      {
        "name": "blockedKeysRetry",
        "summary": "Retry the failed run of an ordering key",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "ordering_key",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "The `ordering_key` of the events."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "blockedKeysSkip",
        "summary": "Skip the failed run of an ordering key",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "ordering_key",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "The `ordering_key` of the events."
          }
        ],
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "consumers",
    "member": "consumers",
    "about": "the customers of a tenant, with channels of their own.",
    "calls": [
      {
        "name": "put",
        "summary": "Create or replace a consumer",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "consumer",
            "about": "Your own id for the consumer."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "Its name."
          },
          {
            "name": "attributes",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "Data that channel filters can compare, as `consumer.attributes`. At most 4096 characters of JSON."
          },
          {
            "name": "contact_email",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The address for notices about its channels."
          },
          {
            "name": "enabled",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Whether its channels take events. Waiting deliveries are sent in either case."
          },
          {
            "name": "limits",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "Null: only the limits of the tenant apply."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "get",
        "summary": "Read a consumer",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "consumer",
            "about": "Your own id for the consumer."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "delete",
        "summary": "Delete a consumer",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "consumer",
            "about": "Your own id for the consumer."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List consumers",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [
          {
            "name": "search",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "The beginning of an id, or of a name, ignoring case. Only the first 1,000 names are searched."
          }
        ],
        "columns": [
          "environment_id",
          "id",
          "name",
          "contact_email",
          "enabled",
          "created_at",
          "updated_at"
        ]
      },
      {
        "name": "listChannels",
        "summary": "List the channels of a consumer",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "consumer",
            "about": "Your own id for the consumer."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [
          {
            "name": "order",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "`state`: failing, paused and blocked channels first. Default: newest first. With `state`, a channel whose state changes between two pages can be missing or repeated; others cannot.",
            "choices": [
              "newest",
              "state"
            ]
          }
        ],
        "columns": []
      },
      {
        "name": "getDelivery",
        "summary": "Read a delivery of a consumer",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "consumer",
            "about": "Your own id for the consumer."
          },
          {
            "name": "deliveryRunId",
            "about": "The `id` of a delivery run."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "portalSessions",
        "summary": "Open the portal of a consumer",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "consumer",
            "about": "Your own id for the consumer."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "scopes",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "What the session may do: at most what the caller may do. Default: everything except `deliveries:cancel`."
          },
          {
            "name": "ttl_seconds",
            "kind": "integer",
            "isRequired": false,
            "isNullable": false,
            "about": "Until the session ends, counted from now."
          },
          {
            "name": "theme",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "How it looks. Null: as the page chooses."
          },
          {
            "name": "locale",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "A language tag, reduced to one of en, de, es, fr (else `en`). Null: that of the browser."
          },
          {
            "name": "return_url",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The target of the page’s link back: an https URL, or http on localhost."
          }
        ],
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "templates",
    "member": "templates",
    "about": "content of deliveries, in immutable versions.",
    "calls": [
      {
        "name": "list",
        "summary": "List versions of templates",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [
          {
            "name": "event_key",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Only versions for this event key."
          },
          {
            "name": "channel_kind",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Only versions for this channel kind.",
            "choices": [
              "amqp",
              "email",
              "kafka",
              "sqs",
              "webhook"
            ]
          },
          {
            "name": "active",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Only active versions (`true`), or only inactive ones (`false`)."
          },
          {
            "name": "part",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Only versions that use this layout, partial or translation, in any of its versions, directly or through another part, such as `layout:main`."
          }
        ],
        "columns": [
          "id",
          "environment_id",
          "event_key",
          "channel_kind",
          "version",
          "active",
          "created_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read a version of a template",
        "parameters": [
          {
            "name": "templateId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "activate",
        "summary": "Activate a version of a template",
        "parameters": [
          {
            "name": "templateId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "deactivate",
        "summary": "Deactivate a version of a template",
        "parameters": [
          {
            "name": "templateId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "layouts",
    "member": "layouts",
    "about": "layouts around the content of templates, in immutable versions.",
    "calls": [
      {
        "name": "create",
        "summary": "Add a version of a layout",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "The name that templates use: at most 64 lower-case letters, digits, `-` and `_`."
          },
          {
            "name": "content",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "Liquid in HTML, in MJML when it begins with `<mjml>`, or in text, with blocks."
          },
          {
            "name": "activate",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Whether it becomes the active version, with new versions of the templates that use it."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List versions of layouts",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Only versions with this name."
          },
          {
            "name": "active",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Only active versions (`true`), or only inactive ones (`false`)."
          }
        ],
        "columns": [
          "id",
          "environment_id",
          "name",
          "version",
          "active",
          "created_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read a version of a layout",
        "parameters": [
          {
            "name": "layoutId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "activate",
        "summary": "Activate a version of a layout",
        "parameters": [
          {
            "name": "layoutId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "deactivate",
        "summary": "Deactivate a version of a layout",
        "parameters": [
          {
            "name": "layoutId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "partials",
    "member": "partials",
    "about": "pieces that templates share, in immutable versions.",
    "calls": [
      {
        "name": "create",
        "summary": "Add a version of a partial",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "The name that templates use: at most 64 lower-case letters, digits, `-` and `_`."
          },
          {
            "name": "content",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "Liquid in HTML or text."
          },
          {
            "name": "activate",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Whether it becomes the active version, with new versions of the templates that use it."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List versions of partials",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Only versions with this name."
          },
          {
            "name": "active",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Only active versions (`true`), or only inactive ones (`false`)."
          }
        ],
        "columns": [
          "id",
          "environment_id",
          "name",
          "version",
          "active",
          "created_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read a version of a partial",
        "parameters": [
          {
            "name": "partialId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "activate",
        "summary": "Activate a version of a partial",
        "parameters": [
          {
            "name": "partialId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "deactivate",
        "summary": "Deactivate a version of a partial",
        "parameters": [
          {
            "name": "partialId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "translations",
    "member": "translations",
    "about": "messages of templates in other languages, in immutable versions.",
    "calls": [
      {
        "name": "create",
        "summary": "Add a version of a translation",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": [
          {
            "name": "locale",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "A language, with script and region where they matter (BCP 47), such as `fr` or `fr-CA`."
          },
          {
            "name": "messages",
            "kind": "json",
            "isRequired": true,
            "isNullable": false,
            "about": "Messages by their keys, in ICU MessageFormat: plain text with values, plurals and selects."
          },
          {
            "name": "activate",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Whether it becomes the active version, with new versions of the templates that use it."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List versions of translations",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [
          {
            "name": "locale",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Only versions with this locale."
          },
          {
            "name": "active",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Only active versions (`true`), or only inactive ones (`false`)."
          }
        ],
        "columns": [
          "id",
          "environment_id",
          "locale",
          "version",
          "active",
          "created_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read a version of a translation",
        "parameters": [
          {
            "name": "translationId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "activate",
        "summary": "Activate a version of a translation",
        "parameters": [
          {
            "name": "translationId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "deactivate",
        "summary": "Deactivate a version of a translation",
        "parameters": [
          {
            "name": "translationId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "event-types",
    "member": "eventTypes",
    "about": "payload schemas of event keys.",
    "calls": [
      {
        "name": "put",
        "summary": "Create or replace an event type",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "eventKey",
            "about": "An event key."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "description",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "A description of the event."
          },
          {
            "name": "payload_schema",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "JSON Schema 2020-12 that every payload must match, of at most 65536 characters. Patterns must be matchable in linear time (no look-around, no back-references)."
          },
          {
            "name": "stream",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The stream of its email, such as `newsletter`, from which recipients can unsubscribe with one click. Null: the email is transactional. Requires PUBLIC_URL. Applies to events accepted from then on."
          },
          {
            "name": "search_keys",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "JSON Pointers to business ids in the payload, such as `/order_id`. Messages are found by their values: strings and numbers of up to 128 characters. The values are stored with the message, and removed with it or by an erasure. Applies to events accepted from then on, within seconds."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "get",
        "summary": "Read an event type",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "eventKey",
            "about": "An event key."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "delete",
        "summary": "Delete an event type",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "eventKey",
            "about": "An event key."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List event types",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "environment_id",
          "event_key",
          "description",
          "stream",
          "created_at",
          "updated_at",
          "has_payload_schema"
        ]
      }
    ]
  },
  {
    "name": "attention",
    "member": "attention",
    "about": "search over an environment, and bulk replay.",
    "calls": [
      {
        "name": "get",
        "summary": "Read what needs attention in an environment",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "overview",
        "summary": "Read what needs attention",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "replays",
    "member": "replays",
    "about": "search over an environment, and bulk replay.",
    "calls": [
      {
        "name": "list",
        "summary": "List bulk replays",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "id",
          "environment_id",
          "status",
          "reason",
          "messages_per_second",
          "matched",
          "matched_is_lower_bound",
          "replayed",
          "position",
          "failures",
          "last_error_code",
          "retry_at",
          "created_at",
          "started_at",
          "completed_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read a bulk replay",
        "parameters": [
          {
            "name": "replayId",
            "about": "The `id` of a bulk replay."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "cancel",
        "summary": "Cancel a bulk replay",
        "parameters": [
          {
            "name": "replayId",
            "about": "The `id` of a bulk replay."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "erasures",
    "member": "erasures",
    "about": "search over an environment, and bulk replay.",
    "calls": [
      {
        "name": "list",
        "summary": "List erasures",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "id",
          "environment_id",
          "status",
          "recipient_sha256",
          "messages_erased",
          "runs_cancelled",
          "created_at",
          "started_at",
          "completed_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read an erasure",
        "parameters": [
          {
            "name": "erasureId",
            "about": "The `id` of an erasure."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "suppressions",
    "member": "suppressions",
    "about": "addresses to which an environment sends no email.",
    "calls": [
      {
        "name": "create",
        "summary": "Suppress an address",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": [
          {
            "name": "email",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "The address, case-insensitive including the local part."
          },
          {
            "name": "scope",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "`all`: nothing is sent to it. The name of a stream: nothing of that stream."
          },
          {
            "name": "reason",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The reason for operators, on one line."
          },
          {
            "name": "expires_at",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "When the entry ends: a future time in RFC 3339 with offset. Null: it stays."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List suppressions",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [
          {
            "name": "email",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Exactly this address, ignoring case."
          }
        ],
        "columns": [
          "id",
          "environment_id",
          "email",
          "scope",
          "reason",
          "source",
          "created_at",
          "expires_at"
        ]
      },
      {
        "name": "delete",
        "summary": "Remove a suppression",
        "parameters": [
          {
            "name": "suppressionId",
            "about": "The `id` of a suppression."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "paused-streams",
    "member": "pausedStreams",
    "about": "streams whose email is held because of complaints.",
    "calls": [
      {
        "name": "list",
        "summary": "List paused streams",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "environment_id",
          "stream",
          "paused_at",
          "resumed_at",
          "delivered",
          "complained",
          "waiting"
        ]
      },
      {
        "name": "resume",
        "summary": "Resume a stream",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          },
          {
            "name": "stream",
            "about": "A paused stream."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "operators",
    "member": "operators",
    "about": "people who operate the installation.",
    "calls": [
      {
        "name": "create",
        "summary": "Add an operator",
        "parameters": [],
        "isOnOne": false,
        "body": [
          {
            "name": "email",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "Their address, by which they sign in, and their name in the audit log. It cannot be changed."
          },
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "A display name."
          },
          {
            "name": "role",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "The code of a role: `viewer`, `support`, `developer`, `admin`, or one of the installation."
          },
          {
            "name": "tenants",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "The ids of the tenants that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants."
          },
          {
            "name": "environments",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "The ids of the environments that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List operators",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "id",
          "email",
          "name",
          "role",
          "enabled",
          "source",
          "created_at",
          "last_seen_at",
          "disabled_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read an operator",
        "parameters": [
          {
            "name": "operatorId",
            "about": "The `id` of an operator."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "update",
        "summary": "Change an operator",
        "parameters": [
          {
            "name": "operatorId",
            "about": "The `id` of an operator."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "A display name."
          },
          {
            "name": "role",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "The code of a role: `viewer`, `support`, `developer`, `admin`, or one of the installation."
          },
          {
            "name": "tenants",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "The ids of the tenants that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants."
          },
          {
            "name": "environments",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "The ids of the environments that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants."
          },
          {
            "name": "enabled",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": true,
            "about": "A disabled operator has no access, and their sessions and tokens are refused."
          }
        ],
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "operator-tokens",
    "member": "operatorTokens",
    "about": "tokens of machines and people for the management API.",
    "calls": [
      {
        "name": "issue",
        "summary": "Issue a token for the management API",
        "parameters": [],
        "isOnOne": false,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "Its name in the audit log: 1 to 128 visible ASCII characters."
          },
          {
            "name": "operator_id",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The operator whose current rights the token has, as far as its own role, scopes and bounds allow. Only a caller with every scope can issue one. Null for a machine."
          },
          {
            "name": "role",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The code of a role: `viewer`, `support`, `developer`, `admin`, or one of the installation."
          },
          {
            "name": "scopes",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "What is allowed. Every action of an area includes its `read`.\n\n- `events:write`: send events\n- `messages:read`: find messages and their deliveries, with recipients masked and without content\n- `messages:content`: see recipients, payloads and what was sent\n- `replays:write`: replay messages, one by one and in bulk\n- `deliveries:cancel`: cancel and reschedule deliveries\n- `channels:read`: see channels, their health and what needs attention\n- `channels:write`: create, change, test, pause and resume channels\n- `keyless:write`: let channels use the installation's access to AWS, and change such channels\n- `consumers:read`: see consumers\n- `consumers:write`: create, change and delete consumers\n- `portal-sessions:write`: open the portal of a consumer with some of its own scopes\n- `event-types:read`: see event types\n- `event-types:write`: change event types\n- `templates:read`: see templates, layouts, partials and translations\n- `templates:write`: create and activate templates, layouts, partials and translations\n- `suppressions:read`: see the suppression list\n- `suppressions:write`: change the suppression list\n- `usage:read`: see usage, limits and figures\n- `erasures:read`: see erasures of recipients\n- `erasures:write`: erase recipients\n- `tokens:read`: see the tokens of environments\n- `tokens:write`: issue, rotate and revoke tokens of environments\n- `tenants:read`: see plans, tenants and environments\n- `tenants:admin`: create and change plans, tenants and environments\n- `audit:read`: read the audit log\n- `operators:admin`: manage operators, their tokens and sessions, and roles\n- `installation:admin`: see and re-encrypt the secrets of the installation"
          },
          {
            "name": "tenants",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "The ids of the tenants that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants."
          },
          {
            "name": "environments",
            "kind": "list",
            "isRequired": false,
            "isNullable": true,
            "about": "The ids of the environments that are visible. If `tenants` and `environments` are both null, everything is; otherwise only these environments and those of these tenants."
          },
          {
            "name": "expires_at",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The token is refused from this time on; an RFC 3339 time in the future. Null means never."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List tokens for the management API",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "id",
          "name",
          "prefix",
          "last_four",
          "operator_id",
          "role",
          "created_at",
          "expires_at",
          "last_used_at",
          "revoked_at"
        ]
      },
      {
        "name": "revoke",
        "summary": "Revoke a token for the management API",
        "parameters": [
          {
            "name": "operatorTokenId",
            "about": "The `id` of a token of an operator or a machine."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "roles",
    "member": "roles",
    "about": "named sets of scopes.",
    "calls": [
      {
        "name": "create",
        "summary": "Create a role",
        "parameters": [],
        "isOnOne": false,
        "body": [
          {
            "name": "code",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "Stable name that operators and tokens refer to; it cannot be changed."
          },
          {
            "name": "name",
            "kind": "text",
            "isRequired": true,
            "isNullable": false,
            "about": "A display name."
          },
          {
            "name": "scopes",
            "kind": "list",
            "isRequired": true,
            "isNullable": false,
            "about": "What is allowed. Every action of an area includes its `read`.\n\n- `events:write`: send events\n- `messages:read`: find messages and their deliveries, with recipients masked and without content\n- `messages:content`: see recipients, payloads and what was sent\n- `replays:write`: replay messages, one by one and in bulk\n- `deliveries:cancel`: cancel and reschedule deliveries\n- `channels:read`: see channels, their health and what needs attention\n- `channels:write`: create, change, test, pause and resume channels\n- `keyless:write`: let channels use the installation's access to AWS, and change such channels\n- `consumers:read`: see consumers\n- `consumers:write`: create, change and delete consumers\n- `portal-sessions:write`: open the portal of a consumer with some of its own scopes\n- `event-types:read`: see event types\n- `event-types:write`: change event types\n- `templates:read`: see templates, layouts, partials and translations\n- `templates:write`: create and activate templates, layouts, partials and translations\n- `suppressions:read`: see the suppression list\n- `suppressions:write`: change the suppression list\n- `usage:read`: see usage, limits and figures\n- `erasures:read`: see erasures of recipients\n- `erasures:write`: erase recipients\n- `tokens:read`: see the tokens of environments\n- `tokens:write`: issue, rotate and revoke tokens of environments\n- `tenants:read`: see plans, tenants and environments\n- `tenants:admin`: create and change plans, tenants and environments\n- `audit:read`: read the audit log\n- `operators:admin`: manage operators, their tokens and sessions, and roles\n- `installation:admin`: see and re-encrypt the secrets of the installation"
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "list",
        "summary": "List roles",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "code",
          "name",
          "built_in",
          "created_at",
          "updated_at"
        ]
      },
      {
        "name": "get",
        "summary": "Read a role",
        "parameters": [
          {
            "name": "roleCode",
            "about": "The role’s code."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      },
      {
        "name": "update",
        "summary": "Change a role",
        "parameters": [
          {
            "name": "roleCode",
            "about": "The role’s code."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "A display name."
          },
          {
            "name": "scopes",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "What is allowed. Every action of an area includes its `read`.\n\n- `events:write`: send events\n- `messages:read`: find messages and their deliveries, with recipients masked and without content\n- `messages:content`: see recipients, payloads and what was sent\n- `replays:write`: replay messages, one by one and in bulk\n- `deliveries:cancel`: cancel and reschedule deliveries\n- `channels:read`: see channels, their health and what needs attention\n- `channels:write`: create, change, test, pause and resume channels\n- `keyless:write`: let channels use the installation's access to AWS, and change such channels\n- `consumers:read`: see consumers\n- `consumers:write`: create, change and delete consumers\n- `portal-sessions:write`: open the portal of a consumer with some of its own scopes\n- `event-types:read`: see event types\n- `event-types:write`: change event types\n- `templates:read`: see templates, layouts, partials and translations\n- `templates:write`: create and activate templates, layouts, partials and translations\n- `suppressions:read`: see the suppression list\n- `suppressions:write`: change the suppression list\n- `usage:read`: see usage, limits and figures\n- `erasures:read`: see erasures of recipients\n- `erasures:write`: erase recipients\n- `tokens:read`: see the tokens of environments\n- `tokens:write`: issue, rotate and revoke tokens of environments\n- `tenants:read`: see plans, tenants and environments\n- `tenants:admin`: create and change plans, tenants and environments\n- `audit:read`: read the audit log\n- `operators:admin`: manage operators, their tokens and sessions, and roles\n- `installation:admin`: see and re-encrypt the secrets of the installation"
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "delete",
        "summary": "Delete a role",
        "parameters": [
          {
            "name": "roleCode",
            "about": "The role’s code."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "console-sessions",
    "member": "consoleSessions",
    "about": "sessions of the console, and links that open them.",
    "calls": [
      {
        "name": "list",
        "summary": "List the sessions of the console",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [
          {
            "name": "operator_id",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Only sessions of this operator."
          }
        ],
        "columns": [
          "id",
          "role",
          "environment_id",
          "operator_id",
          "actor",
          "provider",
          "address",
          "user_agent",
          "issued_by",
          "created_at",
          "last_used_at",
          "expires_at"
        ]
      },
      {
        "name": "end",
        "summary": "End a session of the console",
        "parameters": [
          {
            "name": "consoleSessionId",
            "about": "The `id` of a session."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  },
  {
    "name": "console-links",
    "member": "consoleLinks",
    "about": "sessions of the console, and links that open them.",
    "calls": [
      {
        "name": "list",
        "summary": "List the sign-in links",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": [
          "id",
          "actor",
          "issued_by",
          "created_at",
          "expires_at"
        ]
      },
      {
        "name": "create",
        "summary": "Create a sign-in link",
        "parameters": [],
        "isOnOne": false,
        "body": [
          {
            "name": "operator_id",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The operator whose session it opens; by default the caller’s own, or one of the admin token."
          }
        ],
        "filters": [],
        "columns": null
      },
      {
        "name": "revoke",
        "summary": "Revoke a sign-in link",
        "parameters": [
          {
            "name": "consoleSessionId",
            "about": "The `id` of a session."
          }
        ],
        "isOnOne": true,
        "body": null,
        "filters": [],
        "columns": null
      }
    ]
  }
];
