import { onOneLine } from '../one-line.ts';
import type { RenderedEnvelope } from './email-envelope.ts';
import { htmlEngine, messageOfIssues, plainEngine } from './engine.ts';
import type { MissingVariable, TemplateContext, TemplateIssue } from './template-types.ts';

/**
 * One of `html` and `text` may be null, not both; the caller derives the text part then, or does without
 * HTML.
 */
export type EmailTemplate = { subject: string; html: string | null; text: string | null };

export type RenderedEmail =
  | { ok: true; subject: string; html: string | null; text: string | null; envelope?: RenderedEnvelope }
  | { ok: false; message: string; issues: TemplateIssue[] };

/**
 * Fills in an email template: values are escaped in `html`, and written as they are in `subject` (put on
 * one line, see {@link onOneLine}) and `text`. A part that is null stays null. Markup that a template captures in
 * a variable is a value too: it is escaped when the variable is printed. The message of a failure names the
 * part and the place; it may quote the template, not the context.
 */
export function renderEmailTemplate(template: EmailTemplate, context: TemplateContext): RenderedEmail {
  const subject = plainEngine.render(template.subject, '/subject', context);
  if (!subject.ok) return { ok: false, ...describeRenderErrors(subject.issues) };
  const html = template.html === null ? null : htmlEngine.render(template.html, '/html', context);
  if (html?.ok === false) return { ok: false, ...describeRenderErrors(html.issues) };
  const text = template.text === null ? null : plainEngine.render(template.text, '/text', context);
  if (text?.ok === false) return { ok: false, ...describeRenderErrors(text.issues) };
  return { ok: true, subject: onOneLine(subject.text), html: html?.text ?? null, text: text?.text ?? null };
}

/** What is wrong with one part of an email, as the attempt says it: the part, and each issue with its place. */
export function describeRenderErrors(issues: TemplateIssue[]): { message: string; issues: TemplateIssue[] } {
  const part = issues[0]?.path.slice(1) ?? '';
  return { message: `${part}: ${messageOfIssues(issues)}`, issues };
}

/**
 * What a template would look like: `rendered` is null when a part cannot be rendered, and has blanks where
 * something is missing. Only a template without issues and with nothing missing can be delivered.
 */
export type EmailPreview = {
  rendered: { subject: string; html: string | null; text: string | null } | null;
  missing: MissingVariable[];
  issues: TemplateIssue[];
};

/** Renders an email to be looked at, all parts of it, whatever is wrong with one. */
export function previewEmailTemplate(template: EmailTemplate, context: TemplateContext): EmailPreview {
  const { html, text } = template;
  const subject = plainEngine.preview(template.subject, '/subject', context);
  const parts = {
    html: html === null ? null : htmlEngine.preview(html, '/html', context),
    text: text === null ? null : plainEngine.preview(text, '/text', context),
  };
  const all = [subject, parts.html, parts.text].filter((part) => part !== null);
  const rendered =
    subject.text === null || all.some((part) => part.text === null)
      ? null
      : { subject: onOneLine(subject.text), html: parts.html?.text ?? null, text: parts.text?.text ?? null };
  return {
    rendered,
    missing: all.flatMap((part) => part.missing),
    issues: all.flatMap((part) => part.issues),
  };
}

/** The issues of a new email template, `path` a JSON Pointer into it; none means that it can be stored. */
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
