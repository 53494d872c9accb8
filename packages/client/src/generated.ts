/**
 * Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
 */
import { type AdminCalls, once, type ResourceDescription } from './admin/calls.ts';
import { pagedList } from './pages.ts';
import { lastEventHeader, readEventStream, type StreamOptions } from './stream.ts';
import type { CallOptions } from './transport.ts';
import type { BodyOf, QueryOf } from './types.ts';

export interface paths {
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event
         * @description Accepts one event and creates a message with one delivery run for each enabled channel that takes it. The answer means that the event is stored and will be delivered at least once; it does not wait for the delivery. Counts 1 against the quota.
         */
        post: operations["createEvent"];
        delete?: never;
        /**
         * Ask for permission as a browser does
         * @description Answers the preflight of CORS, without a token. Every path of the interface has it.
         */
        options: operations["preflightEvents"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send up to 100 events
         * @description Accepts up to 100 events in one request of at most 1 MiB, and answers 200 with one result for each, in their order: the status and the response that the event would have got alone. Quota and rate limit count each event; the event that exceeds the quota, and those after it, get 402. An event whose key was accepted before gets its first response again, so a batch whose response was lost can be sent again as it was. A key that the batch repeats is one event: the later ones get 409 `idempotency_key_repeated`. With `atomic`, one refused event keeps all of them from being stored; the others get 409 `batch_aborted`.
         */
        post: operations["createEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages
         * @description The messages of the token’s environment, newest first. Filters are combined with “and”. A filter that matches little is searched some 10,000 messages at a time: a page can be short, or empty, while `has_more` is true. A page also ends where its messages would be larger than 2 MiB together; `fields` makes them smaller.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a message
         * @description The message as it was accepted, with its status and a summary of its newest 100 delivery runs.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Give a scheduled message another time
         * @description Changes the time of every delivery run of the message that is still `scheduled`, and says of each run what became of it. 409 `conflict` when there is none.
         */
        patch: operations["rescheduleMessage"];
        trace?: never;
    };
    "/api/v1/messages/{messageId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the deliveries of a message
         * @description The delivery runs of the message, oldest first, each with every attempt: when, what was answered, what went wrong. A message that was replayed can have more runs than a page: `has_more` is then true. A page also ends where its runs would be larger than 2 MiB together.
         */
        get: operations["getMessageDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{messageId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a message
         * @description Creates new delivery runs for the message, with the channels, filters and templates of now. `skipped_channels` are those that take its event key and get no run. The runs are immediate, also when the event was scheduled. Counts 1 against the quota. The body may be left out.
         */
        post: operations["replayMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/messages/{messageId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled message
         * @description Cancels every delivery run of the message that is still `scheduled`, and says of each run what became of it. A run that is answered as cancelled is never sent. Made again, it changes nothing. The event stays counted.
         */
        post: operations["cancelMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/delivery-runs/{deliveryRunId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled delivery run
         * @description Only a run that is still `scheduled` can be cancelled, and records an attempt `scheduled_cancelled`. A run that is answered as cancelled is never sent. The event that it came from stays counted. The body may be left out.
         */
        post: operations["cancelDeliveryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/delivery-runs/{deliveryRunId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what an attempt sent
         * @description The content of an attempt, rendered again from the template version of its run, and whether it is the same by its SHA-256; the headers with secrets masked, and what the other end said. A template that prints the present time is not the same. 409 when the data was erased, or the template fails.
         */
        get: operations["getDeliveryContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read figures over time
         * @description What was accepted, delivered and failed by hour or minute, and how long it took. The figures are exact and some seconds behind. Those of minutes are kept for two days, those of hours for 400 days, also when the messages are removed or erased.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens
         * @description Server-sent events: ids and statuses of messages, runs, attempts and feedback as they are committed, a second late. They are hints: read what you need. It covers the newest 500 messages and 1,000 runs. `reset` means that more has happened than is told: read the lists again. A stream ends after 75 s or sooner; connect again with the last `id` as `Last-Event-ID` (an `EventSource` does), and nothing is left out. 503 when too many streams are open: read the lists from time to time instead.
         */
        get: operations["stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/usage/current": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the usage of the current period
         * @description What the tenant of the token’s environment has used in the current calendar month, UTC.
         */
        get: operations["getCurrentUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the limits of the plan
         * @description What the plan of the tenant of the token’s environment allows.
         */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans
         * @description All plans, by their code.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a plan
         * @description A figure that is null or left out is unlimited. A rate has both its figures or none.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/plans/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a plan
         * @description The plan as it is now.
         */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a plan
         * @description Holds for all its tenants within 5 seconds. A quota below what is used already refuses events until the next month. Null removes a limit. The code cannot be changed.
         */
        patch: operations["updatePlan"];
        trace?: never;
    };
    "/admin/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tenants
         * @description All tenants, newest first.
         */
        get: operations["listTenants"];
        put?: never;
        /**
         * Create a tenant
         * @description A customer of the installation, on a plan that exists. It has no environment yet.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tenants/{tenantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tenant
         * @description The tenant as it is now.
         */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a tenant
         * @description Another plan or billing status holds for all its environments within 5 seconds. What is used this month stays used. A change of `billing_status` to something else than `past_due` ends the grace.
         */
        patch: operations["updateTenant"];
        trace?: never;
    };
    "/admin/v1/tenants/{tenantId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a tenant has used
         * @description The events of each calendar month, the present one first.
         */
        get: operations["getTenantUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tenants/{tenantId}/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List environments
         * @description The environments of a tenant, newest first.
         */
        get: operations["listEnvironments"];
        put?: never;
        /**
         * Create an environment
         * @description An isolated world of the tenant. It shares the tenant’s quota with the others and has tokens, channels and templates of its own.
         */
        post: operations["createEnvironment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an environment
         * @description The environment and the tenant that it belongs to.
         */
        get: operations["getEnvironment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of an environment
         * @description A JSON Merge Patch: settings that are left out stay, null gives one its default. Holds for events that are accepted from then on. The name cannot be changed.
         */
        patch: operations["updateEnvironment"];
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tokens
         * @description The tokens of an environment, newest first, those that are revoked or expired too. A token is recognised by its prefix and its last four characters.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Issue a token
         * @description A token that authenticates clients of this environment. The answer has the token itself, which is stored as a digest only and not shown again.
         */
        post: operations["issueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tokens/{tokenId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a token
         * @description Issues a token in the place of this one, with its name, its scopes and, counted from now, its length of life. The answer has the new token itself, which is not shown again. The old one works on for `overlap_seconds`, but no longer than it would have anyway. A token is rotated once: after that, and when it is revoked or expired, the answer is `conflict`. If an answer is lost, rotate the token that the list shows as `replaced_by`.
         */
        post: operations["rotateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description The token is refused everywhere within 5 seconds and stays in the list. What was issued in its place by a rotation works on. Revoking it again changes nothing.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels
         * @description The channels of an environment, newest first, without their secrets.
         */
        get: operations["listChannels"];
        put?: never;
        /**
         * Create a channel
         * @description A destination of the environment: every event that it takes becomes a delivery run to it. The answer has the signing secret of a webhook, which is not shown again. The tenant’s plan must include the kind; an environment has at most 100 channels.
         */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/channels/{channelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a channel
         * @description The channel as it is now, without its secrets.
         */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /**
         * Delete a channel
         * @description None of its runs is begun any more. Those that wait, scheduled ones too, end as `failed` with an attempt `channel_disabled`: the first 500 with the answer, the others soon after. Those that are running finish and are not retried. What was delivered stays readable; the secrets are erased.
         */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /**
         * Change a channel
         * @description A JSON Merge Patch: fields that are left out stay, null removes one, lists and `filter` are replaced. To change the form of `retry`, set the fields of the other to null. Runs that wait are sent as the channel then is. Runs that fall due while it is disabled end as `failed` with `channel_disabled`; those that fall due after it was enabled again are sent. Credentials stay unless they are given; one must be given again when where it is sent to changes, such as the host of an SMTP server. The kind cannot be changed.
         */
        patch: operations["updateChannel"];
        trace?: never;
    };
    "/admin/v1/channels/{channelId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of a webhook
         * @description The answer has the new secret, which is not shown again. Until the overlap is over every request carries a signature of each, so that receivers can change over in their own time; then the old secret is erased. While one overlap lasts another rotation is refused, unless its `overlap_seconds` is 0: it ends both old secrets at once, as for one that has leaked.
         */
        post: operations["rotateChannelSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/channels/{channelId}/feedback-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new feedback token of a channel
         * @description What providers report of delivered, bounced and complained mails to, and what a mail server pipes its reports to, has this token in its path. The answer has it, and it is not shown again. One that was made before is refused from then on.
         */
        post: operations["rotateChannelFeedbackToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/channels/{channelId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test through a channel
         * @description Sends a message by the way of every message, to this channel alone, also while it is disabled: so it can be tried before it is enabled. It is tried once, carries the header `postrider-test: true` (mail: `X-Postrider-Test: true`), is shown with `test: true`, and counts neither against the quota nor in the usage. The active template of the event key is used; without one, a webhook sends the default body and mail a fixed text. The answer does not wait for the delivery: read the deliveries of the message. At most 30 tests a minute for an environment.
         */
        post: operations["testChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/channels/{channelId}/filter/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a filter on past messages
         * @description Tries a filter on the newest 1000 messages of the environment of the channel, without saving it. Test sends and erased messages are not looked at. `null` tries the channel without a filter.
         */
        post: operations["testChannelFilter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/channels/{channelId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a channel
         * @description The channel goes on to take events, whose runs wait. No run tries it until it is resumed. Runs that have waited for `failure_policy.max_age` seconds end as `failed` with `expired`. A channel that is paused already stays so, without probes from now on.
         */
        post: operations["pauseChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/channels/{channelId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a channel
         * @description Ends its pause, also one that the service began. The runs that wait are released oldest first, at a rate that begins with 2 a second and doubles every 10 seconds to `failure_policy.release_per_second`. A channel that is not paused stays as it is.
         */
        post: operations["resumeChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List versions of templates
         * @description Newest first, without their contents. Filters are combined with “and”.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Add a version of a template
         * @description Templates are Liquid, without `include`, `render`, `layout`, `block` and `raw`. They see `event_key`, `recipient`, `payload`, `message_id`, `delivery_run_id` and `timestamp`; a variable that is missing makes the delivery fail, so write `{{ payload.note | default: "" }}` for what may be missing. A version never changes: a new text is a new version. Issues of a template have the code `invalid_template`, with `line` and `column` where they are known.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/templates/preview-draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a template that is not stored
         * @description Checks a template as its creation does, and renders it as the preview of a version does. Nothing is stored and nothing is sent.
         */
        post: operations["previewTemplateDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/templates/{templateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of a template
         * @description With its content.
         */
        get: operations["getTemplate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/templates/{templateId}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate a version of a template
         * @description Events that are accepted from now on, within 5 seconds, are delivered with this version; an older one is rolled back to in the same way. The version that was active is not any more. Runs keep the version they have.
         */
        post: operations["activateTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/templates/{templateId}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate a version of a template
         * @description Afterwards no version is active, if it was this one. A webhook then sends the default body; an event that an email channel takes is refused (422 `template_not_found`), of which a warning tells.
         */
        post: operations["deactivateTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/templates/{templateId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a version of a template
         * @description Renders what a delivery would send, within the same limits, and stores and sends nothing. Names every variable that is missing, and warns of what a receiver would stumble over. The body may be left out.
         */
        post: operations["previewTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/event-types/{eventKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event type
         * @description With its schema.
         */
        get: operations["getEventType"];
        /**
         * Describe an event key
         * @description Creates the event type or replaces it: what is left out is removed. Payloads are validated against the schema within 5 seconds. Issues of the schema have the code `invalid_schema`; refused are references that lead outside it or round in a circle, patterns that cannot be matched in linear time, and formats that are not known. All schemas of an environment may have 2 MiB together (409 `conflict`).
         */
        put: operations["putEventType"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description By their keys, without their schemas.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search messages
         * @description The messages of an environment that match, newest first. Filters are combined with “and”; those on runs hold for one and the same delivery run, which is the newest of its channel. A search looks at some 10,000 candidates at a time: a page can be short, or empty, while `has_more` is true; `next_cursor` then goes on. A page also ends where its messages would be larger than 2 MiB together; `fields` makes them smaller.
         */
        get: operations["searchMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a message of an environment
         * @description The message as the public API shows it.
         */
        get: operations["getEnvironmentMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Give a scheduled message another time, as an operator
         * @description Changes the time of every delivery run of the message that is still `scheduled`, and says of each run what became of it. 409 `conflict` when there is none. As with a token of the environment: its limits, quota and idempotency hold.
         */
        patch: operations["rescheduleEnvironmentMessage"];
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/messages/{messageId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the deliveries of a message of an environment
         * @description The delivery runs of the message, oldest first, each with every attempt: when, what was answered, what went wrong. A message that was replayed can have more runs than a page: `has_more` is then true. A page also ends where its runs would be larger than 2 MiB together.
         */
        get: operations["getEnvironmentMessageDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what needs action in an environment
         * @description Channels that fail, what waits, the quota, and templates that failed.
         */
        get: operations["getEnvironmentAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what needs action
         * @description The environments with a channel that fails, runs that wait for more than a minute, a quota that is used to four fifths, or templates that failed in the last hour.
         */
        get: operations["overviewOfAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up an id or an address
         * @description Finds what a text names in any environment: a message, delivery run, attempt, request or trace id, or the email address of a recipient. A text that names nothing has no results.
         */
        get: operations["findByText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bulk replays
         * @description The bulk replays of an environment, newest first.
         */
        get: operations["listReplayBatches"];
        put?: never;
        /**
         * Replay the messages that match
         * @description Makes new delivery runs for the messages that are there now and match, newest first, in the background and at a pace. By the rules of replaying one: channels and templates as they are then, 1 of the quota for each; what cannot be replayed is counted by reason. Where the filter asks something of runs, only the channels of the runs that fulfil it are delivered to. An environment has one bulk replay at a time. With `dry_run` it counts what matches, 200.
         */
        post: operations["createReplayBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/replays/{replayId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a bulk replay
         * @description The bulk replay and how far it has come.
         */
        get: operations["getReplayBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/replays/{replayId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a bulk replay
         * @description Waits for the few messages that are being replayed at the moment; no other follows. The runs that were made go on. To cancel one that is cancelled changes nothing.
         */
        post: operations["cancelReplayBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List erasures
         * @description The erasures of an environment, newest first.
         */
        get: operations["listErasures"];
        put?: never;
        /**
         * Erase a recipient’s data
         * @description Erases recipient and payload of the messages that are there now and have this address, and what mail servers and endpoints said of them, in the background. Runs that wait are ended first, with an attempt `scheduled_cancelled`: a `scheduled` one is `cancelled`, one that was due is `failed`. An attempt that is open is waited for. Messages, runs and attempts stay, and so does what was used. The messages can not be replayed. The audit log names the address by a hash alone.
         */
        post: operations["createErasure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/erasures/{erasureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an erasure
         * @description The erasure and how far it has come.
         */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressions
         * @description The suppression list of an environment, newest first; of one address with `email`.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Suppress an address
         * @description Puts an address on the environment’s suppression list. Runs of email to it that are claimed from then on end as `failed` with `recipient_suppressed`: new events, retries, schedules and replays. An address that is on the list in this scope stays as it is, and is the answer. One whose text was erased keeps its entry without the text.
         */
        post: operations["createSuppression"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/suppressions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suppress many addresses
         * @description Puts up to 500 addresses on the list in one transaction, all or none, each as if alone. Sending the same entries again changes nothing.
         */
        post: operations["importSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/suppressions/{suppressionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a suppression
         * @description Email to the address is sent again, unless another entry suppresses it. Runs that have failed meanwhile stay so; replay them.
         */
        delete: operations["deleteSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read which keys are in use
         * @description How many stored secrets there are under each encryption key: whether an older one can be dropped, and which channels cannot deliver because theirs is missing. It shows no secret.
         */
        get: operations["getSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/secrets/reencrypt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring secrets under the current key
         * @description After a key was put in front of `ENCRYPTION_KEYS`, and every process started with it: seals the secrets under older keys again. It can be interrupted and asked again at any time. What is delivered meanwhile is not disturbed.
         */
        post: operations["reencryptSecrets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/console-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is signed in
         * @description The sessions of the console that have not ended, newest first.
         */
        get: operations["listConsoleSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/console-sessions/{consoleSessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the console
         * @description Signs somebody out: every process refuses the session within 5 seconds.
         */
        delete: operations["endConsoleSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/console-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link that signs in
         * @description A code that opens the console once, within 10 minutes, as an operator. The session’s name in the audit log is the `X-Actor` of this request.
         */
        post: operations["createConsoleLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes
         * @description Who changed what, newest first, written in the same transaction as the change. Filters are combined with “and”. A page also ends, with `has_more`, where its entries would be larger than 2 MiB together.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event, as an operator
         * @description Accepts one event and creates a message with one delivery run for each enabled channel that takes it. The answer means that the event is stored and will be delivered at least once; it does not wait for the delivery. Counts 1 against the quota. As with a token of the environment: its limits, quota and idempotency hold.
         */
        post: operations["createEnvironmentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/messages/{messageId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a message, as an operator
         * @description Creates new delivery runs for the message, with the channels, filters and templates of now. `skipped_channels` are those that take its event key and get no run. The runs are immediate, also when the event was scheduled. Counts 1 against the quota. The body may be left out. As with a token of the environment: its limits, quota and idempotency hold.
         */
        post: operations["replayEnvironmentMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/messages/{messageId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled message, as an operator
         * @description Cancels every delivery run of the message that is still `scheduled`, and says of each run what became of it. A run that is answered as cancelled is never sent. Made again, it changes nothing. The event stays counted. As with a token of the environment: its limits, quota and idempotency hold.
         */
        post: operations["cancelEnvironmentMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/delivery-runs/{deliveryRunId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled delivery run, as an operator
         * @description Only a run that is still `scheduled` can be cancelled, and records an attempt `scheduled_cancelled`. A run that is answered as cancelled is never sent. The event that it came from stays counted. The body may be left out. As with a token of the environment: its limits, quota and idempotency hold.
         */
        post: operations["cancelEnvironmentDeliveryRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/delivery-runs/{deliveryRunId}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what an attempt sent, as an operator
         * @description The content of an attempt, rendered again from the template version of its run, and whether it is the same by its SHA-256; the headers with secrets masked, and what the other end said. A template that prints the present time is not the same. 409 when the data was erased, or the template fails. As with a token of the environment: its limits, quota and idempotency hold.
         */
        get: operations["getEnvironmentDeliveryContent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read figures over time, as an operator
         * @description What was accepted, delivered and failed by hour or minute, and how long it took. The figures are exact and some seconds behind. Those of minutes are kept for two days, those of hours for 400 days, also when the messages are removed or erased. As with a token of the environment: its limits, quota and idempotency hold.
         */
        get: operations["getEnvironmentStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/v1/environments/{environmentId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens, as an operator
         * @description Server-sent events: ids and statuses of messages, runs, attempts and feedback as they are committed, a second late. They are hints: read what you need. It covers the newest 500 messages and 1,000 runs. `reset` means that more has happened than is told: read the lists again. A stream ends after 75 s or sooner; connect again with the last `id` as `Last-Event-ID` (an `EventSource` does), and nothing is left out. 503 when too many streams are open: read the lists from time to time instead. As with a token of the environment: its limits, quota and idempotency hold.
         */
        get: operations["streamEnvironment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    delivery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What your endpoint receives
         * @description Signed as Standard Webhooks 1.0: check it with any of its libraries and the channel’s `whsec_…` secret, over the bytes as they came. Delivery is at least once: drop what has a `webhook-id` that you have dealt with.
         */
        post: operations["webhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description One issue of the request, or one fact about the refusal. */
        ErrorDetail: {
            /** @description A JSON Pointer into the body, or `/` and the name of a query parameter. */
            path: string;
            /**
             * @description Stable; for programs.
             * @enum {string}
             */
            code: "required" | "unknown_field" | "invalid_type" | "invalid_format" | "invalid_value" | "too_long" | "too_short" | "too_large" | "too_small" | "too_many" | "too_few" | "duplicate" | "schedule_too_far" | "payload_schema_mismatch" | "no_matching_channel" | "template_not_found" | "invalid_template" | "invalid_schema" | "unknown_channel" | "unknown_plan" | "quota_limit" | "current_status";
            /** @description For people. */
            message: string;
        } & {
            [key: string]: string | number | null;
        };
        /** @description The same as problem details (RFC 9457), for requests whose `Accept` names `application/problem+json`. */
        Problem: {
            /** @description `urn:postrider:error:` and the code. */
            type: string;
            /** @description What the code means, for people. */
            title: string;
            /** @description The status of the response. */
            status: number;
            /** @description What is wrong with this request, for people. */
            detail: string;
            /**
             * @description As in Error.
             * @enum {string}
             */
            code: "malformed_request" | "idempotency_key_required" | "idempotency_key_invalid" | "invalid_json" | "unauthorized" | "quota_exceeded" | "payment_required" | "forbidden" | "token_scope_missing" | "route_not_found" | "message_not_found" | "delivery_run_not_found" | "plan_not_found" | "tenant_not_found" | "environment_not_found" | "token_not_found" | "channel_not_found" | "template_not_found" | "event_type_not_found" | "replay_batch_not_found" | "erasure_not_found" | "suppression_not_found" | "console_session_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_conflict" | "idempotency_in_progress" | "idempotency_key_repeated" | "batch_aborted" | "delivery_run_not_cancellable" | "already_exists" | "conflict" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "validation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "service_unavailable";
            /** @description As in Error. */
            request_id: string;
            /** @description As in Error. */
            details?: components["schemas"]["ErrorDetail"][];
        };
        /** @description Every answer that is not a success has this form. */
        Error: {
            error: {
                /**
                 * @description Stable; for programs. The table of all codes stands at the top of this page.
                 * @enum {string}
                 */
                code: "malformed_request" | "idempotency_key_required" | "idempotency_key_invalid" | "invalid_json" | "unauthorized" | "quota_exceeded" | "payment_required" | "forbidden" | "token_scope_missing" | "route_not_found" | "message_not_found" | "delivery_run_not_found" | "plan_not_found" | "tenant_not_found" | "environment_not_found" | "token_not_found" | "channel_not_found" | "template_not_found" | "event_type_not_found" | "replay_batch_not_found" | "erasure_not_found" | "suppression_not_found" | "console_session_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_conflict" | "idempotency_in_progress" | "idempotency_key_repeated" | "batch_aborted" | "delivery_run_not_cancellable" | "already_exists" | "conflict" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "validation_failed" | "rate_limited" | "headers_too_large" | "internal_error" | "service_unavailable";
                /** @description For people. Its wording may change. */
                message: string;
                /** @description Your X-Request-ID; `unknown` when you sent none, or one that is not acceptable. */
                request_id: string;
                /** @description Given by 402 `quota_exceeded`, 409 `delivery_run_not_cancellable`, 409 `already_exists` and 422. */
                details?: components["schemas"]["ErrorDetail"][];
            };
        };
        EventResults: {
            results: {
                /** @description The status that the event would have got alone. */
                status: number;
                /** @description The response that the event would have got alone: an accepted event, or `error`. */
                body: {
                    [key: string]: unknown;
                };
                /** @description True when the event was accepted before, and this is its first response. */
                idempotent_replayed?: boolean;
                /** @description Seconds to wait before the event is sent again, where its response alone would have Retry-After. */
                retry_after?: number;
            }[];
        };
        /** @description The destination that a run delivers to. */
        Channel: {
            /** @description The channel. */
            id: string;
            /**
             * @description How it delivers.
             * @enum {string}
             */
            kind: "email" | "webhook";
            /** @description The name that the channel was given. */
            name: string;
        };
        /** @description A delivery to one channel, in short. */
        DeliveryRunSummary: {
            /** @description The delivery run. */
            id: string;
            channel: components["schemas"]["Channel"];
            /**
             * @description See DeliveryRun.
             * @enum {string}
             */
            status: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
            scheduled_at: string | null;
        };
        /** @description A delivery of a message, in short. */
        MessageRun: {
            /** @description The delivery run. */
            id: string;
            channel: components["schemas"]["Channel"];
            /**
             * @description See DeliveryRun.
             * @enum {string}
             */
            status: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
            scheduled_at: string | null;
            feedback: components["schemas"]["RunFeedback"] | null;
        };
        /** @description What an accepted event has created. */
        Accepted: {
            /** @description The message. */
            message_id: string;
            /**
             * @description Derived from the delivery runs, of a replayed message from the newest run of each channel. `pending`: at least one is not at its end. `delivered`: all succeeded. `partially_delivered`: some succeeded, the others are at their end without. `cancelled`: all were cancelled. `failed`: none succeeded.
             * @enum {string}
             */
            status: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
            /** @description One for each channel, oldest first. */
            delivery_runs: components["schemas"]["DeliveryRunSummary"][];
        };
        /** @description What a replay has created. */
        Replayed: {
            /** @description The message. */
            message_id: string;
            /**
             * @description Derived from the delivery runs, of a replayed message from the newest run of each channel. `pending`: at least one is not at its end. `delivered`: all succeeded. `partially_delivered`: some succeeded, the others are at their end without. `cancelled`: all were cancelled. `failed`: none succeeded.
             * @enum {string}
             */
            status: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
            /** @description One for each channel, oldest first. */
            delivery_runs: components["schemas"]["DeliveryRunSummary"][];
            /** @description By the filters and templates of now, which a replay uses. */
            skipped_channels: {
                channel: components["schemas"]["Channel"];
                /**
                 * @description Why: its filter, or that it has no active template.
                 * @enum {string}
                 */
                reason: "filtered" | "template_not_found";
                condition: string | null;
            }[];
        };
        /** @description An accepted event. */
        Message: {
            /** @description Equals `message_id`. */
            id: string;
            /** @description The message. */
            message_id: string;
            /** @description As it was sent. */
            event_key: string;
            /**
             * @description Derived from the delivery runs, of a replayed message from the newest run of each channel. `pending`: at least one is not at its end. `delivered`: all succeeded. `partially_delivered`: some succeeded, the others are at their end without. `cancelled`: all were cancelled. `failed`: none succeeded.
             * @enum {string}
             */
            status: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
            /** @description As it was sent. */
            recipient: {
                [key: string]: unknown;
            };
            /** @description As it was sent. */
            payload: {
                [key: string]: unknown;
            };
            schedule_at: string | null;
            expires_at: string | null;
            request_id: string | null;
            /** @description Whether an operator sent it to try a channel. It counts in no figure and cannot be replayed. */
            test: boolean;
            /**
             * Format: date-time
             * @description When the event was accepted.
             */
            created_at: string;
            /** @description Of the newest 100 runs, oldest first. */
            delivery_runs: components["schemas"]["MessageRun"][];
            /** @description Whether the message has older runs than these; `…/deliveries` has all of them. */
            has_more_runs: boolean;
            /** @description The channels of the environment. Only with `explain=channels`. */
            channels?: {
                /** @description The channel. */
                channel_id: string;
                /** @description The name of the channel. */
                name: string;
                /**
                 * @description How it delivers.
                 * @enum {string}
                 */
                kind: "email" | "webhook";
                /** @description Whether it has deliveries of the message. */
                taken: boolean;
                /**
                 * @description Why, by the configuration of now. `changed_since`: it would take the event now, and did not then.
                 * @enum {string}
                 */
                reason: "matched" | "deleted" | "created_later" | "disabled" | "kind_not_in_plan" | "event_key_not_subscribed" | "no_active_template" | "no_recipient" | "filtered" | "changed_since";
                condition: string | null;
                /** @description Its deliveries of the message, oldest first. */
                delivery_run_ids: string[];
            }[];
        };
        /** @description The fields of a message that a list was asked for by `fields`. */
        PartialMessage: {
            /** @description Equals `message_id`. */
            id?: string;
            /** @description The message. */
            message_id?: string;
            /** @description As it was sent. */
            event_key?: string;
            /**
             * @description Derived from the delivery runs, of a replayed message from the newest run of each channel. `pending`: at least one is not at its end. `delivered`: all succeeded. `partially_delivered`: some succeeded, the others are at their end without. `cancelled`: all were cancelled. `failed`: none succeeded.
             * @enum {string}
             */
            status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
            /** @description As it was sent. */
            recipient?: {
                [key: string]: unknown;
            };
            /** @description As it was sent. */
            payload?: {
                [key: string]: unknown;
            };
            schedule_at?: string | null;
            expires_at?: string | null;
            request_id?: string | null;
            /** @description Whether an operator sent it to try a channel. It counts in no figure and cannot be replayed. */
            test?: boolean;
            /**
             * Format: date-time
             * @description When the event was accepted.
             */
            created_at?: string;
            /** @description Of the newest 100 runs, oldest first. */
            delivery_runs?: components["schemas"]["MessageRun"][];
            /** @description Whether the message has older runs than these; `…/deliveries` has all of them. */
            has_more_runs?: boolean;
        };
        /** @description A page of messages, newest first; partial ones where `fields` was given. */
        MessageList: {
            data: (components["schemas"]["Message"] | components["schemas"]["PartialMessage"])[];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description What a cancel of a message has done. */
        CancelledMessage: {
            /** @description The message. */
            message_id: string;
            /** @description The first 100 runs, oldest first. */
            delivery_runs: {
                /** @description The delivery run. */
                id: string;
                channel: components["schemas"]["Channel"];
                /** @description See DeliveryRun. */
                status: string;
                scheduled_at: string | null;
                /**
                 * @description `not_waiting`: it was sent, is being sent, waits for a retry, or has ended; it stays as it is.
                 * @enum {string}
                 */
                outcome: "cancelled" | "already_cancelled" | "not_waiting";
            }[];
        };
        /** @description What a new time for a message has done. */
        RescheduledMessage: {
            /** @description The message. */
            message_id: string;
            schedule_at: string | null;
            /** @description The first 100 runs, oldest first. */
            delivery_runs: {
                /** @description The delivery run. */
                id: string;
                channel: components["schemas"]["Channel"];
                /** @description See DeliveryRun. */
                status: string;
                scheduled_at: string | null;
                /**
                 * @description `not_waiting`: it was sent, is being sent, waits for a retry, or has ended; it stays as it is.
                 * @enum {string}
                 */
                outcome: "rescheduled" | "already_cancelled" | "not_waiting";
            }[];
        };
        /** @description One try to deliver. */
        Attempt: {
            /** @description The attempt. */
            id: string;
            /** @description The run that it belongs to. */
            delivery_run_id: string;
            /** @description From 1, in the order in which they were made. */
            number: number;
            /**
             * @description `unknown`: the worker, or the response of the other end, was lost. The run is retried unless it has no attempts left, or ended the process that tried it alone (`worker_lost`). The receiver may get it twice, with the same `webhook-id` and `Message-ID`.
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed" | "cancelled" | "unknown";
            error_code: ("scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired") | null;
            error_message: string | null;
            /** @description Whether another attempt could succeed; null where nothing failed. */
            retryable: boolean | null;
            /**
             * Format: date-time
             * @description When it was opened, before anything was sent.
             */
            started_at: string;
            completed_at: string | null;
            /** @description Null while it runs. */
            duration_ms: number | null;
            response: {
                /** @description Of HTTP, or the reply code of SMTP. */
                status_code: number;
                body_excerpt: string | null;
            } | null;
            sender: string | null;
            provider_message_id: string | null;
            /** @description The senders that the same attempt had tried before, in their order; mostly none. */
            tried: {
                /** @description Its name in the channel. */
                sender: string;
                /**
                 * @description `failed`: the message was certainly not taken. `unknown`: it may have been, so the receiver may get it twice, with the same `Message-ID`; only with `failover: eager`.
                 * @enum {string}
                 */
                outcome: "failed" | "unknown";
                /**
                 * @description What went wrong. `scheduled_cancelled` is the mark of a cancel, `worker_lost` and `smtp_outcome_unknown` mean that the delivery may have arrived.
                 * @enum {string}
                 */
                error_code: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
                /** @description The same for people. */
                error_message: string;
            }[];
        };
        /** @description What a provider or a mail server reported of the mail after it was taken. */
        RunFeedback: {
            /**
             * @description Of several reports the one that says most, whatever their order: `complained`, `bounced`, `delivered`, `deferred`.
             * @enum {string}
             */
            type: "deferred" | "delivered" | "bounced" | "complained";
            /** @description Of a bounce: whether the address was suppressed for it. */
            permanent: boolean;
            /**
             * Format: date-time
             * @description When it happened, by who reported it.
             */
            at: string;
            reason: string | null;
        };
        /** @description A delivery to one channel, with its attempts. */
        DeliveryRun: {
            /** @description The delivery run; also the `webhook-id` of what is sent. */
            id: string;
            /** @description The message that it delivers. */
            message_id: string;
            channel: components["schemas"]["Channel"];
            /**
             * @description `scheduled`: waits for its time and can be cancelled. `queued`: immediate, not yet taken. `running`: an attempt is open. `retrying`: the last attempt failed or its outcome is unknown, the next is due at `next_attempt_at`. `succeeded`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
            /**
             * @description What created it.
             * @enum {string}
             */
            trigger: "event" | "replay";
            template: {
                /** @description The template version. */
                id: string;
                /** @description Its number among those of its event key and kind. */
                version: number;
            } | null;
            /** @description Attempts so far. */
            attempt_count: number;
            /** @description The most that are made. */
            max_attempts: number;
            scheduled_at: string | null;
            started_at: string | null;
            completed_at: string | null;
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            feedback: components["schemas"]["RunFeedback"] | null;
            last_error: {
                /**
                 * @description What went wrong. `scheduled_cancelled` is the mark of a cancel, `worker_lost` and `smtp_outcome_unknown` mean that the delivery may have arrived.
                 * @enum {string}
                 */
                code: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
                message: string | null;
                /** @description The number of that attempt. */
                attempt_number: number;
            } | null;
            /** @description Oldest first. */
            attempts: components["schemas"]["Attempt"][];
        };
        /** @description A page of the delivery runs of a message. */
        Deliveries: {
            /** @description The message. */
            message_id: string;
            /** @description Oldest first. */
            delivery_runs: components["schemas"]["DeliveryRun"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description What an attempt sent, rendered again. */
        SentContent: {
            /** @description The delivery run. */
            delivery_run_id: string;
            /** @description The attempt. */
            attempt: number;
            /**
             * @description The kind of the channel.
             * @enum {string}
             */
            kind: "email" | "webhook";
            /** @description Whether this is what was sent: its SHA-256 is that of the attempt. Null when the attempt has none, because nothing was sent, its worker was lost, or it is older than this. */
            verified: boolean | null;
            sha256: string | null;
            rendered_at: string | null;
            connected_address: string | null;
            response: {
                /** @description Of HTTP, or the reply code of SMTP. */
                status: number;
                /** @description Names and values. */
                headers: string[][];
                excerpt: string | null;
            } | null;
            /** @description A mail. */
            email?: {
                /** @description On one line. */
                subject: string;
                from: string | null;
                to: string | null;
                html: string | null;
                text: string | null;
                /** @description Headers and parts as text, without the encoding of MIME. */
                source: string;
                /** @description Names and values. */
                headers: string[][];
                /** @description Bare addresses; left out when there are none. */
                cc?: string[];
                /** @description As `cc`. */
                bcc?: string[];
                /** @description Left out: that of the channel. */
                reply_to?: string;
                /** @description Left out when there are none. */
                attachments?: {
                    /** @description Its name. */
                    filename: string;
                    /** @description Its type. */
                    content_type: string;
                    cid: string | null;
                    /** @description Its size. */
                    bytes: number;
                }[];
            };
            /** @description A request. */
            request?: {
                /** @description Its method. */
                method: string;
                /** @description Of the channel now, without what could be a secret. */
                url: string;
                /** @description Names and values. */
                headers: string[][];
                /** @description What was posted. */
                body: string;
            };
        };
        /** @description What was counted. Test sends count nowhere. */
        StatsFigures: {
            /** @description Events that were accepted. In groups by channel or error code there are none. */
            accepted: number;
            /** @description Delivery runs that succeeded. */
            delivered: number;
            /** @description Delivery runs that failed for good. */
            failed: number;
            /** @description Attempts that ended, however. */
            attempts: number;
            latency_ms: {
                p50: number | null;
                p95: number | null;
                p99: number | null;
            } | null;
        };
        /** @description What was counted in an interval. */
        StatsBucket: {
            /**
             * Format: date-time
             * @description When it begins.
             */
            start: string;
            /** @description Events that were accepted. In groups by channel or error code there are none. */
            accepted: number;
            /** @description Delivery runs that succeeded. */
            delivered: number;
            /** @description Delivery runs that failed for good. */
            failed: number;
            /** @description Attempts that ended, however. */
            attempts: number;
            latency_ms: {
                p50: number | null;
                p95: number | null;
                p99: number | null;
            } | null;
            /** @description Only with `group_by`. */
            groups?: {
                /** @description A channel’s id, an event key or an error code. */
                key: string;
                /** @description Events that were accepted. In groups by channel or error code there are none. */
                accepted: number;
                /** @description Delivery runs that succeeded. */
                delivered: number;
                /** @description Delivery runs that failed for good. */
                failed: number;
                /** @description Attempts that ended, however. */
                attempts: number;
                latency_ms: {
                    p50: number | null;
                    p95: number | null;
                    p99: number | null;
                } | null;
            }[];
        };
        /** @description Figures of an environment over time. */
        Stats: {
            /**
             * @description Of each bucket.
             * @enum {string}
             */
            interval: "minute" | "hour";
            /**
             * Format: date-time
             * @description Where the first interval begins.
             */
            from: string;
            /**
             * Format: date-time
             * @description Where the last one ends.
             */
            to: string;
            /** @description Intervals in which something was counted, oldest first. */
            buckets: components["schemas"]["StatsBucket"][];
            totals: components["schemas"]["StatsFigures"];
        };
        /** @description The `data` of an event. Its name (`event`) is one of message.accepted, delivery_run.updated, attempt.finished, delivery_run.feedback, reset; `reset` has no fields. */
        StreamEvent: {
            /** @description The message. */
            message_id: string;
            /** @description Of all but `message.accepted`. */
            delivery_run_id: string;
            /** @description Of all but `message.accepted`. */
            channel_id: string;
            /** @description The number of the attempt; of `attempt.finished`. */
            attempt: number;
            /** @description Of the run or the attempt, as it is now. */
            status: string;
            /** @description Its type; of `delivery_run.feedback`. */
            feedback: string;
            /**
             * Format: date-time
             * @description When it happened; of feedback, when it was received.
             */
            at: string;
        };
        /** @description Delivery runs by how they stand. */
        DeliveryCounts: {
            /** @description Runs that succeeded. */
            succeeded: number;
            /** @description Runs that failed. */
            failed: number;
            /** @description Runs that were cancelled. */
            cancelled: number;
            /** @description Runs that are not at their end. */
            pending: number;
        };
        /** @description What the tenant of the environment has used in the current period. */
        Usage: {
            /** @description The tenant. */
            tenant_id: string;
            /** @description The calendar month, UTC. */
            period: {
                /**
                 * Format: date-time
                 * @description Its first moment.
                 */
                start: string;
                /**
                 * Format: date-time
                 * @description The first moment of the next, when the quota starts again.
                 */
                end: string;
            };
            /** @description Events and replays, which count alike. A cancelled run is not given back. */
            events: {
                /** @description So far. */
                used: number;
                /** @description What the plan allows. Null means unlimited. */
                limit: number | null;
                /** @description What is left. Null means unlimited. */
                remaining: number | null;
            };
            /** @description The delivery runs created in the period. */
            deliveries: {
                /** @description Runs that succeeded. */
                succeeded: number;
                /** @description Runs that failed. */
                failed: number;
                /** @description Runs that were cancelled. */
                cancelled: number;
                /** @description Runs that are not at their end. */
                pending: number;
                /** @description The same for each kind. */
                by_channel_kind: {
                    email: components["schemas"]["DeliveryCounts"];
                    webhook: components["schemas"]["DeliveryCounts"];
                };
            };
            /** @description Every environment of the tenant. */
            environments: {
                /** @description The environment. */
                id: string;
                /** @description Its name. */
                name: string;
                /** @description Events and replays. */
                events_used: number;
            }[];
        };
        /** @description What the plan of the tenant allows. */
        Limits: {
            /** @description The tenant. */
            tenant_id: string;
            /** @description The plan. */
            plan: {
                /** @description Its stable code. */
                code: string;
                /** @description Its name. */
                name: string;
            };
            /** @description Whether the tenant may make deliveries. */
            billing: {
                /**
                 * @description `past_due` may until `grace_ends_at`.
                 * @enum {string}
                 */
                status: "active" | "past_due" | "suspended";
                grace_ends_at: string | null;
            };
            /** @description Per period. */
            quota: {
                /** @description Events and replays in a calendar month, UTC. Null means unlimited. */
                events_per_month: number | null;
            };
            /** @description Per environment. */
            rate_limit: {
                /** @description The rate that can be kept up. Null means unlimited. */
                requests_per_second: number | null;
                /** @description Requests that may come at once. Null means unlimited. */
                burst: number | null;
            };
            /** @description Of one request. */
            payload: {
                /** @description The largest body. */
                max_bytes: number;
            };
            /** @description Of `schedule_at`. */
            schedule: {
                /** @description How far ahead it may be. Null means unlimited. */
                max_days: number | null;
            };
            /** @description Of messages. */
            retention: {
                /** @description How long they can be read. Null means unlimited. */
                days: number | null;
            };
            /** @description What the plan includes. */
            entitlements: {
                /** @description Channels of other kinds take no events. */
                channel_kinds: ("email" | "webhook")[];
            };
        };
        /** @description What a tenant may use. */
        Plan: {
            /** @description Its stable code. */
            code: string;
            /** @description For people. */
            name: string;
            /** @description Events and replays of a tenant in a calendar month, UTC. Null means unlimited. */
            events_per_month: number | null;
            /** @description Requests that an environment can keep up. Null means unlimited. */
            requests_per_second: number | null;
            /** @description Requests that may come at once. Null means unlimited. */
            burst: number | null;
            /** @description The largest body of an event, below what holds on every plan. Null means unlimited. */
            max_payload_bytes: number | null;
            /** @description How far ahead `schedule_at` may be. Null means unlimited. */
            max_schedule_days: number | null;
            /** @description Days after which messages are removed, with their runs and attempts. Null means unlimited. */
            retention_days: number | null;
            /** @description The kinds that the tenant may have. */
            channel_kinds: ("email" | "webhook")[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description A page of plans, by their code. */
        PlanList: {
            data: components["schemas"]["Plan"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description A customer of the installation. */
        Tenant: {
            /** @description The tenant. */
            id: string;
            /** @description For people. */
            name: string;
            /** @description The code of its plan. */
            plan: string;
            /**
             * @description `suspended` may make no deliveries, `past_due` only until `grace_ends_at`.
             * @enum {string}
             */
            billing_status: "active" | "past_due" | "suspended";
            grace_ends_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description A page of tenants, newest first. */
        TenantList: {
            data: components["schemas"]["Tenant"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description What a tenant has used in a calendar month. */
        UsageMonth: {
            /**
             * Format: date
             * @description The first day of the month, UTC.
             */
            period_start: string;
            /** @description Events that were accepted. */
            events_used: number;
            /** @description What the plan of now allows in a month; earlier plans are not kept. Null means unlimited. */
            events_limit: number | null;
        };
        /** @description What a tenant has used, month by month. */
        UsageHistory: {
            /** @description Newest first, months without events among them. */
            items: components["schemas"]["UsageMonth"][];
        };
        /** @description An isolated world of a tenant, such as development or production. */
        Environment: {
            /** @description The environment. */
            id: string;
            /** @description Its tenant. */
            tenant_id: string;
            /** @description A slug, unique within the tenant. */
            name: string;
            /**
             * @description What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay.
             * @enum {string}
             */
            unmatched_events: "refuse" | "store";
            /**
             * @description What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` makes no delivery run for that channel, only for the others.
             * @enum {string}
             */
            missing_email_template: "refuse" | "skip";
            /**
             * @description Which Idempotency-Keys are taken: `uuid` alone, or `any` key of 1 to 255 visible ASCII characters.
             * @enum {string}
             */
            idempotency_keys: "uuid" | "any";
            /** @description Whether channels may only have https URLs. Cannot be set while one has another. */
            https_only: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        /** @description A page of environments, newest first. */
        EnvironmentList: {
            data: components["schemas"]["Environment"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description What clients of an environment authenticate with, without its secret. */
        Token: {
            /** @description The token. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @description For people. */
            name: string;
            /** @description What it begins with, up to its secret part. */
            prefix: string;
            /** @description Its last four characters, which tell its owner which one it is. */
            last_four: string;
            /** @description What it may beyond what every token may. */
            scopes: string[];
            /**
             * Format: date-time
             * @description When it was issued.
             */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            revoked_at: string | null;
            replaced_by: string | null;
        };
        /** @description A page of tokens, newest first. */
        TokenList: {
            data: components["schemas"]["Token"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description A new token, with its secret. */
        IssuedToken: {
            /** @description The token. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @description For people. */
            name: string;
            /** @description What it begins with, up to its secret part. */
            prefix: string;
            /** @description Its last four characters, which tell its owner which one it is. */
            last_four: string;
            /** @description What it may beyond what every token may. */
            scopes: string[];
            /**
             * Format: date-time
             * @description When it was issued.
             */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            revoked_at: string | null;
            replaced_by: string | null;
            /** @description The token itself, for the Authorization header: in this answer and never again. */
            token: string;
        };
        /** @description A new token, with its secret, and the one that it replaces. */
        RotatedToken: {
            /** @description The token. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @description For people. */
            name: string;
            /** @description What it begins with, up to its secret part. */
            prefix: string;
            /** @description Its last four characters, which tell its owner which one it is. */
            last_four: string;
            /** @description What it may beyond what every token may. */
            scopes: string[];
            /**
             * Format: date-time
             * @description When it was issued.
             */
            created_at: string;
            expires_at: string | null;
            last_used_at: string | null;
            revoked_at: string | null;
            replaced_by: string | null;
            /** @description The token itself, for the Authorization header: in this answer and never again. */
            token: string;
            previous: components["schemas"]["Token"];
        };
        /** @description A channel that posts to a URL. */
        WebhookChannel: {
            /** @description The channel. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @constant */
            kind: "webhook";
            /** @description For people. */
            name: string;
            /** @description Whether it takes events. */
            enabled: boolean;
            disabled_reason: string | null;
            /** @description The events that the channel takes: event keys, `order.*` for all that begin so, or `*` for all. */
            event_keys: string[];
            /** @description Where events are posted to. */
            config: {
                /** @description An http or https URL. */
                url: string;
                /** @description Sent with each request. */
                headers: {
                    [key: string]: string;
                };
                /** @description Headers whose values are secrets, by their names. */
                secret_headers: {
                    [key: string]: true;
                };
                auth: {
                    /** @description `basic`, `bearer` or `oauth2`. */
                    type: string;
                    /** @description Of `basic`. */
                    username?: string;
                    /** @description Of `oauth2`. */
                    token_url?: string;
                    /** @description Of `oauth2`. */
                    client_id?: string;
                    /** @description Of `oauth2`. */
                    scope?: string;
                    /** @description Of `oauth2`. */
                    audience?: string;
                    /** @description Of `oauth2`: `header` or `body`. */
                    client_authentication?: string;
                } | null;
                tls: {
                    ca: string | null;
                    certificate: string | null;
                    subject: string | null;
                    expires_at: string | null;
                } | null;
                /** @description The signatures of each request. */
                signatures: ("v1" | "v1a")[];
                /** @description Time limit of one attempt as a whole, in milliseconds. */
                timeout_ms: number;
            };
            /** @description Either `delays_seconds`, of which the last holds for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts that they were made with. */
            retry: {
                max_attempts: number;
                /** @description May be empty when `max_attempts` is 1. */
                delays_seconds?: number[];
                /** @description Before the second attempt. */
                base_seconds?: number;
                /** @description Of each delay to the one before. */
                factor?: number;
                /** @description The longest delay. */
                max_seconds?: number;
            };
            /** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces it as a whole. */
            filter: {
                [key: string]: unknown;
            } | null;
            /** @description What happens when every attempt fails. What is left out has its default. */
            failure_policy: {
                /** @description Seconds. After these of nothing but failures the channel is `failing`. */
                warn_after: number;
                /** @description Seconds. After these of nothing but failures it is paused or disabled. */
                pause_after: number;
                /** @description Fewer failed attempts than these change nothing. */
                min_attempts: number;
                /**
                 * @description What happens after `pause_after`, and at once when the endpoint answers 410. The runs of a paused channel wait, those of a disabled one fail.
                 * @enum {string}
                 */
                then: "pause" | "disable";
                /** @description Seconds. A run that waits for its paused channel ends as `expired` after these. */
                max_age: number;
                /** @description The most runs a second that are released once the channel has recovered. */
                release_per_second: number;
            };
            /** @description How it fares: docs/specification.md, "Channel health". */
            health: {
                /**
                 * @description Runs of a `paused` channel wait.
                 * @enum {string}
                 */
                state: "ok" | "failing" | "paused";
                reason: ("failures" | "timeouts" | "gone" | "manual") | null;
                failing_since: string | null;
                last_success_at: string | null;
                next_probe_at: string | null;
                /** @description Runs that wait for it, counted up to 10,000. */
                waiting: number;
            };
            /** @description Whether the password of the only SMTP server is stored. */
            password_set: boolean;
            /** @description The names of the credentials that are stored, such as `senders/smtp/password`: where the config gives them. They are never shown. */
            credentials_set: string[];
            previous_secret_expires_at: string | null;
            /** @description Whether it has a feedback token, which providers report with. */
            feedback_token_set: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description A channel that sends mail. */
        EmailChannel: {
            /** @description The channel. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @constant */
            kind: "email";
            /** @description For people. */
            name: string;
            /** @description Whether it takes events. */
            enabled: boolean;
            disabled_reason: string | null;
            /** @description The events that the channel takes: event keys, `order.*` for all that begin so, or `*` for all. */
            event_keys: string[];
            /** @description How mail is sent, and who it comes from. */
            config: {
                /** @description The password is never shown: see `credentials_set`. */
                smtp?: {
                    /** @description Host name or address. */
                    host: string;
                    /** @description TCP port. */
                    port: number;
                    /** @description TLS from the first byte; otherwise STARTTLS. */
                    secure: boolean;
                    username: string | null;
                };
                /** @description In place of the settings of one provider. */
                senders?: {
                    /** @description Unique in the channel. */
                    name: string;
                    /** @description Its settings are in the field of this name. */
                    provider: string;
                    /** @description Its share of the mail. */
                    weight: number;
                    from_domains: string[] | null;
                    /** @description The password is never shown: see `credentials_set`. */
                    smtp?: {
                        /** @description Host name or address. */
                        host: string;
                        /** @description TCP port. */
                        port: number;
                        /** @description TLS from the first byte; otherwise STARTTLS. */
                        secure: boolean;
                        username: string | null;
                    };
                }[];
                /**
                 * @description With `senders`.
                 * @enum {string}
                 */
                failover?: "safe" | "eager";
                /** @description The sender. */
                from: {
                    /** @description One bare address. */
                    email: string;
                    name: string | null;
                };
                reply_to: string | null;
                /** @description Time limit of one attempt as a whole, in milliseconds. */
                timeout_ms: number;
            };
            /** @description Either `delays_seconds`, of which the last holds for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts that they were made with. */
            retry: {
                max_attempts: number;
                /** @description May be empty when `max_attempts` is 1. */
                delays_seconds?: number[];
                /** @description Before the second attempt. */
                base_seconds?: number;
                /** @description Of each delay to the one before. */
                factor?: number;
                /** @description The longest delay. */
                max_seconds?: number;
            };
            /** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces it as a whole. */
            filter: {
                [key: string]: unknown;
            } | null;
            /** @description What happens when every attempt fails. What is left out has its default. */
            failure_policy: {
                /** @description Seconds. After these of nothing but failures the channel is `failing`. */
                warn_after: number;
                /** @description Seconds. After these of nothing but failures it is paused or disabled. */
                pause_after: number;
                /** @description Fewer failed attempts than these change nothing. */
                min_attempts: number;
                /**
                 * @description What happens after `pause_after`, and at once when the endpoint answers 410. The runs of a paused channel wait, those of a disabled one fail.
                 * @enum {string}
                 */
                then: "pause" | "disable";
                /** @description Seconds. A run that waits for its paused channel ends as `expired` after these. */
                max_age: number;
                /** @description The most runs a second that are released once the channel has recovered. */
                release_per_second: number;
            };
            /** @description How it fares: docs/specification.md, "Channel health". */
            health: {
                /**
                 * @description Runs of a `paused` channel wait.
                 * @enum {string}
                 */
                state: "ok" | "failing" | "paused";
                reason: ("failures" | "timeouts" | "gone" | "manual") | null;
                failing_since: string | null;
                last_success_at: string | null;
                next_probe_at: string | null;
                /** @description Runs that wait for it, counted up to 10,000. */
                waiting: number;
            };
            /** @description Whether the password of the only SMTP server is stored. */
            password_set: boolean;
            /** @description The names of the credentials that are stored, such as `senders/smtp/password`: where the config gives them. They are never shown. */
            credentials_set: string[];
            previous_secret_expires_at: string | null;
            /** @description Whether it has a feedback token, which providers report with. */
            feedback_token_set: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        ConfiguredChannel: components["schemas"]["WebhookChannel"] | components["schemas"]["EmailChannel"];
        /** @description The new feedback token of a channel: in this answer and never again. */
        FeedbackToken: {
            /** @description The channel. */
            channel_id: string;
            /** @description `fb_…`; whoever has it can report. */
            feedback_token: string;
            /** @description Where to report, on this service: append the name of the provider, or `dsn`. */
            feedback_path: string;
            /** @description Who can report of this kind of channel. */
            sources: string[];
        };
        /** @description A page of channels, newest first. */
        ConfiguredChannelList: {
            data: components["schemas"]["ConfiguredChannel"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        ChannelWithSecret: {
            /** @description The channel. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @constant */
            kind: "email";
            /** @description For people. */
            name: string;
            /** @description Whether it takes events. */
            enabled: boolean;
            disabled_reason: string | null;
            /** @description The events that the channel takes: event keys, `order.*` for all that begin so, or `*` for all. */
            event_keys: string[];
            /** @description How mail is sent, and who it comes from. */
            config: {
                /** @description The password is never shown: see `credentials_set`. */
                smtp?: {
                    /** @description Host name or address. */
                    host: string;
                    /** @description TCP port. */
                    port: number;
                    /** @description TLS from the first byte; otherwise STARTTLS. */
                    secure: boolean;
                    username: string | null;
                };
                /** @description In place of the settings of one provider. */
                senders?: {
                    /** @description Unique in the channel. */
                    name: string;
                    /** @description Its settings are in the field of this name. */
                    provider: string;
                    /** @description Its share of the mail. */
                    weight: number;
                    from_domains: string[] | null;
                    /** @description The password is never shown: see `credentials_set`. */
                    smtp?: {
                        /** @description Host name or address. */
                        host: string;
                        /** @description TCP port. */
                        port: number;
                        /** @description TLS from the first byte; otherwise STARTTLS. */
                        secure: boolean;
                        username: string | null;
                    };
                }[];
                /**
                 * @description With `senders`.
                 * @enum {string}
                 */
                failover?: "safe" | "eager";
                /** @description The sender. */
                from: {
                    /** @description One bare address. */
                    email: string;
                    name: string | null;
                };
                reply_to: string | null;
                /** @description Time limit of one attempt as a whole, in milliseconds. */
                timeout_ms: number;
            };
            /** @description Either `delays_seconds`, of which the last holds for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts that they were made with. */
            retry: {
                max_attempts: number;
                /** @description May be empty when `max_attempts` is 1. */
                delays_seconds?: number[];
                /** @description Before the second attempt. */
                base_seconds?: number;
                /** @description Of each delay to the one before. */
                factor?: number;
                /** @description The longest delay. */
                max_seconds?: number;
            };
            /** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces it as a whole. */
            filter: {
                [key: string]: unknown;
            } | null;
            /** @description What happens when every attempt fails. What is left out has its default. */
            failure_policy: {
                /** @description Seconds. After these of nothing but failures the channel is `failing`. */
                warn_after: number;
                /** @description Seconds. After these of nothing but failures it is paused or disabled. */
                pause_after: number;
                /** @description Fewer failed attempts than these change nothing. */
                min_attempts: number;
                /**
                 * @description What happens after `pause_after`, and at once when the endpoint answers 410. The runs of a paused channel wait, those of a disabled one fail.
                 * @enum {string}
                 */
                then: "pause" | "disable";
                /** @description Seconds. A run that waits for its paused channel ends as `expired` after these. */
                max_age: number;
                /** @description The most runs a second that are released once the channel has recovered. */
                release_per_second: number;
            };
            /** @description How it fares: docs/specification.md, "Channel health". */
            health: {
                /**
                 * @description Runs of a `paused` channel wait.
                 * @enum {string}
                 */
                state: "ok" | "failing" | "paused";
                reason: ("failures" | "timeouts" | "gone" | "manual") | null;
                failing_since: string | null;
                last_success_at: string | null;
                next_probe_at: string | null;
                /** @description Runs that wait for it, counted up to 10,000. */
                waiting: number;
            };
            /** @description Whether the password of the only SMTP server is stored. */
            password_set: boolean;
            /** @description The names of the credentials that are stored, such as `senders/smtp/password`: where the config gives them. They are never shown. */
            credentials_set: string[];
            previous_secret_expires_at: string | null;
            /** @description Whether it has a feedback token, which providers report with. */
            feedback_token_set: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            secret: string | null;
        } | {
            /** @description The channel. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @constant */
            kind: "webhook";
            /** @description For people. */
            name: string;
            /** @description Whether it takes events. */
            enabled: boolean;
            disabled_reason: string | null;
            /** @description The events that the channel takes: event keys, `order.*` for all that begin so, or `*` for all. */
            event_keys: string[];
            /** @description Where events are posted to. */
            config: {
                /** @description An http or https URL. */
                url: string;
                /** @description Sent with each request. */
                headers: {
                    [key: string]: string;
                };
                /** @description Headers whose values are secrets, by their names. */
                secret_headers: {
                    [key: string]: true;
                };
                auth: {
                    /** @description `basic`, `bearer` or `oauth2`. */
                    type: string;
                    /** @description Of `basic`. */
                    username?: string;
                    /** @description Of `oauth2`. */
                    token_url?: string;
                    /** @description Of `oauth2`. */
                    client_id?: string;
                    /** @description Of `oauth2`. */
                    scope?: string;
                    /** @description Of `oauth2`. */
                    audience?: string;
                    /** @description Of `oauth2`: `header` or `body`. */
                    client_authentication?: string;
                } | null;
                tls: {
                    ca: string | null;
                    certificate: string | null;
                    subject: string | null;
                    expires_at: string | null;
                } | null;
                /** @description The signatures of each request. */
                signatures: ("v1" | "v1a")[];
                /** @description Time limit of one attempt as a whole, in milliseconds. */
                timeout_ms: number;
            };
            /** @description Either `delays_seconds`, of which the last holds for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts that they were made with. */
            retry: {
                max_attempts: number;
                /** @description May be empty when `max_attempts` is 1. */
                delays_seconds?: number[];
                /** @description Before the second attempt. */
                base_seconds?: number;
                /** @description Of each delay to the one before. */
                factor?: number;
                /** @description The longest delay. */
                max_seconds?: number;
            };
            /** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces it as a whole. */
            filter: {
                [key: string]: unknown;
            } | null;
            /** @description What happens when every attempt fails. What is left out has its default. */
            failure_policy: {
                /** @description Seconds. After these of nothing but failures the channel is `failing`. */
                warn_after: number;
                /** @description Seconds. After these of nothing but failures it is paused or disabled. */
                pause_after: number;
                /** @description Fewer failed attempts than these change nothing. */
                min_attempts: number;
                /**
                 * @description What happens after `pause_after`, and at once when the endpoint answers 410. The runs of a paused channel wait, those of a disabled one fail.
                 * @enum {string}
                 */
                then: "pause" | "disable";
                /** @description Seconds. A run that waits for its paused channel ends as `expired` after these. */
                max_age: number;
                /** @description The most runs a second that are released once the channel has recovered. */
                release_per_second: number;
            };
            /** @description How it fares: docs/specification.md, "Channel health". */
            health: {
                /**
                 * @description Runs of a `paused` channel wait.
                 * @enum {string}
                 */
                state: "ok" | "failing" | "paused";
                reason: ("failures" | "timeouts" | "gone" | "manual") | null;
                failing_since: string | null;
                last_success_at: string | null;
                next_probe_at: string | null;
                /** @description Runs that wait for it, counted up to 10,000. */
                waiting: number;
            };
            /** @description Whether the password of the only SMTP server is stored. */
            password_set: boolean;
            /** @description The names of the credentials that are stored, such as `senders/smtp/password`: where the config gives them. They are never shown. */
            credentials_set: string[];
            previous_secret_expires_at: string | null;
            /** @description Whether it has a feedback token, which providers report with. */
            feedback_token_set: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            secret: string | null;
        };
        /** @description What a filter would have done with the newest messages of the environment. */
        FilterTest: {
            /** @description Messages that were looked at, 1000 at most. */
            tested: number;
            /** @description Of these, those that the channel would take. */
            matched: number;
            /** @description Those that the filter would keep from it. */
            not_matched: number;
            /** @description Those of an event key that the channel does not take; they were not tried. */
            not_subscribed: number;
            /** @description Those on which the filter takes more steps than it may. */
            too_large: number;
            /** @description False when the messages were too large to look at more of them. */
            is_complete: boolean;
            /** @description Up to 10 that match, newest first. */
            matched_samples: string[];
            /** @description Up to 10 that do not match, newest first. */
            not_matched_samples: {
                /** @description The message. */
                message_id: string;
                /** @description JSON Pointer to the first condition of the filter that does not hold. */
                condition: string;
            }[];
        };
        /** @description It keeps nothing from being stored or sent. */
        TemplateWarning: {
            /**
             * @description Stable; for programs.
             * @enum {string}
             */
            code: "text_derived" | "text_blank" | "subject_blank" | "subject_too_long" | "html_too_large" | "link_broken" | "image_broken" | "image_without_alt" | "content_removed" | "payload_schema_mismatch" | "no_matching_channel" | "template_required";
            /** @description A JSON Pointer into the request or the template. */
            path: string;
            /** @description For people. Its wording may change. */
            message: string;
        };
        /** @description A version of a template, without its content. */
        TemplateSummary: {
            /** @description This version. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @description The event that it is for. */
            event_key: string;
            /**
             * @description The kind of channel that it is for.
             * @enum {string}
             */
            channel_kind: "email" | "webhook";
            /** @description Counts from 1 for each event key and kind of channel. */
            version: number;
            /** @description Whether events are delivered with it. One version at most of an event key and kind is. */
            active: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        /** @description A page of versions, newest first. */
        TemplateList: {
            data: components["schemas"]["TemplateSummary"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description A version of a template. Its content never changes. */
        Template: {
            /** @description This version. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @description The event that it is for. */
            event_key: string;
            /**
             * @description The kind of channel that it is for.
             * @enum {string}
             */
            channel_kind: "email" | "webhook";
            /** @description Counts from 1 for each event key and kind of channel. */
            version: number;
            /** @description Whether events are delivered with it. One version at most of an event key and kind is. */
            active: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            subject: string | null;
            html: string | null;
            text: string | null;
            mjml: string | null;
            body: {
                [key: string]: unknown;
            } | null;
            cc: string | null;
            bcc: string | null;
            reply_to: string | null;
            headers: {
                [key: string]: string;
            } | null;
            attachments: {
                /** @description Where the event has the file as base64, such as `payload.invoice.pdf`. Null there: the mail has no such file. Missing there: the delivery fails. */
                content: string;
                /** @description Liquid. */
                filename: string;
                /** @description Such as `application/pdf`. What mail programs refuse, such as programs, is refused. */
                content_type: string;
                /**
                 * @description Shows the file where the HTML has `<img src="cid:…">` with this, instead of attaching it.
                 * @default null
                 */
                cid: string | null;
            }[] | null;
        };
        /** @description A version after a change, with warnings. */
        ChangedTemplate: {
            /** @description This version. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            /** @description The event that it is for. */
            event_key: string;
            /**
             * @description The kind of channel that it is for.
             * @enum {string}
             */
            channel_kind: "email" | "webhook";
            /** @description Counts from 1 for each event key and kind of channel. */
            version: number;
            /** @description Whether events are delivered with it. One version at most of an event key and kind is. */
            active: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            subject: string | null;
            html: string | null;
            text: string | null;
            mjml: string | null;
            body: {
                [key: string]: unknown;
            } | null;
            cc: string | null;
            bcc: string | null;
            reply_to: string | null;
            headers: {
                [key: string]: string;
            } | null;
            attachments: {
                /** @description Where the event has the file as base64, such as `payload.invoice.pdf`. Null there: the mail has no such file. Missing there: the delivery fails. */
                content: string;
                /** @description Liquid. */
                filename: string;
                /** @description Such as `application/pdf`. What mail programs refuse, such as programs, is refused. */
                content_type: string;
                /**
                 * @description Shows the file where the HTML has `<img src="cid:…">` with this, instead of attaching it.
                 * @default null
                 */
                cid: string | null;
            }[] | null;
            /** @description What will most likely not be what was meant. */
            warnings: components["schemas"]["TemplateWarning"][];
        };
        /** @description What would be sent. */
        TemplatePreview: {
            template_id: string | null;
            /** @description Whether a delivery with this recipient and payload would be sent; else it would fail. */
            deliverable: boolean;
            rendered: ({
                /** @description On one line. */
                subject: string;
                html: string | null;
                text: string | null;
                /** @description Bare addresses; left out when there are none. */
                cc?: string[];
                /** @description As `cc`. */
                bcc?: string[];
                /** @description Left out: that of the channel. */
                reply_to?: string;
                /** @description By name; left out when there are none. */
                headers?: {
                    [key: string]: string;
                };
                /** @description Left out when there are none. */
                attachments?: {
                    /** @description Its name. */
                    filename: string;
                    /** @description Its type. */
                    content_type: string;
                    cid: string | null;
                    /** @description Its size. */
                    bytes: number;
                }[];
            } | {
                /** @description The JSON that would be sent. */
                body: {
                    [key: string]: unknown;
                };
            }) | null;
            missing_variables: {
                /** @description The part of the template that names it first, as a JSON Pointer. */
                path: string;
                /** @description As it is written, up to the part that is missing. */
                name: string;
                /** @description Counts from 1; null where it is not known. */
                line: number | null;
                /** @description Counts from 1; null where it is not known. */
                column: number | null;
            }[];
            errors: {
                /** @description The part of the template, as a JSON Pointer. */
                path: string;
                /** @description For people. */
                message: string;
                /** @description Counts from 1; null where it is not known. */
                line: number | null;
                /** @description Counts from 1; null where it is not known. */
                column: number | null;
            }[];
            /** @description What will most likely not be what was meant. */
            warnings: components["schemas"]["TemplateWarning"][];
        };
        /** @description What is known of an event key. An event key needs no event type. */
        EventType: {
            /** @description Its environment. */
            environment_id: string;
            /** @description The event. */
            event_key: string;
            description: string | null;
            stream: string | null;
            /**
             * Format: date-time
             * @description When it was first described.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its description or schema was last changed.
             */
            updated_at: string;
            payload_schema: {
                [key: string]: unknown;
            } | null;
        };
        /** @description An event type without its schema. */
        EventTypeSummary: {
            /** @description Its environment. */
            environment_id: string;
            /** @description The event. */
            event_key: string;
            description: string | null;
            stream: string | null;
            /**
             * Format: date-time
             * @description When it was first described.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its description or schema was last changed.
             */
            updated_at: string;
            /** @description Whether payloads are validated. */
            has_payload_schema: boolean;
        };
        /** @description A page of event types, by their keys. */
        EventTypeList: {
            data: components["schemas"]["EventTypeSummary"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description What needs action in an environment. */
        EnvironmentAttention: {
            failing_channels: {
                /** @description The channel. */
                channel_id: string;
                /** @description Its name. */
                name: string;
                /**
                 * @description How it delivers.
                 * @enum {string}
                 */
                kind: "email" | "webhook";
                /** @description Attempts that failed after the minute of its last success, within a day. */
                consecutive_failures: number;
                /** @description Of the newest of them. */
                last_error_code: string;
                /**
                 * Format: date-time
                 * @description The minute of the first of them.
                 */
                failing_since: string;
            }[];
            /** @description What waits although it is due. */
            backlog: {
                /** @description Delivery runs, up to 1,000 of each channel. */
                due: number;
                oldest_due_at: string | null;
            };
            quota: {
                /** @description Events. */
                used: number;
                /** @description What the plan allows. */
                limit: number;
                /** @description The used part. */
                ratio: number;
            } | null;
            /** @description Attempts whose template failed. */
            render_failures: {
                /** @description In the last hour. */
                last_hour: number;
            };
        };
        /** @description An environment in which something needs action. */
        AttentionItem: {
            /** @description The tenant. */
            tenant_id: string;
            /** @description Its name. */
            tenant_name: string;
            /** @description The environment. */
            environment_id: string;
            /** @description Its name. */
            environment_name: string;
            failing_channels: {
                /** @description The channel. */
                channel_id: string;
                /** @description Its name. */
                name: string;
                /**
                 * @description How it delivers.
                 * @enum {string}
                 */
                kind: "email" | "webhook";
                /** @description Attempts that failed after the minute of its last success, within a day. */
                consecutive_failures: number;
                /** @description Of the newest of them. */
                last_error_code: string;
                /**
                 * Format: date-time
                 * @description The minute of the first of them.
                 */
                failing_since: string;
            }[];
            /** @description What waits although it is due. */
            backlog: {
                /** @description Delivery runs, up to 1,000 of each channel. */
                due: number;
                oldest_due_at: string | null;
            };
            quota: {
                /** @description Events. */
                used: number;
                /** @description What the plan allows. */
                limit: number;
                /** @description The used part. */
                ratio: number;
            } | null;
            /** @description Attempts whose template failed. */
            render_failures: {
                /** @description In the last hour. */
                last_hour: number;
            };
        };
        /** @description What needs action in the installation. */
        Attention: {
            /** @description Worst first, at most 100 environments of the newest 1,000. */
            items: components["schemas"]["AttentionItem"][];
        };
        /** @description Something that a lookup has found, and where it is. */
        LookupResult: {
            /**
             * @description What was looked for.
             * @enum {string}
             */
            type: "message" | "delivery_run" | "attempt" | "request" | "trace" | "recipient";
            /** @description The tenant. */
            tenant_id: string;
            /** @description The name of the tenant. */
            tenant_name: string;
            /** @description The environment. */
            environment_id: string;
            /** @description The name of the environment. */
            environment_name: string;
            message_id: string | null;
            delivery_run_id: string | null;
            attempt_number: number | null;
            /**
             * Format: date-time
             * @description When the message was accepted.
             */
            created_at: string;
            /** @description Of the message. */
            event_key: string;
            recipient_email: string | null;
        };
        /** @description What a text names. */
        Lookup: {
            /** @description Newest first, at most 50. */
            results: components["schemas"]["LookupResult"][];
            /** @description Whether there are more: then search the environment. */
            has_more: boolean;
        };
        /** @description A bulk replay. */
        ReplayBatch: {
            /** @description The bulk replay. */
            id: string;
            /** @description The environment of its messages. */
            environment_id: string;
            /**
             * @description `pending`: not begun. `running`: goes on by itself. `failed`: ended before its last message, see `reason`.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "cancelled" | "failed";
            reason: ("quota_exceeded" | "payment_required" | "page_failed" | "too_many_open_runs") | null;
            /** @description As it was given, with `created_before` no later than the creation. */
            filter: {
                /**
                 * @description Stable name of the event: two or more parts separated by dots.
                 * @example order.shipped
                 */
                event_key?: string;
                /**
                 * @description The message’s status.
                 * @enum {string}
                 */
                status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
                /**
                 * Format: email
                 * @description Exactly this address; the case of its domain does not matter.
                 */
                recipient_email?: string;
                /**
                 * Format: date-time
                 * @description Accepted at this time or later.
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Accepted before this time.
                 */
                created_before?: string;
                /**
                 * @description The run’s status.
                 * @enum {string}
                 */
                run_status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
                /** @description The run’s channel. */
                channel_id?: string;
                /**
                 * @description The kind of the run’s channel.
                 * @enum {string}
                 */
                channel_kind?: "email" | "webhook";
                /**
                 * @description Of the run’s `last_error`: its newest attempt that ended with an error, also when a later one succeeded.
                 * @enum {string}
                 */
                error_code?: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
            };
            channels: string[] | null;
            /** @description The pace. */
            messages_per_second: number;
            /** @description Messages that matched when it was created. */
            matched: number;
            /** @description Whether there may be more: counting ends after some 50,000 candidates. */
            matched_is_lower_bound: boolean;
            /** @description Messages that new runs were made for. */
            replayed: number;
            /** @description Messages that matched and could not be replayed, by reason. */
            skipped: {
                /** @description No enabled channel takes the event, of those that are wanted. */
                no_matching_channel: number;
                /** @description An e-mail channel takes the event and no template is active for it. */
                template_not_found: number;
                /** @description The filters of the channels do not take it. */
                filtered: number;
                /** @description Its lists are longer than the filters of the channels can be compared with. */
                too_large_for_filters: number;
                /** @description An e-mail channel takes the event and the recipient has no address. */
                recipient_email_missing: number;
                /** @description Sent by an operator to try a channel. */
                test_message: number;
                /** @description The recipient’s data was erased. */
                message_erased: number;
            };
            position: string | null;
            /** @description How often in a row its next page has failed; with 20 it is `failed`. */
            failures: number;
            last_error_code: string | null;
            retry_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            started_at: string | null;
            completed_at: string | null;
        };
        /** @description A page of bulk replays, newest first. */
        ReplayBatchList: {
            data: components["schemas"]["ReplayBatch"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description What a bulk replay would be of. */
        ReplayPreview: {
            /**
             * @description Nothing was done.
             * @constant
             */
            dry_run: true;
            /** @description As it was given, with `created_before` no later than the creation. */
            filter: {
                /**
                 * @description Stable name of the event: two or more parts separated by dots.
                 * @example order.shipped
                 */
                event_key?: string;
                /**
                 * @description The message’s status.
                 * @enum {string}
                 */
                status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
                /**
                 * Format: email
                 * @description Exactly this address; the case of its domain does not matter.
                 */
                recipient_email?: string;
                /**
                 * Format: date-time
                 * @description Accepted at this time or later.
                 */
                created_after?: string;
                /**
                 * Format: date-time
                 * @description Accepted before this time.
                 */
                created_before?: string;
                /**
                 * @description The run’s status.
                 * @enum {string}
                 */
                run_status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
                /** @description The run’s channel. */
                channel_id?: string;
                /**
                 * @description The kind of the run’s channel.
                 * @enum {string}
                 */
                channel_kind?: "email" | "webhook";
                /**
                 * @description Of the run’s `last_error`: its newest attempt that ended with an error, also when a later one succeeded.
                 * @enum {string}
                 */
                error_code?: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
            };
            /** @description Messages that match. */
            matched: number;
            /** @description Whether there may be more: counting ends after some 50,000 candidates. */
            matched_is_lower_bound: boolean;
        };
        /** @description The erasure of one recipient’s data. */
        Erasure: {
            /** @description The erasure. */
            id: string;
            /** @description The environment of the messages. */
            environment_id: string;
            /**
             * @description `pending`: not begun. `running`: goes on by itself. `completed`: nothing is left, and the service has forgotten the address.
             * @enum {string}
             */
            status: "pending" | "running" | "completed";
            /** @description SHA-256, in hexadecimal, of the environment’s id, a colon and the address: who knows the address can find its erasure. */
            recipient_sha256: string;
            /** @description Messages that have lost recipient and payload. */
            messages_erased: number;
            /** @description Delivery runs that waited and were ended for it. */
            runs_cancelled: number;
            /**
             * Format: date-time
             * @description When it was asked for; later messages are not part of it.
             */
            created_at: string;
            started_at: string | null;
            completed_at: string | null;
        };
        /** @description A page of erasures, newest first. */
        ErasureList: {
            data: components["schemas"]["Erasure"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description An address that an environment sends no email to. */
        Suppression: {
            /** @description The entry. */
            id: string;
            /** @description Its environment. */
            environment_id: string;
            email: string | null;
            /** @description `all`, or the stream that it is suppressed in. */
            scope: string;
            reason: string | null;
            /**
             * @description How it came onto the list.
             * @enum {string}
             */
            source: "hard_bounce" | "complaint" | "unsubscribe" | "manual" | "import";
            /**
             * Format: date-time
             * @description Since when.
             */
            created_at: string;
        };
        /** @description A page of suppressions, newest first. */
        SuppressionList: {
            data: components["schemas"]["Suppression"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description What an import has done. */
        ImportedSuppressions: {
            /** @description Entries that are new. */
            added: number;
            /** @description Entries that were on the list, or repeated, and stay as they were. */
            existing: number;
        };
        /** @description A key under which webhook secrets and SMTP passwords are encrypted. */
        SecretKey: {
            /** @description Its id in `ENCRYPTION_KEYS`. */
            key_id: string;
            /**
             * @description `current` encrypts; `older` decrypts still; `missing` is not in `ENCRYPTION_KEYS`: what it has encrypted cannot be opened.
             * @enum {string}
             */
            status: "current" | "older" | "missing";
            /** @description Stored secrets that are encrypted with it. An older key without any can be dropped. */
            secrets: number;
            /** @description Of a missing key, the first 100 channels that cannot deliver until it is back or they get a new secret. */
            channels: string[];
        };
        /** @description The keys of all stored secrets. */
        SecretKeys: {
            /** @description Those of `ENCRYPTION_KEYS` in their order, then the missing ones. */
            keys: components["schemas"]["SecretKey"][];
        };
        /** @description What a re-encryption did, and the keys of all stored secrets after it. */
        ReencryptedSecrets: {
            /** @description Secrets that this request has brought under the current key. */
            reencrypted: number;
            /** @description Whether `limit` ended it: ask again. Secrets that cannot be opened do not count. */
            has_more: boolean;
            /** @description Those of `ENCRYPTION_KEYS` in their order, then the missing ones. */
            keys: components["schemas"]["SecretKey"][];
        };
        /** @description Somebody who is signed in to the console. */
        ConsoleSession: {
            /** @description The session. */
            id: string;
            /**
             * @description `operator` manages everything, `integrator` has the powers of one token.
             * @enum {string}
             */
            role: "operator" | "integrator";
            environment_id: string | null;
            /** @description Who: the name that an operator gave, or the id of the token. */
            actor: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The minute in which it was last used.
             */
            last_used_at: string;
            /**
             * Format: date-time
             * @description When it ends, however much it is used.
             */
            expires_at: string;
        };
        /** @description A page of sessions, newest first. */
        ConsoleSessionList: {
            data: components["schemas"]["ConsoleSession"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
        /** @description A link that signs in once. */
        ConsoleLink: {
            /** @description What follows the address of the console, such as `#link=…`. */
            url_fragment: string;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string;
        };
        /** @description One change of the configuration. */
        AuditEntry: {
            /** @description The entry. */
            id: string;
            /** @description Who: the `X-Actor` of the request, `admin` without one; `seed` or `worker` for the service itself. */
            actor: string;
            /** @description The kind of resource and what was done, such as `channel.updated`. */
            action: string;
            /**
             * @description The kind of resource.
             * @enum {string}
             */
            resource_type: "plan" | "tenant" | "environment" | "token" | "channel" | "template" | "event_type" | "replay_batch" | "erasure" | "suppression" | "console_session" | "secrets" | "message" | "delivery_run";
            /** @description Its public id, or its code or key where it has no id. */
            resource_id: string;
            tenant_id: string | null;
            environment_id: string | null;
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            request_id: string | null;
            trace_id: string | null;
            /**
             * Format: date-time
             * @description When it was changed.
             */
            created_at: string;
        };
        /** @description A page of changes, newest first. */
        AuditLog: {
            data: components["schemas"]["AuditEntry"][];
            /** @description Whether there are more that match. */
            has_more: boolean;
            next_cursor: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Your X-Request-ID, when you sent one that is acceptable. */
        "X-Request-ID": string;
        /** @description The W3C trace id of the request, from your `traceparent` when you sent one. */
        "X-Trace-ID": string;
        /**
         * @description The bucket of the environment: `q` requests in `w` seconds. Absent on a plan without a limit.
         * @example "default";q=100;w=2
         */
        "RateLimit-Policy": string;
        /**
         * @description What is left of it: `r` requests; it is full again in `t` seconds.
         * @example "default";r=99;t=1
         */
        RateLimit: string;
        /** @description Whole seconds after which the same request may succeed. With 409 only for `idempotency_in_progress`. */
        "Retry-After": number;
        /** @description Present when this is the stored answer of an earlier request with the same key. */
        "Idempotent-Replayed": "true";
        /** @description The scheme that is wanted. */
        "WWW-Authenticate": "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A UUID of your own for this one request, bare or in double quotes; any visible ASCII characters where the environment takes them. Sent again within 24 hours with the same body it gives the same answer and does nothing twice.
                 * @example 0d4cc4a5-6b0f-4a53-9a52-6a3f6d2f9b11
                 */
                "Idempotency-Key": string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Stable name of the event: two or more parts separated by dots.
                     * @example order.shipped
                     */
                    event_key: string;
                    /** @description Who the notification is for. Fields besides these are kept for templates. */
                    recipient: {
                        /**
                         * Format: email
                         * @description One bare address. Required when an e-mail channel takes the event.
                         */
                        email?: string;
                        /** @description Without control characters, line separators and what turns the direction of text. */
                        name?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description What templates need to know of the event. Free-form. */
                    payload: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: date-time
                     * @description When to deliver: RFC 3339 with offset. Now or past means immediately.
                     */
                    schedule_at?: string;
                    /**
                     * Format: date-time
                     * @description After this time no attempt begins: a delivery that is not done by then ends as `failed`. In the future, and after `schedule_at`.
                     */
                    expires_at?: string;
                    /**
                     * @description Whether to send email although the address is on the suppression list. Only with a token that has the scope `ignore_suppression`.
                     * @default false
                     */
                    ignore_suppression?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "status": "pending",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "channel": {
                     *             "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *             "kind": "email",
                     *             "name": "customer mail"
                     *           },
                     *           "status": "queued",
                     *           "scheduled_at": null
                     *         },
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "queued",
                     *           "scheduled_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /**
             * @description `idempotency_key_required`: The request has no Idempotency-Key.
             *
             *     `idempotency_key_invalid`: The Idempotency-Key is not a UUID (versions 1 to 8; not the nil or max UUID). Where the environment takes any key, it is not 1 to 255 visible ASCII characters.
             *
             *     `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels.
             */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `quota_exceeded`: The plan’s events of this calendar month are used up. `details` has limit, used and resets_at.
             *
             *     `payment_required`: The tenant is suspended, or past due and its grace period is over.
             */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin.
             *
             *     `token_scope_missing`: The event asks for something, such as `ignore_suppression`, that only tokens with a scope for it may ask for.
             */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_conflict`: The key was used with another request within the last 24 hours.
             *
             *     `idempotency_in_progress`: The first request with this key did not finish within 2 seconds.
             */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    preflightEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The methods and headers that pages of the allowed origins may use. */
            204: {
                headers: {
                    "Access-Control-Allow-Origin"?: string;
                    "Access-Control-Allow-Methods"?: string;
                    "Access-Control-Allow-Headers"?: string;
                    "Access-Control-Max-Age"?: number;
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    createEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    events: {
                        /** @description A key of this event alone, as the Idempotency-Key of a single request. */
                        idempotency_key: string;
                        /** @description The body of `POST /api/v1/events`. It is checked by itself: an invalid one has a 422 as its result. */
                        event: {
                            [key: string]: unknown;
                        };
                    }[];
                    /**
                     * @description Store all of the events, or none when one is refused.
                     * @default false
                     */
                    atomic?: boolean;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "status": 201,
                     *           "body": {
                     *             "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *             "status": "pending",
                     *             "delivery_runs": [
                     *               {
                     *                 "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *                 "channel": {
                     *                   "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *                   "kind": "email",
                     *                   "name": "customer mail"
                     *                 },
                     *                 "status": "queued",
                     *                 "scheduled_at": null
                     *               },
                     *               {
                     *                 "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *                 "channel": {
                     *                   "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *                   "kind": "webhook",
                     *                   "name": "warehouse"
                     *                 },
                     *                 "status": "queued",
                     *                 "scheduled_at": null
                     *               }
                     *             ]
                     *           }
                     *         },
                     *         {
                     *           "status": 422,
                     *           "body": {
                     *             "error": {
                     *               "code": "validation_failed",
                     *               "message": "The request is not valid: see details.",
                     *               "request_id": "checkout-7731",
                     *               "details": [
                     *                 {
                     *                   "path": "/recipient/email",
                     *                   "code": "invalid_format",
                     *                   "message": "must be one bare e-mail address, such as ada@example.com"
                     *                 }
                     *               ]
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EventResults"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
                /** @description The fields of each message, separated by commas; all of them when left out. Without `payload` and `recipient` pages are small and are read faster. */
                fields?: string;
                /** @description Of this event key. */
                event_key?: string;
                /** @description In this status. */
                status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
                /** @description To exactly this address; the case of its domain does not matter. */
                recipient_email?: string;
                /** @description Accepted at this time or later. */
                created_after?: string;
                /** @description Accepted before this time. */
                created_before?: string;
            };
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "event_key": "order.shipped",
                     *           "status": "delivered",
                     *           "recipient": {
                     *             "email": "ada@example.com",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "payload": {
                     *             "order_id": "A-1042",
                     *             "total": "59.90 EUR"
                     *           },
                     *           "schedule_at": null,
                     *           "expires_at": null,
                     *           "request_id": "checkout-7731",
                     *           "test": false,
                     *           "created_at": "2026-11-21T09:30:00.017Z",
                     *           "delivery_runs": [
                     *             {
                     *               "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *               "channel": {
                     *                 "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *                 "kind": "email",
                     *                 "name": "customer mail"
                     *               },
                     *               "status": "succeeded",
                     *               "scheduled_at": null,
                     *               "feedback": {
                     *                 "type": "bounced",
                     *                 "permanent": true,
                     *                 "at": "2026-11-21T09:30:07.000Z",
                     *                 "reason": "5.1.1 550 No such user here"
                     *               }
                     *             },
                     *             {
                     *               "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *               "channel": {
                     *                 "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *                 "kind": "webhook",
                     *                 "name": "warehouse"
                     *               },
                     *               "status": "succeeded",
                     *               "scheduled_at": null,
                     *               "feedback": null
                     *             }
                     *           ],
                     *           "has_more_runs": false
                     *         }
                     *       ],
                     *       "has_more": true,
                     *       "next_cursor": "AQGaxaLj0Xvj5FTJXYUB6TM3"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMessage: {
        parameters: {
            query?: {
                /** @description `channels` adds which channels took the event, and why the others did not. */
                explain?: "channels";
            };
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "event_key": "order.shipped",
                     *       "status": "delivered",
                     *       "recipient": {
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "payload": {
                     *         "order_id": "A-1042",
                     *         "total": "59.90 EUR"
                     *       },
                     *       "schedule_at": null,
                     *       "expires_at": null,
                     *       "request_id": "checkout-7731",
                     *       "test": false,
                     *       "created_at": "2026-11-21T09:30:00.017Z",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "channel": {
                     *             "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *             "kind": "email",
                     *             "name": "customer mail"
                     *           },
                     *           "status": "succeeded",
                     *           "scheduled_at": null,
                     *           "feedback": {
                     *             "type": "bounced",
                     *             "permanent": true,
                     *             "at": "2026-11-21T09:30:07.000Z",
                     *             "reason": "5.1.1 550 No such user here"
                     *           }
                     *         },
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "succeeded",
                     *           "scheduled_at": null,
                     *           "feedback": null
                     *         }
                     *       ],
                     *       "has_more_runs": false
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rescheduleMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When to deliver: RFC 3339 with offset. Now or past means at once.
                     */
                    schedule_at: string;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "schedule_at": "2026-12-24T18:00:00.000Z",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "scheduled_at": "2026-12-24T18:00:00.000Z",
                     *           "status": "scheduled",
                     *           "outcome": "rescheduled"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RescheduledMessage"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getMessageDeliveries: {
        parameters: {
            query?: {
                /** @description Delivery runs on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *           "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "succeeded",
                     *           "trigger": "event",
                     *           "template": null,
                     *           "attempt_count": 2,
                     *           "max_attempts": 8,
                     *           "scheduled_at": null,
                     *           "started_at": "2026-11-21T09:30:00.060Z",
                     *           "completed_at": "2026-11-21T09:30:05.466Z",
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-11-21T09:30:00.017Z",
                     *           "feedback": null,
                     *           "last_error": {
                     *             "code": "webhook_http_error",
                     *             "message": "The endpoint answered HTTP 500.",
                     *             "attempt_number": 1
                     *           },
                     *           "attempts": [
                     *             {
                     *               "id": "att_01kb2t5rzme6b9h3c7x5n2v8fd",
                     *               "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *               "number": 1,
                     *               "status": "failed",
                     *               "error_code": "webhook_http_error",
                     *               "error_message": "The endpoint answered HTTP 500.",
                     *               "retryable": true,
                     *               "started_at": "2026-11-21T09:30:00.060Z",
                     *               "completed_at": "2026-11-21T09:30:00.131Z",
                     *               "duration_ms": 71,
                     *               "response": {
                     *                 "status_code": 500,
                     *                 "body_excerpt": "warehouse is restarting"
                     *               },
                     *               "sender": null,
                     *               "provider_message_id": null,
                     *               "tried": []
                     *             },
                     *             {
                     *               "id": "att_01kb2t5t2kf7gvk0m9d4w8q1zs",
                     *               "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *               "number": 2,
                     *               "status": "succeeded",
                     *               "error_code": null,
                     *               "error_message": null,
                     *               "retryable": null,
                     *               "started_at": "2026-11-21T09:30:05.402Z",
                     *               "completed_at": "2026-11-21T09:30:05.466Z",
                     *               "duration_ms": 64,
                     *               "response": {
                     *                 "status_code": 204,
                     *                 "body_excerpt": ""
                     *               },
                     *               "sender": null,
                     *               "provider_message_id": null,
                     *               "tried": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["Deliveries"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID of your own for this one request, bare or in double quotes; any visible ASCII characters where the environment takes them. Sent again within 24 hours with the same body it gives the same answer and does nothing twice. An empty one counts as none. */
                "Idempotency-Key"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Ids of the channels to deliver to; all that take the event when left out. */
                    channels?: string[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "status": "pending",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2tq9a8e4nvv2xrm5yc7d0p",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "queued",
                     *           "scheduled_at": null
                     *         }
                     *       ],
                     *       "skipped_channels": [
                     *         {
                     *           "channel": {
                     *             "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *             "kind": "email",
                     *             "name": "customer mail"
                     *           },
                     *           "reason": "filtered",
                     *           "condition": "/payload/amount/$gte"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Replayed"];
                };
            };
            /**
             * @description `idempotency_key_invalid`: The Idempotency-Key is not a UUID (versions 1 to 8; not the nil or max UUID). Where the environment takes any key, it is not 1 to 255 visible ASCII characters.
             *
             *     `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels.
             */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `quota_exceeded`: The plan’s events of this calendar month are used up. `details` has limit, used and resets_at.
             *
             *     `payment_required`: The tenant is suspended, or past due and its grace period is over.
             */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_conflict`: The key was used with another request within the last 24 hours.
             *
             *     `idempotency_in_progress`: The first request with this key did not finish within 2 seconds.
             *
             *     `conflict`: The state of the resource does not allow this; `message` says why.
             */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "scheduled_at": "2026-12-24T18:00:00.000Z",
                     *           "status": "cancelled",
                     *           "outcome": "cancelled"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CancelledMessage"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelDeliveryRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A UUID of your own for this one request, bare or in double quotes; any visible ASCII characters where the environment takes them. Sent again within 24 hours with the same body it gives the same answer and does nothing twice. An empty one counts as none. */
                "Idempotency-Key"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a delivery run.
                 * @example run_01kb2t5rwhffh8rkc5f0m1ek9r
                 */
                deliveryRunId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "channel": {
                     *         "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *         "kind": "email",
                     *         "name": "customer mail"
                     *       },
                     *       "status": "cancelled",
                     *       "trigger": "event",
                     *       "template": {
                     *         "id": "tpl_01k9w2m8z0f5d3c1b7n9v6x4qa",
                     *         "version": 3
                     *       },
                     *       "attempt_count": 1,
                     *       "max_attempts": 8,
                     *       "scheduled_at": "2026-12-01T08:30:00.000Z",
                     *       "started_at": null,
                     *       "completed_at": "2026-11-21T10:02:11.250Z",
                     *       "next_attempt_at": null,
                     *       "created_at": "2026-11-21T09:30:00.017Z",
                     *       "feedback": null,
                     *       "last_error": {
                     *         "code": "scheduled_cancelled",
                     *         "message": "The run was cancelled before its time.",
                     *         "attempt_number": 1
                     *       },
                     *       "attempts": [
                     *         {
                     *           "id": "att_01kb2w0q5ye1r8t6m4k2h0g9ev",
                     *           "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "number": 1,
                     *           "status": "cancelled",
                     *           "error_code": "scheduled_cancelled",
                     *           "error_message": "The run was cancelled before its time.",
                     *           "retryable": false,
                     *           "started_at": "2026-11-21T10:02:11.250Z",
                     *           "completed_at": "2026-11-21T10:02:11.250Z",
                     *           "duration_ms": 0,
                     *           "response": null,
                     *           "sender": null,
                     *           "provider_message_id": null,
                     *           "tried": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryRun"];
                };
            };
            /**
             * @description `idempotency_key_invalid`: The Idempotency-Key is not a UUID (versions 1 to 8; not the nil or max UUID). Where the environment takes any key, it is not 1 to 255 visible ASCII characters.
             *
             *     `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels.
             */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `delivery_run_not_found`: The token’s environment has no such delivery run. A run of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_conflict`: The key was used with another request within the last 24 hours.
             *
             *     `idempotency_in_progress`: The first request with this key did not finish within 2 seconds.
             *
             *     `delivery_run_not_cancellable`: The run is no longer `scheduled`. `details` has its current status.
             */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDeliveryContent: {
        parameters: {
            query?: {
                /** @description The number of the attempt; the newest when left out. */
                attempt?: number;
            };
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a delivery run.
                 * @example run_01kb2t5rwhffh8rkc5f0m1ek9r
                 */
                deliveryRunId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *       "attempt": 1,
                     *       "kind": "email",
                     *       "verified": true,
                     *       "sha256": "5f7c0a5d2d3b6c1e4f8a9b0c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e",
                     *       "rendered_at": "2026-11-21T09:30:00.060Z",
                     *       "email": {
                     *         "subject": "Order A-1042 has been shipped",
                     *         "from": "Shop <shop@example.com>",
                     *         "to": "Ada Lovelace <ada@example.com>",
                     *         "html": "<p>Order A-1042</p>",
                     *         "text": "Order A-1042",
                     *         "source": "Subject: Order A-1042 has been shipped\n\nOrder A-1042",
                     *         "headers": [
                     *           [
                     *             "Subject",
                     *             "Order A-1042 has been shipped"
                     *           ]
                     *         ]
                     *       },
                     *       "connected_address": "198.51.100.7:587",
                     *       "response": {
                     *         "status": 250,
                     *         "headers": [],
                     *         "excerpt": "250 2.0.0 Ok: queued"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SentContent"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `delivery_run_not_found`: The token’s environment has no such delivery run. A run of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description The first interval is the one of this time; the last 24 hours or 60 minutes when left out. */
                from?: string;
                /** @description The last interval ends at or after this time; now when left out. */
                to?: string;
                /** @description Of each bucket; at most 1500 of them. */
                interval?: "minute" | "hour";
                /** @description Adds the parts of each interval. */
                group_by?: "channel" | "event_key" | "error_code";
            };
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "interval": "hour",
                     *       "from": "2026-11-20T10:00:00.000Z",
                     *       "to": "2026-11-21T10:00:00.000Z",
                     *       "buckets": [
                     *         {
                     *           "start": "2026-11-21T09:00:00.000Z",
                     *           "accepted": 1204,
                     *           "delivered": 2391,
                     *           "failed": 3,
                     *           "attempts": 2420,
                     *           "latency_ms": {
                     *             "p50": 60,
                     *             "p95": 300,
                     *             "p99": 2250
                     *           },
                     *           "groups": [
                     *             {
                     *               "key": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *               "accepted": 0,
                     *               "delivered": 2391,
                     *               "failed": 3,
                     *               "attempts": 2420,
                     *               "latency_ms": {
                     *                 "p50": 60,
                     *                 "p95": 300,
                     *                 "p99": 2250
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "totals": {
                     *         "accepted": 1204,
                     *         "delivered": 2391,
                     *         "failed": 3,
                     *         "attempts": 2420,
                     *         "latency_ms": {
                     *           "p50": 60,
                     *           "p95": 300,
                     *           "p99": 2250
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stream: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `id` that came last; what happened since comes first. */
                "Last-Event-ID"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *       "channel_id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *       "attempt": 1,
                     *       "status": "succeeded",
                     *       "feedback": "delivered",
                     *       "at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["StreamEvent"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCurrentUsage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *       "period": {
                     *         "start": "2026-11-01T00:00:00.000Z",
                     *         "end": "2026-12-01T00:00:00.000Z"
                     *       },
                     *       "events": {
                     *         "used": 6120,
                     *         "limit": 10000,
                     *         "remaining": 3880
                     *       },
                     *       "deliveries": {
                     *         "succeeded": 11803,
                     *         "failed": 61,
                     *         "cancelled": 12,
                     *         "pending": 4,
                     *         "by_channel_kind": {
                     *           "email": {
                     *             "succeeded": 5902,
                     *             "failed": 18,
                     *             "cancelled": 12,
                     *             "pending": 3
                     *           },
                     *           "webhook": {
                     *             "succeeded": 5901,
                     *             "failed": 43,
                     *             "cancelled": 0,
                     *             "pending": 1
                     *           }
                     *         }
                     *       },
                     *       "environments": [
                     *         {
                     *           "id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "name": "production",
                     *           "events_used": 6120
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Usage"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *       "plan": {
                     *         "code": "starter",
                     *         "name": "Starter"
                     *       },
                     *       "billing": {
                     *         "status": "active",
                     *         "grace_ends_at": null
                     *       },
                     *       "quota": {
                     *         "events_per_month": 10000
                     *       },
                     *       "rate_limit": {
                     *         "requests_per_second": 50,
                     *         "burst": 100
                     *       },
                     *       "payload": {
                     *         "max_bytes": 262144
                     *       },
                     *       "schedule": {
                     *         "max_days": 30
                     *       },
                     *       "retention": {
                     *         "days": 90
                     *       },
                     *       "entitlements": {
                     *         "channel_kinds": [
                     *           "email",
                     *           "webhook"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Limits"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "code": "starter",
                     *           "name": "Starter",
                     *           "events_per_month": 10000,
                     *           "requests_per_second": 50,
                     *           "burst": 100,
                     *           "max_payload_bytes": 65536,
                     *           "max_schedule_days": 30,
                     *           "retention_days": 90,
                     *           "channel_kinds": [
                     *             "email",
                     *             "webhook"
                     *           ],
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PlanList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Stable name that tenants refer to; it cannot be changed. */
                    code: string;
                    /** @description For people. */
                    name: string;
                    /**
                     * @description Events and replays of a tenant in a calendar month, UTC. Null means unlimited.
                     * @default null
                     */
                    events_per_month?: number | null;
                    /**
                     * @description Requests that an environment can keep up; together with `burst`. Null means unlimited.
                     * @default null
                     */
                    requests_per_second?: number | null;
                    /**
                     * @description Requests that may come at once; together with `requests_per_second`. Null means unlimited.
                     * @default null
                     */
                    burst?: number | null;
                    /**
                     * @description The largest body of an event, below what holds on every plan. Null means unlimited.
                     * @default null
                     */
                    max_payload_bytes?: number | null;
                    /**
                     * @description How far ahead `schedule_at` may be. Null means unlimited.
                     * @default null
                     */
                    max_schedule_days?: number | null;
                    /**
                     * @description Days after which messages are removed, with their runs and attempts. Null means unlimited.
                     * @default null
                     */
                    retention_days?: number | null;
                    /**
                     * @description Kinds of channel that the tenant may have; all when left out.
                     * @default [
                     *       "email",
                     *       "webhook"
                     *     ]
                     */
                    channel_kinds?: ("email" | "webhook")[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "starter",
                     *       "name": "Starter",
                     *       "events_per_month": 10000,
                     *       "requests_per_second": 50,
                     *       "burst": 100,
                     *       "max_payload_bytes": 65536,
                     *       "max_schedule_days": 30,
                     *       "retention_days": 90,
                     *       "channel_kinds": [
                     *         "email",
                     *         "webhook"
                     *       ],
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `already_exists`: This name or code is taken. `details` names the field. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The plan’s code.
                 * @example starter
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "starter",
                     *       "name": "Starter",
                     *       "events_per_month": 10000,
                     *       "requests_per_second": 50,
                     *       "burst": 100,
                     *       "max_payload_bytes": 65536,
                     *       "max_schedule_days": 30,
                     *       "retention_days": 90,
                     *       "channel_kinds": [
                     *         "email",
                     *         "webhook"
                     *       ],
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `plan_not_found`: There is no plan with this code. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updatePlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The plan’s code.
                 * @example starter
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For people. */
                    name?: string;
                    /** @description Events and replays of a tenant in a calendar month, UTC. Null means unlimited. */
                    events_per_month?: number | null;
                    /** @description Requests that an environment can keep up; together with `burst`. Null means unlimited. */
                    requests_per_second?: number | null;
                    /** @description Requests that may come at once; together with `requests_per_second`. Null means unlimited. */
                    burst?: number | null;
                    /** @description The largest body of an event, below what holds on every plan. Null means unlimited. */
                    max_payload_bytes?: number | null;
                    /** @description How far ahead `schedule_at` may be. Null means unlimited. */
                    max_schedule_days?: number | null;
                    /** @description Days after which messages are removed, with their runs and attempts. Null means unlimited. */
                    retention_days?: number | null;
                    /** @description Kinds of channel that the tenant may have; all when left out. */
                    channel_kinds?: ("email" | "webhook")[] | null;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "starter",
                     *       "name": "Starter",
                     *       "events_per_month": 20000,
                     *       "requests_per_second": 50,
                     *       "burst": 100,
                     *       "max_payload_bytes": 65536,
                     *       "max_schedule_days": 30,
                     *       "retention_days": 90,
                     *       "channel_kinds": [
                     *         "email",
                     *         "webhook"
                     *       ],
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `plan_not_found`: There is no plan with this code. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *           "name": "Analytical Engines Ltd",
                     *           "plan": "starter",
                     *           "billing_status": "active",
                     *           "grace_ends_at": null,
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TenantList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For people. */
                    name: string;
                    /** @description The code of its plan. */
                    plan: string;
                    /**
                     * @description Whether it may make deliveries: `suspended` may not, `past_due` only until `grace_ends_at`.
                     * @default active
                     * @enum {string}
                     */
                    billing_status?: "active" | "past_due" | "suspended";
                    /**
                     * Format: date-time
                     * @description Only with `past_due`: until when it may still make deliveries. Null gives no grace.
                     * @default null
                     */
                    grace_ends_at?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *       "name": "Analytical Engines Ltd",
                     *       "plan": "starter",
                     *       "billing_status": "active",
                     *       "grace_ends_at": null,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a tenant.
                 * @example ten_01k9w2m0gkfs4a7t8v3n5p6r2c
                 */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *       "name": "Analytical Engines Ltd",
                     *       "plan": "starter",
                     *       "billing_status": "active",
                     *       "grace_ends_at": null,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tenant_not_found`: There is no tenant with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateTenant: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a tenant.
                 * @example ten_01k9w2m0gkfs4a7t8v3n5p6r2c
                 */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For people. */
                    name?: string;
                    /** @description The code of its plan. */
                    plan?: string;
                    /**
                     * @description Whether it may make deliveries: `suspended` may not, `past_due` only until `grace_ends_at`.
                     * @enum {string|null}
                     */
                    billing_status?: "active" | "past_due" | "suspended" | null;
                    /**
                     * Format: date-time
                     * @description Only with `past_due`: until when it may still make deliveries. Null gives no grace.
                     */
                    grace_ends_at?: string | null;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *       "name": "Analytical Engines Ltd",
                     *       "plan": "starter",
                     *       "billing_status": "past_due",
                     *       "grace_ends_at": "2026-12-15T00:00:00.000Z",
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tenant_not_found`: There is no tenant with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTenantUsage: {
        parameters: {
            query?: {
                /** @description How many months. */
                months?: number;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a tenant.
                 * @example ten_01k9w2m0gkfs4a7t8v3n5p6r2c
                 */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "period_start": "2026-11-01",
                     *           "events_used": 7312,
                     *           "events_limit": 10000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UsageHistory"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tenant_not_found`: There is no tenant with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEnvironments: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a tenant.
                 * @example ten_01k9w2m0gkfs4a7t8v3n5p6r2c
                 */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *           "name": "production",
                     *           "unmatched_events": "refuse",
                     *           "missing_email_template": "refuse",
                     *           "idempotency_keys": "uuid",
                     *           "https_only": false,
                     *           "created_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["EnvironmentList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tenant_not_found`: There is no tenant with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a tenant.
                 * @example ten_01k9w2m0gkfs4a7t8v3n5p6r2c
                 */
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Unique within the tenant; a part of its tokens, so it cannot be changed. */
                    name: string;
                    /**
                     * @description What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay.
                     * @default refuse
                     * @enum {string}
                     */
                    unmatched_events?: "refuse" | "store";
                    /**
                     * @description What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` makes no delivery run for that channel, only for the others.
                     * @default refuse
                     * @enum {string}
                     */
                    missing_email_template?: "refuse" | "skip";
                    /**
                     * @description Which Idempotency-Keys are taken: `uuid` alone, or `any` key of 1 to 255 visible ASCII characters.
                     * @default uuid
                     * @enum {string}
                     */
                    idempotency_keys?: "uuid" | "any";
                    /**
                     * @description Whether channels may only have https URLs. Cannot be set while one has another.
                     * @default false
                     */
                    https_only?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *       "name": "production",
                     *       "unmatched_events": "refuse",
                     *       "missing_email_template": "refuse",
                     *       "idempotency_keys": "uuid",
                     *       "https_only": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Environment"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `tenant_not_found`: There is no tenant with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `already_exists`: This name or code is taken. `details` names the field. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *       "name": "production",
                     *       "unmatched_events": "refuse",
                     *       "missing_email_template": "refuse",
                     *       "idempotency_keys": "uuid",
                     *       "https_only": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Environment"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay.
                     * @enum {string|null}
                     */
                    unmatched_events?: "refuse" | "store" | null;
                    /**
                     * @description What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` makes no delivery run for that channel, only for the others.
                     * @enum {string|null}
                     */
                    missing_email_template?: "refuse" | "skip" | null;
                    /**
                     * @description Which Idempotency-Keys are taken: `uuid` alone, or `any` key of 1 to 255 visible ASCII characters.
                     * @enum {string|null}
                     */
                    idempotency_keys?: "uuid" | "any" | null;
                    /** @description Whether channels may only have https URLs. Cannot be set while one has another. */
                    https_only?: boolean | null;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *       "name": "production",
                     *       "unmatched_events": "store",
                     *       "missing_email_template": "refuse",
                     *       "idempotency_keys": "uuid",
                     *       "https_only": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Environment"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tok_01k9w2m1n3fjb8d6s4h2g0x7ta",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "name": "checkout service",
                     *           "prefix": "pr_production_",
                     *           "last_four": "x7Qa",
                     *           "scopes": [],
                     *           "created_at": "2026-09-01T09:00:00.000Z",
                     *           "expires_at": null,
                     *           "last_used_at": "2026-11-21T09:29:00.000Z",
                     *           "revoked_at": null,
                     *           "replaced_by": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TokenList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    issueToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For people; it need not be unique. */
                    name: string;
                    /**
                     * Format: date-time
                     * @description From then on, by the database’s clock, it is refused; an RFC 3339 time in the future. Null means never.
                     * @default null
                     */
                    expires_at?: string | null;
                    /**
                     * @description What it may beyond what every token may. `ignore_suppression`: send email to addresses on the suppression list.
                     * @default []
                     */
                    scopes?: "ignore_suppression"[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tok_01kb2t4v6xe0f9w7r5m3k1d8pc",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "name": "checkout service",
                     *       "prefix": "pr_production_",
                     *       "last_four": "k2Vd",
                     *       "scopes": [],
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "expires_at": null,
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "replaced_by": null,
                     *       "token": "pr_production_4fT9sQ2mZx8LcV1nBw6RyK3hJ7pD0gk2Vd00"
                     *     }
                     */
                    "application/json": components["schemas"]["IssuedToken"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a token.
                 * @example tok_01k9w2m1n3fjb8d6s4h2g0x7ta
                 */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description How long the old token works on beside the new one, at most 30 days; 0 ends it at once.
                     * @default 86400
                     */
                    overlap_seconds?: number;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tok_01kb2t4v6xe0f9w7r5m3k1d8pc",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "name": "checkout service",
                     *       "prefix": "pr_production_",
                     *       "last_four": "k2Vd",
                     *       "scopes": [],
                     *       "created_at": "2026-11-21T09:30:00.000Z",
                     *       "expires_at": null,
                     *       "last_used_at": null,
                     *       "revoked_at": null,
                     *       "replaced_by": null,
                     *       "token": "pr_production_4fT9sQ2mZx8LcV1nBw6RyK3hJ7pD0gk2Vd00",
                     *       "previous": {
                     *         "id": "tok_01k9w2m1n3fjb8d6s4h2g0x7ta",
                     *         "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *         "name": "checkout service",
                     *         "prefix": "pr_production_",
                     *         "last_four": "x7Qa",
                     *         "scopes": [],
                     *         "created_at": "2026-09-01T09:00:00.000Z",
                     *         "expires_at": "2026-11-22T09:30:00.000Z",
                     *         "last_used_at": "2026-11-21T09:29:00.000Z",
                     *         "revoked_at": null,
                     *         "replaced_by": "tok_01kb2t4v6xe0f9w7r5m3k1d8pc"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedToken"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_not_found`: There is no token with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a token.
                 * @example tok_01k9w2m1n3fjb8d6s4h2g0x7ta
                 */
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `token_not_found`: There is no token with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "kind": "webhook",
                     *           "name": "warehouse",
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "event_keys": [
                     *             "order.*"
                     *           ],
                     *           "config": {
                     *             "url": "https://warehouse.example.com/hooks",
                     *             "headers": {
                     *               "X-Shop": "eu"
                     *             },
                     *             "timeout_ms": 10000
                     *           },
                     *           "retry": {
                     *             "max_attempts": 8,
                     *             "delays_seconds": [
                     *               5,
                     *               30,
                     *               120,
                     *               600,
                     *               3600,
                     *               14400,
                     *               43200
                     *             ]
                     *           },
                     *           "filter": null,
                     *           "failure_policy": {
                     *             "warn_after": 3600,
                     *             "pause_after": 86400,
                     *             "min_attempts": 5,
                     *             "then": "pause",
                     *             "max_age": 604800,
                     *             "release_per_second": 100
                     *           },
                     *           "health": {
                     *             "state": "ok",
                     *             "reason": null,
                     *             "failing_since": null,
                     *             "last_success_at": "2026-11-21T09:58:20.000Z",
                     *             "next_probe_at": null,
                     *             "waiting": 0
                     *           },
                     *           "password_set": false,
                     *           "credentials_set": [],
                     *           "previous_secret_expires_at": null,
                     *           "feedback_token_set": false,
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConfiguredChannelList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description It cannot be changed.
                     * @constant
                     */
                    kind: "webhook";
                    /** @description For people. */
                    name: string;
                    /**
                     * @description A disabled channel takes no events, and runs that fall due meanwhile fail with `channel_disabled`.
                     * @default true
                     */
                    enabled?: boolean;
                    /**
                     * @description The events that the channel takes: event keys, `order.*` for all that begin so, or `*` for all.
                     * @default [
                     *       "*"
                     *     ]
                     */
                    event_keys?: string[];
                    /**
                     * @description Either `delays_seconds`, of which the last holds for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts that they were made with.
                     * @default {
                     *       "max_attempts": 8,
                     *       "delays_seconds": [
                     *         5,
                     *         30,
                     *         120,
                     *         600,
                     *         3600,
                     *         14400,
                     *         43200
                     *       ]
                     *     }
                     */
                    retry?: {
                        max_attempts: number;
                        /** @description May be empty when `max_attempts` is 1. */
                        delays_seconds?: number[];
                        /** @description Before the second attempt. */
                        base_seconds?: number;
                        /** @description Of each delay to the one before. */
                        factor?: number;
                        /** @description The longest delay. */
                        max_seconds?: number;
                    };
                    /**
                     * @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces it as a whole.
                     * @default null
                     */
                    filter?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description What happens when every attempt fails. What is left out has its default.
                     * @default {
                     *       "warn_after": 3600,
                     *       "pause_after": 86400,
                     *       "min_attempts": 5,
                     *       "then": "pause",
                     *       "max_age": 604800,
                     *       "release_per_second": 100
                     *     }
                     */
                    failure_policy?: {
                        /** @description Seconds. After these of nothing but failures the channel is `failing`. */
                        warn_after?: number;
                        /** @description Seconds. After these of nothing but failures it is paused or disabled. */
                        pause_after?: number;
                        /** @description Fewer failed attempts than these change nothing. */
                        min_attempts?: number;
                        /**
                         * @description What happens after `pause_after`, and at once when the endpoint answers 410. The runs of a paused channel wait, those of a disabled one fail.
                         * @enum {string}
                         */
                        then?: "pause" | "disable";
                        /** @description Seconds. A run that waits for its paused channel ends as `expired` after these. */
                        max_age?: number;
                        /** @description The most runs a second that are released once the channel has recovered. */
                        release_per_second?: number;
                    };
                    /** @description Where events are posted to. */
                    config: {
                        /** @description An http or https URL without user name, password and fragment. It is shown as it is to operators; the audit log keeps it without the values of its query and without what could be a token in its path. Whether its address may be called is judged at each attempt, when the name is resolved: private addresses are refused with `webhook_address_blocked`. */
                        url: string;
                        /**
                         * @description Sent with each request. They are shown as they are: what proves the sender is the signature. Names that frame the request, and those that begin with `webhook-`, `proxy-` or `postrider-`, are reserved.
                         * @default {}
                         */
                        headers?: {
                            [key: string]: string;
                        };
                        /**
                         * @description Headers whose values are secrets: stored encrypted and shown as `true`. `true` in a request keeps the value that is stored.
                         * @default {}
                         */
                        secret_headers?: {
                            [key: string]: string | true;
                        };
                        /**
                         * @description The header `Authorization` of each request.
                         * @default null
                         */
                        auth?: {
                            /**
                             * @description `basic` has `username` and `password` (RFC 7617), `bearer` a `token` (RFC 6750). `oauth2` gets tokens by the client credentials grant (RFC 6749 section 4.4) with `token_url`, `client_id` and `client_secret`.
                             * @enum {string}
                             */
                            type: "basic" | "bearer" | "oauth2";
                            /** @description Of `basic`. */
                            username?: string | null;
                            /** @description Of `basic`. Stored encrypted and never shown; it stays when a PATCH leaves it out. */
                            password?: string | null;
                            /** @description Of `bearer`. Stored encrypted and never shown; it stays when a PATCH leaves it out. */
                            token?: string | null;
                            /** @description Of `oauth2`: where tokens are had, under the same address policy. */
                            token_url?: string | null;
                            /** @description Of `oauth2`. */
                            client_id?: string | null;
                            /** @description Of `oauth2`. Stored encrypted and never shown; it stays when a PATCH leaves it out. */
                            client_secret?: string | null;
                            /** @description Of `oauth2`. */
                            scope?: string | null;
                            /** @description Of `oauth2`, where the server wants one. */
                            audience?: string | null;
                            /**
                             * @description Of `oauth2`: whether id and secret go in a header or in the form.
                             * @default header
                             * @enum {string|null}
                             */
                            client_authentication?: "header" | "body" | null;
                        } | null;
                        /**
                         * @description Mutual TLS and private authorities. Only for https.
                         * @default null
                         */
                        tls?: {
                            /** @description Certificates (PEM) of the authorities that the endpoint must have its certificate from, in place of the public ones. */
                            ca?: string | null;
                            /** @description The certificate that the endpoint is shown (PEM), with its chain. */
                            certificate?: string | null;
                            /** @description Its private key (PEM), without a passphrase. Stored encrypted and never shown; must be given with each new certificate. */
                            private_key?: string | null;
                            /** @description Ignored. */
                            subject?: string | null;
                            /** @description Ignored. */
                            expires_at?: string | null;
                        } | null;
                        /**
                         * @description The signatures of each request. `v1` is always one of them; `v1a` (ed25519) is checked by a public key, which `GET /.well-known/webhooks/{channelId}/jwks.json` has.
                         * @default [
                         *       "v1"
                         *     ]
                         */
                        signatures?: ("v1" | "v1a")[];
                        /**
                         * @description Time limit of one attempt as a whole, in milliseconds.
                         * @default 15000
                         */
                        timeout_ms?: number;
                    };
                } | {
                    /**
                     * @description It cannot be changed.
                     * @constant
                     */
                    kind: "email";
                    /** @description For people. */
                    name: string;
                    /**
                     * @description A disabled channel takes no events, and runs that fall due meanwhile fail with `channel_disabled`.
                     * @default true
                     */
                    enabled?: boolean;
                    /**
                     * @description The events that the channel takes: event keys, `order.*` for all that begin so, or `*` for all.
                     * @default [
                     *       "*"
                     *     ]
                     */
                    event_keys?: string[];
                    /**
                     * @description Either `delays_seconds`, of which the last holds for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts that they were made with.
                     * @default {
                     *       "max_attempts": 8,
                     *       "delays_seconds": [
                     *         5,
                     *         30,
                     *         120,
                     *         600,
                     *         3600,
                     *         14400,
                     *         43200
                     *       ]
                     *     }
                     */
                    retry?: {
                        max_attempts: number;
                        /** @description May be empty when `max_attempts` is 1. */
                        delays_seconds?: number[];
                        /** @description Before the second attempt. */
                        base_seconds?: number;
                        /** @description Of each delay to the one before. */
                        factor?: number;
                        /** @description The longest delay. */
                        max_seconds?: number;
                    };
                    /**
                     * @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces it as a whole.
                     * @default null
                     */
                    filter?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description What happens when every attempt fails. What is left out has its default.
                     * @default {
                     *       "warn_after": 3600,
                     *       "pause_after": 86400,
                     *       "min_attempts": 5,
                     *       "then": "pause",
                     *       "max_age": 604800,
                     *       "release_per_second": 100
                     *     }
                     */
                    failure_policy?: {
                        /** @description Seconds. After these of nothing but failures the channel is `failing`. */
                        warn_after?: number;
                        /** @description Seconds. After these of nothing but failures it is paused or disabled. */
                        pause_after?: number;
                        /** @description Fewer failed attempts than these change nothing. */
                        min_attempts?: number;
                        /**
                         * @description What happens after `pause_after`, and at once when the endpoint answers 410. The runs of a paused channel wait, those of a disabled one fail.
                         * @enum {string}
                         */
                        then?: "pause" | "disable";
                        /** @description Seconds. A run that waits for its paused channel ends as `expired` after these. */
                        max_age?: number;
                        /** @description The most runs a second that are released once the channel has recovered. */
                        release_per_second?: number;
                    };
                    /** @description How mail is sent, and who it comes from. Either the settings of one provider, such as `smtp`, or the list `senders`. */
                    config: {
                        smtp?: {
                            /** @description A host name or address. Private ones are refused at the attempt with `smtp_connection_failed`. */
                            host: string;
                            port: number;
                            /**
                             * @description TLS from the first byte, as on port 465. Otherwise STARTTLS where the server offers it; with a user name it must, unless the server is this machine.
                             * @default false
                             */
                            secure?: boolean;
                            /**
                             * @description Together with `password`, or neither.
                             * @default null
                             */
                            username?: string | null;
                            /** @description Stored encrypted and never shown. In a PATCH: left out it stays, null removes it; it must be given again when `host` changes, so that a stored password is never sent to another server. */
                            password?: string | null;
                        };
                        /**
                         * @description Several ways to send, in place of the settings of one provider. A mail goes to one of them, chosen by weight; the others are tried when that one fails. In a PATCH the whole list is given; credentials that are left out stay with the sender of the same name.
                         * @default null
                         */
                        senders?: {
                            /** @description Unique in the channel; the name of the provider when left out. */
                            name?: string | null;
                            /**
                             * @description Its settings are in the field of this name.
                             * @enum {string}
                             */
                            provider: "smtp";
                            smtp?: {
                                /** @description A host name or address. Private ones are refused at the attempt with `smtp_connection_failed`. */
                                host: string;
                                port: number;
                                /**
                                 * @description TLS from the first byte, as on port 465. Otherwise STARTTLS where the server offers it; with a user name it must, unless the server is this machine.
                                 * @default false
                                 */
                                secure?: boolean;
                                /**
                                 * @description Together with `password`, or neither.
                                 * @default null
                                 */
                                username?: string | null;
                                /** @description Stored encrypted and never shown. In a PATCH: left out it stays, null removes it; it must be given again when `host` changes, so that a stored password is never sent to another server. */
                                password?: string | null;
                            };
                            /**
                             * @description Its share of the mail; with 0 it is tried only after others have failed.
                             * @default 1
                             */
                            weight?: number | null;
                            /**
                             * @description The domains of `From` that it sends for; every one when left out.
                             * @default null
                             */
                            from_domains?: string[] | null;
                        }[] | null;
                        /**
                         * @description `safe` tries the next sender only if the mail was certainly not taken. `eager` also does so when the outcome is not known, so that a mail may be sent twice.
                         * @default safe
                         * @enum {string|null}
                         */
                        failover?: "safe" | "eager" | null;
                        from: {
                            /**
                             * Format: email
                             * @description One bare address; also the envelope’s sender.
                             */
                            email: string;
                            /** @default null */
                            name?: string | null;
                        };
                        /**
                         * Format: email
                         * @description One bare address.
                         * @default null
                         */
                        reply_to?: string | null;
                        /**
                         * @description Time limit of one attempt as a whole, in milliseconds.
                         * @default 60000
                         */
                        timeout_ms?: number;
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "kind": "webhook",
                     *       "name": "warehouse",
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "event_keys": [
                     *         "order.*"
                     *       ],
                     *       "config": {
                     *         "url": "https://warehouse.example.com/hooks",
                     *         "headers": {
                     *           "X-Shop": "eu"
                     *         },
                     *         "timeout_ms": 10000
                     *       },
                     *       "retry": {
                     *         "max_attempts": 8,
                     *         "delays_seconds": [
                     *           5,
                     *           30,
                     *           120,
                     *           600,
                     *           3600,
                     *           14400,
                     *           43200
                     *         ]
                     *       },
                     *       "filter": null,
                     *       "failure_policy": {
                     *         "warn_after": 3600,
                     *         "pause_after": 86400,
                     *         "min_attempts": 5,
                     *         "then": "pause",
                     *         "max_age": 604800,
                     *         "release_per_second": 100
                     *       },
                     *       "health": {
                     *         "state": "ok",
                     *         "reason": null,
                     *         "failing_since": null,
                     *         "last_success_at": "2026-11-21T09:58:20.000Z",
                     *         "next_probe_at": null,
                     *         "waiting": 0
                     *       },
                     *       "password_set": false,
                     *       "credentials_set": [],
                     *       "previous_secret_expires_at": null,
                     *       "feedback_token_set": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["ChannelWithSecret"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "kind": "webhook",
                     *       "name": "warehouse",
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "event_keys": [
                     *         "order.*"
                     *       ],
                     *       "config": {
                     *         "url": "https://warehouse.example.com/hooks",
                     *         "headers": {
                     *           "X-Shop": "eu"
                     *         },
                     *         "timeout_ms": 10000
                     *       },
                     *       "retry": {
                     *         "max_attempts": 8,
                     *         "delays_seconds": [
                     *           5,
                     *           30,
                     *           120,
                     *           600,
                     *           3600,
                     *           14400,
                     *           43200
                     *         ]
                     *       },
                     *       "filter": null,
                     *       "failure_policy": {
                     *         "warn_after": 3600,
                     *         "pause_after": 86400,
                     *         "min_attempts": 5,
                     *         "then": "pause",
                     *         "max_age": 604800,
                     *         "release_per_second": 100
                     *       },
                     *       "health": {
                     *         "state": "ok",
                     *         "reason": null,
                     *         "failing_since": null,
                     *         "last_success_at": "2026-11-21T09:58:20.000Z",
                     *         "next_probe_at": null,
                     *         "waiting": 0
                     *       },
                     *       "password_set": false,
                     *       "credentials_set": [],
                     *       "previous_secret_expires_at": null,
                     *       "feedback_token_set": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfiguredChannel"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For people. */
                    name?: string;
                    /** @description A disabled channel takes no events, and runs that fall due meanwhile fail with `channel_disabled`. */
                    enabled?: boolean;
                    /** @description The events that the channel takes: event keys, `order.*` for all that begin so, or `*` for all. */
                    event_keys?: string[];
                    /** @description Either `delays_seconds`, of which the last holds for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts that they were made with. */
                    retry?: {
                        max_attempts?: number;
                        /** @description May be empty when `max_attempts` is 1. */
                        delays_seconds?: number[] | null;
                        /** @description Before the second attempt. */
                        base_seconds?: number | null;
                        /** @description Of each delay to the one before. */
                        factor?: number | null;
                        /** @description The longest delay. */
                        max_seconds?: number | null;
                    } | null;
                    /** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces it as a whole. */
                    filter?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description What happens when every attempt fails. What is left out has its default. */
                    failure_policy?: {
                        /** @description Seconds. After these of nothing but failures the channel is `failing`. */
                        warn_after?: number | null;
                        /** @description Seconds. After these of nothing but failures it is paused or disabled. */
                        pause_after?: number | null;
                        /** @description Fewer failed attempts than these change nothing. */
                        min_attempts?: number | null;
                        /**
                         * @description What happens after `pause_after`, and at once when the endpoint answers 410. The runs of a paused channel wait, those of a disabled one fail.
                         * @enum {string|null}
                         */
                        then?: "pause" | "disable" | null;
                        /** @description Seconds. A run that waits for its paused channel ends as `expired` after these. */
                        max_age?: number | null;
                        /** @description The most runs a second that are released once the channel has recovered. */
                        release_per_second?: number | null;
                    } | null;
                    /** @description Fields of the config of the channel’s kind, as in its creation; null removes one. */
                    config?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "kind": "webhook",
                     *       "name": "warehouse",
                     *       "enabled": false,
                     *       "disabled_reason": null,
                     *       "event_keys": [
                     *         "order.*"
                     *       ],
                     *       "config": {
                     *         "url": "https://warehouse.example.com/hooks",
                     *         "headers": {
                     *           "X-Shop": "eu"
                     *         },
                     *         "timeout_ms": 10000
                     *       },
                     *       "retry": {
                     *         "max_attempts": 8,
                     *         "delays_seconds": [
                     *           5,
                     *           30,
                     *           120,
                     *           600,
                     *           3600,
                     *           14400,
                     *           43200
                     *         ]
                     *       },
                     *       "filter": null,
                     *       "failure_policy": {
                     *         "warn_after": 3600,
                     *         "pause_after": 86400,
                     *         "min_attempts": 5,
                     *         "then": "pause",
                     *         "max_age": 604800,
                     *         "release_per_second": 100
                     *       },
                     *       "health": {
                     *         "state": "ok",
                     *         "reason": null,
                     *         "failing_since": null,
                     *         "last_success_at": "2026-11-21T09:58:20.000Z",
                     *         "next_probe_at": null,
                     *         "waiting": 0
                     *       },
                     *       "password_set": false,
                     *       "credentials_set": [],
                     *       "previous_secret_expires_at": null,
                     *       "feedback_token_set": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfiguredChannel"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateChannelSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description How long the old secret signs beside the new one, at most 30 days; 0 ends it at once.
                     * @default 86400
                     */
                    overlap_seconds?: number;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "kind": "webhook",
                     *       "name": "warehouse",
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "event_keys": [
                     *         "order.*"
                     *       ],
                     *       "config": {
                     *         "url": "https://warehouse.example.com/hooks",
                     *         "headers": {
                     *           "X-Shop": "eu"
                     *         },
                     *         "timeout_ms": 10000
                     *       },
                     *       "retry": {
                     *         "max_attempts": 8,
                     *         "delays_seconds": [
                     *           5,
                     *           30,
                     *           120,
                     *           600,
                     *           3600,
                     *           14400,
                     *           43200
                     *         ]
                     *       },
                     *       "filter": null,
                     *       "failure_policy": {
                     *         "warn_after": 3600,
                     *         "pause_after": 86400,
                     *         "min_attempts": 5,
                     *         "then": "pause",
                     *         "max_age": 604800,
                     *         "release_per_second": 100
                     *       },
                     *       "health": {
                     *         "state": "ok",
                     *         "reason": null,
                     *         "failing_since": null,
                     *         "last_success_at": "2026-11-21T09:58:20.000Z",
                     *         "next_probe_at": null,
                     *         "waiting": 0
                     *       },
                     *       "password_set": false,
                     *       "credentials_set": [],
                     *       "previous_secret_expires_at": "2026-11-22T10:00:00.000Z",
                     *       "feedback_token_set": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T10:00:00.000Z",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["ChannelWithSecret"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateChannelFeedbackToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "channel_id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *       "feedback_token": "fb_4yTq2mVb8RkXw1Zc9LsNf7HjGd3PaE1uQxW9",
                     *       "feedback_path": "/feedback/v1/fb_4yTq2mVb8RkXw1Zc9LsNf7HjGd3PaE1uQxW9/",
                     *       "sources": [
                     *         "dsn"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FeedbackToken"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Whose active template is used; the channel need not take it.
                     * @default postrider.test
                     * @example order.shipped
                     */
                    event_key?: string;
                    /**
                     * @description Who it is for; an email channel needs `email`.
                     * @default {}
                     */
                    recipient?: {
                        /**
                         * Format: email
                         * @description One bare address. Required when an e-mail channel takes the event.
                         */
                        email?: string;
                        /** @description Without control characters, line separators and what turns the direction of text. */
                        name?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /**
                     * @description What templates need to know of the event. Free-form.
                     * @default {
                     *       "message": "This is a test from Postrider."
                     *     }
                     */
                    payload?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "status": "pending",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "queued",
                     *           "scheduled_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testChannelFilter: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces it as a whole. */
                    filter: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tested": 1000,
                     *       "matched": 12,
                     *       "not_matched": 968,
                     *       "not_subscribed": 20,
                     *       "too_large": 0,
                     *       "is_complete": true,
                     *       "matched_samples": [
                     *         "msg_01kb2t5rwhffh8rkc5f0m1ek9q"
                     *       ],
                     *       "not_matched_samples": [
                     *         {
                     *           "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "condition": "/payload/amount/$gte"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FilterTest"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "kind": "webhook",
                     *       "name": "warehouse",
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "event_keys": [
                     *         "order.*"
                     *       ],
                     *       "config": {
                     *         "url": "https://warehouse.example.com/hooks",
                     *         "headers": {
                     *           "X-Shop": "eu"
                     *         },
                     *         "timeout_ms": 10000
                     *       },
                     *       "retry": {
                     *         "max_attempts": 8,
                     *         "delays_seconds": [
                     *           5,
                     *           30,
                     *           120,
                     *           600,
                     *           3600,
                     *           14400,
                     *           43200
                     *         ]
                     *       },
                     *       "filter": null,
                     *       "failure_policy": {
                     *         "warn_after": 3600,
                     *         "pause_after": 86400,
                     *         "min_attempts": 5,
                     *         "then": "pause",
                     *         "max_age": 604800,
                     *         "release_per_second": 100
                     *       },
                     *       "health": {
                     *         "state": "paused",
                     *         "reason": "manual",
                     *         "failing_since": null,
                     *         "last_success_at": "2026-11-21T09:58:20.000Z",
                     *         "next_probe_at": null,
                     *         "waiting": 12
                     *       },
                     *       "password_set": false,
                     *       "credentials_set": [],
                     *       "previous_secret_expires_at": null,
                     *       "feedback_token_set": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfiguredChannel"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a channel.
                 * @example chn_01k9w2m5qxe9sr0y7t2b4k6nhf
                 */
                channelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "kind": "webhook",
                     *       "name": "warehouse",
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "event_keys": [
                     *         "order.*"
                     *       ],
                     *       "config": {
                     *         "url": "https://warehouse.example.com/hooks",
                     *         "headers": {
                     *           "X-Shop": "eu"
                     *         },
                     *         "timeout_ms": 10000
                     *       },
                     *       "retry": {
                     *         "max_attempts": 8,
                     *         "delays_seconds": [
                     *           5,
                     *           30,
                     *           120,
                     *           600,
                     *           3600,
                     *           14400,
                     *           43200
                     *         ]
                     *       },
                     *       "filter": null,
                     *       "failure_policy": {
                     *         "warn_after": 3600,
                     *         "pause_after": 86400,
                     *         "min_attempts": 5,
                     *         "then": "pause",
                     *         "max_age": 604800,
                     *         "release_per_second": 100
                     *       },
                     *       "health": {
                     *         "state": "ok",
                     *         "reason": null,
                     *         "failing_since": null,
                     *         "last_success_at": "2026-11-21T09:58:20.000Z",
                     *         "next_probe_at": null,
                     *         "waiting": 0
                     *       },
                     *       "password_set": false,
                     *       "credentials_set": [],
                     *       "previous_secret_expires_at": null,
                     *       "feedback_token_set": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConfiguredChannel"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `channel_not_found`: There is no channel with this id, or it was deleted. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
                /** @description For this event. */
                event_key?: string;
                /** @description For this kind of channel. */
                channel_kind?: "email" | "webhook";
                /** @description That are active, or are not. */
                active?: boolean;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "tpl_01k9w2mz6ff8ft0c0v5n1r7d3q",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "event_key": "order.shipped",
                     *           "channel_kind": "email",
                     *           "version": 3,
                     *           "active": true,
                     *           "created_at": "2026-11-21T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["TemplateList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Stable name of the event: two or more parts separated by dots.
                     * @example order.shipped
                     */
                    event_key: string;
                    /** @constant */
                    channel_kind: "email";
                    /** @description Liquid. Values are written as they are, on one line. */
                    subject: string;
                    /** @description Liquid in HTML, or in MJML when it begins with `<mjml>`. Every value is escaped. */
                    html?: string | null;
                    /** @description Liquid in plain text; derived from the HTML when left out. One of the two is required. */
                    text?: string | null;
                    /**
                     * @description Liquid that renders to bare addresses with commas or line breaks between them. They get each mail besides its recipient; with `bcc` 50 at most.
                     * @default null
                     */
                    cc?: string | null;
                    /**
                     * @description As `cc`, and in no header.
                     * @default null
                     */
                    bcc?: string | null;
                    /**
                     * @description Liquid that renders to one bare address, or to nothing: then it is that of the channel.
                     * @default null
                     */
                    reply_to?: string | null;
                    /**
                     * @description Liquid by the name of a header: `X-…`, `List-…`, `Auto-Submitted`, `Comments`, `Feedback-ID`, `Importance`, `In-Reply-To`, `Keywords`, `Organization`, `Precedence`, `Priority`, `References`, `Sensitivity`. Visible ASCII.
                     * @default null
                     */
                    headers?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description Files, of 7340032 bytes together at most.
                     * @default null
                     */
                    attachments?: {
                        /** @description Where the event has the file as base64, such as `payload.invoice.pdf`. Null there: the mail has no such file. Missing there: the delivery fails. */
                        content: string;
                        /** @description Liquid. */
                        filename: string;
                        /** @description Such as `application/pdf`. What mail programs refuse, such as programs, is refused. */
                        content_type: string;
                        /**
                         * @description Shows the file where the HTML has `<img src="cid:…">` with this, instead of attaching it.
                         * @default null
                         */
                        cid?: string | null;
                    }[] | null;
                    /**
                     * @description Whether events are delivered with this version from now on.
                     * @default false
                     */
                    activate?: boolean;
                } | {
                    /**
                     * @description Stable name of the event: two or more parts separated by dots.
                     * @example order.shipped
                     */
                    event_key: string;
                    /** @constant */
                    channel_kind: "webhook";
                    /** @description The JSON to send. Each string in it that is not a key is Liquid of its own; `{"$value": "payload.amount"}` becomes the value at that path with its type, `default` beside it is used where it is missing. */
                    body: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Whether events are delivered with this version from now on.
                     * @default false
                     */
                    activate?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01k9w2mz6ff8ft0c0v5n1r7d3q",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "event_key": "order.shipped",
                     *       "channel_kind": "email",
                     *       "version": 3,
                     *       "active": true,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "subject": "Order {{ payload.order_id }} has been shipped",
                     *       "html": "<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>",
                     *       "text": null,
                     *       "mjml": null,
                     *       "body": null,
                     *       "cc": null,
                     *       "bcc": null,
                     *       "reply_to": null,
                     *       "headers": null,
                     *       "attachments": null,
                     *       "warnings": [
                     *         {
                     *           "code": "text_derived",
                     *           "path": "/text",
                     *           "message": "is derived from the HTML, because there is none"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedTemplate"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewTemplateDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Stable name of the event: two or more parts separated by dots.
                     * @example order.shipped
                     */
                    event_key: string;
                    /** @constant */
                    channel_kind: "email";
                    /** @description Liquid. Values are written as they are, on one line. */
                    subject: string;
                    /** @description Liquid in HTML, or in MJML when it begins with `<mjml>`. Every value is escaped. */
                    html?: string | null;
                    /** @description Liquid in plain text; derived from the HTML when left out. One of the two is required. */
                    text?: string | null;
                    /**
                     * @description Liquid that renders to bare addresses with commas or line breaks between them. They get each mail besides its recipient; with `bcc` 50 at most.
                     * @default null
                     */
                    cc?: string | null;
                    /**
                     * @description As `cc`, and in no header.
                     * @default null
                     */
                    bcc?: string | null;
                    /**
                     * @description Liquid that renders to one bare address, or to nothing: then it is that of the channel.
                     * @default null
                     */
                    reply_to?: string | null;
                    /**
                     * @description Liquid by the name of a header: `X-…`, `List-…`, `Auto-Submitted`, `Comments`, `Feedback-ID`, `Importance`, `In-Reply-To`, `Keywords`, `Organization`, `Precedence`, `Priority`, `References`, `Sensitivity`. Visible ASCII.
                     * @default null
                     */
                    headers?: {
                        [key: string]: string;
                    } | null;
                    /**
                     * @description Files, of 7340032 bytes together at most.
                     * @default null
                     */
                    attachments?: {
                        /** @description Where the event has the file as base64, such as `payload.invoice.pdf`. Null there: the mail has no such file. Missing there: the delivery fails. */
                        content: string;
                        /** @description Liquid. */
                        filename: string;
                        /** @description Such as `application/pdf`. What mail programs refuse, such as programs, is refused. */
                        content_type: string;
                        /**
                         * @description Shows the file where the HTML has `<img src="cid:…">` with this, instead of attaching it.
                         * @default null
                         */
                        cid?: string | null;
                    }[] | null;
                    /** @description As in an event; Ada Lovelace when left out. */
                    recipient?: {
                        /**
                         * Format: email
                         * @description One bare address. Required when an e-mail channel takes the event.
                         */
                        email?: string;
                        /** @description Without control characters, line separators and what turns the direction of text. */
                        name?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description As in an event; empty when left out. */
                    payload?: {
                        [key: string]: unknown;
                    };
                } | {
                    /**
                     * @description Stable name of the event: two or more parts separated by dots.
                     * @example order.shipped
                     */
                    event_key: string;
                    /** @constant */
                    channel_kind: "webhook";
                    /** @description The JSON to send. Each string in it that is not a key is Liquid of its own; `{"$value": "payload.amount"}` becomes the value at that path with its type, `default` beside it is used where it is missing. */
                    body: {
                        [key: string]: unknown;
                    };
                    /** @description As in an event; Ada Lovelace when left out. */
                    recipient?: {
                        /**
                         * Format: email
                         * @description One bare address. Required when an e-mail channel takes the event.
                         */
                        email?: string;
                        /** @description Without control characters, line separators and what turns the direction of text. */
                        name?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description As in an event; empty when left out. */
                    payload?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "template_id": null,
                     *       "deliverable": true,
                     *       "rendered": {
                     *         "subject": "Order A-1042 has been shipped",
                     *         "html": "<p>Hello Ada Lovelace, order A-1042 is on its way.</p>",
                     *         "text": "Hello Ada Lovelace, order A-1042 is on its way."
                     *       },
                     *       "missing_variables": [],
                     *       "errors": [],
                     *       "warnings": [
                     *         {
                     *           "code": "text_derived",
                     *           "path": "/text",
                     *           "message": "is derived from the HTML, because there is none"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a version.
                 * @example tpl_01k9w2mz6ff8ft0c0v5n1r7d3q
                 */
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01k9w2mz6ff8ft0c0v5n1r7d3q",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "event_key": "order.shipped",
                     *       "channel_kind": "email",
                     *       "version": 3,
                     *       "active": true,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "subject": "Order {{ payload.order_id }} has been shipped",
                     *       "html": "<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>",
                     *       "text": null,
                     *       "mjml": null,
                     *       "body": null,
                     *       "cc": null,
                     *       "bcc": null,
                     *       "reply_to": null,
                     *       "headers": null,
                     *       "attachments": null
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `template_not_found`: There is no template version with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    activateTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a version.
                 * @example tpl_01k9w2mz6ff8ft0c0v5n1r7d3q
                 */
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01k9w2mz6ff8ft0c0v5n1r7d3q",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "event_key": "order.shipped",
                     *       "channel_kind": "email",
                     *       "version": 3,
                     *       "active": true,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "subject": "Order {{ payload.order_id }} has been shipped",
                     *       "html": "<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>",
                     *       "text": null,
                     *       "mjml": null,
                     *       "body": null,
                     *       "cc": null,
                     *       "bcc": null,
                     *       "reply_to": null,
                     *       "headers": null,
                     *       "attachments": null,
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedTemplate"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `template_not_found`: There is no template version with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deactivateTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a version.
                 * @example tpl_01k9w2mz6ff8ft0c0v5n1r7d3q
                 */
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tpl_01k9w2mz6ff8ft0c0v5n1r7d3q",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "event_key": "order.shipped",
                     *       "channel_kind": "email",
                     *       "version": 3,
                     *       "active": false,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "subject": "Order {{ payload.order_id }} has been shipped",
                     *       "html": "<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>",
                     *       "text": null,
                     *       "mjml": null,
                     *       "body": null,
                     *       "cc": null,
                     *       "bcc": null,
                     *       "reply_to": null,
                     *       "headers": null,
                     *       "attachments": null,
                     *       "warnings": [
                     *         {
                     *           "code": "template_required",
                     *           "path": "/event_key",
                     *           "message": "an enabled email channel takes order.shipped: its events are refused until a version is active"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedTemplate"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `template_not_found`: There is no template version with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a version.
                 * @example tpl_01k9w2mz6ff8ft0c0v5n1r7d3q
                 */
                templateId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description As in an event; Ada Lovelace when left out. */
                    recipient?: {
                        /**
                         * Format: email
                         * @description One bare address. Required when an e-mail channel takes the event.
                         */
                        email?: string;
                        /** @description Without control characters, line separators and what turns the direction of text. */
                        name?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description As in an event; empty when left out. */
                    payload?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description What `{{ event_key }}` shall be; that of the template when left out.
                     * @example order.shipped
                     */
                    event_key?: string;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "template_id": "tpl_01k9w2mz6ff8ft0c0v5n1r7d3q",
                     *       "deliverable": true,
                     *       "rendered": {
                     *         "subject": "Order A-1042 has been shipped",
                     *         "html": "<p>Hello Ada Lovelace, order A-1042 is on its way.</p>",
                     *         "text": "Hello Ada Lovelace, order A-1042 is on its way."
                     *       },
                     *       "missing_variables": [],
                     *       "errors": [],
                     *       "warnings": [
                     *         {
                     *           "code": "text_derived",
                     *           "path": "/text",
                     *           "message": "is derived from the HTML, because there is none"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TemplatePreview"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `template_not_found`: There is no template version with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description An event key.
                 * @example order.shipped
                 */
                eventKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "event_key": "order.shipped",
                     *       "description": "An order has left the warehouse.",
                     *       "stream": null,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z",
                     *       "payload_schema": {
                     *         "type": "object",
                     *         "required": [
                     *           "order_id"
                     *         ],
                     *         "properties": {
                     *           "order_id": {
                     *             "type": "string",
                     *             "pattern": "^[A-Z]-[0-9]+$"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventType"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `environment_not_found`: There is no environment with this id.
             *
             *     `event_type_not_found`: The environment has no event type with this key.
             */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    putEventType: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description An event key.
                 * @example order.shipped
                 */
                eventKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the event means, for people. */
                    description?: string | null;
                    /** @description JSON Schema 2020-12 that every payload must fulfil, of at most 65536 characters. Patterns must be such that they can be matched in linear time (no look-around, no back-references). */
                    payload_schema?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * @description The stream of its email, such as `newsletter`: recipients can unsubscribe from it with one click. Null: the email is transactional. Needs PUBLIC_URL. Holds for events that are accepted from then on.
                     * @default null
                     */
                    stream?: string | null;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "event_key": "order.shipped",
                     *       "description": "An order has left the warehouse.",
                     *       "stream": null,
                     *       "created_at": "2026-11-21T09:00:00.000Z",
                     *       "updated_at": "2026-11-21T09:00:00.000Z",
                     *       "payload_schema": {
                     *         "type": "object",
                     *         "required": [
                     *           "order_id"
                     *         ],
                     *         "properties": {
                     *           "order_id": {
                     *             "type": "string",
                     *             "pattern": "^[A-Z]-[0-9]+$"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventType"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "event_key": "order.shipped",
                     *           "description": "An order has left the warehouse.",
                     *           "stream": null,
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "updated_at": "2026-11-21T09:00:00.000Z",
                     *           "has_payload_schema": true
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventTypeList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    searchMessages: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
                /** @description The fields of each message, separated by commas; all of them when left out. Without `payload` and `recipient` pages are small and are read faster. */
                fields?: string;
                /** @description Stable name of the event: two or more parts separated by dots. */
                event_key?: string;
                /** @description The message’s status. */
                status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
                /** @description Exactly this address; the case of its domain does not matter. */
                recipient_email?: string;
                /** @description Accepted at this time or later. */
                created_after?: string;
                /** @description Accepted before this time. */
                created_before?: string;
                /** @description The run’s status. */
                run_status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
                /** @description The run’s channel. */
                channel_id?: string;
                /** @description The kind of the run’s channel. */
                channel_kind?: "email" | "webhook";
                /** @description Of the run’s `last_error`: its newest attempt that ended with an error, also when a later one succeeded. */
                error_code?: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "event_key": "order.shipped",
                     *           "status": "delivered",
                     *           "recipient": {
                     *             "email": "ada@example.com",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "payload": {
                     *             "order_id": "A-1042",
                     *             "total": "59.90 EUR"
                     *           },
                     *           "schedule_at": null,
                     *           "expires_at": null,
                     *           "request_id": "checkout-7731",
                     *           "test": false,
                     *           "created_at": "2026-11-21T09:30:00.017Z",
                     *           "delivery_runs": [
                     *             {
                     *               "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *               "channel": {
                     *                 "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *                 "kind": "email",
                     *                 "name": "customer mail"
                     *               },
                     *               "status": "succeeded",
                     *               "scheduled_at": null,
                     *               "feedback": {
                     *                 "type": "bounced",
                     *                 "permanent": true,
                     *                 "at": "2026-11-21T09:30:07.000Z",
                     *                 "reason": "5.1.1 550 No such user here"
                     *               }
                     *             },
                     *             {
                     *               "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *               "channel": {
                     *                 "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *                 "kind": "webhook",
                     *                 "name": "warehouse"
                     *               },
                     *               "status": "succeeded",
                     *               "scheduled_at": null,
                     *               "feedback": null
                     *             }
                     *           ],
                     *           "has_more_runs": false
                     *         }
                     *       ],
                     *       "has_more": true,
                     *       "next_cursor": "AQGaxaLj0Xvj5FTJXYUB6TM3"
                     *     }
                     */
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEnvironmentMessage: {
        parameters: {
            query?: {
                /** @description `channels` adds which channels took the event, and why the others did not. */
                explain?: "channels";
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "event_key": "order.shipped",
                     *       "status": "delivered",
                     *       "recipient": {
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "payload": {
                     *         "order_id": "A-1042",
                     *         "total": "59.90 EUR"
                     *       },
                     *       "schedule_at": null,
                     *       "expires_at": null,
                     *       "request_id": "checkout-7731",
                     *       "test": false,
                     *       "created_at": "2026-11-21T09:30:00.017Z",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "channel": {
                     *             "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *             "kind": "email",
                     *             "name": "customer mail"
                     *           },
                     *           "status": "succeeded",
                     *           "scheduled_at": null,
                     *           "feedback": {
                     *             "type": "bounced",
                     *             "permanent": true,
                     *             "at": "2026-11-21T09:30:07.000Z",
                     *             "reason": "5.1.1 550 No such user here"
                     *           }
                     *         },
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "succeeded",
                     *           "scheduled_at": null,
                     *           "feedback": null
                     *         }
                     *       ],
                     *       "has_more_runs": false
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rescheduleEnvironmentMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When to deliver: RFC 3339 with offset. Now or past means at once.
                     */
                    schedule_at: string;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "schedule_at": "2026-12-24T18:00:00.000Z",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "scheduled_at": "2026-12-24T18:00:00.000Z",
                     *           "status": "scheduled",
                     *           "outcome": "rescheduled"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RescheduledMessage"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response.
             *
             *     `environment_not_found`: There is no environment with this id.
             */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEnvironmentMessageDeliveries: {
        parameters: {
            query?: {
                /** @description Delivery runs on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *           "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "succeeded",
                     *           "trigger": "event",
                     *           "template": null,
                     *           "attempt_count": 2,
                     *           "max_attempts": 8,
                     *           "scheduled_at": null,
                     *           "started_at": "2026-11-21T09:30:00.060Z",
                     *           "completed_at": "2026-11-21T09:30:05.466Z",
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-11-21T09:30:00.017Z",
                     *           "feedback": null,
                     *           "last_error": {
                     *             "code": "webhook_http_error",
                     *             "message": "The endpoint answered HTTP 500.",
                     *             "attempt_number": 1
                     *           },
                     *           "attempts": [
                     *             {
                     *               "id": "att_01kb2t5rzme6b9h3c7x5n2v8fd",
                     *               "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *               "number": 1,
                     *               "status": "failed",
                     *               "error_code": "webhook_http_error",
                     *               "error_message": "The endpoint answered HTTP 500.",
                     *               "retryable": true,
                     *               "started_at": "2026-11-21T09:30:00.060Z",
                     *               "completed_at": "2026-11-21T09:30:00.131Z",
                     *               "duration_ms": 71,
                     *               "response": {
                     *                 "status_code": 500,
                     *                 "body_excerpt": "warehouse is restarting"
                     *               },
                     *               "sender": null,
                     *               "provider_message_id": null,
                     *               "tried": []
                     *             },
                     *             {
                     *               "id": "att_01kb2t5t2kf7gvk0m9d4w8q1zs",
                     *               "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *               "number": 2,
                     *               "status": "succeeded",
                     *               "error_code": null,
                     *               "error_message": null,
                     *               "retryable": null,
                     *               "started_at": "2026-11-21T09:30:05.402Z",
                     *               "completed_at": "2026-11-21T09:30:05.466Z",
                     *               "duration_ms": 64,
                     *               "response": {
                     *                 "status_code": 204,
                     *                 "body_excerpt": ""
                     *               },
                     *               "sender": null,
                     *               "provider_message_id": null,
                     *               "tried": []
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["Deliveries"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEnvironmentAttention: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "failing_channels": [
                     *         {
                     *           "channel_id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *           "name": "warehouse",
                     *           "kind": "webhook",
                     *           "consecutive_failures": 12,
                     *           "last_error_code": "webhook_http_error",
                     *           "failing_since": "2026-11-21T09:12:00.000Z"
                     *         }
                     *       ],
                     *       "backlog": {
                     *         "due": 3,
                     *         "oldest_due_at": "2026-11-21T09:30:00.060Z"
                     *       },
                     *       "quota": {
                     *         "used": 7312,
                     *         "limit": 10000,
                     *         "ratio": 0.7312
                     *       },
                     *       "render_failures": {
                     *         "last_hour": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EnvironmentAttention"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    overviewOfAttention: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *           "tenant_name": "Acme",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "environment_name": "production",
                     *           "failing_channels": [
                     *             {
                     *               "channel_id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *               "name": "warehouse",
                     *               "kind": "webhook",
                     *               "consecutive_failures": 12,
                     *               "last_error_code": "webhook_http_error",
                     *               "failing_since": "2026-11-21T09:12:00.000Z"
                     *             }
                     *           ],
                     *           "backlog": {
                     *             "due": 3,
                     *             "oldest_due_at": "2026-11-21T09:30:00.060Z"
                     *           },
                     *           "quota": {
                     *             "used": 7312,
                     *             "limit": 10000,
                     *             "ratio": 0.7312
                     *           },
                     *           "render_failures": {
                     *             "last_hour": 0
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Attention"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    findByText: {
        parameters: {
            query: {
                /**
                 * @description An id, or an address.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                q: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "type": "message",
                     *           "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *           "tenant_name": "Acme",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "environment_name": "production",
                     *           "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "delivery_run_id": null,
                     *           "attempt_number": null,
                     *           "created_at": "2026-11-21T09:30:00.017Z",
                     *           "event_key": "order.shipped",
                     *           "recipient_email": "ada@example.com"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["Lookup"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listReplayBatches: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "rpb_01kb2w3c5nfxq8s0v7z4m2t6ya",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "status": "running",
                     *           "reason": null,
                     *           "filter": {
                     *             "run_status": "failed",
                     *             "error_code": "webhook_timeout",
                     *             "created_after": "2026-11-21T06:00:00.000Z",
                     *             "created_before": "2026-11-21T11:00:00.000Z"
                     *           },
                     *           "channels": [
                     *             "chn_01k9w2m5qxe9sr0y7t2b4k6nhf"
                     *           ],
                     *           "messages_per_second": 20,
                     *           "matched": 1312,
                     *           "matched_is_lower_bound": false,
                     *           "replayed": 240,
                     *           "skipped": {
                     *             "no_matching_channel": 2,
                     *             "template_not_found": 0,
                     *             "filtered": 0,
                     *             "too_large_for_filters": 0,
                     *             "recipient_email_missing": 0,
                     *             "test_message": 0,
                     *             "message_erased": 0
                     *           },
                     *           "position": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *           "failures": 0,
                     *           "last_error_code": null,
                     *           "retry_at": null,
                     *           "created_at": "2026-11-21T11:00:00.000Z",
                     *           "started_at": "2026-11-21T11:00:00.210Z",
                     *           "completed_at": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayBatchList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createReplayBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the messages must be; all of it holds at once, and the empty object is every message. run_status, channel_id, channel_kind and error_code hold for one and the same delivery run, which is the newest of its channel. */
                    filter: {
                        /**
                         * @description Stable name of the event: two or more parts separated by dots.
                         * @example order.shipped
                         */
                        event_key?: string;
                        /**
                         * @description The message’s status.
                         * @enum {string}
                         */
                        status?: "pending" | "delivered" | "partially_delivered" | "failed" | "cancelled" | "unrouted";
                        /**
                         * Format: email
                         * @description Exactly this address; the case of its domain does not matter.
                         */
                        recipient_email?: string;
                        /**
                         * Format: date-time
                         * @description Accepted at this time or later.
                         */
                        created_after?: string;
                        /**
                         * Format: date-time
                         * @description Accepted before this time.
                         */
                        created_before?: string;
                        /**
                         * @description The run’s status.
                         * @enum {string}
                         */
                        run_status?: "scheduled" | "queued" | "running" | "retrying" | "succeeded" | "failed" | "cancelled";
                        /** @description The run’s channel. */
                        channel_id?: string;
                        /**
                         * @description The kind of the run’s channel.
                         * @enum {string}
                         */
                        channel_kind?: "email" | "webhook";
                        /**
                         * @description Of the run’s `last_error`: its newest attempt that ended with an error, also when a later one succeeded.
                         * @enum {string}
                         */
                        error_code?: "scheduled_cancelled" | "webhook_http_error" | "webhook_timeout" | "webhook_connection_failed" | "webhook_dns_failed" | "webhook_tls_failed" | "webhook_redirect_refused" | "webhook_address_blocked" | "webhook_endpoint_gone" | "webhook_auth_failed" | "smtp_connection_failed" | "smtp_auth_failed" | "smtp_temporary_rejection" | "smtp_permanent_rejection" | "smtp_outcome_unknown" | "template_render_failed" | "channel_disabled" | "recipient_suppressed" | "worker_lost" | "expired";
                    };
                    /** @description Ids of the channels to deliver to, of those that would be; all of them when left out. */
                    channels?: string[];
                    /**
                     * @description The pace; half a second’s worth may come at once.
                     * @default 50
                     */
                    messages_per_second?: number;
                    /**
                     * @description Count what matches, and do nothing.
                     * @default false
                     */
                    dry_run?: boolean;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "dry_run": true,
                     *       "filter": {
                     *         "run_status": "failed",
                     *         "error_code": "webhook_timeout",
                     *         "created_after": "2026-11-21T06:00:00.000Z",
                     *         "created_before": "2026-11-21T11:00:00.000Z"
                     *       },
                     *       "matched": 1312,
                     *       "matched_is_lower_bound": false
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayPreview"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpb_01kb2w3c5nfxq8s0v7z4m2t6ya",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "status": "pending",
                     *       "reason": null,
                     *       "filter": {
                     *         "run_status": "failed",
                     *         "error_code": "webhook_timeout",
                     *         "created_after": "2026-11-21T06:00:00.000Z",
                     *         "created_before": "2026-11-21T11:00:00.000Z"
                     *       },
                     *       "channels": [
                     *         "chn_01k9w2m5qxe9sr0y7t2b4k6nhf"
                     *       ],
                     *       "messages_per_second": 20,
                     *       "matched": 1312,
                     *       "matched_is_lower_bound": false,
                     *       "replayed": 0,
                     *       "skipped": {
                     *         "no_matching_channel": 0,
                     *         "template_not_found": 0,
                     *         "filtered": 0,
                     *         "too_large_for_filters": 0,
                     *         "recipient_email_missing": 0,
                     *         "test_message": 0,
                     *         "message_erased": 0
                     *       },
                     *       "position": null,
                     *       "failures": 0,
                     *       "last_error_code": null,
                     *       "retry_at": null,
                     *       "created_at": "2026-11-21T11:00:00.000Z",
                     *       "started_at": null,
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayBatch"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getReplayBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a bulk replay.
                 * @example rpb_01kb2w3c5nfxq8s0v7z4m2t6ya
                 */
                replayId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpb_01kb2w3c5nfxq8s0v7z4m2t6ya",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "status": "running",
                     *       "reason": null,
                     *       "filter": {
                     *         "run_status": "failed",
                     *         "error_code": "webhook_timeout",
                     *         "created_after": "2026-11-21T06:00:00.000Z",
                     *         "created_before": "2026-11-21T11:00:00.000Z"
                     *       },
                     *       "channels": [
                     *         "chn_01k9w2m5qxe9sr0y7t2b4k6nhf"
                     *       ],
                     *       "messages_per_second": 20,
                     *       "matched": 1312,
                     *       "matched_is_lower_bound": false,
                     *       "replayed": 240,
                     *       "skipped": {
                     *         "no_matching_channel": 2,
                     *         "template_not_found": 0,
                     *         "filtered": 0,
                     *         "too_large_for_filters": 0,
                     *         "recipient_email_missing": 0,
                     *         "test_message": 0,
                     *         "message_erased": 0
                     *       },
                     *       "position": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "failures": 0,
                     *       "last_error_code": null,
                     *       "retry_at": null,
                     *       "created_at": "2026-11-21T11:00:00.000Z",
                     *       "started_at": "2026-11-21T11:00:00.210Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayBatch"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_batch_not_found`: There is no bulk replay with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelReplayBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a bulk replay.
                 * @example rpb_01kb2w3c5nfxq8s0v7z4m2t6ya
                 */
                replayId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rpb_01kb2w3c5nfxq8s0v7z4m2t6ya",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "status": "cancelled",
                     *       "reason": null,
                     *       "filter": {
                     *         "run_status": "failed",
                     *         "error_code": "webhook_timeout",
                     *         "created_after": "2026-11-21T06:00:00.000Z",
                     *         "created_before": "2026-11-21T11:00:00.000Z"
                     *       },
                     *       "channels": [
                     *         "chn_01k9w2m5qxe9sr0y7t2b4k6nhf"
                     *       ],
                     *       "messages_per_second": 20,
                     *       "matched": 1312,
                     *       "matched_is_lower_bound": false,
                     *       "replayed": 240,
                     *       "skipped": {
                     *         "no_matching_channel": 2,
                     *         "template_not_found": 0,
                     *         "filtered": 0,
                     *         "too_large_for_filters": 0,
                     *         "recipient_email_missing": 0,
                     *         "test_message": 0,
                     *         "message_erased": 0
                     *       },
                     *       "position": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "failures": 0,
                     *       "last_error_code": null,
                     *       "retry_at": null,
                     *       "created_at": "2026-11-21T11:00:00.000Z",
                     *       "started_at": "2026-11-21T11:00:00.210Z",
                     *       "completed_at": "2026-11-21T11:00:12.480Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayBatch"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `replay_batch_not_found`: There is no bulk replay with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listErasures: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "era_01kb2w3c5nfxq8s0v7z4m2t6yb",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "status": "completed",
                     *           "recipient_sha256": "d2b3a5c0f3d84a4e8f6a1c7be0953f2f4b9b8f1f0a6d5f3e2c1b0a9988776655",
                     *           "messages_erased": 37,
                     *           "runs_cancelled": 1,
                     *           "created_at": "2026-11-21T11:00:00.000Z",
                     *           "started_at": "2026-11-21T11:00:00.410Z",
                     *           "completed_at": "2026-11-21T11:00:25.530Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ErasureList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description The recipient’s address; the case of its domain does not matter, that of the rest does.
                     */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "era_01kb2w3c5nfxq8s0v7z4m2t6yb",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "status": "pending",
                     *       "recipient_sha256": "d2b3a5c0f3d84a4e8f6a1c7be0953f2f4b9b8f1f0a6d5f3e2c1b0a9988776655",
                     *       "messages_erased": 0,
                     *       "runs_cancelled": 0,
                     *       "created_at": "2026-11-21T11:00:00.000Z",
                     *       "started_at": null,
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an erasure.
                 * @example era_01kb2w3c5nfxq8s0v7z4m2t6yb
                 */
                erasureId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "era_01kb2w3c5nfxq8s0v7z4m2t6yb",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "status": "completed",
                     *       "recipient_sha256": "d2b3a5c0f3d84a4e8f6a1c7be0953f2f4b9b8f1f0a6d5f3e2c1b0a9988776655",
                     *       "messages_erased": 37,
                     *       "runs_cancelled": 1,
                     *       "created_at": "2026-11-21T11:00:00.000Z",
                     *       "started_at": "2026-11-21T11:00:00.410Z",
                     *       "completed_at": "2026-11-21T11:00:25.530Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `erasure_not_found`: There is no erasure with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
                /** @description Exactly this address; case does not matter. */
                email?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "sup_01kb2w3c5nfxq8s0v7z4m2t6yb",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "email": "ada@example.com",
                     *           "scope": "all",
                     *           "reason": "550 5.1.1 no such user",
                     *           "source": "hard_bounce",
                     *           "created_at": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SuppressionList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSuppression: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description The address. Case does not matter, also before the `@`.
                     */
                    email: string;
                    /**
                     * @description `all`: nothing is sent to it. The name of a stream: nothing of that stream.
                     * @default all
                     */
                    scope?: string;
                    /**
                     * @description Why, for operators, on one line.
                     * @default null
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sup_01kb2w3c5nfxq8s0v7z4m2t6yb",
                     *       "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *       "email": "ada@example.com",
                     *       "scope": "all",
                     *       "reason": "asked by telephone",
                     *       "source": "manual",
                     *       "created_at": "2026-11-22T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    importSuppressions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Addresses with their scopes. */
                    entries: {
                        /**
                         * Format: email
                         * @description The address. Case does not matter, also before the `@`.
                         */
                        email: string;
                        /**
                         * @description `all`: nothing is sent to it. The name of a stream: nothing of that stream.
                         * @default all
                         */
                        scope?: string;
                        /**
                         * @description Why, for operators, on one line.
                         * @default null
                         */
                        reason?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "added": 2,
                     *       "existing": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedSuppressions"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSuppression: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a suppression.
                 * @example sup_01kb2w3c5nfxq8s0v7z4m2t6yb
                 */
                suppressionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `suppression_not_found`: There is no suppression with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSecrets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "key_id": "2026-11",
                     *           "status": "current",
                     *           "secrets": 37,
                     *           "channels": []
                     *         },
                     *         {
                     *           "key_id": "2025-11",
                     *           "status": "older",
                     *           "secrets": 5,
                     *           "channels": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SecretKeys"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reencryptSecrets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Channels after which this request ends; ask again while `has_more` is true.
                     * @default 1000
                     */
                    limit?: number;
                };
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reencrypted": 5,
                     *       "has_more": false,
                     *       "keys": [
                     *         {
                     *           "key_id": "2026-11",
                     *           "status": "current",
                     *           "secrets": 42,
                     *           "channels": []
                     *         },
                     *         {
                     *           "key_id": "2025-11",
                     *           "status": "older",
                     *           "secrets": 0,
                     *           "channels": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ReencryptedSecrets"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConsoleSessions: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ses_01kb2x7w5nfxq8s0v7z4m2t6yc",
                     *           "role": "integrator",
                     *           "environment_id": "env_01k9w2m1c4e8x7z5v3b1n9m6qd",
                     *           "actor": "tok_01k9w2m1n3fjb8d6s4h2g0x7ta",
                     *           "created_at": "2026-11-21T09:00:00.000Z",
                     *           "last_used_at": "2026-11-21T09:41:00.000Z",
                     *           "expires_at": "2026-11-21T21:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConsoleSessionList"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endConsoleSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of a session.
                 * @example ses_01kb2x7w5nfxq8s0v7z4m2t6yc
                 */
                consoleSessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            204: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `console_session_not_found`: There is no console session with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createConsoleLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url_fragment": "#link=q0cCqPq3sZ5vUu1h9Y0m6bq1yq5S8v2nJmWf0m3d1xI",
                     *       "expires_at": "2026-11-21T09:10:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsoleLink"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Entries on a page. */
                limit?: number;
                /** @description The `next_cursor` of the page before, with the same filters. */
                cursor?: string;
                /** @description What belongs to this tenant, its environments’ resources included. */
                tenant_id?: string;
                /** @description What belongs to this environment. */
                environment_id?: string;
                /** @description Of this kind. */
                resource_type?: "plan" | "tenant" | "environment" | "token" | "channel" | "template" | "event_type" | "replay_batch" | "erasure" | "suppression" | "console_session" | "secrets" | "message" | "delivery_run";
                /** @description Of the resource with this id, code or key. */
                resource_id?: string;
                /** @description By exactly this actor. */
                actor?: string;
                /** @description Exactly this, such as `channel.updated`. */
                action?: string;
                /** @description At this time or later. */
                created_after?: string;
                /** @description Before this time. */
                created_before?: string;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aud_01kb2v0a4mfc7tq2x9z6w3s8ke",
                     *           "actor": "ada@example.com",
                     *           "action": "tenant.updated",
                     *           "resource_type": "tenant",
                     *           "resource_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *           "tenant_id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *           "environment_id": null,
                     *           "before": {
                     *             "id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *             "name": "Analytical Engines Ltd",
                     *             "plan": "starter",
                     *             "billing_status": "active",
                     *             "grace_ends_at": null,
                     *             "created_at": "2026-11-21T09:00:00.000Z",
                     *             "updated_at": "2026-11-21T09:00:00.000Z"
                     *           },
                     *           "after": {
                     *             "id": "ten_01k9w2m0gkfs4a7t8v3n5p6r2c",
                     *             "name": "Analytical Engines Ltd",
                     *             "plan": "starter",
                     *             "billing_status": "suspended",
                     *             "grace_ends_at": null,
                     *             "created_at": "2026-11-21T09:00:00.000Z",
                     *             "updated_at": "2026-11-21T10:00:00.000Z"
                     *           },
                     *           "request_id": "dunning-7",
                     *           "trace_id": "0af7651916cd43dd8448eb211c80319c",
                     *           "created_at": "2026-11-21T10:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditLog"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createEnvironmentEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /**
                 * @description A UUID of your own for this one request, bare or in double quotes; any visible ASCII characters where the environment takes them. Sent again within 24 hours with the same body it gives the same answer and does nothing twice.
                 * @example 0d4cc4a5-6b0f-4a53-9a52-6a3f6d2f9b11
                 */
                "Idempotency-Key": string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Stable name of the event: two or more parts separated by dots.
                     * @example order.shipped
                     */
                    event_key: string;
                    /** @description Who the notification is for. Fields besides these are kept for templates. */
                    recipient: {
                        /**
                         * Format: email
                         * @description One bare address. Required when an e-mail channel takes the event.
                         */
                        email?: string;
                        /** @description Without control characters, line separators and what turns the direction of text. */
                        name?: string;
                    } & {
                        [key: string]: unknown;
                    };
                    /** @description What templates need to know of the event. Free-form. */
                    payload: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: date-time
                     * @description When to deliver: RFC 3339 with offset. Now or past means immediately.
                     */
                    schedule_at?: string;
                    /**
                     * Format: date-time
                     * @description After this time no attempt begins: a delivery that is not done by then ends as `failed`. In the future, and after `schedule_at`.
                     */
                    expires_at?: string;
                    /**
                     * @description Whether to send email although the address is on the suppression list. Only with a token that has the scope `ignore_suppression`.
                     * @default false
                     */
                    ignore_suppression?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "status": "pending",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "channel": {
                     *             "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *             "kind": "email",
                     *             "name": "customer mail"
                     *           },
                     *           "status": "queued",
                     *           "scheduled_at": null
                     *         },
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "queued",
                     *           "scheduled_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Accepted"];
                };
            };
            /**
             * @description `idempotency_key_required`: The request has no Idempotency-Key.
             *
             *     `idempotency_key_invalid`: The Idempotency-Key is not a UUID (versions 1 to 8; not the nil or max UUID). Where the environment takes any key, it is not 1 to 255 visible ASCII characters.
             *
             *     `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels.
             */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `quota_exceeded`: The plan’s events of this calendar month are used up. `details` has limit, used and resets_at.
             *
             *     `payment_required`: The tenant is suspended, or past due and its grace period is over.
             */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin.
             *
             *     `token_scope_missing`: The event asks for something, such as `ignore_suppression`, that only tokens with a scope for it may ask for.
             */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_conflict`: The key was used with another request within the last 24 hours.
             *
             *     `idempotency_in_progress`: The first request with this key did not finish within 2 seconds.
             */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayEnvironmentMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description A UUID of your own for this one request, bare or in double quotes; any visible ASCII characters where the environment takes them. Sent again within 24 hours with the same body it gives the same answer and does nothing twice. An empty one counts as none. */
                "Idempotency-Key"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Ids of the channels to deliver to; all that take the event when left out. */
                    channels?: string[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "status": "pending",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2tq9a8e4nvv2xrm5yc7d0p",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "status": "queued",
                     *           "scheduled_at": null
                     *         }
                     *       ],
                     *       "skipped_channels": [
                     *         {
                     *           "channel": {
                     *             "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *             "kind": "email",
                     *             "name": "customer mail"
                     *           },
                     *           "reason": "filtered",
                     *           "condition": "/payload/amount/$gte"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Replayed"];
                };
            };
            /**
             * @description `idempotency_key_invalid`: The Idempotency-Key is not a UUID (versions 1 to 8; not the nil or max UUID). Where the environment takes any key, it is not 1 to 255 visible ASCII characters.
             *
             *     `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels.
             */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `quota_exceeded`: The plan’s events of this calendar month are used up. `details` has limit, used and resets_at.
             *
             *     `payment_required`: The tenant is suspended, or past due and its grace period is over.
             */
            402: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response.
             *
             *     `environment_not_found`: There is no environment with this id.
             */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_conflict`: The key was used with another request within the last 24 hours.
             *
             *     `idempotency_in_progress`: The first request with this key did not finish within 2 seconds.
             *
             *     `conflict`: The state of the resource does not allow this; `message` says why.
             */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelEnvironmentMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description The `id` of a message.
                 * @example msg_01kb2t5rwhffh8rkc5f0m1ek9q
                 */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "delivery_runs": [
                     *         {
                     *           "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "channel": {
                     *             "id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *             "kind": "webhook",
                     *             "name": "warehouse"
                     *           },
                     *           "scheduled_at": "2026-12-24T18:00:00.000Z",
                     *           "status": "cancelled",
                     *           "outcome": "cancelled"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CancelledMessage"];
                };
            };
            /** @description `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels. */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `message_not_found`: The token’s environment has no such message. A message of another environment gets the same response.
             *
             *     `environment_not_found`: There is no environment with this id.
             */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelEnvironmentDeliveryRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description A UUID of your own for this one request, bare or in double quotes; any visible ASCII characters where the environment takes them. Sent again within 24 hours with the same body it gives the same answer and does nothing twice. An empty one counts as none. */
                "Idempotency-Key"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description The `id` of a delivery run.
                 * @example run_01kb2t5rwhffh8rkc5f0m1ek9r
                 */
                deliveryRunId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "channel": {
                     *         "id": "chn_01k9w2m3hvf0jbv6gqz8w1d4ea",
                     *         "kind": "email",
                     *         "name": "customer mail"
                     *       },
                     *       "status": "cancelled",
                     *       "trigger": "event",
                     *       "template": {
                     *         "id": "tpl_01k9w2m8z0f5d3c1b7n9v6x4qa",
                     *         "version": 3
                     *       },
                     *       "attempt_count": 1,
                     *       "max_attempts": 8,
                     *       "scheduled_at": "2026-12-01T08:30:00.000Z",
                     *       "started_at": null,
                     *       "completed_at": "2026-11-21T10:02:11.250Z",
                     *       "next_attempt_at": null,
                     *       "created_at": "2026-11-21T09:30:00.017Z",
                     *       "feedback": null,
                     *       "last_error": {
                     *         "code": "scheduled_cancelled",
                     *         "message": "The run was cancelled before its time.",
                     *         "attempt_number": 1
                     *       },
                     *       "attempts": [
                     *         {
                     *           "id": "att_01kb2w0q5ye1r8t6m4k2h0g9ev",
                     *           "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *           "number": 1,
                     *           "status": "cancelled",
                     *           "error_code": "scheduled_cancelled",
                     *           "error_message": "The run was cancelled before its time.",
                     *           "retryable": false,
                     *           "started_at": "2026-11-21T10:02:11.250Z",
                     *           "completed_at": "2026-11-21T10:02:11.250Z",
                     *           "duration_ms": 0,
                     *           "response": null,
                     *           "sender": null,
                     *           "provider_message_id": null,
                     *           "tried": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryRun"];
                };
            };
            /**
             * @description `idempotency_key_invalid`: The Idempotency-Key is not a UUID (versions 1 to 8; not the nil or max UUID). Where the environment takes any key, it is not 1 to 255 visible ASCII characters.
             *
             *     `invalid_json`: The body is not JSON, cannot be stored (NUL, lone surrogates) or is nested deeper than 32 levels.
             */
            400: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `delivery_run_not_found`: The token’s environment has no such delivery run. A run of another environment gets the same response.
             *
             *     `environment_not_found`: There is no environment with this id.
             */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `idempotency_conflict`: The key was used with another request within the last 24 hours.
             *
             *     `idempotency_in_progress`: The first request with this key did not finish within 2 seconds.
             *
             *     `delivery_run_not_cancellable`: The run is no longer `scheduled`. `details` has its current status.
             */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `payload_too_large`: The body is larger than 256 KiB, or than the plan allows (`GET /api/v1/limits`). */
            413: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported_media_type`: The body is not declared as `application/json` in UTF-8, or is compressed. */
            415: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEnvironmentDeliveryContent: {
        parameters: {
            query?: {
                /** @description The number of the attempt; the newest when left out. */
                attempt?: number;
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
                /**
                 * @description The `id` of a delivery run.
                 * @example run_01kb2t5rwhffh8rkc5f0m1ek9r
                 */
                deliveryRunId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *       "attempt": 1,
                     *       "kind": "email",
                     *       "verified": true,
                     *       "sha256": "5f7c0a5d2d3b6c1e4f8a9b0c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a1b0c9d8e",
                     *       "rendered_at": "2026-11-21T09:30:00.060Z",
                     *       "email": {
                     *         "subject": "Order A-1042 has been shipped",
                     *         "from": "Shop <shop@example.com>",
                     *         "to": "Ada Lovelace <ada@example.com>",
                     *         "html": "<p>Order A-1042</p>",
                     *         "text": "Order A-1042",
                     *         "source": "Subject: Order A-1042 has been shipped\n\nOrder A-1042",
                     *         "headers": [
                     *           [
                     *             "Subject",
                     *             "Order A-1042 has been shipped"
                     *           ]
                     *         ]
                     *       },
                     *       "connected_address": "198.51.100.7:587",
                     *       "response": {
                     *         "status": 250,
                     *         "headers": [],
                     *         "excerpt": "250 2.0.0 Ok: queued"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SentContent"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /**
             * @description `delivery_run_not_found`: The token’s environment has no such delivery run. A run of another environment gets the same response.
             *
             *     `environment_not_found`: There is no environment with this id.
             */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `conflict`: The state of the resource does not allow this; `message` says why. */
            409: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getEnvironmentStats: {
        parameters: {
            query?: {
                /** @description The first interval is the one of this time; the last 24 hours or 60 minutes when left out. */
                from?: string;
                /** @description The last interval ends at or after this time; now when left out. */
                to?: string;
                /** @description Of each bucket; at most 1500 of them. */
                interval?: "minute" | "hour";
                /** @description Adds the parts of each interval. */
                group_by?: "channel" | "event_key" | "error_code";
            };
            header?: {
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "interval": "hour",
                     *       "from": "2026-11-20T10:00:00.000Z",
                     *       "to": "2026-11-21T10:00:00.000Z",
                     *       "buckets": [
                     *         {
                     *           "start": "2026-11-21T09:00:00.000Z",
                     *           "accepted": 1204,
                     *           "delivered": 2391,
                     *           "failed": 3,
                     *           "attempts": 2420,
                     *           "latency_ms": {
                     *             "p50": 60,
                     *             "p95": 300,
                     *             "p99": 2250
                     *           },
                     *           "groups": [
                     *             {
                     *               "key": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *               "accepted": 0,
                     *               "delivered": 2391,
                     *               "failed": 3,
                     *               "attempts": 2420,
                     *               "latency_ms": {
                     *                 "p50": 60,
                     *                 "p95": 300,
                     *                 "p99": 2250
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "totals": {
                     *         "accepted": 1204,
                     *         "delivered": 2391,
                     *         "failed": 3,
                     *         "attempts": 2420,
                     *         "latency_ms": {
                     *           "p50": 60,
                     *           "p95": 300,
                     *           "p99": 2250
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Stats"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `id` that came last; what happened since comes first. */
                "Last-Event-ID"?: string;
                /** @description Who you are, for the audit log: 1 to 128 visible ASCII characters. `admin` when left out or not of this form; 422 for the name of a part of the service (`worker`, `seed`). */
                "X-Actor"?: string;
                /** @description Your own correlation id, echoed, logged, and kept with the message: 1 to 128 visible ASCII characters. Any other value is ignored. */
                "X-Request-ID"?: string;
            };
            path: {
                /**
                 * @description The `id` of an environment.
                 * @example env_01k9w2m1c4e8x7z5v3b1n9m6qd
                 */
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As asked. */
            200: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                     *       "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9r",
                     *       "channel_id": "chn_01k9w2m5qxe9sr0y7t2b4k6nhf",
                     *       "attempt": 1,
                     *       "status": "succeeded",
                     *       "feedback": "delivered",
                     *       "at": "2026-11-21T09:00:00.000Z"
                     *     }
                     */
                    "text/event-stream": components["schemas"]["StreamEvent"];
                };
            };
            /** @description `unauthorized`: The token is missing, malformed, unknown, revoked or expired; the response is the same for all of them. */
            401: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `forbidden`: A request with a session of the console has no `X-CSRF-Token`, a wrong one, or comes from another origin. */
            403: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `environment_not_found`: There is no environment with this id. */
            404: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `validation_failed`: The request is well-formed but not valid. `details` lists every error at once. */
            422: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate_limited`: The environment sends requests faster than the plan allows, or too many bytes of its tenant’s requests and responses are in flight. */
            429: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal_error`: The service failed. You do not know whether an event was accepted. */
            500: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `service_unavailable`: The service cannot reach its database, or has too many bytes in flight. Nothing was accepted, unless the connection broke during the commit. */
            503: {
                headers: {
                    "X-Request-ID": components["headers"]["X-Request-ID"];
                    "X-Trace-ID": components["headers"]["X-Trace-ID"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    webhookDelivery: {
        parameters: {
            query?: never;
            header: {
                /** @description The delivery run, the same on every attempt. */
                "webhook-id": string;
                /** @description When this attempt was signed, in seconds since 1970. */
                "webhook-timestamp": string;
                /** @description One signature, or two while the secret is being rotated. */
                "webhook-signature": string;
                /** @description There when an operator tries the channel: nothing has happened. */
                "postrider-test"?: "true";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.shipped",
                 *       "timestamp": "2026-11-21T09:30:00.017Z",
                 *       "data": {
                 *         "message_id": "msg_01kb2t5rwhffh8rkc5f0m1ek9q",
                 *         "delivery_run_id": "run_01kb2t5rwhffh8rkc5f0m1ek9s",
                 *         "recipient": {
                 *           "email": "ada@example.com",
                 *           "name": "Ada Lovelace"
                 *         },
                 *         "payload": {
                 *           "order_id": "A-1042",
                 *           "total": "59.90 EUR"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description The event key. */
                    type: string;
                    /**
                     * Format: date-time
                     * @description When the event was accepted.
                     */
                    timestamp: string;
                    /** @description What is delivered. */
                    data: {
                        /** @description The message. */
                        message_id: string;
                        /** @description The delivery run; equals `webhook-id`. */
                        delivery_run_id: string;
                        /** @description As it was sent. */
                        recipient: {
                            [key: string]: unknown;
                        };
                        /** @description As it was sent. */
                        payload: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description The endpoint is gone: the run fails, and the channel is disabled unless it was changed meanwhile. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again; `Retry-After` is honoured up to the longest delay of the channel. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description As 429. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again after the delays of the channel. Redirects are not followed and count as failures. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

/** The calls of the management operations whose shape follows from the document. */
export function generatedResources({ http, perform }: AdminCalls) {
  return {
    plans: {
      /** Create a plan. A figure that is null or left out is unlimited. A rate has both its figures or none. */
      create: (body: BodyOf<'createPlan'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/plans', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listPlans'>, components['schemas']['Plan']>((query, options) =>
        perform((init) => http.GET('/admin/v1/plans', { ...init, params: { query } }), options),
      ),
      /** Read a plan. The plan as it is now. */
      get: (code: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/plans/{code}', { ...init, params: { path: { code } } }), options),
      /** Change a plan. Holds for all its tenants within 5 seconds. A quota below what is used already refuses events until the next month. Null removes a limit. The code cannot be changed. */
      update: (code: string, body: BodyOf<'updatePlan'>, options?: CallOptions) =>
        perform((init) => http.PATCH('/admin/v1/plans/{code}', { ...init, params: { path: { code } }, body }), options),
    },
    tenants: {
      /** Create a tenant. A customer of the installation, on a plan that exists. It has no environment yet. */
      create: (body: BodyOf<'createTenant'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/tenants', { ...init, body }), once(options)),
      ...pagedList<QueryOf<'listTenants'>, components['schemas']['Tenant']>((query, options) =>
        perform((init) => http.GET('/admin/v1/tenants', { ...init, params: { query } }), options),
      ),
      /** Read a tenant. The tenant as it is now. */
      get: (tenantId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}', { ...init, params: { path: { tenantId } } }), options),
      /** Change a tenant. Another plan or billing status holds for all its environments within 5 seconds. What is used this month stays used. A change of `billing_status` to something else than `past_due` ends the grace. */
      update: (tenantId: string, body: BodyOf<'updateTenant'>, options?: CallOptions) =>
        perform((init) => http.PATCH('/admin/v1/tenants/{tenantId}', { ...init, params: { path: { tenantId } }, body }), options),
      /** Read what a tenant has used. The events of each calendar month, the present one first. */
      usage: (tenantId: string, query: QueryOf<'getTenantUsage'> = {}, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}/usage', { ...init, params: { path: { tenantId }, query } }), options),
    },
    environments: {
      /** Create an environment. An isolated world of the tenant. It shares the tenant’s quota with the others and has tokens, channels and templates of its own. */
      create: (tenantId: string, body: BodyOf<'createEnvironment'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/tenants/{tenantId}/environments', { ...init, params: { path: { tenantId } }, body }), once(options)),
      /** List environments. The environments of a tenant, newest first. */
      of: (tenantId: string) =>
        pagedList<QueryOf<'listEnvironments'>, components['schemas']['Environment']>((query, options) =>
        perform((init) => http.GET('/admin/v1/tenants/{tenantId}/environments', { ...init, params: { path: { tenantId }, query } }), options),
      ),
      /** Read an environment. The environment and the tenant that it belongs to. */
      get: (environmentId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}', { ...init, params: { path: { environmentId } } }), options),
      /** Change the settings of an environment. A JSON Merge Patch: settings that are left out stay, null gives one its default. Holds for events that are accepted from then on. The name cannot be changed. */
      update: (environmentId: string, body: BodyOf<'updateEnvironment'>, options?: CallOptions) =>
        perform((init) => http.PATCH('/admin/v1/environments/{environmentId}', { ...init, params: { path: { environmentId } }, body }), options),
      /** Read figures over time, as an operator. What was accepted, delivered and failed by hour or minute, and how long it took. The figures are exact and some seconds behind. Those of minutes are kept for two days, those of hours for 400 days, also when the messages are removed or erased. As with a token of the environment: its limits, quota and idempotency hold. */
      stats: (environmentId: string, query: QueryOf<'getEnvironmentStats'> = {}, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/stats', { ...init, params: { path: { environmentId }, query } }), options),
      /** Follow what happens, as an operator. Server-sent events: ids and statuses of messages, runs, attempts and feedback as they are committed, a second late. They are hints: read what you need. It covers the newest 500 messages and 1,000 runs. `reset` means that more has happened than is told: read the lists again. A stream ends after 75 s or sooner; connect again with the last `id` as `Last-Event-ID` (an `EventSource` does), and nothing is left out. 503 when too many streams are open: read the lists from time to time instead. As with a token of the environment: its limits, quota and idempotency hold. */
      stream: (environmentId: string, { lastEventId, ...options }: StreamOptions = {}) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/stream', { ...init, params: { path: { environmentId }, header: lastEventHeader(lastEventId) }, parseAs: 'stream' }), options).then(readEventStream),
    },
    tokens: {
      /** Issue a token. A token that authenticates clients of this environment. The answer has the token itself, which is stored as a digest only and not shown again. */
      issue: (environmentId: string, body: BodyOf<'issueToken'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/tokens', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List tokens. The tokens of an environment, newest first, those that are revoked or expired too. A token is recognised by its prefix and its last four characters. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listTokens'>, components['schemas']['Token']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/tokens', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Rotate a token. Issues a token in the place of this one, with its name, its scopes and, counted from now, its length of life. The answer has the new token itself, which is not shown again. The old one works on for `overlap_seconds`, but no longer than it would have anyway. A token is rotated once: after that, and when it is revoked or expired, the answer is `conflict`. If an answer is lost, rotate the token that the list shows as `replaced_by`. */
      rotate: (tokenId: string, body: BodyOf<'rotateToken'> = {}, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/tokens/{tokenId}/rotate', { ...init, params: { path: { tokenId } }, body }), once(options)),
      /** Revoke a token. The token is refused everywhere within 5 seconds and stays in the list. What was issued in its place by a rotation works on. Revoking it again changes nothing. */
      revoke: (tokenId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/tokens/{tokenId}', { ...init, params: { path: { tokenId } } }), options),
    },
    channels: {
      /** Create a channel. A destination of the environment: every event that it takes becomes a delivery run to it. The answer has the signing secret of a webhook, which is not shown again. The tenant’s plan must include the kind; an environment has at most 100 channels. */
      create: (environmentId: string, body: BodyOf<'createChannel'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/channels', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List channels. The channels of an environment, newest first, without their secrets. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listChannels'>, components['schemas']['ConfiguredChannel']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/channels', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read a channel. The channel as it is now, without its secrets. */
      get: (channelId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } } }), options),
      /** Change a channel. A JSON Merge Patch: fields that are left out stay, null removes one, lists and `filter` are replaced. To change the form of `retry`, set the fields of the other to null. Runs that wait are sent as the channel then is. Runs that fall due while it is disabled end as `failed` with `channel_disabled`; those that fall due after it was enabled again are sent. Credentials stay unless they are given; one must be given again when where it is sent to changes, such as the host of an SMTP server. The kind cannot be changed. */
      update: (channelId: string, body: BodyOf<'updateChannel'>, options?: CallOptions) =>
        perform((init) => http.PATCH('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } }, body }), options),
      /** Delete a channel. None of its runs is begun any more. Those that wait, scheduled ones too, end as `failed` with an attempt `channel_disabled`: the first 500 with the answer, the others soon after. Those that are running finish and are not retried. What was delivered stays readable; the secrets are erased. */
      delete: (channelId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/channels/{channelId}', { ...init, params: { path: { channelId } } }), options),
      /** Rotate the signing secret of a webhook. The answer has the new secret, which is not shown again. Until the overlap is over every request carries a signature of each, so that receivers can change over in their own time; then the old secret is erased. While one overlap lasts another rotation is refused, unless its `overlap_seconds` is 0: it ends both old secrets at once, as for one that has leaked. */
      rotateSecret: (channelId: string, body: BodyOf<'rotateChannelSecret'> = {}, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/rotate-secret', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Make a new feedback token of a channel. What providers report of delivered, bounced and complained mails to, and what a mail server pipes its reports to, has this token in its path. The answer has it, and it is not shown again. One that was made before is refused from then on. */
      feedbackToken: (channelId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/feedback-token', { ...init, params: { path: { channelId } } }), once(options)),
      /** Send a test through a channel. Sends a message by the way of every message, to this channel alone, also while it is disabled: so it can be tried before it is enabled. It is tried once, carries the header `postrider-test: true` (mail: `X-Postrider-Test: true`), is shown with `test: true`, and counts neither against the quota nor in the usage. The active template of the event key is used; without one, a webhook sends the default body and mail a fixed text. The answer does not wait for the delivery: read the deliveries of the message. At most 30 tests a minute for an environment. */
      test: (channelId: string, body: BodyOf<'testChannel'> = {}, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/test', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Try a filter on past messages. Tries a filter on the newest 1000 messages of the environment of the channel, without saving it. Test sends and erased messages are not looked at. `null` tries the channel without a filter. */
      filterTest: (channelId: string, body: BodyOf<'testChannelFilter'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/filter/test', { ...init, params: { path: { channelId } }, body }), once(options)),
      /** Pause a channel. The channel goes on to take events, whose runs wait. No run tries it until it is resumed. Runs that have waited for `failure_policy.max_age` seconds end as `failed` with `expired`. A channel that is paused already stays so, without probes from now on. */
      pause: (channelId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/pause', { ...init, params: { path: { channelId } } }), once(options)),
      /** Resume a channel. Ends its pause, also one that the service began. The runs that wait are released oldest first, at a rate that begins with 2 a second and doubles every 10 seconds to `failure_policy.release_per_second`. A channel that is not paused stays as it is. */
      resume: (channelId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/channels/{channelId}/resume', { ...init, params: { path: { channelId } } }), once(options)),
    },
    templates: {
      /** Add a version of a template. Templates are Liquid, without `include`, `render`, `layout`, `block` and `raw`. They see `event_key`, `recipient`, `payload`, `message_id`, `delivery_run_id` and `timestamp`; a variable that is missing makes the delivery fail, so write `{{ payload.note | default: "" }}` for what may be missing. A version never changes: a new text is a new version. Issues of a template have the code `invalid_template`, with `line` and `column` where they are known. */
      create: (environmentId: string, body: BodyOf<'createTemplate'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/templates', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List versions of templates. Newest first, without their contents. Filters are combined with “and”. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listTemplates'>, components['schemas']['TemplateSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/templates', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Preview a template that is not stored. Checks a template as its creation does, and renders it as the preview of a version does. Nothing is stored and nothing is sent. */
      previewDraft: (environmentId: string, body: BodyOf<'previewTemplateDraft'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/templates/preview-draft', { ...init, params: { path: { environmentId } }, body }), options),
      /** Read a version of a template. With its content. */
      get: (templateId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/templates/{templateId}', { ...init, params: { path: { templateId } } }), options),
      /** Activate a version of a template. Events that are accepted from now on, within 5 seconds, are delivered with this version; an older one is rolled back to in the same way. The version that was active is not any more. Runs keep the version they have. */
      activate: (templateId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/activate', { ...init, params: { path: { templateId } } }), options),
      /** Deactivate a version of a template. Afterwards no version is active, if it was this one. A webhook then sends the default body; an event that an email channel takes is refused (422 `template_not_found`), of which a warning tells. */
      deactivate: (templateId: string, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/deactivate', { ...init, params: { path: { templateId } } }), options),
      /** Preview a version of a template. Renders what a delivery would send, within the same limits, and stores and sends nothing. Names every variable that is missing, and warns of what a receiver would stumble over. The body may be left out. */
      preview: (templateId: string, body: BodyOf<'previewTemplate'> = {}, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/templates/{templateId}/preview', { ...init, params: { path: { templateId } }, body }), options),
    },
    eventTypes: {
      /** Describe an event key. Creates the event type or replaces it: what is left out is removed. Payloads are validated against the schema within 5 seconds. Issues of the schema have the code `invalid_schema`; refused are references that lead outside it or round in a circle, patterns that cannot be matched in linear time, and formats that are not known. All schemas of an environment may have 2 MiB together (409 `conflict`). */
      put: (environmentId: string, eventKey: string, body: BodyOf<'putEventType'>, options?: CallOptions) =>
        perform((init) => http.PUT('/admin/v1/environments/{environmentId}/event-types/{eventKey}', { ...init, params: { path: { environmentId, eventKey } }, body }), options),
      /** Read an event type. With its schema. */
      get: (environmentId: string, eventKey: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/event-types/{eventKey}', { ...init, params: { path: { environmentId, eventKey } } }), options),
      /** List event types. By their keys, without their schemas. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listEventTypes'>, components['schemas']['EventTypeSummary']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/event-types', { ...init, params: { path: { environmentId }, query } }), options),
      ),
    },
    attention: {
      /** Read what needs action in an environment. Channels that fail, what waits, the quota, and templates that failed. */
      get: (environmentId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/attention', { ...init, params: { path: { environmentId } } }), options),
      /** Read what needs action. The environments with a channel that fails, runs that wait for more than a minute, a quota that is used to four fifths, or templates that failed in the last hour. */
      overview: (options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/attention', init), options),
    },
    lookup: {
      /** Look up an id or an address. Finds what a text names in any environment: a message, delivery run, attempt, request or trace id, or the email address of a recipient. A text that names nothing has no results. */
      find: (query: QueryOf<'findByText'>, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/lookup', { ...init, params: { query } }), options),
    },
    erasures: {
      /** Erase a recipient’s data. Erases recipient and payload of the messages that are there now and have this address, and what mail servers and endpoints said of them, in the background. Runs that wait are ended first, with an attempt `scheduled_cancelled`: a `scheduled` one is `cancelled`, one that was due is `failed`. An attempt that is open is waited for. Messages, runs and attempts stay, and so does what was used. The messages can not be replayed. The audit log names the address by a hash alone. */
      create: (environmentId: string, body: BodyOf<'createErasure'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/erasures', { ...init, params: { path: { environmentId } }, body }), options),
      /** List erasures. The erasures of an environment, newest first. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listErasures'>, components['schemas']['Erasure']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/erasures', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Read an erasure. The erasure and how far it has come. */
      get: (erasureId: string, options?: CallOptions) =>
        perform((init) => http.GET('/admin/v1/erasures/{erasureId}', { ...init, params: { path: { erasureId } } }), options),
    },
    suppressions: {
      /** Suppress an address. Puts an address on the environment’s suppression list. Runs of email to it that are claimed from then on end as `failed` with `recipient_suppressed`: new events, retries, schedules and replays. An address that is on the list in this scope stays as it is, and is the answer. One whose text was erased keeps its entry without the text. */
      create: (environmentId: string, body: BodyOf<'createSuppression'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/suppressions', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** List suppressions. The suppression list of an environment, newest first; of one address with `email`. */
      of: (environmentId: string) =>
        pagedList<QueryOf<'listSuppressions'>, components['schemas']['Suppression']>((query, options) =>
        perform((init) => http.GET('/admin/v1/environments/{environmentId}/suppressions', { ...init, params: { path: { environmentId }, query } }), options),
      ),
      /** Suppress many addresses. Puts up to 500 addresses on the list in one transaction, all or none, each as if alone. Sending the same entries again changes nothing. */
      import: (environmentId: string, body: BodyOf<'importSuppressions'>, options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/environments/{environmentId}/suppressions/import', { ...init, params: { path: { environmentId } }, body }), once(options)),
      /** Remove a suppression. Email to the address is sent again, unless another entry suppresses it. Runs that have failed meanwhile stay so; replay them. */
      delete: (suppressionId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/suppressions/{suppressionId}', { ...init, params: { path: { suppressionId } } }), options),
    },
    consoleSessions: {
      ...pagedList<QueryOf<'listConsoleSessions'>, components['schemas']['ConsoleSession']>((query, options) =>
        perform((init) => http.GET('/admin/v1/console-sessions', { ...init, params: { query } }), options),
      ),
      /** End a session of the console. Signs somebody out: every process refuses the session within 5 seconds. */
      end: (consoleSessionId: string, options?: CallOptions) =>
        perform((init) => http.DELETE('/admin/v1/console-sessions/{consoleSessionId}', { ...init, params: { path: { consoleSessionId } } }), options),
    },
    consoleLinks: {
      /** Make a link that signs in. A code that opens the console once, within 10 minutes, as an operator. The session’s name in the audit log is the `X-Actor` of this request. */
      create: (options?: CallOptions) =>
        perform((init) => http.POST('/admin/v1/console-links', init), once(options)),
    },
    auditLog: {
      ...pagedList<QueryOf<'listAuditLog'>, components['schemas']['AuditEntry']>((query, options) =>
        perform((init) => http.GET('/admin/v1/audit-log', { ...init, params: { query } }), options),
      ),
    },
  };
}

/** What {@link generatedResources} has, for those who offer it to people. */
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
            "about": "For people."
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
            "about": "Requests that an environment can keep up; together with `burst`. Null means unlimited."
          },
          {
            "name": "burst",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "Requests that may come at once; together with `requests_per_second`. Null means unlimited."
          },
          {
            "name": "max_payload_bytes",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "The largest body of an event, below what holds on every plan. Null means unlimited."
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
            "about": "Kinds of channel that the tenant may have; all when left out."
          }
        ],
        "columns": []
      },
      {
        "name": "list",
        "summary": "List plans",
        "parameters": [],
        "isOnOne": false,
        "body": null,
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
            "about": "For people."
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
            "about": "Requests that an environment can keep up; together with `burst`. Null means unlimited."
          },
          {
            "name": "burst",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "Requests that may come at once; together with `requests_per_second`. Null means unlimited."
          },
          {
            "name": "max_payload_bytes",
            "kind": "integer",
            "isRequired": false,
            "isNullable": true,
            "about": "The largest body of an event, below what holds on every plan. Null means unlimited."
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
            "about": "Kinds of channel that the tenant may have; all when left out."
          }
        ],
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
            "about": "For people."
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
            "about": "Whether it may make deliveries: `suspended` may not, `past_due` only until `grace_ends_at`."
          },
          {
            "name": "grace_ends_at",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "Only with `past_due`: until when it may still make deliveries. Null gives no grace."
          }
        ],
        "columns": []
      },
      {
        "name": "list",
        "summary": "List tenants",
        "parameters": [],
        "isOnOne": false,
        "body": null,
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
            "about": "For people."
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
            "about": "Whether it may make deliveries: `suspended` may not, `past_due` only until `grace_ends_at`."
          },
          {
            "name": "grace_ends_at",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "Only with `past_due`: until when it may still make deliveries. Null gives no grace."
          }
        ],
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
            "about": "What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay."
          },
          {
            "name": "missing_email_template",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` makes no delivery run for that channel, only for the others."
          },
          {
            "name": "idempotency_keys",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Which Idempotency-Keys are taken: `uuid` alone, or `any` key of 1 to 255 visible ASCII characters."
          },
          {
            "name": "https_only",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "Whether channels may only have https URLs. Cannot be set while one has another."
          }
        ],
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
        "columns": [
          "id",
          "tenant_id",
          "name",
          "unmatched_events",
          "missing_email_template",
          "idempotency_keys",
          "https_only",
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
            "about": "What happens to an event that no enabled channel takes: `refuse` answers 422 `no_matching_channel`; `store` answers 201 with the status `unrouted`, counts the event once, and keeps it for a replay."
          },
          {
            "name": "missing_email_template",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "What happens to an event that an email channel takes without having an active template for it: `refuse` answers 422 `template_not_found`; `skip` makes no delivery run for that channel, only for the others."
          },
          {
            "name": "idempotency_keys",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "Which Idempotency-Keys are taken: `uuid` alone, or `any` key of 1 to 255 visible ASCII characters."
          },
          {
            "name": "https_only",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": true,
            "about": "Whether channels may only have https URLs. Cannot be set while one has another."
          }
        ],
        "columns": []
      },
      {
        "name": "stream",
        "summary": "Follow what happens, as an operator",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": true,
        "body": null,
        "columns": []
      }
    ]
  },
  {
    "name": "tokens",
    "member": "tokens",
    "about": "what clients of an environment authenticate with.",
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
            "about": "For people; it need not be unique."
          },
          {
            "name": "expires_at",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "From then on, by the database’s clock, it is refused; an RFC 3339 time in the future. Null means never."
          },
          {
            "name": "scopes",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "What it may beyond what every token may. `ignore_suppression`: send email to addresses on the suppression list."
          }
        ],
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
            "about": "How long the old token works on beside the new one, at most 30 days; 0 ends it at once."
          }
        ],
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
        "columns": []
      }
    ]
  },
  {
    "name": "channels",
    "member": "channels",
    "about": "where an environment delivers to.",
    "calls": [
      {
        "name": "create",
        "summary": "Create a channel",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": [],
        "columns": []
      },
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
        "columns": []
      },
      {
        "name": "update",
        "summary": "Change a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "name",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "For people."
          },
          {
            "name": "enabled",
            "kind": "boolean",
            "isRequired": false,
            "isNullable": false,
            "about": "A disabled channel takes no events, and runs that fall due meanwhile fail with `channel_disabled`."
          },
          {
            "name": "event_keys",
            "kind": "list",
            "isRequired": false,
            "isNullable": false,
            "about": "The events that the channel takes: event keys, `order.*` for all that begin so, or `*` for all."
          },
          {
            "name": "retry",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "Either `delays_seconds`, of which the last holds for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts that they were made with."
          },
          {
            "name": "filter",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{\"payload\": {\"amount\": {\"$gte\": 100}}}`; null takes all. A change replaces it as a whole."
          },
          {
            "name": "failure_policy",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "What happens when every attempt fails. What is left out has its default."
          },
          {
            "name": "config",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "Fields of the config of the channel’s kind, as in its creation; null removes one."
          }
        ],
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
            "about": "How long the old secret signs beside the new one, at most 30 days; 0 ends it at once."
          }
        ],
        "columns": []
      },
      {
        "name": "feedbackToken",
        "summary": "Make a new feedback token of a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": null,
        "columns": []
      },
      {
        "name": "test",
        "summary": "Send a test through a channel",
        "parameters": [
          {
            "name": "channelId",
            "about": "The `id` of a channel."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "event_key",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "Whose active template is used; the channel need not take it."
          },
          {
            "name": "recipient",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "Who it is for; an email channel needs `email`."
          },
          {
            "name": "payload",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "What templates need to know of the event. Free-form."
          }
        ],
        "columns": []
      },
      {
        "name": "filterTest",
        "summary": "Try a filter on past messages",
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
            "about": "Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{\"payload\": {\"amount\": {\"$gte\": 100}}}`; null takes all. A change replaces it as a whole."
          }
        ],
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
        "columns": []
      }
    ]
  },
  {
    "name": "templates",
    "member": "templates",
    "about": "what is delivered, in immutable versions.",
    "calls": [
      {
        "name": "create",
        "summary": "Add a version of a template",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": [],
        "columns": []
      },
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
        "name": "previewDraft",
        "summary": "Preview a template that is not stored",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": true,
        "body": [],
        "columns": []
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
        "columns": []
      },
      {
        "name": "preview",
        "summary": "Preview a version of a template",
        "parameters": [
          {
            "name": "templateId",
            "about": "The `id` of a version."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "recipient",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "As in an event; Ada Lovelace when left out."
          },
          {
            "name": "payload",
            "kind": "json",
            "isRequired": false,
            "isNullable": false,
            "about": "As in an event; empty when left out."
          },
          {
            "name": "event_key",
            "kind": "text",
            "isRequired": false,
            "isNullable": false,
            "about": "What `{{ event_key }}` shall be; that of the template when left out."
          }
        ],
        "columns": []
      }
    ]
  },
  {
    "name": "event-types",
    "member": "eventTypes",
    "about": "what the payload of an event key must be.",
    "calls": [
      {
        "name": "put",
        "summary": "Describe an event key",
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
            "about": "What the event means, for people."
          },
          {
            "name": "payload_schema",
            "kind": "json",
            "isRequired": false,
            "isNullable": true,
            "about": "JSON Schema 2020-12 that every payload must fulfil, of at most 65536 characters. Patterns must be such that they can be matched in linear time (no look-around, no back-references)."
          },
          {
            "name": "stream",
            "kind": "text",
            "isRequired": false,
            "isNullable": true,
            "about": "The stream of its email, such as `newsletter`: recipients can unsubscribe from it with one click. Null: the email is transactional. Needs PUBLIC_URL. Holds for events that are accepted from then on."
          }
        ],
        "columns": []
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
        "summary": "Read what needs action in an environment",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": false,
        "body": null,
        "columns": []
      },
      {
        "name": "overview",
        "summary": "Read what needs action",
        "parameters": [],
        "isOnOne": false,
        "body": null,
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
        "name": "create",
        "summary": "Erase a recipient’s data",
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
            "about": "The recipient’s address; the case of its domain does not matter, that of the rest does."
          }
        ],
        "columns": []
      },
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
        "columns": []
      }
    ]
  },
  {
    "name": "suppressions",
    "member": "suppressions",
    "about": "addresses that an environment sends no email to.",
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
            "about": "The address. Case does not matter, also before the `@`."
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
            "about": "Why, for operators, on one line."
          }
        ],
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
        "columns": [
          "id",
          "environment_id",
          "email",
          "scope",
          "reason",
          "source",
          "created_at"
        ]
      },
      {
        "name": "import",
        "summary": "Suppress many addresses",
        "parameters": [
          {
            "name": "environmentId",
            "about": "The `id` of an environment."
          }
        ],
        "isOnOne": true,
        "body": [
          {
            "name": "entries",
            "kind": "json",
            "isRequired": true,
            "isNullable": false,
            "about": "Addresses with their scopes."
          }
        ],
        "columns": []
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
        "columns": []
      }
    ]
  },
  {
    "name": "console-sessions",
    "member": "consoleSessions",
    "about": "who is signed in to the console.",
    "calls": [
      {
        "name": "list",
        "summary": "List who is signed in",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "columns": [
          "id",
          "role",
          "environment_id",
          "actor",
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
        "columns": []
      }
    ]
  },
  {
    "name": "console-links",
    "member": "consoleLinks",
    "about": "who is signed in to the console.",
    "calls": [
      {
        "name": "create",
        "summary": "Make a link that signs in",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "columns": []
      }
    ]
  },
  {
    "name": "audit-log",
    "member": "auditLog",
    "about": "who changed what.",
    "calls": [
      {
        "name": "list",
        "summary": "List changes",
        "parameters": [],
        "isOnOne": false,
        "body": null,
        "columns": [
          "id",
          "actor",
          "action",
          "resource_type",
          "resource_id",
          "tenant_id",
          "environment_id",
          "request_id",
          "trace_id",
          "created_at"
        ]
      }
    ]
  }
];
