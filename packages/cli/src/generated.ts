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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
            "name": "https_only",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Whether channels may only have https URLs. Cannot be set while one has another."
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
            "about": "How many bounces in a row that are not permanent suppress an address for a while; 0: never."
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
            "about": "The share of complaints in the email of a day from which a stream is paused, such as 0.003. Null: never."
          },
          {
            "name": "stream_names",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "The names of streams for recipients, by stream and language, such as `{\"news\": {\"en\": \"Newsletter\"}}`. The pages of unsubscribe links show them."
          }
        ],
        "filters": [],
        "columns": []
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
        "columns": []
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
            "name": "https_only",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": true,
            "about": "Whether channels may only have https URLs. Cannot be set while one has another."
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
            "about": "How many bounces in a row that are not permanent suppress an address for a while; 0: never."
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
            "about": "The share of complaints in the email of a day from which a stream is paused, such as 0.003. Null: never."
          },
          {
            "name": "stream_names",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "The names of streams for recipients, by stream and language, such as `{\"news\": {\"en\": \"Newsletter\"}}`. The pages of unsubscribe links show them."
          }
        ],
        "filters": [],
        "columns": []
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
            "name": "scopes",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "Additional rights of the token. `ignore_suppression`: send email to addresses on the suppression list."
          }
        ],
        "filters": [],
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "filters": [],
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
        "columns": []
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
            "about": "For this event."
          },
          {
            "name": "channel_kind",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "For this kind of channel.",
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
            "about": "That are active, or are not."
          },
          {
            "name": "part",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "That use this layout, partial or translation in any version, directly or within another part, such as `layout:main`."
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
        "columns": []
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
        "columns": []
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
        "columns": []
      }
    ]
  },
  {
    "name": "layouts",
    "member": "layouts",
    "about": "layouts around the content of templates, in immutable versions.",
    "calls": [
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
            "about": "With this name."
          },
          {
            "name": "active",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "That are active, or are not."
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
        "columns": []
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
        "columns": []
      }
    ]
  },
  {
    "name": "partials",
    "member": "partials",
    "about": "pieces that templates share, in immutable versions.",
    "calls": [
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
            "about": "With this name."
          },
          {
            "name": "active",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "That are active, or are not."
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
        "columns": []
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
        "columns": []
      }
    ]
  },
  {
    "name": "translations",
    "member": "translations",
    "about": "messages of templates in other languages, in immutable versions.",
    "calls": [
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
            "about": "With this locale."
          },
          {
            "name": "active",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "That are active, or are not."
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
        "columns": []
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
        "columns": []
      }
    ]
  },
  {
    "name": "event-types",
    "member": "eventTypes",
    "about": "payload schemas of event keys.",
    "calls": [
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
        "columns": []
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
        "columns": []
      },
      {
        "name": "overview",
        "summary": "Read what needs attention",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "filters": [],
        "columns": []
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
        "columns": []
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
        "columns": []
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
            "about": "Exactly this address; case does not matter."
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
        "columns": []
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
        "columns": []
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
        "filters": [],
        "columns": [
          "id",
          "role",
          "environment_id",
          "actor",
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
        "columns": []
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
        "body": null,
        "filters": [],
        "columns": []
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
        "columns": []
      }
    ]
  }
];
