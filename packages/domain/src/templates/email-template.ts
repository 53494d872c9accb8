import { onOneLine } from '../one-line.ts';
import type { RenderedEnvelope } from './email-envelope.ts';
import { htmlEngine, messageOfIssues, plainEngine } from './engine.ts';
import type { Preview, TemplateContext, TemplateIssue } from './template-types.ts';

/** One of `html` and `text` may be null, not both. Without a text the caller derives it from the HTML. */
export type EmailTemplate = { subject: string; html: string | null; text: string | null };

export type RenderedEmail =
  | ({ ok: true; envelope?: RenderedEnvelope } & EmailTemplate)
  | { ok: false; message: string; issues: TemplateIssue[] };

/** The parts of a template that are not null, with their engines. */
function partsOf({ subject, html, text }: EmailTemplate) {
  const parts = [
    { name: 'subject', source: subject, engine: plainEngine },
    { name: 'html', source: html, engine: htmlEngine },
    { name: 'text', source: text, engine: plainEngine },
  ];
  return parts.flatMap(({ source, ...part }) =>
    source === null ? [] : [{ ...part, source, path: `/${part.name}` }],
  );
}

/** The email with these parts. */
function toEmail(parts: Iterable<readonly [string, string]>): EmailTemplate {
  const { subject = '', html = null, text = null } = Object.fromEntries<string | undefined>(parts);
  return { subject: onOneLine(subject), html, text };
}

/**
 * Renders an email template. Values are escaped in `html` and written unchanged in `text` and in `subject`, which is
 * put on one line (see {@link onOneLine}). A null part stays null. Markup that a template captures in a variable is a
 * value, too, and is escaped when printed. The message of a failure names the part and the position. It may quote the
 * template, but not the context.
 */
export function renderEmailTemplate(template: EmailTemplate, context: TemplateContext): RenderedEmail {
  const rendered = new Map<string, string>();
  for (const { name, source, path, engine } of partsOf(template)) {
    const part = engine.render(source, path, context);
    if (!part.ok) return { ok: false, ...describeRenderErrors(part.issues) };
    rendered.set(name, part.text);
  }
  return { ok: true, ...toEmail(rendered) };
}

/** The issues of one part of an email as text, for an attempt's error message. */
export function describeRenderErrors(issues: TemplateIssue[]): { message: string; issues: TemplateIssue[] } {
  const part = issues[0]?.path.slice(1) ?? '';
  return { message: `${part}: ${messageOfIssues(issues)}`, issues };
}

/** `rendered` is null if a part cannot be rendered. */
export type EmailPreview = Preview<EmailTemplate | null>;

/** Renders a preview of all parts of an email, even if one has issues. */
export function previewEmailTemplate(template: EmailTemplate, context: TemplateContext): EmailPreview {
  const parts = partsOf(template).map(({ name, source, path, engine }) => ({
    name,
    ...engine.preview(source, path, context),
  }));
  const texts = parts.flatMap(({ name, text }) => (text === null ? [] : [[name, text] as const]));
  return {
    rendered: texts.length < parts.length ? null : toEmail(texts),
    missing: parts.flatMap(({ missing }) => missing),
    issues: parts.flatMap(({ issues }) => issues),
  };
}

/** Issues of a new email template; `path` is a JSON Pointer into it. Without issues it can be stored. */
export function checkEmailTemplate(template: EmailTemplate): TemplateIssue[] {
  const issues = plainEngine.check(template.subject, '/subject');
  if (template.subject.trim() === '') issues.push({ path: '/subject', message: 'must not be blank' });
  if (template.html === null && template.text === null) {
    issues.push({ path: '', message: 'must have html or text' });
  }
  if (template.html !== null) issues.push(...htmlEngine.check(template.html, '/html'));
  if (template.text !== null) issues.push(...plainEngine.check(template.text, '/text'));
  return issues;
}
