import type { JsonObject } from '../storable-json.ts';
import { checkEnvelope, type EmailEnvelope } from './email-envelope.ts';
import { checkEmailTemplate } from './email-template.ts';
import { checkJsonTemplate } from './json-template.ts';
import { MAX_SOURCE_CHARACTERS } from './liquid.ts';
import type { TemplateReference } from './parts.ts';
import { collectReferences } from './references.ts';
import type { TemplateIssue } from './template-types.ts';

/** A template of an email: Liquid in a subject, HTML and text. */
export type EmailContent = {
  format: 'email';
  subject: string;
  html: string | null;
  /** Null: derived from the HTML when it is sent. */
  text: string | null;
  /** The MJML that `html` was compiled from; null when it was written as HTML. */
  mjml: string | null;
  /** Copies, headers and files; null or left out when there are none. */
  envelope?: EmailEnvelope | null;
};

/** A template of a JSON document: each string in it that is not a key is a template of its own. */
export type JsonContent = { format: 'json'; body: JsonObject };

/** What a new template version consists of, in one of the formats that can be rendered. */
export type TemplateContent = EmailContent | JsonContent;

declare const checked: unique symbol;

/** Content in which a check has found no issue. What is stored is of this type, and only a check makes it. */
export type CheckedTemplate = TemplateContent & { readonly [checked]: true };

export type TemplateVerdict =
  | { outcome: 'sound'; template: CheckedTemplate; references: TemplateReference[] }
  | { outcome: 'invalid'; issues: TemplateIssue[] };

/** A JSON template can have as many issues as leaves. */
const MAX_ISSUES = 100;

/** Whether an `html` is MJML, which is compiled to HTML before it is stored: it begins with `<mjml>`. */
export function isMjml(html: string): boolean {
  return /^\s*<mjml[\s>]/i.test(html);
}

/**
 * Checks the content of a new template version: docs/specification.md, "Template versions". Paths of issues
 * lead into the request that made it: `/subject`, `/html`, `/text`, `/body/…`. Takes up to a few seconds of
 * CPU for hostile content, so a service has it done in a render process.
 */
export function checkTemplate(content: TemplateContent): TemplateVerdict {
  const { result, references } = collectReferences(() => issuesOf(content));
  const issues = result.slice(0, MAX_ISSUES);
  if (issues.length > 0) return { outcome: 'invalid', issues };
  const root = content.format === 'json' ? '/body' : '';
  return {
    outcome: 'sound',
    template: content as CheckedTemplate,
    references: references.map((reference) => ({ ...reference, path: root + reference.path })),
  };
}

function issuesOf(content: TemplateContent): TemplateIssue[] {
  if (content.format === 'json') {
    return checkJsonTemplate(content.body).map((issue) => ({ ...issue, path: `/body${issue.path}` }));
  }
  const { html, mjml } = content;
  if (html !== null && isMjml(html)) return [{ path: '/html', message: 'is MJML that was not compiled' }];
  if (mjml !== null && html !== null && html.length > MAX_SOURCE_CHARACTERS) {
    const message = `compiles to ${html.length} characters of HTML; at most ${MAX_SOURCE_CHARACTERS}`;
    return [{ path: '/html', message }];
  }
  return [...checkEmailTemplate(content), ...(content.envelope ? checkEnvelope(content.envelope) : [])];
}
