import {
  type ChannelIssue,
  type EmailEnvelope,
  type EmailTemplateSource,
  type JsonObject,
  oncePerObject,
  type StoredTemplate,
} from '@postrider/domain';
import type { SourcedEmail } from '@postrider/rendering';
import type { TemplateDefinition } from '../channel.ts';
import { type JsonSchema, nullable, record, text } from '../schema.ts';
import { defineSettings } from '../settings.ts';
import { completeEnvelope, ENVELOPE_SETTINGS, RENDERED_ENVELOPE } from './envelope.ts';
import type { EmailContent } from './index.ts';
import { operationalEmail, testEmail } from './message.ts';

const HTML = '<p>Hello {{ recipient.name }}, order {{ payload.order_id }} is on its way.</p>';
const MJML =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{ recipient.name }}</mj-text></mj-column>' +
  '</mj-section></mj-body></mjml>';
const SUBJECT = 'Order {{ payload.order_id }} has been shipped';

const PREVIEW = record('An email.', {
  subject: text('On one line.'),
  html: nullable(text('Values escaped.')),
  text: nullable(text('As written, or derived from the HTML.')),
});

/** The same object for the same template, so that renders of it are recognised. */
const sourceOf = oncePerObject(
  ({ subject, html, text, mjml, envelope }: StoredTemplate): SourcedEmail => ({
    subject: subject ?? '',
    html,
    text,
    mjml,
    envelope: envelope as EmailEnvelope | null,
  }),
);

function partIssues({ html = null, text = null }: JsonObject): ChannelIssue[] {
  if (html !== null || text !== null) return [];
  return [{ path: '/html', code: 'required', message: 'is required if there is no text' }];
}

/** The fields of a new version. Those of the envelope are stored apart from the others. */
const TEMPLATE = defineSettings<EmailEnvelope>(
  {
    subject: {
      isRequired: true,
      schema: {
        type: 'string',
        description: 'Liquid. Values are not escaped; the result is put on one line.',
      },
      option: { flags: '--subject <template>', description: 'the subject', isRequired: true },
    },
    html: {
      schema: {
        type: ['string', 'null'],
        description: 'Liquid in HTML, or in MJML when it begins with `<mjml>`. Every value is escaped.',
      },
      option: {
        flags: '--html-file <path>',
        description: 'the HTML part, or MJML; - is stdin',
        isFile: true,
      },
    },
    text: {
      schema: {
        type: ['string', 'null'],
        description: 'Liquid in plain text; by default derived from the HTML. One of the two is required.',
      },
      option: {
        flags: '--text-file <path>',
        description: 'the text part; derived from the HTML when left out',
        isFile: true,
      },
    },
    ...ENVELOPE_SETTINGS,
  },
  { rules: [{ reads: ['/html', '/text'], issuesOf: partIssues }] },
);

/** Schema of the envelope of a version in a response. */
export const ENVELOPE_CONTENT: Readonly<Record<string, JsonSchema>> =
  TEMPLATE.config.presentedSchema.properties;

/** The envelope of a valid request; null if the request has none of its fields. */
function toEnvelope(body: JsonObject): EmailEnvelope | null {
  const envelope = TEMPLATE.config.toStored(body);
  return Object.keys(envelope).length > 0 ? envelope : null;
}

/** Email templates: a subject, and HTML, text or both. */
export const EMAIL_TEMPLATE: TemplateDefinition<EmailContent> = {
  schema: TEMPLATE.config.schema,
  rules: TEMPLATE.config.rules,
  toSource(body) {
    const {
      subject,
      html = null,
      text = null,
    } = body as Pick<EmailTemplateSource, 'subject' | 'html' | 'text'>;
    // Preparing the template distinguishes MJML from HTML.
    return { format: 'email', subject, html, text, mjml: null, envelope: toEnvelope(body) };
  },
  async render(renderer, { channel, message, template, context, readFile }, options) {
    if (!template && message.test) return { ok: true, content: testEmail(channel.name) };
    if (!template && message.operational) return { ok: true, content: operationalEmail(context) };
    if (!template) return { ok: false, reason: 'template', message: 'The run has no template.' };
    const rendered = await renderer.renderEmail(sourceOf(template), context, options);
    if (!rendered.ok) return rendered;
    const { subject, html, text, envelope } = rendered;
    if (!envelope) return { ok: true, content: { subject, html, text } };
    const completed = await completeEnvelope(envelope, context, readFile);
    return completed.ok ? { ok: true, content: { subject, html, text, ...completed.parts } } : completed;
  },
  previewSchema: { ...PREVIEW, properties: { ...PREVIEW.properties, ...RENDERED_ENVELOPE } },
  preview: (renderer, template, context, options) =>
    renderer.previewEmail(sourceOf(template), context, options),
  examples: {
    html: {
      summary: 'An email in HTML, active at once',
      value: { subject: SUBJECT, html: HTML, activate: true },
    },
    mjml: { summary: 'An email in MJML', value: { subject: SUBJECT, html: MJML } },
  },
  command: {
    description:
      'add a version of an email template (Liquid, or MJML for the HTML) and make it the active one',
    ...TEMPLATE.command,
    examples: [
      [
        'postrider templates create-email --environment env_01… --event-key order.shipped ' +
          "--subject 'Order {{ payload.order_id }} is on its way' --html-file mail.html",
        'The text part is derived from the HTML.',
      ],
    ],
  },
};
