import {
  CHANNEL_KINDS,
  type ChannelKind,
  type JsonObject,
  TEMPLATE_WARNING_CODES,
  type TemplateContent,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA, RECIPIENT_SCHEMA } from '../../events/schema.ts';
import type { Detail } from '../../http/reply.ts';
import {
  id,
  list,
  nullable,
  oneOf,
  openObject,
  pageOf,
  record,
  ref,
  type Schema,
  text,
  time,
} from '../../openapi/schema.ts';
import { compileBody, type ValidateBody, withRules } from '../../validation/body.ts';

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

/** Body of POST /admin/v1/environments/{id}/templates: docs/specification.md, "Template versions". */
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

/** Body of POST /admin/v1/templates/{id}/preview: docs/specification.md, "Template versions". */
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

const SUMMARY = {
  id: id('tpl', 'This version.'),
  environment_id: id('env', 'Its environment.'),
  event_key: text('The event that it is for.'),
  channel_kind: oneOf(CHANNEL_KINDS, 'The kind of channel that it is for.'),
  version: {
    type: 'integer',
    minimum: 1,
    description: 'Counts from 1 for each event key and kind of channel.',
  },
  active: {
    type: 'boolean',
    description: 'Whether events are delivered with it. One version at most of an event key and kind is.',
  },
  created_at: time('When it was made.'),
} as const;

const CONTENT = {
  subject: nullable(text('Liquid; null for a webhook.')),
  html: nullable(text('Liquid in HTML, compiled where it was written in MJML.')),
  text: nullable(text('Liquid; null: derived from the HTML.')),
  mjml: nullable(text('What `html` was compiled from; null where it was written as HTML.')),
  body: nullable(openObject('JSON whose strings are Liquid; null for an email.')),
} as const;

const WARNINGS = list(ref('TemplateWarning'), 'What will most likely not be what was meant.');

const line: Schema = {
  type: ['integer', 'null'],
  minimum: 1,
  description: 'Counts from 1; null where it is not known.',
};

/** See docs/specification.md, "Template versions". */
export const TEMPLATE_SCHEMAS: Readonly<Record<string, Schema>> = {
  TemplateWarning: record('It keeps nothing from being stored or sent.', {
    code: oneOf(TEMPLATE_WARNING_CODES, 'Stable; for programs.'),
    path: text('A JSON Pointer into the request or the template.'),
    message: text('For people. Its wording may change.'),
  }),
  TemplateSummary: record('A version of a template, without its content.', SUMMARY),
  TemplateList: pageOf('TemplateSummary', 'A page of versions, newest first.'),
  Template: record('A version of a template. Its content never changes.', { ...SUMMARY, ...CONTENT }),
  ChangedTemplate: record('A version after a change, with warnings.', {
    ...SUMMARY,
    ...CONTENT,
    warnings: WARNINGS,
  }),
  TemplatePreview: record('What would be sent.', {
    template_id: id('tpl', 'The version.'),
    deliverable: {
      type: 'boolean',
      description: 'Whether a delivery with this recipient and payload would be sent; else it would fail.',
    },
    rendered: nullable({
      anyOf: [
        record('An email.', {
          subject: text('On one line.'),
          html: nullable(text('Values escaped.')),
          text: nullable(text('As written, or derived from the HTML.')),
        }),
        record('A webhook.', { body: openObject('The JSON that would be sent.') }),
      ],
      description:
        'With blanks where a variable is missing; null when there are errors. A delivery has no blanks: it ' +
        'fails.',
    }),
    missing_variables: list(
      record('A variable that neither the recipient nor the payload has.', {
        path: text('The part of the template that names it first, as a JSON Pointer.'),
        name: text('As it is written, up to the part that is missing.'),
        line,
        column: line,
      }),
    ),
    errors: list(
      record('What keeps the template from being rendered.', {
        path: text('The part of the template, as a JSON Pointer.'),
        message: text('For people.'),
        line,
        column: line,
      }),
    ),
    warnings: WARNINGS,
  }),
};
