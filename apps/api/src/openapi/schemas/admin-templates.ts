import { CHANNEL_KINDS, TEMPLATE_WARNING_CODES } from '@postrider/domain';
import { list, nullable, record, ref, type Schema } from '../schema-object.ts';
import { id, oneOf, openObject, pageOf, text, time } from './common.ts';

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

/** Contract section 8. */
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
