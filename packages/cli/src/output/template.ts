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

/** Copies, headers and files. */
type Envelope = { readonly [part in 'cc' | 'bcc' | 'reply_to' | 'headers' | 'attachments']?: unknown };

function envelopeParts({ cc, bcc, reply_to, headers, attachments }: Envelope, style: Style): string[] {
  return Object.entries({ cc, bcc, reply_to, headers, attachments }).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : part(name, typeof value === 'string' ? value : JSON.stringify(value, null, 2), style),
  );
}

/** The fields of a version besides its content. */
const SUMMARY = [
  'id',
  'environment_id',
  'event_key',
  'channel_kind',
  'name',
  'locale',
  'version',
  'active',
  'created_at',
];

function summaryOf(version: Template | TemplatePart, style: Style): string {
  const shown = Object.entries(version).filter(([name]) => SUMMARY.includes(name));
  return record(Object.fromEntries(shown), style);
}

function contentOf(version: Template | TemplatePart, style: Style): string[] {
  if ('messages' in version) return part('messages', JSON.stringify(version.messages, null, 2), style);
  const { mjml } = version;
  if ('content' in version) return part(mjml === null ? 'content' : 'mjml', mjml ?? version.content, style);
  const { subject, html, text, body } = version;
  return [
    ...envelopeParts(version, style),
    ...part('subject', subject, style),
    ...part(mjml === null ? 'html' : 'mjml', mjml ?? html, style),
    ...part('text', text, style),
    ...part('body', body === null ? null : JSON.stringify(body, null, 2), style),
  ];
}

/** A version of a template or a part with its content. */
export const versionContent = (version: Template | TemplatePart, style: Style): string =>
  [summaryOf(version, style), ...contentOf(version, style)].join('\n');

/** A new or activated version, the templates that were republished with it, and the warnings. */
export function changedVersion(changed: ChangedTemplate | ChangedTemplatePart, style: Style): string {
  const renewed = ('templates' in changed ? changed.templates : []).map(
    ({ event_key, channel_kind, version, id }) => `${event_key} ${channel_kind}: version ${version}, ${id}`,
  );
  return [
    summaryOf(changed, style),
    ...part('templates republished', renewed.length === 0 ? null : renewed.join('\n'), style),
    ...warningLines(changed.warnings, style),
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
