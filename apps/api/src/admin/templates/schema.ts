import type { ChannelKind, JsonObject, TemplateContent } from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA, RECIPIENT_SCHEMA } from '../../events/schema.ts';
import type { Detail } from '../../http/reply.ts';
import { compileBody, type ValidateBody, withRules } from '../../validation/body-validator.ts';

interface CommonBody {
  readonly event_key: string;
  readonly activate?: boolean;
}

export interface EmailTemplateBody extends CommonBody {
  readonly channel_kind: 'email';
  readonly subject: string;
  readonly html?: string | null;
  readonly text?: string | null;
}

export interface WebhookTemplateBody extends CommonBody {
  readonly channel_kind: 'webhook';
  readonly body: JsonObject;
}

export type TemplateBody = EmailTemplateBody | WebhookTemplateBody;

function bodyOf(
  kind: ChannelKind,
  title: string,
  required: readonly string[],
  content: Record<string, SchemaObject>,
): SchemaObject {
  return {
    type: 'object',
    title,
    required: ['event_key', 'channel_kind', ...required],
    additionalProperties: false,
    properties: {
      event_key: EVENT_BODY_SCHEMA.properties.event_key,
      channel_kind: { const: kind },
      ...content,
      activate: {
        type: 'boolean',
        default: false,
        description: 'Whether events are delivered with this version from now on.',
      },
    },
  };
}

/** Body of POST /admin/v1/environments/{id}/templates: contract section 8. */
export const TEMPLATE_BODY_SCHEMA = {
  type: 'object',
  discriminator: { propertyName: 'channel_kind' },
  oneOf: [
    bodyOf('email', 'An email template', ['subject'], {
      subject: { type: 'string', description: 'Liquid. Values are written as they are, on one line.' },
      html: {
        type: ['string', 'null'],
        description: 'Liquid in HTML, or in MJML when it begins with `<mjml>`. Every value is escaped.',
      },
      text: {
        type: ['string', 'null'],
        description: 'Liquid in plain text; derived from the HTML when left out. One of the two is required.',
      },
    }),
    bodyOf('webhook', 'A webhook template', ['body'], {
      body: {
        type: 'object',
        additionalProperties: true,
        description: 'The JSON to send. Each string in it that is not a key is Liquid of its own.',
      },
    }),
  ],
} as const satisfies SchemaObject;

function partFaults(body: TemplateBody): Detail[] {
  if (body.channel_kind === 'webhook') return [];
  const { html = null, text = null } = body;
  if (html !== null || text !== null) return [];
  return [{ path: '/html', code: 'required', message: 'is required where there is no text' }];
}

export const validateTemplate: ValidateBody<TemplateBody> = withRules(
  compileBody<TemplateBody>(TEMPLATE_BODY_SCHEMA),
  [{ reads: ['/channel_kind', '/html', '/text'], faultsOf: partFaults }],
);

/** The content of a valid body. MJML is told from HTML when it is prepared. */
export function toContent(body: TemplateBody): TemplateContent {
  if (body.channel_kind === 'webhook') return { channelKind: 'webhook', body: body.body };
  const { subject, html = null, text = null } = body;
  return { channelKind: 'email', subject, html, text, mjml: null };
}

export interface PreviewBody {
  readonly recipient?: JsonObject;
  readonly payload?: JsonObject;
  readonly event_key?: string;
}

/** Body of POST /admin/v1/templates/{id}/preview: contract section 8. */
export const PREVIEW_BODY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    recipient: { ...RECIPIENT_SCHEMA, description: 'As in an event; Ada Lovelace when left out.' },
    payload: {
      type: 'object',
      additionalProperties: true,
      description: 'As in an event; empty when left out.',
    },
    event_key: {
      ...EVENT_BODY_SCHEMA.properties.event_key,
      description: 'What `{{ event_key }}` shall be; that of the template when left out.',
    },
  },
} as const satisfies SchemaObject;
