import {
  type ChannelKindDefinition,
  type ChannelRegistry,
  ENVELOPE_CONTENT,
  perRegistry,
} from '@postrider/channels';
import {
  type ChannelKind,
  type Detail,
  type JsonObject,
  LOCALE_SCHEMA,
  MAX_PARTS,
  PART_TYPES,
  TEMPLATE_WARNING_CODES,
  type TemplateIssue,
  type TemplateSource,
} from '@postrider/domain';
import type { SchemaObject } from 'ajv';
import { EVENT_BODY_SCHEMA, RECIPIENT_SCHEMA } from '../../events/schema.ts';
import * as json from '../../openapi/schema.ts';
import { compileBody, type Rule, type ValidateBody, withRules } from '../../validation/body.ts';
import { versionSchemas, WARNINGS } from '../versions.ts';

export const TEMPLATE_PATH = '/admin/v1/templates/{templateId}';
export const TEMPLATES_PATH = '/admin/v1/environments/{environmentId}/templates';

/** The examples of each kind, with event key and kind before its own fields. */
export const examplesOf = (registry: ChannelRegistry) =>
  Object.fromEntries(
    registry.kinds.flatMap((kind) =>
      Object.entries(registry.get(kind).template.examples).map(([name, { summary, value }]) => [
        name,
        { summary, value: { event_key: 'order.shipped', channel_kind: kind, ...value } },
      ]),
    ),
  );

export const toDetail = (issue: TemplateIssue): Detail => ({ code: 'invalid_template', ...issue });

/** It also has the fields of its kind. */
export interface TemplateBody extends JsonObject {
  readonly event_key: string;
  readonly channel_kind: ChannelKind;
}

/** A template that is not stored, and the event to render it with. */
export type DraftBody = TemplateBody & Pick<PreviewBody, 'recipient' | 'payload' | 'locale' | 'parts'>;

const EXAMPLE_RECIPIENT = {
  ...json.titled('Example recipient', RECIPIENT_SCHEMA),
  description: 'As in an event; Ada Lovelace by default.',
};
const EXAMPLE_PAYLOAD = {
  type: 'object',
  additionalProperties: true,
  description: 'As in an event; empty by default.',
} as const;

const PREVIEW_LOCALE = {
  ...LOCALE_SCHEMA,
  description: 'The language to preview: the `locale` of the recipient.',
} as const;

const PREVIEW_PARTS = {
  type: 'array',
  maxItems: MAX_PARTS,
  uniqueItems: true,
  items: { type: 'string' },
  description:
    'Ids of versions of layouts, partials and translations to preview with, active or not. Each replaces the ' +
    'version of the same name that the template would be rendered with.',
} as const;

const ACTIVATE = {
  activate: json.option(false, 'Whether events are delivered with this version from now on.'),
};

/** The fields of a kind's template together with others. */
function bodyOf(
  { kind, template: { schema } }: ChannelKindDefinition,
  others: Readonly<Record<string, SchemaObject>>,
  titleOf: (kind: string) => string,
): SchemaObject {
  return {
    type: 'object',
    title: titleOf(kind),
    required: ['event_key', 'channel_kind', ...schema.required],
    additionalProperties: false,
    properties: {
      event_key: EVENT_BODY_SCHEMA.properties.event_key,
      channel_kind: { type: 'string', enum: [kind] },
      ...schema.properties,
      ...others,
    },
  };
}

const oneOfKinds = (
  registry: ChannelRegistry,
  others: Readonly<Record<string, SchemaObject>>,
  titleOf: (kind: string) => string,
): SchemaObject => ({
  type: 'object',
  discriminator: { propertyName: 'channel_kind' },
  oneOf: registry.kinds.map((kind) => bodyOf(registry.get(kind), others, titleOf)),
});

/** Body of POST /admin/v1/environments/{id}/templates. */
export const templateBodySchema = perRegistry((registry) =>
  oneOfKinds(registry, ACTIVATE, (kind) => `New ${kind} template`),
);

/** Body of POST /admin/v1/environments/{id}/templates/preview-draft: a template and the event to render it with. */
export const draftBodySchema = perRegistry((registry) =>
  oneOfKinds(
    registry,
    {
      recipient: EXAMPLE_RECIPIENT,
      payload: EXAMPLE_PAYLOAD,
      locale: PREVIEW_LOCALE,
      parts: PREVIEW_PARTS,
    },
    (kind) => `${kind} template draft`,
  ),
);

const validatorOf = <Body extends TemplateBody>(kinds: ChannelRegistry, schema: SchemaObject) =>
  withRules(
    compileBody<Body>(schema),
    kinds.definitions.flatMap(({ kind, template }) =>
      template.rules.map(
        ({ reads, issuesOf }): Rule<Body> => ({
          reads: ['/channel_kind', ...reads],
          issuesOf: (body) => (body.channel_kind === kind ? issuesOf(body) : []),
        }),
      ),
    ),
  );

export const createTemplateValidator = (kinds: ChannelRegistry): ValidateBody<TemplateBody> =>
  validatorOf(kinds, templateBodySchema(kinds));

export const createDraftValidator = (kinds: ChannelRegistry): ValidateBody<DraftBody> =>
  validatorOf(kinds, draftBodySchema(kinds));

export function toSource(kinds: ChannelRegistry, body: TemplateBody): TemplateSource {
  return kinds.get(body.channel_kind).template.toSource(body);
}

/** Body of POST /admin/v1/templates/{id}/preview. */
export const PREVIEW_BODY_SCHEMA = json.closedObject([], {
  recipient: EXAMPLE_RECIPIENT,
  payload: EXAMPLE_PAYLOAD,
  event_key: {
    ...EVENT_BODY_SCHEMA.properties.event_key,
    description: 'The value of `{{ event_key }}`; by default that of the template.',
  },
  locale: PREVIEW_LOCALE,
  parts: PREVIEW_PARTS,
});

export type PreviewBody = json.BodyOf<typeof PREVIEW_BODY_SCHEMA>;

const PARTS = json.list(
  json.titled(
    'Used part',
    json.record('A version of a layout, partial or translation.', {
      id: json.text('Its id.'),
      type: json.oneOf(PART_TYPES, 'What it is.'),
      name: json.text('The name that templates use; for a translation its locale.'),
      version: json.ordinal('Its version.'),
    }),
  ),
  'The versions of the parts with which it is rendered.',
);

const CONTENT = {
  subject: json.nullable(json.text('Liquid; null for a webhook.')),
  html: json.nullable(json.text('Liquid in HTML; compiled if it was written in MJML.')),
  text: json.nullable(json.text('Liquid; null: derived from the HTML.')),
  mjml: json.nullable(json.text('The MJML source of `html`; null if it was written as HTML.')),
  body: json.nullable(json.openObject('JSON whose strings are Liquid; null for an email.')),
  ...ENVELOPE_CONTENT,
  default_locale: json.nullable(
    json.text('The language of recipients without a locale; null in versions older than this feature.'),
  ),
  parts: PARTS,
} as const;

const line: json.Schema = {
  type: ['integer', 'null'],
  minimum: 1,
  description: 'Numbered from 1; null if unknown.',
};

/** Where a template has a problem. */
const POSITION_FIELDS = {
  part: json.nullable(
    json.text(
      'The layout or partial that contains it, such as `partial footer`; null for the template itself.',
    ),
  ),
  line,
  column: line,
};

export function templateSchemas(registry: ChannelRegistry): json.Schemas {
  return {
    TemplateWarning: json.record('A warning. It does not prevent storing or sending.', {
      code: json.oneOf(TEMPLATE_WARNING_CODES, 'Stable; for programs.'),
      path: json.text('A JSON Pointer into the request or the template.'),
      message: json.text('A text for readers. Its wording may change.'),
    }),
    ...versionSchemas({
      name: 'Template',
      noun: 'template',
      prefix: 'tpl',
      named: {
        event_key: json.text('The event key that it is for.'),
        channel_kind: json.oneOf(registry.kinds, 'The channel kind that it is for.'),
      },
      about: {
        version: 'Numbered from 1 for each event key and channel kind.',
        active: 'Whether events use it. At most one version of an event key and kind is active.',
      },
      contents: CONTENT,
    }),
    TemplatePreview: json.record('What would be sent.', {
      template_id: json.nullable(json.id('tpl', 'The version; null for a template that is not stored.')),
      deliverable: json.flag(
        'Whether a delivery with this recipient and payload would be sent. Otherwise it would fail.',
      ),
      rendered: json.nullable({
        anyOf: registry.kinds.map((kind) => registry.get(kind).template.previewSchema),
        description:
          'The result, with missing variables blank; null if there are errors. A delivery with ' +
          'missing variables fails.',
      }),
      missing_variables: json.list(
        json.record('A variable that the event does not have.', {
          path: json.text('The first part of the template that uses it, as a JSON Pointer.'),
          name: json.text('As written in the template, up to the missing part.'),
          ...POSITION_FIELDS,
        }),
      ),
      errors: json.list(
        json.record('The errors that prevent rendering.', {
          path: json.text('The part of the template, as a JSON Pointer.'),
          message: json.text('The problem as text for readers.'),
          ...POSITION_FIELDS,
        }),
      ),
      warnings: WARNINGS,
      parts: PARTS,
    }),
  };
}
