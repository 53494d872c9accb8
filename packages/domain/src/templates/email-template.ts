import { onOneLine } from '../one-line.ts';
import type { RenderedEnvelope } from './email-envelope.ts';
import { htmlEngine, messageOfIssues, plainEngine } from './engine.ts';
import type { Preview, TemplateContext, TemplateIssue } from './template-types.ts';

/** One of `html` and `text` may be null, not both. Without a text the caller derives it from the HTML. */
export type EmailTemplate = { subject: string; html: string | null; text: string | null };

export type RenderedEmail =
  | ({ ok: true; envelope?: RenderedEnvelope } & EmailTemplate)
  | { ok: false; message: string; issues: TemplateIssue[] };

/** The longest rendered subject. Encoding one of two million characters would take the thread for seconds. */
const MAX_SUBJECT_CHARACTERS = 20_000;

const subjectIssues = (subject: string | null): TemplateIssue[] =>
  subject !== null && subject.length > MAX_SUBJECT_CHARACTERS
    ? [{ path: '/subject', message: `more than ${MAX_SUBJECT_CHARACTERS} characters were rendered` }]
    : [];

/**
 * Renders an email template. Values are escaped in `html` and written unchanged in `text` and in `subject`, which is
 * put on one line (see {@link onOneLine}). A null part stays null. Markup that a template captures in a variable is a
 * value, too, and is escaped when printed. The message of a failure names the part and the position. It may quote the
 * template, but not the context.
 */
export function renderEmailTemplate(template: EmailTemplate, context: TemplateContext): RenderedEmail {
  const subject = plainEngine.render(template.subject, '/subject', context);
  if (!subject.ok) return { ok: false, ...describeRenderErrors(subject.issues) };
  const tooLong = subjectIssues(subject.text);
  if (tooLong.length > 0) return { ok: false, ...describeRenderErrors(tooLong) };
  const html = template.html === null ? null : htmlEngine.render(template.html, '/html', context);
  if (html?.ok === false) return { ok: false, ...describeRenderErrors(html.issues) };
  const text = template.text === null ? null : plainEngine.render(template.text, '/text', context);
  if (text?.ok === false) return { ok: false, ...describeRenderErrors(text.issues) };
  return { ok: true, subject: onOneLine(subject.text), html: html?.text ?? null, text: text?.text ?? null };
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
  const { html, text } = template;
  const subject = plainEngine.preview(template.subject, '/subject', context);
  const parts = {
    html: html === null ? null : htmlEngine.preview(html, '/html', context),
    text: text === null ? null : plainEngine.preview(text, '/text', context),
  };
  const all = [subject, parts.html, parts.text].filter((part) => part !== null);
  const tooLong = subjectIssues(subject.text);
  const rendered =
    subject.text === null || tooLong.length > 0 || all.some((part) => part.text === null)
      ? null
      : { subject: onOneLine(subject.text), html: parts.html?.text ?? null, text: parts.text?.text ?? null };
  return {
    rendered,
    missing: all.flatMap((part) => part.missing),
    issues: [...tooLong, ...all.flatMap((part) => part.issues)],
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
