# Made by "npm run generate:client" from the OpenAPI document that the API serves. Do not edit.
# ruff: noqa

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class ErrorDetail(TypedDict):
    """One issue of the request, or one fact about the refusal. Further fields are facts that belong to the code, such as `limit`, `used` and `resets_at` of a quota: a text, an integer or null."""

    path: str
    """A JSON Pointer into the body, or `/` and the name of a query parameter."""
    code: Literal['required', 'unknown_field', 'invalid_type', 'invalid_format', 'invalid_value', 'too_long', 'too_short', 'too_large', 'too_small', 'too_many', 'too_few', 'duplicate', 'schedule_too_far', 'payload_schema_mismatch', 'no_matching_channel', 'template_not_found', 'invalid_template', 'invalid_schema', 'unknown_channel', 'unknown_consumer', 'unknown_plan', 'quota_limit', 'current_status']
    """Stable; for programs."""
    message: str
    """The error as text for readers. Its wording may change."""


class EventResultsResults(TypedDict):
    status: int
    """The status as for a single request."""
    body: dict[str, Any]
    """The response as for a single request: an accepted event, or `error`."""
    idempotent_replayed: NotRequired[bool]
    """Whether the event was accepted before, and this is its stored response."""
    retry_after: NotRequired[int]
    """Seconds to wait before sending the event again, if its response alone would have Retry-After."""


class EventResults(TypedDict):
    results: list[EventResultsResults]


class Channel(TypedDict):
    """The destination that a run delivers to."""

    id: str
    """The channel."""
    kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The kind of the channel."""
    name: str
    """The channel’s name."""


class DeliveryRunSummary(TypedDict):
    """A delivery to one channel, in short."""

    id: str
    """The delivery run."""
    channel: Channel
    status: Literal['scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled']
    """See DeliveryRun."""
    scheduled_at: str | None


class ReplayedSkippedChannels(TypedDict):
    """A channel that takes the event key and gets no run."""

    channel: Channel
    reason: Literal['filtered', 'template_not_found']
    """The reason: its filter, or a missing active template."""
    condition: str | None


class MessageChannels(TypedDict):
    """Whether a channel took the event, and if not, why."""

    channel_id: str
    """The channel."""
    name: str
    """The name of the channel."""
    kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The kind of the channel."""
    taken: bool
    """Whether it has deliveries of the message."""
    reason: Literal['matched', 'deleted', 'created_later', 'disabled', 'kind_not_in_plan', 'event_key_not_subscribed', 'no_active_template', 'no_recipient', 'filtered', 'changed_since']
    """The reason by the current configuration. `changed_since`: it would take the event now, but did not then. Without `messages:content` filters are not evaluated: `filtered` then means that it has one."""
    condition: str | None
    delivery_run_ids: list[str]
    """Its deliveries of the message, oldest first."""


class CancelledMessageDeliveryRuns(TypedDict):
    """The outcome for a run."""

    id: str
    """The delivery run."""
    channel: Channel
    status: str
    """See DeliveryRun."""
    scheduled_at: str | None
    outcome: Literal['cancelled', 'already_cancelled', 'not_waiting']
    """`not_waiting`: it was sent, is being sent, waits for a retry, or has ended; it is not changed."""


class CancelledMessage(TypedDict):
    """The result of cancelling a message."""

    message_id: str
    """The message."""
    delivery_runs: list[CancelledMessageDeliveryRuns]
    """The first 100 runs, oldest first."""


class RescheduledMessageDeliveryRuns(TypedDict):
    """The outcome for a run."""

    id: str
    """The delivery run."""
    channel: Channel
    status: str
    """See DeliveryRun."""
    scheduled_at: str | None
    outcome: Literal['rescheduled', 'already_cancelled', 'not_waiting']
    """`not_waiting`: it was sent, is being sent, waits for a retry, or has ended; it is not changed."""


class RescheduledMessage(TypedDict):
    """The result of rescheduling a message."""

    message_id: str
    """The message."""
    schedule_at: str | None
    delivery_runs: list[RescheduledMessageDeliveryRuns]
    """The first 100 runs, oldest first."""


class AttemptResponse(TypedDict):
    """The response of the receiver."""

    status_code: int
    """The HTTP status, or the reply or error code of another protocol."""
    body_excerpt: str | None


class AttemptSkippedCopies(TypedDict):
    """A copy that was not sent."""

    email: str
    """The address."""
    outcome: Literal['suppressed', 'refused']
    """`suppressed`: it is on the suppression list, so it is in no header either. `refused`: by the mail server."""
    reason: str | None


class ChannelAttemptResponse(TypedDict):
    """The response of the receiver."""

    status_code: int
    """The HTTP status, or the reply or error code of another protocol."""
    body_excerpt: str | None


class RunFeedback(TypedDict):
    """What a provider or mail server reported about the mail after accepting it."""

    type: Literal['deferred', 'delivered', 'bounced', 'complained']
    """The most significant report, independent of their order: `complained`, `bounced`, `delivered`, `deferred`."""
    permanent: bool
    """For a bounce: whether the address was suppressed because of it."""
    at: str
    """When it happened, according to the reporter."""
    reason: str | None


class DeliveryRunTemplate(TypedDict):
    """The template version that was active when the run was created; rendered when it is sent."""

    id: str
    """The template version."""
    version: int
    """Its number among those of its event key and kind."""


class DeliveryRunQueue(TypedDict):
    """Its position in the queue if it is held by `channel_limits`; null otherwise."""

    ahead: int
    """Runs of the channel that are due before it, counted up to 10,000 for one run and up to 500 in a list."""
    expected_at: str | None


class ConsumerDeliveryTemplate(TypedDict):
    """The template version that was active when the run was created; rendered when it is sent."""

    id: str
    """The template version."""
    version: int
    """Its number among those of its event key and kind."""


class ConsumerDeliveryQueue(TypedDict):
    """Its position in the queue if it is held by `channel_limits`; null otherwise."""

    ahead: int
    """Runs of the channel that are due before it, counted up to 10,000 for one run and up to 500 in a list."""
    expected_at: str | None


class SentContentResponse(TypedDict):
    """The response of the receiver."""

    status: int
    """HTTP status or SMTP reply code."""
    headers: list[list[str]]
    """Names and values."""
    excerpt: str | None


class SentContentEmailAttachments(TypedDict):
    """A file."""

    filename: str
    """Its name."""
    content_type: str
    """Its type."""
    cid: str | None
    bytes: int
    """Its size."""


SentContentEmail = TypedDict(
    'SentContentEmail',
    {
        'subject': str,
        'from': str | None,
        'to': str | None,
        'html': str | None,
        'text': str | None,
        'source': str,
        'headers': list[list[str]],
        'cc': NotRequired[list[str]],
        'bcc': NotRequired[list[str]],
        'reply_to': NotRequired[str],
        'attachments': NotRequired[list[SentContentEmailAttachments]],
    },
)


class SentContentRequest(TypedDict):
    """A request."""

    method: str
    """Its method; `PUBLISH` to a broker."""
    url: str
    """The channel’s current URL, without parts that could be secret."""
    headers: list[list[str]]
    """Names and values."""
    body: str
    """What was posted."""


class SentContent(TypedDict):
    """What an attempt sent, rendered again."""

    delivery_run_id: str
    """The delivery run."""
    attempt: int
    """The attempt."""
    kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The kind of the channel."""
    verified: bool | None
    """Whether exactly this was sent: its SHA-256 equals that of the attempt. Null if the attempt has none: see `unverified_reason`."""
    unverified_reason: Literal['nothing_sent', 'in_progress', 'worker_lost', 'not_stored'] | None
    sha256: str | None
    rendered_at: str | None
    connected_address: str | None
    response: SentContentResponse | None
    email: NotRequired[SentContentEmail]
    """A mail."""
    request: NotRequired[SentContentRequest]
    """A request."""


class StreamEvent(TypedDict):
    """The `data` of an event. Its name (`event`) is one of message.accepted, delivery_run.updated, attempt.finished, delivery_run.feedback, reset, heartbeat; `reset` has no fields."""

    message_id: str
    """The message."""
    delivery_run_id: str
    """For all events except `message.accepted`."""
    channel_id: str
    """For all events except `message.accepted`."""
    attempt: int
    """The number of the attempt, for `attempt.finished`."""
    status: str
    """The current status of the run or attempt."""
    feedback: str
    """The type of the feedback, for `delivery_run.feedback`."""
    at: str
    """When it happened; for feedback, when it was received; for `heartbeat`, up to when all was read."""


class DeliveryCounts(TypedDict):
    """Delivery runs by status."""

    succeeded: int
    """Runs that succeeded."""
    failed: int
    """Runs that failed."""
    cancelled: int
    """Runs that were cancelled."""
    pending: int
    """Runs that have not ended."""


class UsagePeriod(TypedDict):
    """The calendar month, UTC."""

    start: str
    """The start of the month."""
    end: str
    """The start of the next month, when the quota resets."""


class UsageEvents(TypedDict):
    """Events and replays. Cancelled runs still count."""

    used: int
    """Used so far."""
    limit: int | None
    """The limit of the plan. Null means unlimited."""
    remaining: int | None
    """The remaining number. Null means unlimited."""


class UsageDeliveriesByChannelKind(TypedDict):
    """The same by channel kind."""

    amqp: DeliveryCounts
    email: DeliveryCounts
    kafka: DeliveryCounts
    sqs: DeliveryCounts
    webhook: DeliveryCounts


class UsageDeliveries(TypedDict):
    """The delivery runs created in the period."""

    succeeded: int
    """Runs that succeeded."""
    failed: int
    """Runs that failed."""
    cancelled: int
    """Runs that were cancelled."""
    pending: int
    """Runs that have not ended."""
    by_channel_kind: UsageDeliveriesByChannelKind
    """The same by channel kind."""


class UsageEnvironments(TypedDict):
    """The usage of one environment."""

    id: str
    """The environment."""
    name: str
    """Its name."""
    events_used: int
    """Events and replays."""


class Usage(TypedDict):
    """The usage of the environment’s tenant in the current period."""

    tenant_id: str
    """The tenant."""
    period: UsagePeriod
    """The calendar month, UTC."""
    events: UsageEvents
    """Events and replays. Cancelled runs still count."""
    deliveries: UsageDeliveries
    """The delivery runs created in the period."""
    environments: list[UsageEnvironments]
    """Every environment of the tenant."""


class LimitsPlan(TypedDict):
    """The plan."""

    code: str
    """Its stable code."""
    name: str
    """Its name."""


class LimitsBilling(TypedDict):
    """Whether the tenant may send."""

    status: Literal['active', 'past_due', 'suspended']
    """`past_due` tenants may send until `grace_ends_at`."""
    grace_ends_at: str | None


class LimitsQuota(TypedDict):
    """Per period."""

    events_per_month: int | None
    """Events and replays in a calendar month, UTC. Null means unlimited."""


class LimitsRateLimit(TypedDict):
    """Per environment."""

    requests_per_second: int | None
    """The sustained rate. Null means unlimited."""
    burst: int | None
    """Requests that are allowed at once. Null means unlimited."""


class LimitsPayload(TypedDict):
    """Limits of one request."""

    max_bytes: int
    """The largest body."""


class LimitsSchedule(TypedDict):
    """Limits of `schedule_at`."""

    max_days: int | None
    """How far ahead it may be. Null means unlimited."""


class LimitsRetention(TypedDict):
    """How long messages are kept."""

    days: int | None
    """How long they can be read. Null means unlimited."""


class LimitsEntitlements(TypedDict):
    """What the plan includes."""

    channel_kinds: list[Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']]
    """Channels of other kinds take no events."""


class Limits(TypedDict):
    """What the plan of the tenant allows."""

    tenant_id: str
    """The tenant."""
    plan: LimitsPlan
    """The plan."""
    billing: LimitsBilling
    """Whether the tenant may send."""
    quota: LimitsQuota
    """Per period."""
    rate_limit: LimitsRateLimit
    """Per environment."""
    payload: LimitsPayload
    """Limits of one request."""
    schedule: LimitsSchedule
    """Limits of `schedule_at`."""
    retention: LimitsRetention
    """How long messages are kept."""
    entitlements: LimitsEntitlements
    """What the plan includes."""


class FeedbackToken(TypedDict):
    """The new feedback token of a channel. Only this response contains it."""

    channel_id: str
    """The channel."""
    feedback_token: str
    """`fb_…`; anyone who has it can report."""
    feedback_path: str
    """The path for feedback: append the name of the provider, or `dsn`."""
    feedback_url: str | None
    sources: list[str]
    """The sources of feedback for this kind of channel."""


class FilterTestNotMatchedSamples(TypedDict):
    """A message that does not match."""

    message_id: str
    """The message."""
    condition: str
    """JSON Pointer to the first false condition of the filter."""


class FilterTest(TypedDict):
    """How a filter would have matched the newest messages of the environment."""

    tested: int
    """Examined messages, at most 1000."""
    matched: int
    """Messages that the channel would take."""
    not_matched: int
    """Messages that the filter rejects."""
    not_subscribed: int
    """Messages with an event key that the channel does not take; the filter was not evaluated."""
    too_large: int
    """Messages for which the filter exceeds its limit of steps."""
    is_complete: bool
    """False if the limits of bytes or time ended the trial early."""
    matched_samples: list[str]
    """Up to 10 that match, newest first."""
    not_matched_samples: list[FilterTestNotMatchedSamples]
    """Up to 10 that do not match, newest first."""


class ChannelPreviewRequest(TypedDict):
    """A request."""

    method: str
    """Its method; `PUBLISH` to a broker."""
    url: str
    """The channel’s current URL, without parts that could be secret."""
    headers: list[list[str]]
    """Names and values."""
    body: str
    """What was posted."""


class ChannelPreview(TypedDict):
    """What the channel would send."""

    message_id: str | None
    event_key: str
    """Its event key."""
    request: ChannelPreviewRequest
    """A request."""


class BlockedKey(TypedDict):
    """An ordering key whose run has failed for good, so that later runs are held."""

    ordering_key: str
    """The key."""
    sequence: int
    """The sequence of the failed run."""
    blocked_at: str
    """Since when."""
    delivery_run_id: str
    """The failed run."""
    message_id: str | None
    last_error_code: str | None
    waiting: int
    """Held runs, counted up to 1,000."""


class BlockedKeyList(TypedDict):
    """A page of the blocked keys of a channel, in their order."""

    data: list[BlockedKey]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class UnblockedKey(TypedDict):
    """The result for an ordering key."""

    ordering_key: str
    """The key."""
    unblocked: bool
    """False if it was not blocked: nothing has changed."""
    delivery_run_id: str | None


class ConsumerDetailsLimits(TypedDict):
    """Null: only the limits of the tenant apply."""

    events_per_month: int | None
    """Events per month (UTC); 402 `quota_exceeded` beyond. Replays do not count. Null means unlimited."""
    events_per_second: int | None
    """Events per second; 429 `rate_limited` beyond. Null means unlimited."""
    channels: int | None
    """Channels, at most 50. Null means unlimited."""
    channel_kinds: list[str] | None


class ConsumerDetailsUsageMonths(TypedDict):
    """The usage of a month."""

    period_start: str
    """The first day of the month, UTC."""
    events: int
    """Events of the month."""


class ConsumerDetailsUsage(TypedDict):
    """What it has used of its limits."""

    events: int
    """Events of this month (UTC)."""
    channels: int
    """Channels."""
    months: list[ConsumerDetailsUsageMonths]
    """The months of the last 400 days that had events, and the current one, newest first."""


class ConsumerDetails(TypedDict):
    """A customer of the tenant, with channels and limits of its own."""

    environment_id: str
    """Its environment."""
    id: str
    """Your own id for it."""
    name: str | None
    attributes: dict[str, Any]
    """Data that channel filters can compare, as `consumer.attributes`."""
    contact_email: str | None
    enabled: bool
    """Whether its channels take events. Waiting deliveries are sent in either case."""
    limits: ConsumerDetailsLimits
    """Null: only the limits of the tenant apply."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    usage: ConsumerDetailsUsage
    """What it has used of its limits."""


class ConsumerSummaryLimits(TypedDict):
    """Null: only the limits of the tenant apply."""

    events_per_month: int | None
    """Events per month (UTC); 402 `quota_exceeded` beyond. Replays do not count. Null means unlimited."""
    events_per_second: int | None
    """Events per second; 429 `rate_limited` beyond. Null means unlimited."""
    channels: int | None
    """Channels, at most 50. Null means unlimited."""
    channel_kinds: list[str] | None


class ConsumerSummary(TypedDict):
    """A consumer without its usage."""

    environment_id: str
    """Its environment."""
    id: str
    """Your own id for it."""
    name: str | None
    attributes: dict[str, Any]
    """Data that channel filters can compare, as `consumer.attributes`."""
    contact_email: str | None
    enabled: bool
    """Whether its channels take events. Waiting deliveries are sent in either case."""
    limits: ConsumerSummaryLimits
    """Null: only the limits of the tenant apply."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ConsumerList(TypedDict):
    """A page of consumers, by their ids."""

    data: list[ConsumerSummary]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class PortalSession(TypedDict):
    """A link to the portal of a consumer, which works once."""

    id: str
    """The token that the session will have. Revoking it ends the session."""
    url: str
    """The link. Give it only to the consumer, as a link or as the address of a frame. Without `PUBLIC_URL` it is a path."""
    link_expires_at: str
    """When the link expires: after five minutes."""
    expires_at: str
    """When the session ends."""


class TemplateWarning(TypedDict):
    """A warning. It does not prevent storing or sending."""

    code: Literal['text_derived', 'text_blank', 'subject_blank', 'subject_too_long', 'html_too_large', 'link_broken', 'link_insecure', 'image_broken', 'image_without_alt', 'content_removed', 'client_support', 'inline_file', 'from_not_aligned', 'payload_schema_mismatch', 'no_matching_channel', 'template_required', 'unsubscribe_missing', 'translation_missing']
    """Stable; for programs."""
    path: str
    """A JSON Pointer into the request or the template."""
    message: str
    """A text for readers. Its wording may change."""


class TemplateSummary(TypedDict):
    """A version of a template, without its content."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    event_key: str
    """The event key that it is for."""
    channel_kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The channel kind that it is for."""
    version: int
    """Numbered from 1 for each event key and channel kind."""
    active: bool
    """Whether events use it. At most one version of an event key and kind is active."""
    created_at: str
    """When it was created."""


class TemplateList(TypedDict):
    """A page of versions, newest first."""

    data: list[TemplateSummary]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class TemplatePreviewRendered1(TypedDict):
    """An AMQP message."""

    body: dict[str, Any]
    """The JSON that would be sent."""


class TemplatePreviewRendered2Attachments(TypedDict):
    """A file."""

    filename: str
    """Its name."""
    content_type: str
    """Its type."""
    cid: str | None
    bytes: int
    """Its size."""


class TemplatePreviewRendered2(TypedDict):
    """An email."""

    subject: str
    """On one line."""
    html: str | None
    text: str | None
    cc: NotRequired[list[str]]
    """Bare addresses; left out when there are none."""
    bcc: NotRequired[list[str]]
    """As `cc`."""
    reply_to: NotRequired[str]
    """Left out: that of the channel."""
    headers: NotRequired[dict[str, str]]
    """By name; left out when there are none."""
    attachments: NotRequired[list[TemplatePreviewRendered2Attachments]]
    """Left out when there are none."""


class TemplatePreviewRendered3(TypedDict):
    """A Kafka record."""

    body: dict[str, Any]
    """The JSON that would be sent."""


class TemplatePreviewRendered4(TypedDict):
    """An SQS message."""

    body: dict[str, Any]
    """The JSON that would be sent."""


class TemplatePreviewRendered5(TypedDict):
    """A webhook."""

    body: dict[str, Any]
    """The JSON that would be sent."""


class TemplatePreviewMissingVariables(TypedDict):
    """A variable that the event does not have."""

    path: str
    """The first part of the template that uses it, as a JSON Pointer."""
    name: str
    """As written in the template, up to the missing part."""
    part: str | None
    line: int | None
    """Numbered from 1; null if unknown."""
    column: int | None
    """Numbered from 1; null if unknown."""


class TemplatePreviewErrors(TypedDict):
    """The errors that prevent rendering."""

    path: str
    """The part of the template, as a JSON Pointer."""
    message: str
    """The problem as text for readers."""
    part: str | None
    line: int | None
    """Numbered from 1; null if unknown."""
    column: int | None
    """Numbered from 1; null if unknown."""


class LayoutSummary(TypedDict):
    """A version of a layout, without its content."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    name: str
    """The name that templates use."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""


class LayoutList(TypedDict):
    """A page of versions, newest first."""

    data: list[LayoutSummary]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class Layout(TypedDict):
    """A version of a layout. Its content never changes."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    name: str
    """The name that templates use."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""
    content: str
    """Liquid in HTML or text, compiled where it was written in MJML."""
    mjml: str | None


class ChangedLayout(TypedDict):
    """A version after a change."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    name: str
    """The name that templates use."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""
    content: str
    """Liquid in HTML or text, compiled where it was written in MJML."""
    mjml: str | None
    templates: list[TemplateSummary]
    """New versions of templates, which are active now."""
    warnings: list[TemplateWarning]
    """Problems that were probably not intended."""


class PartialSummary(TypedDict):
    """A version of a partial, without its content."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    name: str
    """The name that templates use."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""


class PartialList(TypedDict):
    """A page of versions, newest first."""

    data: list[PartialSummary]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class Partial(TypedDict):
    """A version of a partial. Its content never changes."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    name: str
    """The name that templates use."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""
    content: str
    """Liquid in HTML or text, compiled where it was written in MJML."""
    mjml: str | None


class ChangedPartial(TypedDict):
    """A version after a change."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    name: str
    """The name that templates use."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""
    content: str
    """Liquid in HTML or text, compiled where it was written in MJML."""
    mjml: str | None
    templates: list[TemplateSummary]
    """New versions of templates, which are active now."""
    warnings: list[TemplateWarning]
    """Problems that were probably not intended."""


class TranslationSummary(TypedDict):
    """A version of a translation, without its content."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    locale: str
    """The language of its messages (BCP 47)."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""


class TranslationList(TypedDict):
    """A page of versions, newest first."""

    data: list[TranslationSummary]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class Translation(TypedDict):
    """A version of a translation. Its content never changes."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    locale: str
    """The language of its messages (BCP 47)."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""
    messages: dict[str, str]
    """Messages by their keys, in ICU MessageFormat."""


class ChangedTranslation(TypedDict):
    """A version after a change."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    locale: str
    """The language of its messages (BCP 47)."""
    version: int
    """Numbered from 1 for each name or locale."""
    active: bool
    """Whether new versions of templates use it."""
    created_at: str
    """When it was created."""
    messages: dict[str, str]
    """Messages by their keys, in ICU MessageFormat."""
    templates: list[TemplateSummary]
    """New versions of templates, which are active now."""
    warnings: list[TemplateWarning]
    """Problems that were probably not intended."""


class EventType(TypedDict):
    """The description of an event key. An event key does not need one."""

    environment_id: str
    """Its environment."""
    event_key: str
    """The event."""
    description: str | None
    stream: str | None
    search_keys: list[str]
    """JSON Pointers to business ids in the payload, such as `/order_id`. Messages are found by their values: strings and numbers of up to 128 characters. The values are stored with the message, and removed with it or by an erasure."""
    created_at: str
    """When it was first described."""
    updated_at: str
    """When its description or schema was last changed."""
    payload_schema: dict[str, Any] | None


class EventTypeSummary(TypedDict):
    """An event type without its schema."""

    environment_id: str
    """Its environment."""
    event_key: str
    """The event."""
    description: str | None
    stream: str | None
    search_keys: list[str]
    """JSON Pointers to business ids in the payload, such as `/order_id`. Messages are found by their values: strings and numbers of up to 128 characters. The values are stored with the message, and removed with it or by an erasure."""
    created_at: str
    """When it was first described."""
    updated_at: str
    """When its description or schema was last changed."""
    has_payload_schema: bool
    """Whether payloads are validated."""


class EventTypeList(TypedDict):
    """A page of event types, by their keys."""

    data: list[EventTypeSummary]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class EnvironmentAttentionRenderFailures(TypedDict):
    """Attempts whose template failed."""

    last_hour: int
    """In the last hour."""


class LookupResult(TypedDict):
    """A result of a lookup, and where it is."""

    type: Literal['message', 'delivery_run', 'attempt', 'request', 'trace', 'recipient', 'business_id', 'mail_id', 'id_end']
    """The kind of the result."""
    tenant_id: str
    """The tenant."""
    tenant_name: str
    """The name of the tenant."""
    environment_id: str
    """The environment."""
    environment_name: str
    """The name of the environment."""
    message_id: str | None
    delivery_run_id: str | None
    attempt_number: int | None
    created_at: str
    """When the message was accepted."""
    event_key: str
    """Of the message."""
    recipient_email: str | None
    status: Literal['pending', 'delivered', 'partially_delivered', 'failed', 'cancelled', 'unrouted']
    """Of the message."""
    channel: Channel | None
    match: str | None


class NamedResource(TypedDict):
    """A resource with a matching name."""

    type: Literal['channel', 'template', 'consumer', 'environment', 'tenant']
    """What it is."""
    id: str
    """Its id; for a consumer, your own."""
    name: str
    """Its name; for a template, its event key."""
    detail: str | None
    tenant_id: str
    """The tenant."""
    tenant_name: str
    """The name of the tenant."""
    environment_id: str | None
    environment_name: str | None


class ReplayBatchSkipped(TypedDict):
    """Messages that matched and could not be replayed, by reason."""

    no_matching_channel: int
    """No enabled channel of those requested takes the event."""
    template_not_found: int
    """An email channel takes the event and no template is active for it."""
    filtered: int
    """The filters of the channels reject it."""
    too_large_for_filters: int
    """It is too large for the filters of the channels."""
    unknown_filter: int
    """A channel that takes the event has a filter that only a later release understands."""
    recipient_email_missing: int
    """An email channel takes the event and the recipient has no address."""
    test_message: int
    """A test send of an operator."""
    message_erased: int
    """The recipient’s data was erased."""


class Suppression(TypedDict):
    """An address to which the environment sends no email."""

    id: str
    """The entry."""
    environment_id: str
    """Its environment."""
    email: str | None
    scope: str
    """`all`, or the stream in which it is suppressed."""
    reason: str | None
    source: Literal['hard_bounce', 'soft_bounce', 'complaint', 'unsubscribe', 'manual', 'import']
    """Why it was added."""
    created_at: str
    """Since when."""
    expires_at: str | None


class SuppressionList(TypedDict):
    """A page of suppressions, newest first."""

    data: list[Suppression]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class ImportedSuppressions(TypedDict):
    """The result of an import."""

    added: int
    """Entries that are new."""
    existing: int
    """Entries that were already on the list, or repeated; they are unchanged."""


class PausedStream(TypedDict):
    """A stream whose email is held because too many recipients complained."""

    environment_id: str
    """Its environment."""
    stream: str
    """The stream."""
    paused_at: str
    """Since when."""
    resumed_at: str | None
    delivered: int
    """Delivered emails of the stream on the day before the pause."""
    complained: int
    """Those about which recipients complained."""
    waiting: int
    """Its held runs, counted up to 10,000."""


class PausedStreamList(TypedDict):
    """A page of paused streams, by their names."""

    data: list[PausedStream]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


ErrorCode: TypeAlias = Literal['malformed_request', 'idempotency_key_required', 'idempotency_key_invalid', 'invalid_json', 'unauthorized', 'quota_exceeded', 'payment_required', 'forbidden', 'token_scope_missing', 'portal_link_invalid', 'route_not_found', 'message_not_found', 'delivery_run_not_found', 'plan_not_found', 'tenant_not_found', 'environment_not_found', 'token_not_found', 'consumer_not_found', 'channel_not_found', 'template_not_found', 'event_type_not_found', 'layout_not_found', 'partial_not_found', 'translation_not_found', 'replay_batch_not_found', 'erasure_not_found', 'suppression_not_found', 'stream_not_found', 'console_session_not_found', 'operator_not_found', 'operator_token_not_found', 'role_not_found', 'method_not_allowed', 'request_timeout', 'idempotency_conflict', 'idempotency_in_progress', 'idempotency_key_repeated', 'batch_aborted', 'delivery_run_not_cancellable', 'already_exists', 'conflict', 'configuration_changed', 'payload_too_large', 'unsupported_media_type', 'expectation_failed', 'validation_failed', 'rate_limited', 'headers_too_large', 'internal_error', 'service_unavailable']
"""Stable, for programs. The table at the top of this page lists all codes."""


MessageStatus: TypeAlias = Literal['pending', 'delivered', 'partially_delivered', 'failed', 'cancelled', 'unrouted']
"""Derived from the delivery runs; for a replayed message from the newest run of each channel. `pending`: at least one has not ended. `delivered`: all succeeded. `partially_delivered`: some succeeded, the others ended otherwise. `cancelled`: all were cancelled. `failed`: none succeeded."""


DeliveryErrorCode: TypeAlias = Literal['scheduled_cancelled', 'webhook_http_error', 'webhook_timeout', 'webhook_connection_failed', 'webhook_dns_failed', 'webhook_tls_failed', 'webhook_redirect_refused', 'webhook_address_blocked', 'webhook_endpoint_gone', 'webhook_auth_failed', 'smtp_connection_failed', 'smtp_auth_failed', 'smtp_sender_refused', 'smtp_temporary_rejection', 'smtp_permanent_rejection', 'smtp_outcome_unknown', 'email_connection_failed', 'email_auth_failed', 'email_temporary_rejection', 'email_permanent_rejection', 'email_outcome_unknown', 'email_not_composed', 'amqp_connection_failed', 'amqp_auth_failed', 'amqp_rejected', 'amqp_outcome_unknown', 'sqs_connection_failed', 'sqs_auth_failed', 'sqs_rejected', 'sqs_outcome_unknown', 'kafka_connection_failed', 'kafka_auth_failed', 'kafka_rejected', 'kafka_outcome_unknown', 'template_render_failed', 'channel_disabled', 'recipient_suppressed', 'worker_lost', 'expired']
"""The error. `scheduled_cancelled` marks a cancel; after `worker_lost` and `smtp_outcome_unknown` the delivery may have arrived."""


class Latency(TypedDict):
    """The time from the acceptance, or from the scheduled time, to the end of the first attempt."""

    p50: int | None
    p95: int | None
    p99: int | None


EventPattern: TypeAlias = str


EventPatterns: TypeAlias = list[EventPattern]
"""The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all."""


class WebhookChannelConfigAuth(TypedDict):
    """The header `Authorization`."""

    type: str
    """`basic`, `bearer` or `oauth2`."""
    username: NotRequired[str]
    """For `basic`."""
    token_url: NotRequired[str]
    """For `oauth2`."""
    client_id: NotRequired[str]
    """For `oauth2`."""
    scope: NotRequired[str]
    """For `oauth2`."""
    audience: NotRequired[str]
    """For `oauth2`."""
    client_authentication: NotRequired[str]
    """For `oauth2`: `header` or `body`."""


class WebhookChannelConfigTls(TypedDict):
    """Mutual TLS and private authorities."""

    ca: str | None
    certificate: str | None
    subject: str | None
    expires_at: str | None


class WebhookChannelConfigSignature(TypedDict):
    """How each request is signed."""

    type: str
    """One of `standard`, `github`, `stripe`, `custom`, `none`."""
    header_prefix: NotRequired[str]
    """The beginning of the headers of `standard`."""
    header: NotRequired[str]
    """The header of the signature."""
    algorithm: NotRequired[str]
    """The hash of the HMAC."""
    encoding: NotRequired[str]
    """`hex` or `base64`."""
    signed_text: NotRequired[str]
    """What is signed."""
    value: NotRequired[str]
    """The value of the header."""
    timestamp_header: NotRequired[str]
    """A header with the time in seconds."""
    id_header: NotRequired[str]
    """A header with the id of the delivery."""


class WebhookChannelConfig(TypedDict):
    """Configuration of the webhook."""

    url: str
    """An http or https URL."""
    headers: dict[str, str]
    """Sent with each request."""
    secret_headers: dict[str, Literal[True]]
    """Headers whose values are secrets, by their names."""
    auth: WebhookChannelConfigAuth | None
    tls: WebhookChannelConfigTls | None
    signatures: list[Literal['v1', 'v1a']]
    """The signatures of each request."""
    body: Literal['standard', 'thin', 'cloudevents-structured', 'cloudevents-binary', 'template', 'slack', 'teams', 'discord', 'pagerduty']
    """The form of the body."""
    template: dict[str, Any] | None
    cloudevents_source: str
    """The source of CloudEvents."""
    signature: WebhookChannelConfigSignature | None
    timeout_ms: int
    """Time limit of one attempt as a whole, in milliseconds."""


DelaysSecond: TypeAlias = float


class RetryPolicy(TypedDict):
    """Either `delays_seconds`, whose last value is used for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts with which they were created."""

    max_attempts: int
    delays_seconds: NotRequired[list[DelaysSecond]]
    """May be empty when `max_attempts` is 1."""
    base_seconds: NotRequired[float]
    """The delay before the second attempt."""
    factor: NotRequired[float]
    """The ratio of each delay to the one before."""
    max_seconds: NotRequired[float]
    """The longest delay."""


EventFilter: TypeAlias = dict[str, Any] | None
"""Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter."""


class FailurePolicy(TypedDict):
    """What happens when every attempt fails. Fields that are left out have their default."""

    warn_after: int
    """Seconds of failures without a success after which the channel is `failing`."""
    pause_after: int
    """Seconds of failures without a success after which the channel is paused or disabled."""
    min_attempts: int
    """The number of failed attempts below which nothing happens."""
    then: Literal['pause', 'disable']
    """What happens after `pause_after`, and at once if the endpoint responds with 410. The runs of a paused channel are held, those of a disabled one fail."""
    max_age: int
    """Seconds after which a run that is held for a paused channel ends as `expired`."""
    release_per_second: int
    """The highest rate, in runs per second, at which held runs are sent after the channel has recovered."""


ChannelOrder: TypeAlias = Literal['none', 'key']
"""`key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order."""


OnExhausted: TypeAlias = Literal['block', 'skip']
"""What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one."""


class LastReply(TypedDict):
    """The newest attempt that ended, of the newest runs. Null for callers without `messages:read`."""

    at: str
    """When it ended."""
    outcome: Literal['running', 'succeeded', 'failed', 'cancelled', 'unknown']
    """The status of the attempt."""
    status_code: int | None
    error_code: str | None
    error_message: str | None
    message_id: str
    """Its message."""
    delivery_run_id: str
    """Its delivery run."""
    attempt: int
    """Its number."""


class AttemptsOfAnHour(TypedDict):
    """The attempts of an hour."""

    start: str
    """Its start (UTC)."""
    succeeded: int
    """Attempts that succeeded."""
    failed: int
    """Attempts that failed, or whose outcome is unknown."""


class ChannelState(TypedDict):
    """The state of the channel, and what it has done lately: docs/specification.md, "Channel health"."""

    code: Literal['failing', 'paused', 'probing', 'blocked', 'working', 'no_traffic', 'disabled']
    """`failing`: three failures in a row, or one and no success in a day. `paused`: its runs are held; `probing`: one of them tests it. `blocked`: it has ordering keys that wait for somebody. `no_traffic`: no attempt yet."""
    since: str | None
    reason: Literal['failures', 'timeouts', 'gone', 'manual', 'receiver'] | None
    next_probe_at: str | None
    blocked_keys: int
    """Its blocked ordering keys, counted up to 1,000, and up to 50,000 for a page of channels."""
    last_reply: LastReply | None
    success_rate: float | None
    hours: list[AttemptsOfAnHour]
    """The last 24 hours, oldest first; the last one is running. Empty for a new channel. A few seconds behind."""


class ChannelHealth(TypedDict):
    """The health of the channel: docs/specification.md, "Channel health"."""

    state: Literal['ok', 'failing', 'paused']
    """Runs of a `paused` channel are held."""
    reason: Literal['failures', 'timeouts', 'gone', 'manual', 'receiver'] | None
    failing_since: str | None
    next_probe_at: str | None
    last_success_at: str | None
    waiting: int
    """Held runs, counted up to 10,000."""


StoredCredentials: TypeAlias = list[str]
"""The names of the stored credentials, such as `senders/smtp/password`: their paths in the config. Their values are never shown."""


class SmtpSenderOauth2(TypedDict):
    """How access tokens are fetched."""

    token_url: str
    """The token endpoint."""
    client_id: str
    """The application."""
    scope: str | None


class SmtpSenderDkimEd25519(TypedDict):
    """The second signature."""

    selector: str
    """Of the key."""


class SmtpSenderDkim(TypedDict):
    """How mail is signed."""

    domain: str
    """Of the signatures."""
    selector: str
    """Of the key."""
    ed25519: SmtpSenderDkimEd25519 | None


class SmtpSender(TypedDict):
    """Passwords and secrets are never shown: see `credentials_set`."""

    host: str
    """Host name or address."""
    port: int
    """TCP port."""
    secure: bool
    """TLS from the first byte; otherwise STARTTLS."""
    username: str | None
    oauth2: SmtpSenderOauth2 | None
    ca: str | None
    certificate: str | None
    certificate_expires_at: str | None
    ehlo_name: str | None
    return_path: str | None
    dkim: SmtpSenderDkim | None


class SesSender(TypedDict):
    """The account at Amazon SES. Credentials are never shown."""

    region: str
    """The AWS region, such as `eu-central-1`."""
    access_key_id: str | None
    aws_role: str | None
    configuration_set: str | None
    topic_arn: str | None
    endpoint: str | None


class SendgridSender(TypedDict):
    """The account at SendGrid. Credentials are never shown."""

    region: str | None
    webhook_public_key: str | None
    endpoint: str | None


class PostmarkSender(TypedDict):
    """The account at Postmark. Credentials are never shown."""

    message_stream: str | None
    webhook_username: str | None
    endpoint: str | None


class MailgunSender(TypedDict):
    """The account at Mailgun. Credentials are never shown."""

    domain: str
    """The sending domain."""
    region: str | None
    endpoint: str | None


class ResendSender(TypedDict):
    """The account at Resend. Credentials are never shown."""

    endpoint: str | None


class EmailChannelConfigSenders(TypedDict):
    """A sender."""

    name: str
    """Unique in the channel."""
    provider: str
    """The provider. Its settings are in the field of this name."""
    weight: int
    """Its share of the mail."""
    from_domains: list[str] | None
    smtp: NotRequired[SmtpSender]
    ses: NotRequired[SesSender]
    sendgrid: NotRequired[SendgridSender]
    postmark: NotRequired[PostmarkSender]
    mailgun: NotRequired[MailgunSender]
    resend: NotRequired[ResendSender]


class EmailChannelConfigFrom(TypedDict):
    """The sender."""

    email: str
    """One bare address."""
    name: str | None


EmailChannelConfig = TypedDict(
    'EmailChannelConfig',
    {
        'smtp': NotRequired[SmtpSender],
        'ses': NotRequired[SesSender],
        'sendgrid': NotRequired[SendgridSender],
        'postmark': NotRequired[PostmarkSender],
        'mailgun': NotRequired[MailgunSender],
        'resend': NotRequired[ResendSender],
        'senders': NotRequired[list[EmailChannelConfigSenders]],
        'failover': NotRequired[Literal['safe', 'eager']],
        'from': EmailChannelConfigFrom,
        'reply_to': str | None,
        'timeout_ms': int,
        'certificate_expires_at': str | None,
    },
)


class SenderState(TypedDict):
    """A sender and whether it works."""

    name: str
    """In the config."""
    provider: str
    """How it sends."""
    state: Literal['closed', 'open', 'half_open']
    """`open`: it failed several times in a row and is tried only after all others. `half_open`: one mail at a time tests it again. Each process decides for itself; this is the latest state of any of them."""
    since: str | None
    reason: str | None


class AmqpChannelConfig(TypedDict):
    """Where events are published."""

    host: str
    """Host name or address of the broker."""
    port: int
    """TCP port."""
    tls: bool
    """TLS from the first byte."""
    ca: str | None
    certificate: str | None
    certificate_expires_at: str | None
    vhost: str
    """The virtual host."""
    username: str
    """The user."""
    exchange: str
    """The exchange; empty is the default one."""
    routing_key: str
    """The routing key, before values are filled in."""
    persistent: bool
    """Whether durable queues store the messages."""
    timeout_ms: int
    """Time limit of one attempt as a whole, in milliseconds."""


class SqsChannelConfig(TypedDict):
    """The queue to which events are sent."""

    queue_url: str
    """The URL of the queue."""
    region: str
    """The AWS region."""
    access_key_id: str | None
    aws_role: str | None
    message_group_id: str | None
    timeout_ms: int
    """Time limit of one attempt as a whole, in milliseconds."""


class KafkaChannelConfig(TypedDict):
    """The topic to which events are written."""

    brokers: list[str]
    """Brokers of the cluster, as `host:port`."""
    tls: bool
    """TLS to every broker."""
    ca: str | None
    certificate: str | None
    certificate_expires_at: str | None
    mechanism: str | None
    username: str | None
    topic: str
    """The topic."""
    key: str
    """The key of the records, before values are filled in."""
    idempotent: bool
    """Whether records are numbered."""
    timeout_ms: int
    """Time limit of one attempt as a whole, in milliseconds."""


class DeliveryToPost(TypedDict):
    """A request to post on your machine."""

    id: str
    """Identifies this delivery when you report the response."""
    headers: dict[str, str]
    """Its headers, with the signature."""
    body: str
    """The body."""
    timeout_ms: int
    """A later response is refused."""


class TemplateAttachment(TypedDict):
    content: str
    """The path of the base64 file in the event, such as `payload.invoice.pdf`. If its value is null, the mail has no such file; if it is missing, the delivery fails."""
    filename: str
    """Liquid."""
    content_type: str
    """For example `application/pdf`, or `text/calendar; method=REQUEST; charset=utf-8`. Types that mail programs block, such as executables, are refused, and so are the parameters `name` and `boundary`."""
    cid: NotRequired[str | None]
    """Shows the file where the HTML has `<img src="cid:…">` with this, instead of attaching it."""


class UsedPart(TypedDict):
    """A version of a layout, partial or translation."""

    id: str
    """Its id."""
    type: Literal['layout', 'partial', 'translation']
    """What it is."""
    name: str
    """The name that templates use; for a translation its locale."""
    version: int
    """Its version."""


class FailingChannel(TypedDict):
    """A channel in the state `failing`."""

    channel_id: str
    """The channel."""
    name: str
    """Its name."""
    kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The kind of the channel."""
    consecutive_failures: int
    """Failed attempts since the minute of its last success."""
    last_error_code: str
    """The error code of the newest failure."""
    failing_since: str
    """The minute of the first of them."""


class PausedChannel(TypedDict):
    """A paused channel: docs/specification.md, "Channel health"."""

    channel_id: str
    """The channel."""
    name: str
    """Its name."""
    kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The kind of the channel."""
    reason: Literal['failures', 'timeouts', 'gone', 'manual', 'receiver'] | None
    failing_since: str | None
    next_probe_at: str | None
    waiting: int
    """Held runs, counted up to 10,000, or fewer if there are many paused channels."""


class StreamWithComplaints(TypedDict):
    """A stream whose email is held because too many recipients complained."""

    stream: str
    """The stream."""
    paused_at: str
    """Since when."""
    delivered: int
    """Delivered emails of the stream on the day before the pause."""
    complained: int
    """Those about which recipients complained."""


class BacklogOfRuns(TypedDict):
    """The backlog: runs that are due and waiting."""

    due: int
    """Due delivery runs, counted up to 1,000 for each channel and 10,000 in all, or up to 100 in the report of all environments."""
    oldest_due_at: str | None


class QuotaUse(TypedDict):
    """The tenant’s quota of this month; null if it is unlimited."""

    used: int
    """Events."""
    limit: int
    """The limit of the plan."""
    ratio: float
    """The used share."""


class ExpiringSecret(TypedDict):
    """A secret that expires within 14 days, or an expired certificate."""

    type: Literal['client_certificate', 'webhook_signing_secret', 'token']
    """The client certificate or the previous secret of a webhook channel, or a token."""
    id: str
    """The id or name of the channel or token."""
    name: str
    """The id or name of the channel or token."""
    expires_at: str
    """When it ends."""


class BlockedChannel(TypedDict):
    """A channel with such keys, those with most first."""

    channel_id: str
    """The channel."""
    name: str
    """Its name."""
    kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The kind of the channel."""
    blocked_keys: int
    """How many of them it has."""


class MessagesOfAnAddress(TypedDict):
    """For an address: how many of its messages failed, of those in `results`."""

    messages: int
    """Messages."""
    failed: int
    """Those that failed, or reached only some channels."""
    is_lower_bound: bool
    """Whether there are more messages."""


class GivenMessageFilter(TypedDict):
    """The given filter, with `created_before` no later than the creation."""

    event_key: NotRequired[str]
    """Stable name of the event: two or more parts separated by dots."""
    consumer: NotRequired[str]
    """The consumer that the event named."""
    status: NotRequired[Literal['pending', 'delivered', 'partially_delivered', 'failed', 'cancelled', 'unrouted']]
    """The message’s status."""
    recipient_email: NotRequired[str]
    """This address, ignoring case. Requires `messages:content`."""
    created_after: NotRequired[str]
    """Only messages accepted at this time or later."""
    created_before: NotRequired[str]
    """Only messages accepted before this time."""
    run_status: NotRequired[Literal['scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled']]
    """The run’s status."""
    run_ended_after: NotRequired[str]
    """Only runs that ended at this time or later, such as those that failed."""
    channel_id: NotRequired[str]
    """The run’s channel."""
    channel_kind: NotRequired[Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']]
    """The kind of the run’s channel."""
    error_code: NotRequired[Literal['scheduled_cancelled', 'webhook_http_error', 'webhook_timeout', 'webhook_connection_failed', 'webhook_dns_failed', 'webhook_tls_failed', 'webhook_redirect_refused', 'webhook_address_blocked', 'webhook_endpoint_gone', 'webhook_auth_failed', 'smtp_connection_failed', 'smtp_auth_failed', 'smtp_sender_refused', 'smtp_temporary_rejection', 'smtp_permanent_rejection', 'smtp_outcome_unknown', 'email_connection_failed', 'email_auth_failed', 'email_temporary_rejection', 'email_permanent_rejection', 'email_outcome_unknown', 'email_not_composed', 'amqp_connection_failed', 'amqp_auth_failed', 'amqp_rejected', 'amqp_outcome_unknown', 'sqs_connection_failed', 'sqs_auth_failed', 'sqs_rejected', 'sqs_outcome_unknown', 'kafka_connection_failed', 'kafka_auth_failed', 'kafka_rejected', 'kafka_outcome_unknown', 'template_render_failed', 'channel_disabled', 'recipient_suppressed', 'worker_lost', 'expired']]
    """The code of the run’s `last_error`: its newest attempt with an error, even if a later one succeeded."""


class Recipient(TypedDict):
    """The recipient. Fields besides these are kept for templates."""

    email: NotRequired[str]
    """One bare address; an internationalised domain is stored in its `xn--` form. Required when an email channel takes the event."""
    name: NotRequired[str]
    """Must not contain control characters, line separators or characters that change the direction of text."""
    timezone: NotRequired[str | None]
    """The time zone in which templates show times: an IANA name. UTC if it is left out or null."""


class CreateEventRequest(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    recipient: Recipient
    payload: dict[str, Any]
    """The data of the event for templates and webhooks. Free-form."""
    schedule_at: NotRequired[str]
    """When to deliver: RFC 3339 with offset. A time that is not in the future means immediately."""
    expires_at: NotRequired[str]
    """No attempt begins after this time: a delivery that has not succeeded by then ends as `failed`. It must be in the future and after `schedule_at`."""
    ordering_key: NotRequired[str]
    """Channels with `ordering: "key"` send events with the same key one at a time, in the order in which they were accepted. An erasure does not remove it: use an id, not an address."""
    consumer: NotRequired[str]
    """The consumer that the event is for: its channels take the event, too. An unknown one is refused, or created if the environment says so (`unknown_consumers`)."""
    ignore_suppression: NotRequired[bool]
    """Whether to send email even if the address is on the suppression list. The token needs the scope `ignore_suppression`."""


class CreateEventsRequestEvents(TypedDict):
    idempotency_key: str
    """The key of this event, like the Idempotency-Key of a single request."""
    event: dict[str, Any]
    """The body of `POST /api/v1/events`. An invalid one has a 422 as its own result."""


class CreateEventsRequest(TypedDict):
    events: list[CreateEventsRequestEvents]
    atomic: NotRequired[bool]
    """Store all events, or none if one is refused."""


class RescheduleMessageRequest(TypedDict):
    schedule_at: str
    """When to deliver: RFC 3339 with offset. A time that is not in the future means at once."""


class ReplayMessageRequest(TypedDict):
    channels: NotRequired[list[str]]
    """Ids of the channels to deliver to. Default: all that take the event."""


class CancelMessageRequest(TypedDict):
    pass


class CancelDeliveryRunRequest(TypedDict):
    pass


class RetryPolicyInput(TypedDict):
    """Either `delays_seconds`, whose last value is used for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts with which they were created."""

    max_attempts: int
    delays_seconds: NotRequired[list[DelaysSecond]]
    """May be empty when `max_attempts` is 1."""
    base_seconds: NotRequired[float]
    """The delay before the second attempt."""
    factor: NotRequired[float]
    """The ratio of each delay to the one before."""
    max_seconds: NotRequired[float]
    """The longest delay."""


class FailurePolicyInput(TypedDict):
    """What happens when every attempt fails. Fields that are left out have their default."""

    warn_after: NotRequired[int]
    """Seconds of failures without a success after which the channel is `failing`."""
    pause_after: NotRequired[int]
    """Seconds of failures without a success after which the channel is paused or disabled."""
    min_attempts: NotRequired[int]
    """The number of failed attempts below which nothing happens."""
    then: NotRequired[Literal['pause', 'disable']]
    """What happens after `pause_after`, and at once if the endpoint responds with 410. The runs of a paused channel are held, those of a disabled one fail."""
    max_age: NotRequired[int]
    """Seconds after which a run that is held for a paused channel ends as `expired`."""
    release_per_second: NotRequired[int]
    """The highest rate, in runs per second, at which held runs are sent after the channel has recovered."""


WebhookSignature: TypeAlias = Literal['v1', 'v1a']


WebhookBody: TypeAlias = Literal['standard', 'thin', 'cloudevents-structured', 'cloudevents-binary', 'template', 'slack', 'teams', 'discord', 'pagerduty']
"""The form of the body. `standard`: the active template of the event, or the default body. `thin`: that body with ids only. `cloudevents-structured`, `cloudevents-binary`: CloudEvents 1.0 with the payload as its data. `template`: `template`, or the template of the event. `slack`, `teams`, `discord`, `pagerduty`: a message with event key and payload for these services; PagerDuty needs its key in the secret header `X-Routing-Key`."""


class NewWebhookChannelConfigAuth(TypedDict):
    """The header `Authorization` of each request."""

    type: Literal['basic', 'bearer', 'oauth2']
    """`basic` has `username` and `password` (RFC 7617), `bearer` a `token` (RFC 6750). `oauth2` gets tokens with the client credentials grant (RFC 6749 section 4.4) with `token_url`, `client_id` and `client_secret`."""
    username: NotRequired[str | None]
    """For `basic`."""
    password: NotRequired[str | None]
    """For `basic`. Stored encrypted and never shown; a PATCH that leaves it out keeps it."""
    token: NotRequired[str | None]
    """For `bearer`. Stored encrypted and never shown; a PATCH that leaves it out keeps it."""
    token_url: NotRequired[str | None]
    """For `oauth2`: the token endpoint, under the same address policy."""
    client_id: NotRequired[str | None]
    """For `oauth2`."""
    client_secret: NotRequired[str | None]
    """For `oauth2`. Stored encrypted and never shown; a PATCH that leaves it out keeps it."""
    scope: NotRequired[str | None]
    """For `oauth2`."""
    audience: NotRequired[str | None]
    """For `oauth2`, if the server needs one."""
    client_authentication: NotRequired[Literal['header', 'body'] | None]
    """For `oauth2`: whether id and secret are sent in a header or in the form."""


class NewWebhookChannelConfigTls(TypedDict):
    """Mutual TLS and private authorities. Only for https."""

    ca: NotRequired[str | None]
    """Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones."""
    certificate: NotRequired[str | None]
    """The client certificate (PEM), with its chain, for servers that ask for one."""
    private_key: NotRequired[str | None]
    """Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate."""
    subject: NotRequired[str | None]
    """Ignored."""
    expires_at: NotRequired[str | None]
    """Ignored."""


class NewWebhookChannelConfigSignature(TypedDict):
    """How each request is signed; null is `standard`."""

    type: Literal['standard', 'github', 'stripe', 'custom', 'none']
    """`standard`: Standard Webhooks. `github`: `X-Hub-Signature-256`. `stripe`: `Stripe-Signature`. `custom`: an HMAC in a header of your choice. All but `standard` use the whole secret as text, with `whsec_`."""
    secret: NotRequired[str | None]
    """Signs instead of the generated secret, so that receivers keep theirs. Stored encrypted and never shown; a PATCH that leaves it out keeps it, null removes it. `standard` needs one of the form `whsec_` and base64."""
    header_prefix: NotRequired[str | None]
    """For `standard`: `svix-` sends `svix-id`, `svix-timestamp` and `svix-signature`. By default `webhook-`."""
    header: NotRequired[str | None]
    """The header of the signature, for `github`, `stripe` and `custom`. `custom` needs one."""
    algorithm: NotRequired[Literal['sha256', 'sha512', 'sha1'] | None]
    """For `custom`: the hash of the HMAC; by default `sha256`."""
    encoding: NotRequired[Literal['hex', 'base64'] | None]
    """For `custom`: by default `hex`."""
    signed_text: NotRequired[str | None]
    """For `custom`: what is signed, with `{body}` and, if wanted, `{id}` and `{timestamp}`; by default `{body}`."""
    value: NotRequired[str | None]
    """For `custom`: the value of the header, such as `t={timestamp},v1={signature}`; by default `{signature}`."""
    timestamp_header: NotRequired[str | None]
    """For `custom`: a header with the time in seconds."""
    id_header: NotRequired[str | None]
    """For `custom`: a header with the id of the delivery."""


class NewWebhookChannelConfig(TypedDict):
    """Configuration of the webhook."""

    url: str
    """An http or https URL without user name, password and fragment. Operators see it unchanged; the audit log stores it without query values and without path segments that could be a token. Whether its address may be called is checked at each attempt, when the name is resolved: private addresses are refused with `webhook_address_blocked`. A URL of `listen://` and a name delivers to `postrider listen`."""
    headers: NotRequired[dict[str, str]]
    """Sent with each request. They are shown in responses, so do not put secrets in them. Names that frame the request, and those that begin with `webhook-`, `proxy-` or `postrider-`, are reserved."""
    secret_headers: NotRequired[dict[str, str | Literal[True]]]
    """Headers whose values are secrets: stored encrypted and shown as `true`. `true` in a request keeps the value that is stored."""
    auth: NotRequired[NewWebhookChannelConfigAuth | None]
    """The header `Authorization` of each request."""
    tls: NotRequired[NewWebhookChannelConfigTls | None]
    """Mutual TLS and private authorities. Only for https."""
    signatures: NotRequired[list[WebhookSignature]]
    """The signatures of each request. `v1` is always included; `v1a` (ed25519) is verified with a public key, which `GET /.well-known/webhooks/{channelId}/jwks.json` serves."""
    body: NotRequired[WebhookBody]
    template: NotRequired[dict[str, Any] | None]
    """A JSON document of the channel whose strings are Liquid, as the body of a template; at most 16,384 characters. It replaces the body, or the data of a CloudEvent. Not for `standard` and `thin`."""
    cloudevents_source: NotRequired[str]
    """The `source` of CloudEvents and of PagerDuty events: a URI reference."""
    signature: NotRequired[NewWebhookChannelConfigSignature | None]
    """How each request is signed; null is `standard`."""
    timeout_ms: NotRequired[int]
    """Time limit of one attempt as a whole, in milliseconds."""


EventKey: TypeAlias = str


class NewWebhookChannel(TypedDict):
    kind: Literal['webhook']
    """It cannot be changed."""
    name: str
    """A display name."""
    enabled: NotRequired[bool]
    """A disabled channel takes no events, and its due runs fail with `channel_disabled`."""
    event_keys: NotRequired[list[EventKey]]
    """The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all."""
    retry: NotRequired[RetryPolicyInput]
    filter: NotRequired[dict[str, Any] | None]
    """Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter."""
    failure_policy: NotRequired[FailurePolicyInput]
    operational: NotRequired[bool]
    """Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others."""
    operational_email: NotRequired[str | None]
    """The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested."""
    ordering: NotRequired[Literal['none', 'key']]
    """`key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order."""
    on_exhausted: NotRequired[Literal['block', 'skip']]
    """What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one."""
    max_per_second: NotRequired[float | None]
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: NotRequired[int | None]
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    config: NewWebhookChannelConfig


class NewSmtpSenderOauth2(TypedDict):
    """Logs in as `username` with access tokens (XOAUTH2) instead of a password, as Microsoft 365 and Google require."""

    token_url: str
    """The token endpoint: an https URL, under the same address policy as the server."""
    client_id: str
    """The application that is registered at the token endpoint."""
    client_secret: NotRequired[str]
    """Stored encrypted and never shown; kept if left out. It must be given again when `token_url`, `client_id`, `host` or `ca` changes."""
    refresh_token: NotRequired[str | None]
    """Gets tokens with the refresh token grant (RFC 6749 section 6), instead of the client credentials grant. Stored and given again as `client_secret`; null removes it."""
    scope: NotRequired[str | None]
    """What the token is for, if the token endpoint asks for it."""


class NewSmtpSenderDkimEd25519(TypedDict):
    """A second signature (RFC 8463), for receivers that verify it. Others verify the one of the RSA key."""

    selector: str
    """The selector of this key; it must differ from that of the RSA key."""
    private_key: NotRequired[str]
    """An Ed25519 key in PEM. Stored encrypted and never shown; kept if left out."""


class NewSmtpSenderDkim(TypedDict):
    """Signs mail (DKIM, RFC 6376), for a server that does not do so itself."""

    domain: str
    """For DMARC it must be the domain of `From`, or a parent of it."""
    selector: str
    """The public key is at `<selector>._domainkey.<domain>` in the DNS."""
    private_key: NotRequired[str]
    """An RSA key of 1,024 to 4,096 bits in PEM. Stored encrypted and never shown; kept if left out."""
    ed25519: NotRequired[NewSmtpSenderDkimEd25519 | None]
    """A second signature (RFC 8463), for receivers that verify it. Others verify the one of the RSA key."""


class NewSmtpSender(TypedDict):
    host: str
    """A host name or address. Private addresses are refused; if a name resolves to one, the attempt fails with `smtp_connection_failed`."""
    port: int
    secure: NotRequired[bool]
    """TLS from the first byte, as on port 465. Otherwise STARTTLS if the server offers it; with a user name it is required, unless the server is on this machine, and with `ca` or `certificate`."""
    username: NotRequired[str | None]
    """Together with `password` or `oauth2`; null without a login."""
    password: NotRequired[str | None]
    """Stored encrypted and never shown. In a PATCH: if left out, it stays; null removes it. It must be given again when `host` or `ca` changes, so that a stored password is never sent to another server."""
    oauth2: NotRequired[NewSmtpSenderOauth2 | None]
    """Logs in as `username` with access tokens (XOAUTH2) instead of a password, as Microsoft 365 and Google require."""
    ca: NotRequired[str | None]
    """Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones."""
    certificate: NotRequired[str | None]
    """The client certificate (PEM), with its chain, for servers that ask for one."""
    private_key: NotRequired[str | None]
    """Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate."""
    certificate_expires_at: NotRequired[str | None]
    """Ignored."""
    ehlo_name: NotRequired[str | None]
    """How the client introduces itself (`EHLO`): a name that resolves to its address, for servers that check it. By default the host name of the worker."""
    return_path: NotRequired[str | None]
    """The address that bounces go to (the sender of the envelope), by default `from`. In `bounces+{run}@example.com` `{run}` becomes 42 letters and digits by which a bounce finds its run."""
    dkim: NotRequired[NewSmtpSenderDkim | None]
    """Signs mail (DKIM, RFC 6376), for a server that does not do so itself."""


class NewSesSender(TypedDict):
    """The account at Amazon SES."""

    region: str
    """The AWS region, such as `eu-central-1`."""
    access_key_id: NotRequired[str | None]
    """The access key of an IAM user that may call `ses:SendEmail`. Required unless `aws_role` is given."""
    aws_role: NotRequired[str | None]
    """Instead of an access key, the access to AWS of the workers, which need `AWS_KEYLESS`: `worker` for their own role, or the ARN of a role that they assume with the id of the environment as external id. Only operators with `keyless:write` can set it, and change the config of a channel that has it."""
    configuration_set: NotRequired[str | None]
    """The configuration set whose event destination publishes feedback."""
    topic_arn: NotRequired[str | None]
    """The SNS topic of the feedback. Without it, feedback is refused."""
    endpoint: NotRequired[str | None]
    """The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes."""
    secret_access_key: NotRequired[str | None]
    """The secret of the access key. Stored encrypted and never shown. In a PATCH: if left out, it stays."""


class NewSendgridSender(TypedDict):
    """The account at SendGrid."""

    region: NotRequired[Literal['global', 'eu'] | None]
    """The region of the account: `eu` for a regional subuser."""
    webhook_public_key: NotRequired[str | None]
    """The verification key of the signed event webhook. Without it, feedback is refused."""
    endpoint: NotRequired[str | None]
    """The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes."""
    api_key: NotRequired[str | None]
    """An API key with the permission Mail Send. Stored encrypted and never shown. In a PATCH: if left out, it stays."""


class NewPostmarkSender(TypedDict):
    """The account at Postmark."""

    message_stream: NotRequired[str | None]
    """The id of the message stream."""
    webhook_username: NotRequired[str | None]
    """The user of the basic authentication of webhooks. Without it, feedback is refused."""
    endpoint: NotRequired[str | None]
    """The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes."""
    server_token: NotRequired[str | None]
    """The API token of a server. Stored encrypted and never shown. In a PATCH: if left out, it stays."""
    webhook_password: NotRequired[str | None]
    """The password of the basic authentication of webhooks. Stored encrypted and never shown. In a PATCH: if left out, it stays, null removes it."""


class NewMailgunSender(TypedDict):
    """The account at Mailgun."""

    domain: str
    """The sending domain."""
    region: NotRequired[Literal['us', 'eu'] | None]
    """The region of the account."""
    endpoint: NotRequired[str | None]
    """The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes."""
    api_key: NotRequired[str | None]
    """The sending key of the domain, or an API key. Stored encrypted and never shown. In a PATCH: if left out, it stays."""
    webhook_signing_key: NotRequired[str | None]
    """The key with which Mailgun signs webhooks. Without it, feedback is refused. Stored encrypted and never shown. In a PATCH: if left out, it stays, null removes it."""


class NewResendSender(TypedDict):
    """The account at Resend."""

    endpoint: NotRequired[str | None]
    """The base URL of the service where it is not the public one, such as a private endpoint or a proxy. A stored credential must be given again when it changes."""
    api_key: NotRequired[str | None]
    """An API key with sending access. Stored encrypted and never shown. In a PATCH: if left out, it stays."""
    webhook_secret: NotRequired[str | None]
    """The secret with which Resend signs webhooks. Without it, feedback is refused. Stored encrypted and never shown. In a PATCH: if left out, it stays, null removes it."""


FromDomain: TypeAlias = str


class NewEmailChannelConfigSenders(TypedDict):
    name: NotRequired[str | None]
    """Unique in the channel; by default the name of the provider, then `smtp-2` and so on."""
    provider: Literal['smtp', 'ses', 'sendgrid', 'postmark', 'mailgun', 'resend']
    """The provider. Its settings are in the field of this name."""
    smtp: NotRequired[NewSmtpSender]
    ses: NotRequired[NewSesSender]
    sendgrid: NotRequired[NewSendgridSender]
    postmark: NotRequired[NewPostmarkSender]
    mailgun: NotRequired[NewMailgunSender]
    resend: NotRequired[NewResendSender]
    weight: NotRequired[int | None]
    """Its share of the mail; with 0 it is tried only after others have failed."""
    from_domains: NotRequired[list[FromDomain] | None]
    """The domains of `From` that it sends for; all by default."""


class NewEmailChannelConfigFrom(TypedDict):
    email: str
    """One bare address; also the return path, unless SMTP settings have `return_path`. An internationalised domain is stored in its `xn--` form."""
    name: NotRequired[str | None]


NewEmailChannelConfig = TypedDict(
    'NewEmailChannelConfig',
    {
        'smtp': NotRequired[NewSmtpSender],
        'ses': NotRequired[NewSesSender],
        'sendgrid': NotRequired[NewSendgridSender],
        'postmark': NotRequired[NewPostmarkSender],
        'mailgun': NotRequired[NewMailgunSender],
        'resend': NotRequired[NewResendSender],
        'senders': NotRequired[list[NewEmailChannelConfigSenders] | None],
        'failover': NotRequired[Literal['safe', 'eager'] | None],
        'from': NewEmailChannelConfigFrom,
        'reply_to': NotRequired[str | None],
        'timeout_ms': NotRequired[int],
        'certificate_expires_at': NotRequired[str | None],
    },
)


class NewEmailChannel(TypedDict):
    kind: Literal['email']
    """It cannot be changed."""
    name: str
    """A display name."""
    enabled: NotRequired[bool]
    """A disabled channel takes no events, and its due runs fail with `channel_disabled`."""
    event_keys: NotRequired[list[EventKey]]
    """The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all."""
    retry: NotRequired[RetryPolicyInput]
    filter: NotRequired[dict[str, Any] | None]
    """Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter."""
    failure_policy: NotRequired[FailurePolicyInput]
    operational: NotRequired[bool]
    """Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others."""
    operational_email: NotRequired[str | None]
    """The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested."""
    ordering: NotRequired[Literal['none', 'key']]
    """`key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order."""
    on_exhausted: NotRequired[Literal['block', 'skip']]
    """What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one."""
    max_per_second: NotRequired[float | None]
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: NotRequired[int | None]
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    config: NewEmailChannelConfig


class NewAmqpChannelConfig(TypedDict):
    """Where events are published."""

    host: str
    """A host name or address of a broker that speaks AMQP 0-9-1. Private addresses are refused; if a name resolves to one, the attempt fails with `amqp_connection_failed`."""
    port: NotRequired[int | None]
    """Default: 5671, or 5672 without TLS."""
    tls: NotRequired[bool]
    """TLS from the first byte. False is only allowed for a broker on this machine, because the password would be sent unencrypted."""
    ca: NotRequired[str | None]
    """Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones."""
    certificate: NotRequired[str | None]
    """The client certificate (PEM), with its chain, for servers that ask for one."""
    private_key: NotRequired[str | None]
    """Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate."""
    certificate_expires_at: NotRequired[str | None]
    """Ignored."""
    vhost: NotRequired[str]
    """The virtual host."""
    username: str
    """The user; it needs the permission to write to the exchange."""
    password: NotRequired[str]
    """Stored encrypted and never shown. A PATCH that leaves it out keeps it. It must be given again when `host`, `port`, `tls` or `ca` changes, so that a stored password is never sent to another broker."""
    exchange: str
    """An exchange that exists; empty for the default one, whose routing keys are names of queues."""
    routing_key: NotRequired[str]
    """The routing key. It may contain `{{ event_key }}`, `{{ message_id }}`, `{{ delivery_run_id }}`, `{{ ordering_key }}`, and fields such as `{{ recipient.id }}` and `{{ payload.country }}`; missing fields are empty. At most 255 bytes when it is filled in."""
    persistent: NotRequired[bool]
    """Whether durable queues store the messages."""
    timeout_ms: NotRequired[int]
    """Time limit of one attempt as a whole, in milliseconds."""


class NewAmqpChannel(TypedDict):
    kind: Literal['amqp']
    """It cannot be changed."""
    name: str
    """A display name."""
    enabled: NotRequired[bool]
    """A disabled channel takes no events, and its due runs fail with `channel_disabled`."""
    event_keys: NotRequired[list[EventKey]]
    """The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all."""
    retry: NotRequired[RetryPolicyInput]
    filter: NotRequired[dict[str, Any] | None]
    """Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter."""
    failure_policy: NotRequired[FailurePolicyInput]
    operational: NotRequired[bool]
    """Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others."""
    operational_email: NotRequired[str | None]
    """The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested."""
    ordering: NotRequired[Literal['none', 'key']]
    """`key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order."""
    on_exhausted: NotRequired[Literal['block', 'skip']]
    """What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one."""
    max_per_second: NotRequired[float | None]
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: NotRequired[int | None]
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    config: NewAmqpChannelConfig


class NewSqsChannelConfig(TypedDict):
    """The queue to which events are sent."""

    queue_url: str
    """The URL of the queue: https, or http on this machine. That of a FIFO queue ends with `.fifo`. Private addresses are refused; if a name resolves to one, the attempt fails with `sqs_connection_failed`."""
    region: NotRequired[str | None]
    """The AWS region. If left out, it is taken from the URL, which must then be a public one."""
    access_key_id: NotRequired[str | None]
    """The access key of an IAM user that may call `sqs:SendMessage` on the queue; required unless `aws_role` is given."""
    secret_access_key: NotRequired[str]
    """Its secret. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given again when `access_key_id` or the host of `queue_url` changes."""
    session_token: NotRequired[str | None]
    """The session token of a temporary access key. Stored encrypted and never shown. In a PATCH: if left out, it stays, and is removed when `access_key_id` or the host of `queue_url` changes. Replace it before it expires."""
    aws_role: NotRequired[str | None]
    """Instead of an access key, the access to AWS of the workers, which need `AWS_KEYLESS`: `worker` for their own role, or the ARN of a role that they assume with the id of the environment as external id. Only operators with `keyless:write` can set it, and change the config of a channel that has it."""
    message_group_id: NotRequired[str | None]
    """The message group. FIFO queues keep the order in a group; when left out it is the ordering key, or the run where there is none. A standard queue gets a group only if this is given, for fair queues. It may contain `{{ event_key }}`, `{{ message_id }}`, `{{ delivery_run_id }}`, `{{ ordering_key }}`, and fields such as `{{ recipient.id }}` and `{{ payload.country }}`; missing fields are empty."""
    timeout_ms: NotRequired[int]
    """Time limit of one attempt as a whole, in milliseconds."""


class NewSqsChannel(TypedDict):
    kind: Literal['sqs']
    """It cannot be changed."""
    name: str
    """A display name."""
    enabled: NotRequired[bool]
    """A disabled channel takes no events, and its due runs fail with `channel_disabled`."""
    event_keys: NotRequired[list[EventKey]]
    """The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all."""
    retry: NotRequired[RetryPolicyInput]
    filter: NotRequired[dict[str, Any] | None]
    """Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter."""
    failure_policy: NotRequired[FailurePolicyInput]
    operational: NotRequired[bool]
    """Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others."""
    operational_email: NotRequired[str | None]
    """The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested."""
    ordering: NotRequired[Literal['none', 'key']]
    """`key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order."""
    on_exhausted: NotRequired[Literal['block', 'skip']]
    """What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one."""
    max_per_second: NotRequired[float | None]
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: NotRequired[int | None]
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    config: NewSqsChannelConfig


Broker: TypeAlias = str


class NewKafkaChannelConfig(TypedDict):
    """The topic to which events are written."""

    brokers: list[Broker]
    """Brokers of the cluster as `host:port`. The first that responds reports the others. Private addresses are refused; if a name or the cluster's metadata leads to one, the attempt fails with `kafka_connection_failed`."""
    tls: NotRequired[bool]
    """TLS to every broker. False only for a cluster on this machine, because the password would be sent unencrypted."""
    ca: NotRequired[str | None]
    """Certificates (PEM) of the authorities that the server's certificate must come from; they replace the public ones."""
    certificate: NotRequired[str | None]
    """The client certificate (PEM), with its chain, for servers that ask for one."""
    private_key: NotRequired[str | None]
    """Its private key (PEM), without a passphrase. RSA: at most 4,096 bits. Stored encrypted and never shown; must be given with each new certificate."""
    certificate_expires_at: NotRequired[str | None]
    """Ignored."""
    mechanism: NotRequired[Literal['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] | None]
    """How the user logs in (SASL). Null if the cluster needs no login."""
    username: NotRequired[str | None]
    """The user; it needs the permission to write to the topic. Required with `mechanism`."""
    password: NotRequired[str | None]
    """Required with `mechanism`. Stored encrypted and never shown. In a PATCH: if left out, it stays; it must be given again when `brokers`, `tls`, `ca`, `mechanism` or `username` changes."""
    topic: str
    """A topic that exists."""
    key: NotRequired[str]
    """The key of the record, by which its partition is chosen. It may contain `{{ event_key }}`, `{{ message_id }}`, `{{ delivery_run_id }}`, `{{ ordering_key }}`, and fields such as `{{ recipient.id }}` and `{{ payload.country }}`; missing fields are empty. Records without a key are spread over the partitions."""
    idempotent: NotRequired[bool]
    """Whether records have a sequence, so that a record that is sent again within an attempt is stored once. False for clusters that do not allow the user a producer id."""
    timeout_ms: NotRequired[int]
    """Time limit of one attempt as a whole, in milliseconds."""


class NewKafkaChannel(TypedDict):
    kind: Literal['kafka']
    """It cannot be changed."""
    name: str
    """A display name."""
    enabled: NotRequired[bool]
    """A disabled channel takes no events, and its due runs fail with `channel_disabled`."""
    event_keys: NotRequired[list[EventKey]]
    """The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all."""
    retry: NotRequired[RetryPolicyInput]
    filter: NotRequired[dict[str, Any] | None]
    """Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter."""
    failure_policy: NotRequired[FailurePolicyInput]
    operational: NotRequired[bool]
    """Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others."""
    operational_email: NotRequired[str | None]
    """The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested."""
    ordering: NotRequired[Literal['none', 'key']]
    """`key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order."""
    on_exhausted: NotRequired[Literal['block', 'skip']]
    """What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one."""
    max_per_second: NotRequired[float | None]
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: NotRequired[int | None]
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    config: NewKafkaChannelConfig


CreateChannelRequest: TypeAlias = NewWebhookChannel | NewEmailChannel | NewAmqpChannel | NewSqsChannel | NewKafkaChannel


class RetryPolicyChange(TypedDict):
    """Either `delays_seconds`, whose last value is used for all further attempts, or `base_seconds`, `factor` and `max_seconds`. Runs keep the number of attempts with which they were created."""

    max_attempts: NotRequired[int]
    delays_seconds: NotRequired[list[DelaysSecond] | None]
    """May be empty when `max_attempts` is 1."""
    base_seconds: NotRequired[float | None]
    """The delay before the second attempt."""
    factor: NotRequired[float | None]
    """The ratio of each delay to the one before."""
    max_seconds: NotRequired[float | None]
    """The longest delay."""


class FailurePolicyChange(TypedDict):
    """What happens when every attempt fails. Fields that are left out have their default."""

    warn_after: NotRequired[int | None]
    """Seconds of failures without a success after which the channel is `failing`."""
    pause_after: NotRequired[int | None]
    """Seconds of failures without a success after which the channel is paused or disabled."""
    min_attempts: NotRequired[int | None]
    """The number of failed attempts below which nothing happens."""
    then: NotRequired[Literal['pause', 'disable'] | None]
    """What happens after `pause_after`, and at once if the endpoint responds with 410. The runs of a paused channel are held, those of a disabled one fail."""
    max_age: NotRequired[int | None]
    """Seconds after which a run that is held for a paused channel ends as `expired`."""
    release_per_second: NotRequired[int | None]
    """The highest rate, in runs per second, at which held runs are sent after the channel has recovered."""


class UpdateChannelRequest(TypedDict):
    name: NotRequired[str]
    """A display name."""
    enabled: NotRequired[bool]
    """A disabled channel takes no events, and its due runs fail with `channel_disabled`."""
    event_keys: NotRequired[list[EventKey]]
    """The events that the channel takes: event keys, patterns such as `order.*`, or `*` for all."""
    retry: NotRequired[RetryPolicyChange | None]
    filter: NotRequired[dict[str, Any] | None]
    """Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter."""
    failure_policy: NotRequired[FailurePolicyChange | None]
    operational: NotRequired[bool | None]
    """Whether the channel takes operational events of the service (such as `channel.paused`, selected by `event_keys`) and no others."""
    operational_email: NotRequired[str | None]
    """The recipient of an operational email channel. Null: the `contact_email` of the consumer whose channel fails, is paused or recovers. Consumers are not told of a pause that somebody requested."""
    ordering: NotRequired[Literal['none', 'key'] | None]
    """`key`: runs of events with the same `ordering_key` are sent one at a time, in the order in which the events were accepted. Events without a key, tests and replays ignore the order."""
    on_exhausted: NotRequired[Literal['block', 'skip'] | None]
    """What happens after a run of a key has failed permanently: `block` holds the later runs until an operator retries or skips it, `skip` continues with the next one."""
    max_per_second: NotRequired[float | None]
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: NotRequired[int | None]
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    config: NotRequired[dict[str, Any]]
    """Fields of the config of the channel’s kind, as in its creation; null removes one."""


class RotateChannelSecretRequest(TypedDict):
    overlap_seconds: NotRequired[int]
    """How long both secrets sign, at most 30 days; 0 ends the old one immediately."""


class TestRecipient(TypedDict):
    """The recipient; an email channel needs `email`."""

    email: NotRequired[str]
    """One bare address; an internationalised domain is stored in its `xn--` form. Required when an email channel takes the event."""
    name: NotRequired[str]
    """Must not contain control characters, line separators or characters that change the direction of text."""
    timezone: NotRequired[str | None]
    """The time zone in which templates show times: an IANA name. UTC if it is left out or null."""


class TestChannelRequest(TypedDict):
    event_key: NotRequired[str]
    """The event key whose active template is used; the channel need not take it."""
    recipient: NotRequired[TestRecipient]
    payload: NotRequired[dict[str, Any]]
    """The data of the event for templates and webhooks. Free-form."""


class TestChannelFilterRequest(TypedDict):
    filter: dict[str, Any] | None
    """Which of these events the channel takes, by `event_key`, `recipient` and `payload`, such as `{"payload": {"amount": {"$gte": 100}}}`; null takes all. A change replaces the whole filter."""


class PreviewChannelRequest(TypedDict):
    config: NotRequired[dict[str, Any]]
    """Fields of the config of the channel’s kind, as in its creation; null removes one."""


class RetryBlockedKeyRequest(TypedDict):
    ordering_key: str
    """The `ordering_key` of the events."""


class ListenToChannelRequest(TypedDict):
    wait_seconds: NotRequired[int]
    """How long to wait for a delivery."""


class AnswerDeliveryRequest(TypedDict):
    """Either the response, with `status`, or `error`."""

    id: str
    """`id` of the delivery."""
    status: NotRequired[int]
    """The status of the response."""
    headers: NotRequired[dict[str, str]]
    """Its headers, with names in lower case."""
    body: NotRequired[str]
    """The beginning of its body."""
    error: NotRequired[str]
    """The code of the error, such as `ECONNREFUSED`, if there was no response."""
    connected: NotRequired[bool]
    """Whether the receiver may have received the request anyway."""


ConsumerChannelKind: TypeAlias = Literal['webhook', 'email', 'amqp', 'sqs', 'kafka']


class PutConsumerRequestLimits(TypedDict):
    """Null: only the limits of the tenant apply."""

    events_per_month: NotRequired[int | None]
    """Events per month (UTC); 402 `quota_exceeded` beyond. Replays do not count."""
    events_per_second: NotRequired[int | None]
    """Events per second; 429 `rate_limited` beyond."""
    channels: NotRequired[int | None]
    """Channels, at most 50."""
    channel_kinds: NotRequired[list[ConsumerChannelKind] | None]
    """The kinds of channel that it may have; null: all of the plan."""


class PutConsumerRequest(TypedDict):
    name: NotRequired[str | None]
    """Its name."""
    attributes: NotRequired[dict[str, Any]]
    """Data that channel filters can compare, as `consumer.attributes`. At most 4096 characters of JSON."""
    contact_email: NotRequired[str | None]
    """The address for notices about its channels."""
    enabled: NotRequired[bool]
    """Whether its channels take events. Waiting deliveries are sent in either case."""
    limits: NotRequired[PutConsumerRequestLimits]
    """Null: only the limits of the tenant apply."""


ConsumerScope: TypeAlias = Literal['channels:read', 'channels:write', 'event-types:read', 'messages:read', 'messages:content', 'replays:write', 'deliveries:cancel', 'consumers:read']


class CreatePortalSessionRequestTheme(TypedDict):
    """How it looks. Null: as the page chooses."""

    mode: NotRequired[Literal['auto', 'light', 'dark']]
    """`auto`: as the browser."""
    accent: NotRequired[str | None]
    """The colour of buttons and links."""
    background: NotRequired[str | None]
    """The colour behind the page."""
    radius: NotRequired[int | None]
    """The radius of corners, in CSS pixels."""
    logo_url: NotRequired[str | None]
    """An https URL."""


class CreatePortalSessionRequest(TypedDict):
    scopes: NotRequired[list[ConsumerScope]]
    """What the session may do: at most what the caller may do. Default: everything except `deliveries:cancel`."""
    ttl_seconds: NotRequired[int]
    """Until the session ends, counted from now."""
    theme: NotRequired[CreatePortalSessionRequestTheme | None]
    """How it looks. Null: as the page chooses."""
    locale: NotRequired[str | None]
    """A language tag, reduced to one of en, de, es, fr (else `en`). Null: that of the browser."""
    return_url: NotRequired[str | None]
    """The target of the page’s link back: an https URL, or http on localhost."""


class NewAmqpTemplate(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['amqp']
    body: dict[str, Any]
    """The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing."""
    activate: NotRequired[bool]
    """Whether events are delivered with this version from now on."""


class NewEmailTemplate(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['email']
    subject: str
    """Liquid. Values are not escaped; the result is put on one line."""
    html: NotRequired[str | None]
    """Liquid in HTML, or in MJML when it begins with `<mjml>`. Every value is escaped."""
    text: NotRequired[str | None]
    """Liquid in plain text; by default derived from the HTML. One of the two is required."""
    cc: NotRequired[str | None]
    """Liquid that renders to bare addresses, separated by commas or line breaks. They also get each mail; at most 50 together with `bcc`."""
    bcc: NotRequired[str | None]
    """Like `cc`, but not named in any header."""
    reply_to: NotRequired[str | None]
    """Liquid that renders to one bare address. If it renders to nothing, the channel's address is used."""
    headers: NotRequired[dict[str, Any] | None]
    """Liquid by the name of a header: `X-…`, `List-…`, `Auto-Submitted`, `Comments`, `Feedback-ID`, `Importance`, `In-Reply-To`, `Keywords`, `Organization`, `Precedence`, `Priority`, `References`, `Sensitivity`. Visible ASCII, except in `X-…`, `Comments` and `Organization`, which are encoded."""
    attachments: NotRequired[list[TemplateAttachment] | None]
    """Files, at most 7340032 bytes in total."""
    activate: NotRequired[bool]
    """Whether events are delivered with this version from now on."""


class NewKafkaTemplate(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['kafka']
    body: dict[str, Any]
    """The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing."""
    activate: NotRequired[bool]
    """Whether events are delivered with this version from now on."""


class NewSqsTemplate(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['sqs']
    body: dict[str, Any]
    """The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing."""
    activate: NotRequired[bool]
    """Whether events are delivered with this version from now on."""


class NewWebhookTemplate(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['webhook']
    body: dict[str, Any]
    """The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing."""
    activate: NotRequired[bool]
    """Whether events are delivered with this version from now on."""


CreateTemplateRequest: TypeAlias = NewAmqpTemplate | NewEmailTemplate | NewKafkaTemplate | NewSqsTemplate | NewWebhookTemplate


class ExampleRecipient(TypedDict):
    """As in an event; Ada Lovelace by default."""

    email: NotRequired[str]
    """One bare address; an internationalised domain is stored in its `xn--` form. Required when an email channel takes the event."""
    name: NotRequired[str]
    """Must not contain control characters, line separators or characters that change the direction of text."""
    timezone: NotRequired[str | None]
    """The time zone in which templates show times: an IANA name. UTC if it is left out or null."""


class AmqpTemplateDraft(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['amqp']
    body: dict[str, Any]
    """The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing."""
    recipient: NotRequired[ExampleRecipient]
    payload: NotRequired[dict[str, Any]]
    """As in an event; empty by default."""
    locale: NotRequired[str]
    """The language to preview: the `locale` of the recipient."""
    parts: NotRequired[list[str]]
    """Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with."""


class EmailTemplateDraft(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['email']
    subject: str
    """Liquid. Values are not escaped; the result is put on one line."""
    html: NotRequired[str | None]
    """Liquid in HTML, or in MJML when it begins with `<mjml>`. Every value is escaped."""
    text: NotRequired[str | None]
    """Liquid in plain text; by default derived from the HTML. One of the two is required."""
    cc: NotRequired[str | None]
    """Liquid that renders to bare addresses, separated by commas or line breaks. They also get each mail; at most 50 together with `bcc`."""
    bcc: NotRequired[str | None]
    """Like `cc`, but not named in any header."""
    reply_to: NotRequired[str | None]
    """Liquid that renders to one bare address. If it renders to nothing, the channel's address is used."""
    headers: NotRequired[dict[str, Any] | None]
    """Liquid by the name of a header: `X-…`, `List-…`, `Auto-Submitted`, `Comments`, `Feedback-ID`, `Importance`, `In-Reply-To`, `Keywords`, `Organization`, `Precedence`, `Priority`, `References`, `Sensitivity`. Visible ASCII, except in `X-…`, `Comments` and `Organization`, which are encoded."""
    attachments: NotRequired[list[TemplateAttachment] | None]
    """Files, at most 7340032 bytes in total."""
    recipient: NotRequired[ExampleRecipient]
    payload: NotRequired[dict[str, Any]]
    """As in an event; empty by default."""
    locale: NotRequired[str]
    """The language to preview: the `locale` of the recipient."""
    parts: NotRequired[list[str]]
    """Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with."""


class KafkaTemplateDraft(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['kafka']
    body: dict[str, Any]
    """The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing."""
    recipient: NotRequired[ExampleRecipient]
    payload: NotRequired[dict[str, Any]]
    """As in an event; empty by default."""
    locale: NotRequired[str]
    """The language to preview: the `locale` of the recipient."""
    parts: NotRequired[list[str]]
    """Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with."""


class SqsTemplateDraft(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['sqs']
    body: dict[str, Any]
    """The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing."""
    recipient: NotRequired[ExampleRecipient]
    payload: NotRequired[dict[str, Any]]
    """As in an event; empty by default."""
    locale: NotRequired[str]
    """The language to preview: the `locale` of the recipient."""
    parts: NotRequired[list[str]]
    """Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with."""


class WebhookTemplateDraft(TypedDict):
    event_key: str
    """Stable name of the event: two or more parts separated by dots."""
    channel_kind: Literal['webhook']
    body: dict[str, Any]
    """The JSON to send. Each string that is not a key is Liquid; `{"$value": "payload.amount"}` becomes the value at that path with its type, or `default` of the same object if it is missing."""
    recipient: NotRequired[ExampleRecipient]
    payload: NotRequired[dict[str, Any]]
    """As in an event; empty by default."""
    locale: NotRequired[str]
    """The language to preview: the `locale` of the recipient."""
    parts: NotRequired[list[str]]
    """Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with."""


PreviewTemplateDraftRequest: TypeAlias = AmqpTemplateDraft | EmailTemplateDraft | KafkaTemplateDraft | SqsTemplateDraft | WebhookTemplateDraft


class PreviewTemplateRequest(TypedDict):
    recipient: NotRequired[ExampleRecipient]
    payload: NotRequired[dict[str, Any]]
    """As in an event; empty by default."""
    event_key: NotRequired[str]
    """The value of `{{ event_key }}`; by default that of the template."""
    locale: NotRequired[str]
    """The language to preview: the `locale` of the recipient."""
    parts: NotRequired[list[str]]
    """Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the version of the same name that the template would be rendered with."""


class CreateLayoutRequest(TypedDict):
    name: str
    """The name that templates use: at most 64 lower-case letters, digits, `-` and `_`."""
    content: str
    """Liquid in HTML, in MJML when it begins with `<mjml>`, or in text, with blocks."""
    activate: NotRequired[bool]
    """Whether it becomes the active version, with new versions of the templates that use it."""


class CreatePartialRequest(TypedDict):
    name: str
    """The name that templates use: at most 64 lower-case letters, digits, `-` and `_`."""
    content: str
    """Liquid in HTML or text."""
    activate: NotRequired[bool]
    """Whether it becomes the active version, with new versions of the templates that use it."""


class CreateTranslationRequest(TypedDict):
    locale: str
    """A language, with script and region where they matter (BCP 47), such as `fr` or `fr-CA`."""
    messages: dict[str, str]
    """Messages by their keys, in ICU MessageFormat: plain text with values, plurals and selects."""
    activate: NotRequired[bool]
    """Whether it becomes the active version, with new versions of the templates that use it."""


SearchKey: TypeAlias = str


class PutEventTypeRequest(TypedDict):
    description: NotRequired[str | None]
    """A description of the event."""
    payload_schema: NotRequired[dict[str, Any] | None]
    """JSON Schema 2020-12 that every payload must match, of at most 65536 characters. Patterns must be matchable in linear time (no look-around, no back-references)."""
    stream: NotRequired[str | None]
    """The stream of its email, such as `newsletter`, from which recipients can unsubscribe with one click. Null: the email is transactional. Requires PUBLIC_URL. Applies to events accepted from then on."""
    search_keys: NotRequired[list[SearchKey]]
    """JSON Pointers to business ids in the payload, such as `/order_id`. Messages are found by their values: strings and numbers of up to 128 characters. The values are stored with the message, and removed with it or by an erasure. Applies to events accepted from then on, within seconds."""


class CreateReplayBatchRequestFilter(TypedDict):
    """The filter on messages; all conditions must match, and the empty object matches every message. run_status, run_ended_after, channel_id, channel_kind and error_code must match the same delivery run, which is the newest of its channel."""

    event_key: NotRequired[str]
    """Stable name of the event: two or more parts separated by dots."""
    consumer: NotRequired[str]
    """The consumer that the event named."""
    status: NotRequired[Literal['pending', 'delivered', 'partially_delivered', 'failed', 'cancelled', 'unrouted']]
    """The message’s status."""
    recipient_email: NotRequired[str]
    """This address, ignoring case. Requires `messages:content`."""
    created_after: NotRequired[str]
    """Only messages accepted at this time or later."""
    created_before: NotRequired[str]
    """Only messages accepted before this time."""
    run_status: NotRequired[Literal['scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled']]
    """The run’s status."""
    run_ended_after: NotRequired[str]
    """Only runs that ended at this time or later, such as those that failed."""
    channel_id: NotRequired[str]
    """The run’s channel."""
    channel_kind: NotRequired[Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']]
    """The kind of the run’s channel."""
    error_code: NotRequired[Literal['scheduled_cancelled', 'webhook_http_error', 'webhook_timeout', 'webhook_connection_failed', 'webhook_dns_failed', 'webhook_tls_failed', 'webhook_redirect_refused', 'webhook_address_blocked', 'webhook_endpoint_gone', 'webhook_auth_failed', 'smtp_connection_failed', 'smtp_auth_failed', 'smtp_sender_refused', 'smtp_temporary_rejection', 'smtp_permanent_rejection', 'smtp_outcome_unknown', 'email_connection_failed', 'email_auth_failed', 'email_temporary_rejection', 'email_permanent_rejection', 'email_outcome_unknown', 'email_not_composed', 'amqp_connection_failed', 'amqp_auth_failed', 'amqp_rejected', 'amqp_outcome_unknown', 'sqs_connection_failed', 'sqs_auth_failed', 'sqs_rejected', 'sqs_outcome_unknown', 'kafka_connection_failed', 'kafka_auth_failed', 'kafka_rejected', 'kafka_outcome_unknown', 'template_render_failed', 'channel_disabled', 'recipient_suppressed', 'worker_lost', 'expired']]
    """The code of the run’s `last_error`: its newest attempt with an error, even if a later one succeeded."""


class CreateReplayBatchRequest(TypedDict):
    filter: CreateReplayBatchRequestFilter
    """The filter on messages; all conditions must match, and the empty object matches every message. run_status, run_ended_after, channel_id, channel_kind and error_code must match the same delivery run, which is the newest of its channel."""
    channels: NotRequired[list[str]]
    """Ids of the channels to deliver to; by default all that would be used."""
    messages_per_second: NotRequired[int]
    """The pace. Half a second’s worth may be sent at once."""
    dry_run: NotRequired[bool]
    """Only count the matching messages."""


class CreateSuppressionRequest(TypedDict):
    email: str
    """The address, case-insensitive including the local part."""
    scope: NotRequired[str]
    """`all`: nothing is sent to it. The name of a stream: nothing of that stream."""
    reason: NotRequired[str | None]
    """The reason for operators, on one line."""
    expires_at: NotRequired[str | None]
    """When the entry ends: a future time in RFC 3339 with offset. Null: it stays."""


class ImportSuppressionsRequestEntries(TypedDict):
    email: str
    """The address, case-insensitive including the local part."""
    scope: NotRequired[str]
    """`all`: nothing is sent to it. The name of a stream: nothing of that stream."""
    reason: NotRequired[str | None]
    """The reason for operators, on one line."""
    expires_at: NotRequired[str | None]
    """When the entry ends: a future time in RFC 3339 with offset. Null: it stays."""


class ImportSuppressionsRequest(TypedDict):
    entries: list[ImportSuppressionsRequestEntries]
    """Addresses with their scopes."""


class DeliveryWebhookData(TypedDict):
    """What is delivered."""

    message_id: str
    """The message."""
    delivery_run_id: str
    """The delivery run; equals `webhook-id`."""
    recipient: dict[str, Any]
    """As it was sent."""
    payload: dict[str, Any]
    """As it was sent."""


class DeliveryWebhook(TypedDict):
    """The body of a webhook channel without a template."""

    type: str
    """The event key."""
    timestamp: str
    """When the event was accepted."""
    data: DeliveryWebhookData
    """What is delivered."""


class Problem(TypedDict):
    """The same as problem details (RFC 9457), for requests whose `Accept` names `application/problem+json`."""

    type: str
    """`urn:postrider:error:` and the code."""
    status: int
    """The status of the response."""
    detail: str
    """The error of this request as text for readers."""
    code: ErrorCode
    request_id: str
    """As in Error."""
    details: NotRequired[list[ErrorDetail]]
    """As in Error."""
    title: str
    """A description of the code."""


class ErrorError(TypedDict):
    code: ErrorCode
    message: str
    """A text for readers. Its wording may change."""
    request_id: str
    """Your X-Request-ID; `unknown` if you sent none, or an invalid one."""
    details: NotRequired[list[ErrorDetail]]
    """Present with 402 `quota_exceeded`, 409 `delivery_run_not_cancellable`, 409 `already_exists` and 422."""


class Error(TypedDict):
    """Every error response has this form."""

    error: ErrorError


class MessageRun(TypedDict):
    """A delivery of a message, in short."""

    id: str
    """The delivery run."""
    channel: Channel
    status: Literal['scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled']
    """See DeliveryRun."""
    scheduled_at: str | None
    feedback: RunFeedback | None


class Accepted(TypedDict):
    """The message and runs of an accepted event."""

    message_id: str
    """The message."""
    status: MessageStatus
    delivery_runs: list[DeliveryRunSummary]
    """One for each channel, oldest first."""


class Replayed(TypedDict):
    """The runs of a replay."""

    message_id: str
    """The message."""
    status: MessageStatus
    delivery_runs: list[DeliveryRunSummary]
    """One for each channel, oldest first."""
    skipped_channels: list[ReplayedSkippedChannels]
    """By the current filters and templates, which a replay uses."""


class Message(TypedDict):
    """An accepted event."""

    id: str
    """Equals `message_id`."""
    message_id: str
    """The message."""
    event_key: str
    """As it was sent."""
    status: MessageStatus
    recipient: dict[str, Any]
    """As it was sent."""
    payload: dict[str, Any]
    """As it was sent."""
    schedule_at: str | None
    expires_at: str | None
    ordering_key: str | None
    consumer: str | None
    request_id: str | None
    trace_id: str
    """The W3C trace id of the event’s request, by which its trace is found."""
    test: bool
    """Whether it is a test send of an operator. It is not counted and cannot be replayed."""
    created_at: str
    """When the event was accepted."""
    erased_at: str | None
    delivery_runs: list[MessageRun]
    """Of the newest 100 runs, oldest first."""
    has_more_runs: bool
    """Whether the message has older runs than these; `…/deliveries` has all of them."""
    channels: NotRequired[list[MessageChannels]]
    """The channels of the environment. Only with `explain=channels`."""


class PartialMessage(TypedDict):
    """A message with only the fields in `fields`."""

    id: NotRequired[str]
    """Equals `message_id`."""
    message_id: NotRequired[str]
    """The message."""
    event_key: NotRequired[str]
    """As it was sent."""
    status: NotRequired[MessageStatus]
    recipient: NotRequired[dict[str, Any]]
    """As it was sent."""
    payload: NotRequired[dict[str, Any]]
    """As it was sent."""
    schedule_at: NotRequired[str | None]
    expires_at: NotRequired[str | None]
    ordering_key: NotRequired[str | None]
    consumer: NotRequired[str | None]
    request_id: NotRequired[str | None]
    trace_id: NotRequired[str]
    """The W3C trace id of the event’s request, by which its trace is found."""
    test: NotRequired[bool]
    """Whether it is a test send of an operator. It is not counted and cannot be replayed."""
    created_at: NotRequired[str]
    """When the event was accepted."""
    erased_at: NotRequired[str | None]
    delivery_runs: NotRequired[list[MessageRun]]
    """Of the newest 100 runs, oldest first."""
    has_more_runs: NotRequired[bool]
    """Whether the message has older runs than these; `…/deliveries` has all of them."""


class MessageList(TypedDict):
    """A page of messages, newest first; partial ones if `fields` was given."""

    data: list[Message | PartialMessage]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None
    searched_back_to: str | None


class AttemptTried(TypedDict):
    """A sender that was tried before."""

    sender: str
    """Its name in the channel."""
    outcome: Literal['failed', 'unknown']
    """`failed`: the message was certainly not taken. `unknown`: it may have been, so the receiver may get it twice, with the same `Message-ID`; only with `failover: eager`."""
    error_code: DeliveryErrorCode
    error_message: str
    """The error as text for readers."""


class Attempt(TypedDict):
    """One attempt to deliver."""

    id: str
    """The attempt."""
    delivery_run_id: str
    """The run that it belongs to."""
    number: int
    """From 1, in order."""
    status: Literal['running', 'succeeded', 'failed', 'cancelled', 'unknown']
    """`unknown`: the worker, or the response of the other end, was lost. The run is retried unless it has no attempts left, or ended the process that tried it alone (`worker_lost`). The receiver may get it twice, with the same `webhook-id` and `Message-ID`."""
    error_code: DeliveryErrorCode | None
    error_message: str | None
    retryable: bool | None
    """Whether another attempt could succeed; null if nothing failed."""
    started_at: str
    """When it was opened, before anything was sent."""
    completed_at: str | None
    duration_ms: int | None
    """Null while it runs."""
    response: AttemptResponse | None
    sender: str | None
    provider_message_id: str | None
    tried: list[AttemptTried]
    """The senders that the same attempt tried before, in order; usually none."""
    skipped_copies: list[AttemptSkippedCopies]
    """The addresses in `cc` or `bcc` that the attempt did not reach; usually none. Empty after an erasure."""


class ChannelAttempt(TypedDict):
    """An attempt of a channel, and what it delivers."""

    id: str
    """The attempt."""
    delivery_run_id: str
    """The run that it belongs to."""
    number: int
    """From 1, in order."""
    status: Literal['running', 'succeeded', 'failed', 'cancelled', 'unknown']
    """`unknown`: the worker, or the response of the other end, was lost. The run is retried unless it has no attempts left, or ended the process that tried it alone (`worker_lost`). The receiver may get it twice, with the same `webhook-id` and `Message-ID`."""
    error_code: DeliveryErrorCode | None
    error_message: str | None
    retryable: bool | None
    """Whether another attempt could succeed; null if nothing failed."""
    started_at: str
    """When it was opened, before anything was sent."""
    completed_at: str | None
    duration_ms: int | None
    """Null while it runs."""
    response: ChannelAttemptResponse | None
    sender: str | None
    provider_message_id: str | None
    message_id: str
    """The message."""
    event_key: str
    """Of the message."""
    replay: int
    """See DeliveryRun."""
    run_status: Literal['scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled']
    """`scheduled`: waits for its time and can be cancelled. `queued`: due, not yet started. `running`: an attempt is open. `retrying`: the last attempt failed or its outcome is unknown, the next is due at `next_attempt_at`. `succeeded`, `failed` and `cancelled` are final."""
    test: bool
    """Whether it is of a test send."""


class ChannelAttemptList(TypedDict):
    """A page of attempts, those of the newest messages first."""

    data: list[ChannelAttempt]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None
    searched_back_to: str | None


class DeliveryRunLastError(TypedDict):
    """The newest attempt with an error, even if a later one succeeded."""

    code: DeliveryErrorCode
    message: str | None
    attempt_number: int
    """The number of that attempt."""


class DeliveryRun(TypedDict):
    """A delivery to one channel, with its attempts."""

    id: str
    """The delivery run; also the `webhook-id` of what is sent."""
    message_id: str
    """The message that it delivers."""
    channel: Channel
    status: Literal['scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled']
    """`scheduled`: waits for its time and can be cancelled. `queued`: due, not yet started. `running`: an attempt is open. `retrying`: the last attempt failed or its outcome is unknown, the next is due at `next_attempt_at`. `succeeded`, `failed` and `cancelled` are final."""
    trigger: Literal['event', 'replay']
    """What created it."""
    replay: int
    """0 for a run of the event itself; otherwise the number of the replay, or of the retry of a blocked ordering key, that created it, counted for its message."""
    template: DeliveryRunTemplate | None
    attempt_count: int
    """Attempts so far."""
    max_attempts: int
    """The highest number of attempts."""
    scheduled_at: str | None
    started_at: str | None
    completed_at: str | None
    next_attempt_at: str | None
    held_by: Literal['channel_paused', 'ordering_key', 'channel_limits', 'stream_paused'] | None
    queue: DeliveryRunQueue | None
    sequence: int | None
    """Its sequence within its ordering key, which is sent to the receiver. Null without a key, and before a scheduled run is due."""
    created_at: str
    """When it was created."""
    feedback: RunFeedback | None
    last_error: DeliveryRunLastError | None
    attempts: list[Attempt]
    """Oldest first."""


class ConsumerDeliveryLastError(TypedDict):
    """The newest attempt with an error, even if a later one succeeded."""

    code: DeliveryErrorCode
    message: str | None
    attempt_number: int
    """The number of that attempt."""


class ConsumerDelivery(TypedDict):
    """A delivery to a channel of a consumer, with its attempts."""

    id: str
    """The delivery run; also the `webhook-id` of what is sent."""
    message_id: str
    """The message that it delivers."""
    channel: Channel
    status: Literal['scheduled', 'queued', 'running', 'retrying', 'succeeded', 'failed', 'cancelled']
    """`scheduled`: waits for its time and can be cancelled. `queued`: due, not yet started. `running`: an attempt is open. `retrying`: the last attempt failed or its outcome is unknown, the next is due at `next_attempt_at`. `succeeded`, `failed` and `cancelled` are final."""
    trigger: Literal['event', 'replay']
    """What created it."""
    replay: int
    """0 for a run of the event itself; otherwise the number of the replay, or of the retry of a blocked ordering key, that created it, counted for its message."""
    template: ConsumerDeliveryTemplate | None
    attempt_count: int
    """Attempts so far."""
    max_attempts: int
    """The highest number of attempts."""
    scheduled_at: str | None
    started_at: str | None
    completed_at: str | None
    next_attempt_at: str | None
    held_by: Literal['channel_paused', 'ordering_key', 'channel_limits', 'stream_paused'] | None
    queue: ConsumerDeliveryQueue | None
    sequence: int | None
    """Its sequence within its ordering key, which is sent to the receiver. Null without a key, and before a scheduled run is due."""
    created_at: str
    """When it was created."""
    feedback: RunFeedback | None
    last_error: ConsumerDeliveryLastError | None
    attempts: list[Attempt]
    """Oldest first."""
    event_key: str
    """Of its message."""


class Deliveries(TypedDict):
    """A page of the delivery runs of a message."""

    message_id: str
    """The message."""
    delivery_runs: list[DeliveryRun]
    """Oldest first."""
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class StatsFigures(TypedDict):
    """The counts. Test sends are not counted."""

    accepted: int
    """Accepted events. Always 0 in groups by channel, kind, sender or error code."""
    delivered: int
    """Delivery runs that succeeded."""
    failed: int
    """Delivery runs that failed permanently."""
    attempts: int
    """Ended attempts, whatever their result."""
    bounced: int
    """Emails whose bounce was reported, in the interval of the report."""
    complained: int
    """Emails about which their recipient complained, in the interval of the report."""
    latency_ms: Latency | None


class StatsBucketGroups(TypedDict):
    """A part of the interval."""

    key: str
    """A channel’s id or kind, a sender as `chn_…/name`, an event key, a stream or an error code."""
    accepted: int
    """Accepted events. Always 0 in groups by channel, kind, sender or error code."""
    delivered: int
    """Delivery runs that succeeded."""
    failed: int
    """Delivery runs that failed permanently."""
    attempts: int
    """Ended attempts, whatever their result."""
    bounced: int
    """Emails whose bounce was reported, in the interval of the report."""
    complained: int
    """Emails about which their recipient complained, in the interval of the report."""
    latency_ms: Latency | None


class StatsBucket(TypedDict):
    """The counts of an interval."""

    start: str
    """When it begins."""
    accepted: int
    """Accepted events. Always 0 in groups by channel, kind, sender or error code."""
    delivered: int
    """Delivery runs that succeeded."""
    failed: int
    """Delivery runs that failed permanently."""
    attempts: int
    """Ended attempts, whatever their result."""
    bounced: int
    """Emails whose bounce was reported, in the interval of the report."""
    complained: int
    """Emails about which their recipient complained, in the interval of the report."""
    latency_ms: Latency | None
    groups: NotRequired[list[StatsBucketGroups]]
    """The groups of the interval; only with `group_by`."""


Stats = TypedDict(
    'Stats',
    {
        'interval': Literal['minute', 'hour'],
        'from': str,
        'to': str,
        'buckets': list[StatsBucket],
        'totals': StatsFigures,
    },
)


class WebhookChannel(TypedDict):
    """A channel that posts to a URL."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['webhook']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: WebhookChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class WebhookChannelWithSecret(TypedDict):
    """A channel that posts to a URL."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['webhook']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: WebhookChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str | None


class EmailChannel(TypedDict):
    """A channel that sends mail."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['email']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: EmailChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    senders: list[SenderState]
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class EmailChannelWithSecret(TypedDict):
    """A channel that sends mail."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['email']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: EmailChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    senders: list[SenderState]
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str | None


class AmqpChannel(TypedDict):
    """A channel that publishes to an exchange of RabbitMQ."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['amqp']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: AmqpChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class AmqpChannelWithSecret(TypedDict):
    """A channel that publishes to an exchange of RabbitMQ."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['amqp']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: AmqpChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str | None


class SqsChannel(TypedDict):
    """A channel that sends to a queue of Amazon SQS."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['sqs']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: SqsChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class SqsChannelWithSecret(TypedDict):
    """A channel that sends to a queue of Amazon SQS."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['sqs']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: SqsChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str | None


class KafkaChannel(TypedDict):
    """A channel that writes to a topic of Apache Kafka."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['kafka']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: KafkaChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class KafkaChannelWithSecret(TypedDict):
    """A channel that writes to a topic of Apache Kafka."""

    id: str
    """The channel."""
    environment_id: str
    """Its environment."""
    consumer: str | None
    kind: Literal['kafka']
    name: str
    """A display name."""
    enabled: bool
    """Whether it takes events."""
    disabled_reason: str | None
    event_keys: EventPatterns
    config: KafkaChannelConfig
    retry: RetryPolicy
    filter: EventFilter
    failure_policy: FailurePolicy
    operational: bool
    """Whether it takes operational events, and no others."""
    operational_email: str | None
    public_only: bool
    """Whether it only connects to public addresses, also if `EGRESS_ALLOW_CIDRS` allows others: true if a token of the environment created it or changed its `config` last."""
    ordering: ChannelOrder
    on_exhausted: OnExhausted
    max_per_second: float | None
    """The most attempts that start per second, across all workers. 0.1 means one every ten seconds; null means unlimited. Further runs wait in the order in which they are due."""
    max_in_flight: int | None
    """The most attempts that are open at the same time, across all workers; null means unlimited."""
    state: ChannelState
    health: ChannelHealth
    password_set: bool
    """Whether the password of the only SMTP server is stored."""
    credentials_set: StoredCredentials
    previous_secret_expires_at: str | None
    feedback_token_set: bool
    """Whether it has a feedback token."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    secret: str | None


ConfiguredChannel: TypeAlias = WebhookChannel | EmailChannel | AmqpChannel | SqsChannel | KafkaChannel


class ConfiguredChannelList(TypedDict):
    """A page of channels, newest first."""

    data: list[ConfiguredChannel]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


ChannelWithSecret: TypeAlias = WebhookChannelWithSecret | EmailChannelWithSecret | AmqpChannelWithSecret | SqsChannelWithSecret | KafkaChannelWithSecret


class NextDelivery(TypedDict):
    """The next delivery of a channel, for its listener."""

    delivery: DeliveryToPost | None


class ConsumerDeliveryList(TypedDict):
    """A page of delivery runs, those of the newest messages first."""

    data: list[ConsumerDelivery]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class Template(TypedDict):
    """A version of a template. Its content never changes."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    event_key: str
    """The event key that it is for."""
    channel_kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The channel kind that it is for."""
    version: int
    """Numbered from 1 for each event key and channel kind."""
    active: bool
    """Whether events use it. At most one version of an event key and kind is active."""
    created_at: str
    """When it was created."""
    subject: str | None
    html: str | None
    text: str | None
    mjml: str | None
    body: dict[str, Any] | None
    cc: str | None
    bcc: str | None
    reply_to: str | None
    headers: dict[str, str] | None
    attachments: list[TemplateAttachment] | None
    default_locale: str | None
    parts: list[UsedPart]
    """The versions of the parts with which it is rendered."""


class ChangedTemplate(TypedDict):
    """A version after a change."""

    id: str
    """This version."""
    environment_id: str
    """Its environment."""
    event_key: str
    """The event key that it is for."""
    channel_kind: Literal['amqp', 'email', 'kafka', 'sqs', 'webhook']
    """The channel kind that it is for."""
    version: int
    """Numbered from 1 for each event key and channel kind."""
    active: bool
    """Whether events use it. At most one version of an event key and kind is active."""
    created_at: str
    """When it was created."""
    subject: str | None
    html: str | None
    text: str | None
    mjml: str | None
    body: dict[str, Any] | None
    cc: str | None
    bcc: str | None
    reply_to: str | None
    headers: dict[str, str] | None
    attachments: list[TemplateAttachment] | None
    default_locale: str | None
    parts: list[UsedPart]
    """The versions of the parts with which it is rendered."""
    warnings: list[TemplateWarning]
    """Problems that were probably not intended."""


class TemplatePreview(TypedDict):
    """What would be sent."""

    template_id: str | None
    deliverable: bool
    """Whether a delivery with this recipient and payload would be sent. Otherwise it would fail."""
    rendered: TemplatePreviewRendered1 | TemplatePreviewRendered2 | TemplatePreviewRendered3 | TemplatePreviewRendered4 | TemplatePreviewRendered5 | None
    missing_variables: list[TemplatePreviewMissingVariables]
    errors: list[TemplatePreviewErrors]
    warnings: list[TemplateWarning]
    """Problems that were probably not intended."""
    parts: list[UsedPart]
    """The versions of the parts with which it is rendered."""


class EnvironmentAttention(TypedDict):
    """What needs attention in an environment."""

    failing_channels: list[FailingChannel]
    paused_channels: list[PausedChannel]
    paused_streams: list[StreamWithComplaints]
    backlog: BacklogOfRuns
    quota: QuotaUse | None
    expiring: list[ExpiringSecret]
    """The first to expire: at most 100, or ten in the report of all environments."""
    render_failures: EnvironmentAttentionRenderFailures
    """Attempts whose template failed."""
    blocked_keys: int
    """Ordering keys that wait until an operator retries or skips a run: up to 1,000, or 100 in the report of all environments."""
    blocked_channels: list[BlockedChannel]


class Lookup(TypedDict):
    """The results of a lookup."""

    results: list[LookupResult]
    """Newest first, at most 50."""
    resources: list[NamedResource]
    """At most ten of each type."""
    recipient: MessagesOfAnAddress | None
    has_more: bool
    """Whether there are more. If so, search the environment."""
    searched_back_to: str | None


class ReplayBatch(TypedDict):
    """A bulk replay."""

    id: str
    """The bulk replay."""
    environment_id: str
    """The environment of its messages."""
    status: Literal['pending', 'running', 'completed', 'cancelled', 'failed']
    """`pending`: not started. `running`: in progress. `failed`: ended before its last message, see `reason`."""
    reason: Literal['quota_exceeded', 'payment_required', 'page_failed', 'too_many_open_runs'] | None
    filter: GivenMessageFilter
    channels: list[str] | None
    messages_per_second: int
    """The pace."""
    matched: int
    """Messages that matched when it was created."""
    matched_is_lower_bound: bool
    """Whether there may be more: counting ends after about 50,000 candidates."""
    replayed: int
    """Messages for which new runs were created."""
    skipped: ReplayBatchSkipped
    """Messages that matched and could not be replayed, by reason."""
    position: str | None
    failures: int
    """Consecutive failures of its next page; after 20 it is `failed`."""
    last_error_code: str | None
    retry_at: str | None
    created_at: str
    """When it was created."""
    started_at: str | None
    completed_at: str | None


class ReplayBatchList(TypedDict):
    """A page of bulk replays, newest first."""

    data: list[ReplayBatch]
    has_more: bool
    """Whether there are more matches."""
    next_cursor: str | None


class ReplayPreview(TypedDict):
    """The messages that a bulk replay would cover."""

    dry_run: Literal[True]
    """Nothing was done."""
    filter: GivenMessageFilter
    matched: int
    """Messages that match."""
    matched_is_lower_bound: bool
    """Whether there may be more: counting ends after about 50,000 candidates."""
