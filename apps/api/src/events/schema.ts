import {
  CONSUMER_ID_PATTERN,
  EVENT_KEY_PATTERN,
  MAX_EVENT_KEY_LENGTH,
  MAX_ORDERING_KEY_LENGTH,
  PLAIN_TEXT_PATTERN,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';

/** The recipient of an event (docs/specification.md, "Recipients"). Additional fields are kept for templates. */
export const RECIPIENT_SCHEMA = {
  title: 'Recipient',
  type: 'object',
  additionalProperties: true,
  description: 'The recipient. Fields besides these are kept for templates.',
  properties: {
    email: {
      type: 'string',
      format: 'email',
      description:
        'One bare address; an internationalised domain is stored in its `xn--` form. Required when an email channel ' +
        'takes the event.',
    },
    name: {
      type: 'string',
      maxLength: 255,
      pattern: PLAIN_TEXT_PATTERN,
      description:
        'Must not contain control characters, line separators or characters that change the ' +
        'direction of text.',
    },
    timezone: {
      type: ['string', 'null'],
      format: 'time-zone',
      description:
        'The time zone in which templates show times: an IANA name. UTC if it is left out or null.',
      examples: ['Europe/Berlin'],
    },
  },
} as const satisfies SchemaObject;

/** Body of POST /api/v1/events (docs/specification.md, "Event request"). */
export const EVENT_BODY_SCHEMA = {
  type: 'object',
  required: ['event_key', 'recipient', 'payload'],
  additionalProperties: false,
  properties: {
    event_key: {
      type: 'string',
      maxLength: MAX_EVENT_KEY_LENGTH,
      pattern: EVENT_KEY_PATTERN,
      description: 'Stable name of the event: two or more parts separated by dots.',
      examples: ['order.shipped'],
    },
    recipient: RECIPIENT_SCHEMA,
    payload: {
      type: 'object',
      additionalProperties: true,
      description: 'The data of the event for templates and webhooks. Free-form.',
    },
    schedule_at: {
      type: 'string',
      format: 'date-time',
      description:
        'When to deliver: RFC 3339 with offset. A time that is not in the future means immediately.',
    },
    expires_at: {
      type: 'string',
      format: 'date-time',
      description:
        'No attempt begins after this time: a delivery that has not succeeded by then ends as ' +
        '`failed`. It must be in the future and after `schedule_at`.',
    },
    ordering_key: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_ORDERING_KEY_LENGTH,
      pattern: PLAIN_TEXT_PATTERN,
      description:
        'Channels with `ordering: "key"` send events with the same key one at a time, in the order ' +
        'in which they were accepted. An erasure does not remove it: use an id, not an address.',
      examples: ['order-A-1042'],
    },
    consumer: {
      type: 'string',
      pattern: CONSUMER_ID_PATTERN,
      description:
        'The consumer that the event is for: its channels take the event, too. An unknown one is refused, or created if ' +
        'the environment says so (`unknown_consumers`).',
      examples: ['org_42'],
    },
    ignore_suppression: {
      type: 'boolean',
      default: false,
      description:
        'Whether to send email even if the address is on the suppression list. The token needs the ' +
        'scope `ignore_suppression`.',
    },
  },
} as const satisfies SchemaObject;
