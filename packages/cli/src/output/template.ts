import type {
  ChangedTemplate,
  ChangedTemplatePart,
  Template,
  TemplatePart,
  TemplatePreview,
} from '@postrider/client';
import type { Style } from './style.ts';
import { record } from './table.ts';
import { lines, plain } from './text.ts';

type Position = TemplatePreview['errors' | 'missing_variables'][number];

function at({ path, part: within, line, column }: Position): string {
  const where = within === null ? plain(path) : `${plain(path)}, ${plain(within)}`;
  return line === null ? where : `${where} line ${line}, column ${column ?? 1}`;
}

/** A text under its heading; nothing if it is null. */
function part(heading: string, text: string | null, style: Style): string[] {
  return text === null ? [] : [`\n${style.bold(heading)}`, lines(text)];
}

function warningLines(warnings: TemplatePreview['warnings'], style: Style): string[] {
  return warnings.map(({ path, message }) => style.yellow(`warning: ${plain(path)} ${plain(message)}`));
}

/** The version without its content. */
function summaryOf({ id, environment_id, event_key, channel_kind, version, active, created_at }: Template) {
  return { id, environment_id, event_key, channel_kind, version, active, created_at };
}

/** Copies, headers and files. */
type Envelope = { readonly [part in 'cc' | 'bcc' | 'reply_to' | 'headers' | 'attachments']?: unknown };

function envelopeParts({ cc, bcc, reply_to, headers, attachments }: Envelope, style: Style): string[] {
  return Object.entries({ cc, bcc, reply_to, headers, attachments }).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : part(name, typeof value === 'string' ? value : JSON.stringify(value, null, 2), style),
  );
}

/** A new or activated version with its warnings. */
export function changedTemplate(template: ChangedTemplate, style: Style): string {
  return [record(summaryOf(template), style), ...warningLines(template.warnings, style)].join('\n');
}

/** A version with its content. */
export function templateContent(template: Template, style: Style): string {
  const { subject, html, text, mjml, body } = template;
  return [
    record(summaryOf(template), style),
    ...envelopeParts(template, style),
    ...part('subject', subject, style),
    ...part(mjml === null ? 'html' : 'mjml', mjml ?? html, style),
    ...part('text', text, style),
    ...part('body', body === null ? null : JSON.stringify(body, null, 2), style),
  ].join('\n');
}

/** The preview with its issues. */
export function templatePreview(preview: TemplatePreview, style: Style): string {
  const { deliverable, rendered, missing_variables, errors, warnings } = preview;
  const result = deliverable ? style.green('would be sent') : style.red('would fail');
  const content =
    rendered === null
      ? []
      : 'body' in rendered
        ? part('body', JSON.stringify(rendered.body, null, 2), style)
        : [
            ...envelopeParts(rendered, style),
            ...part('subject', rendered.subject, style),
            ...part('text', rendered.text, style),
            ...part('html', rendered.html, style),
          ];
  return [
    result,
    ...missing_variables.map((missing) => style.red(`missing: ${plain(missing.name)} (${at(missing)})`)),
    ...errors.map((error) => style.red(`error: ${plain(error.message)} (${at(error)})`)),
    ...warningLines(warnings, style),
    ...content,
  ].join('\n');
}

/** Splits a version into fields with their own lines, and the rest. */
function split(shown: TemplatePart) {
  if ('messages' in shown) {
    const { messages, ...summary } = shown;
    return { summary, heading: 'messages', content: JSON.stringify(messages, null, 2) };
  }
  const { content, mjml, ...summary } = shown;
  return { summary, heading: mjml === null ? 'content' : 'mjml', content: mjml ?? content };
}

/** A new or activated version, the republished templates, and the warnings. */
export function changedPart({ templates, warnings, ...changed }: ChangedTemplatePart, style: Style): string {
  const renewed = templates.map(
    ({ event_key, channel_kind, version, id }) => `${event_key} ${channel_kind}: version ${version}, ${id}`,
  );
  return [
    record(split(changed).summary, style),
    ...part('templates republished', renewed.length === 0 ? null : renewed.join('\n'), style),
    ...warningLines(warnings, style),
  ].join('\n');
}

/** A version with its content. */
export function partContent(shown: TemplatePart, style: Style): string {
  const { summary, heading, content } = split(shown);
  return [record(summary, style), ...part(heading, content, style)].join('\n');
}
