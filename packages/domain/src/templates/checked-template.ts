import type { JsonObject, JsonValue } from '../storable-json.ts';
import { checkEnvelope, type EmailEnvelope } from './email-envelope.ts';
import { checkEmailTemplate } from './email-template.ts';
import { checkJsonTemplate } from './json-template.ts';
import { MAX_SOURCE_CHARACTERS } from './liquid.ts';
import type { TemplateReference } from './parts.ts';
import { collectReferences } from './references.ts';
import type { TemplateIssue } from './template-types.ts';

/** An email template: Liquid in subject, HTML and text. */
export type EmailTemplateSource = {
  format: 'email';
  subject: string;
  html: string | null;
  /** Null: derived from the HTML when the mail is sent. */
  text: string | null;
  /** The MJML source of `html`; null if there is none. */
  mjml: string | null;
  /** Copies, headers and files; null or left out if there are none. */
  envelope?: EmailEnvelope | null;
};

/** A JSON template: each string that is not a key is a Liquid template. */
export type JsonTemplateSource = { format: 'json'; body: JsonObject };

/** The source of a new template version, in one of the formats. */
export type TemplateSource = EmailTemplateSource | JsonTemplateSource;

/** The stored columns of a template version. Columns of another template format are null. */
export interface StoredTemplate {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /** The MJML source of `html`, to locate issues in it; null if the template is plain HTML. */
  readonly mjml: string | null;
  readonly body: JsonValue;
  /** Copies, headers and files of an email. */
  readonly envelope: JsonValue;
}

declare const checked: unique symbol;

/** A source that passed the check. Only the check creates this type, and only this type is stored. */
export type CheckedTemplate = TemplateSource & { readonly [checked]: true };

export type TemplateCheck =
  | { outcome: 'sound'; template: CheckedTemplate; references: TemplateReference[] }
  | { outcome: 'invalid'; issues: TemplateIssue[] };

/** The most reported issues: a JSON template can have one in each leaf. */
const MAX_ISSUES = 100;

/** Whether `html` is MJML (it starts with `<mjml>`), which is compiled to HTML before it is stored. */
export function isMjml(html: string): boolean {
  return /^\s*<mjml[\s>]/i.test(html);
}

/**
 * Checks the source of a new template version. Paths of issues are those of the request: `/subject`, `/html`, `/text`,
 * `/body/…`. A hostile source can take a few seconds of CPU, so a service checks it in a render process.
 */
export function checkTemplate(source: TemplateSource): TemplateCheck {
  const { result, references } = collectReferences(() => issuesOf(source));
  const issues = result.slice(0, MAX_ISSUES);
  if (issues.length > 0) return { outcome: 'invalid', issues };
  const root = source.format === 'json' ? '/body' : '';
  return {
    outcome: 'sound',
    template: source as CheckedTemplate,
    references: references.map((reference) => ({ ...reference, path: root + reference.path })),
  };
}

function issuesOf(source: TemplateSource): TemplateIssue[] {
  if (source.format === 'json') {
    return checkJsonTemplate(source.body).map((issue) => ({ ...issue, path: `/body${issue.path}` }));
  }
  const { html, mjml } = source;
  if (html !== null && isMjml(html)) return [{ path: '/html', message: 'is MJML that was not compiled' }];
  if (mjml !== null && html !== null && html.length > MAX_SOURCE_CHARACTERS) {
    const message = `compiles to ${html.length} characters of HTML; at most ${MAX_SOURCE_CHARACTERS}`;
    return [{ path: '/html', message }];
  }
  return [...checkEmailTemplate(source), ...(source.envelope ? checkEnvelope(source.envelope) : [])];
}
