import type { Template, TemplateInput, TemplatePreview } from '@postrider/client';
import { PostriderApiError } from '@postrider/client';
import { parseJson, toJson } from '../../ui/format.ts';
import type { Issue } from '../../ui/input.ts';

/** Copies, reply address, headers and files; null if there are none. */
export type Envelope = Pick<Template, 'cc' | 'bcc' | 'reply_to' | 'headers' | 'attachments'>;

/** The editor's content, as text. */
export interface Draft {
  readonly event_key: string;
  readonly channel_kind: Template['channel_kind'];
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly body: string;
  /** For an email. */
  readonly envelope: Envelope;
}

/** An issue of a part of the template, such as `/html`. */
export interface PartIssue extends Issue {
  readonly path: string;
  /** The layout or partial with the issue; null for the template itself. */
  readonly part: string | null;
}

export const EMPTY_DRAFT: Draft = {
  event_key: 'order.shipped',
  channel_kind: 'email',
  subject: 'Order {{ payload.order_id }} is on its way',
  html: '<p>Hello {{ recipient.name }},</p>\n<p>your order {{ payload.order_id }} is on its way.</p>\n',
  text: '',
  body: toJson({ order: '{{ payload.order_id }}', to: '{{ recipient.email }}' }),
  envelope: { cc: null, bcc: null, reply_to: null, headers: null, attachments: null },
};

/** The source of a stored version: MJML if it was written as MJML. */
export function draftOf(template: Template): Draft {
  const { cc, bcc, reply_to, headers, attachments } = template;
  return {
    event_key: template.event_key,
    channel_kind: template.channel_kind,
    subject: template.subject ?? '',
    html: template.mjml ?? template.html ?? '',
    text: template.text ?? '',
    body: template.body ? toJson(template.body) : '{}',
    envelope: { cc, bcc, reply_to, headers, attachments },
  };
}

/** The draft in the API's form. Throws a SyntaxError if a body is not JSON. */
export function inputOf(draft: Draft): TemplateInput {
  const { event_key, channel_kind } = draft;
  if (channel_kind !== 'email')
    return { event_key, channel_kind, body: parseJson(draft.body) } as TemplateInput;
  return {
    event_key,
    channel_kind,
    subject: draft.subject,
    ...(draft.html.trim() && { html: draft.html }),
    ...(draft.text.trim() && { text: draft.text }),
    ...draft.envelope,
  } as TemplateInput;
}

/** The issues of a refused draft, with their parts. */
export function issuesOfError(error: unknown): PartIssue[] {
  if (error instanceof SyntaxError)
    return [{ path: '/body', line: 1, column: 1, message: error.message, part: null, severity: 'error' }];
  if (!(error instanceof PostriderApiError)) return [];
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  return error.details.map(({ path, message, line, column, part }) => ({
    path,
    message,
    part: typeof part === 'string' ? part : null,
    line: number(line),
    column: number(column),
    severity: 'error',
  }));
}

/** The issues of a preview: errors, and variables that the example lacks. */
export function issuesOfPreview({ errors, missing_variables }: TemplatePreview): PartIssue[] {
  return [
    ...errors.map((each): PartIssue => ({ ...each, severity: 'error' })),
    ...missing_variables.map(
      ({ path, name, part, line, column }): PartIssue => ({
        path,
        part,
        line,
        column,
        message: `The example has no ${name}.`,
        severity: 'warning',
      }),
    ),
  ];
}

/** The issues of one part, such as `/html`. Issues of MJML belong to HTML. */
export const issuesOf = (issues: readonly PartIssue[], path: string) =>
  issues.filter(
    (issue) =>
      issue.part === null &&
      (issue.path === path ||
        issue.path.startsWith(`${path}/`) ||
        (path === '/html' && issue.path === '/mjml')),
  );
