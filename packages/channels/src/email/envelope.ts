import {
  CID_PATTERN,
  CONTENT_TYPE_PATTERN,
  type EmailEnvelope,
  type JsonObject,
  MAX_ATTACHED_BYTES,
  MAX_ATTACHMENTS,
  MAX_CONTENT_TYPE,
  MAX_COPIES,
  MAX_HEADERS,
  type RenderedEnvelope,
  readAttachments,
  type TemplateContext,
} from '@postrider/domain';
import type { RenderFailure } from '@postrider/rendering';
import type { ReadFile } from '../channel.ts';
import { headerParser } from '../command.ts';
import { type JsonSchema, nullable, record, text, wholeNumber } from '../schema.ts';
import type { Setting, SettingOption, SettingsOf } from '../settings.ts';
import type { EmailContent } from './index.ts';
import type { EmailAttachment } from './provider.ts';

/** The longest Liquid source of one field, in characters. */
const MAX_SOURCE = 2_000;

const liquid = (option: SettingOption, shown: string, description: string): Setting => ({
  schema: { type: ['string', 'null'], maxLength: MAX_SOURCE, default: null, description },
  shown,
  storedOf: (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
  option,
});

const textsByName = (description: string): JsonSchema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});

const ATTACHMENT = {
  title: 'Template attachment',
  type: 'object',
  required: ['content', 'filename', 'content_type'],
  additionalProperties: false,
  properties: {
    content: {
      type: 'string',
      maxLength: 256,
      description:
        'The path of the base64 file in the event, such as `payload.invoice.pdf`. If its value is null, the mail ' +
        'has no such file; if it is missing, the delivery fails.',
    },
    filename: { type: 'string', maxLength: MAX_SOURCE, description: 'Liquid.' },
    content_type: {
      type: 'string',
      maxLength: MAX_CONTENT_TYPE,
      pattern: CONTENT_TYPE_PATTERN,
      description:
        'For example `application/pdf`, or `text/calendar; method=REQUEST; charset=utf-8`. Types that mail ' +
        'programs block, such as executables, are refused, and so are the parameters `name` and `boundary`.',
    },
    cid: {
      type: ['string', 'null'],
      pattern: CID_PATTERN,
      default: null,
      description:
        'Shows the file where the HTML has `<img src="cid:…">` with this, instead of attaching it.',
    },
  },
} as const satisfies JsonSchema;

function parseAttachment(json: string, before: unknown): unknown[] {
  try {
    return [...((before as unknown[] | undefined) ?? []), JSON.parse(json)];
  } catch {
    throw new Error(
      'It must be JSON, such as {"content":"payload.pdf","filename":"a.pdf","content_type":"application/pdf"}.',
    );
  }
}

/** The fields of a template request besides subject, HTML and text. */
export const ENVELOPE_SETTINGS = {
  cc: liquid(
    { flags: '--cc <template>', description: 'addresses that get a copy, separated by commas' },
    'Liquid; null if there are no copies.',
    'Liquid that renders to bare addresses, separated by commas or line breaks. They also get each mail; ' +
      `at most ${MAX_COPIES} together with \`bcc\`.`,
  ),
  bcc: liquid(
    { flags: '--bcc <template>', description: 'the same, hidden from the other recipients' },
    'Liquid; null if there are none.',
    'Like `cc`, but not named in any header.',
  ),
  reply_to: liquid(
    { flags: '--reply-to <template>', description: 'the reply-to address; by default the channel’s' },
    'Liquid; null for the channel’s address.',
    "Liquid that renders to one bare address. If it renders to nothing, the channel's address is used.",
  ),
  headers: {
    schema: {
      type: ['object', 'null'],
      maxProperties: MAX_HEADERS,
      additionalProperties: { type: 'string', maxLength: MAX_SOURCE },
      default: null,
      description:
        'Liquid by the name of a header: `X-…`, `List-…`, `Auto-Submitted`, `Comments`, `Feedback-ID`, `Importance`, ' +
        '`In-Reply-To`, `Keywords`, `Organization`, `Precedence`, `Priority`, `References`, `Sensitivity`. Visible ASCII, except in ' +
        '`X-…`, `Comments` and `Organization`, which are encoded.',
    },
    shown: nullable(textsByName('Liquid by name; null if there are none.')),
    storedOf: (headers) => (Object.keys(headers ?? {}).length > 0 ? headers : undefined),
    option: {
      flags: '--header <header>',
      description: 'a header, such as "X-Order: {{ payload.order_id }}"; repeatable',
      parse: headerParser('a template'),
    },
  },
  attachments: {
    schema: {
      type: ['array', 'null'],
      maxItems: MAX_ATTACHMENTS,
      items: ATTACHMENT,
      default: null,
      description: `Files, at most ${MAX_ATTACHED_BYTES} bytes in total.`,
    },
    shown: nullable({ type: 'array', items: ATTACHMENT, description: 'Files; null if there are none.' }),
    storedOf(files) {
      const given = (files ?? []) as JsonObject[];
      if (given.length === 0) return undefined;
      return given.map(({ cid, ...file }) => ({ ...file, ...(cid ? { cid } : {}) }));
    },
    option: {
      flags: '--attachment <json>',
      description:
        'a file: {"content": path in the event, "filename": template, "content_type": type, "cid"?: name}; repeatable',
      parse: parseAttachment,
    },
  },
} satisfies SettingsOf<EmailEnvelope>;

/** Schema of these fields as rendered. */
export const RENDERED_ENVELOPE: Readonly<Record<string, JsonSchema>> = {
  cc: {
    type: 'array',
    items: { type: 'string' },
    description: 'Bare addresses; left out when there are none.',
  },
  bcc: { type: 'array', items: { type: 'string' }, description: 'As `cc`.' },
  reply_to: text('Left out: that of the channel.'),
  headers: textsByName('By name; left out when there are none.'),
  attachments: {
    type: 'array',
    description: 'Left out when there are none.',
    items: record('A file.', {
      filename: text('Its name.'),
      content_type: text('Its type.'),
      cid: nullable(text('How the HTML names it; null when it is attached.')),
      bytes: wholeNumber('Its size.'),
    }),
  },
};

type Completed =
  | { readonly ok: true; readonly parts: Omit<EmailContent, 'subject' | 'html' | 'text'> }
  | RenderFailure;

const refused = (message: string): RenderFailure => ({ ok: false, reason: 'template', message });

/** Completes a rendered envelope with the bytes of its files. */
export async function completeEnvelope(
  { attachments = [], ...parts }: RenderedEnvelope,
  context: TemplateContext,
  readFile: ReadFile,
): Promise<Completed> {
  const { read, missing, issues } = readAttachments(attachments, context);
  const [absent] = missing;
  if (absent) return refused(`${absent.path.slice(1)}: undefined variable: ${absent.name}`);
  const [issue] = issues;
  if (issue) return refused(`${issue.path.slice(1)}: ${issue.message}`);
  const files: EmailAttachment[] = [];
  let bytes = 0;
  for (const { content_type: contentType, filename, cid, ...source } of read) {
    const content = 'content' in source ? source.content : await readFile(source.file);
    if (content === null) return refused(`attachments: the file ${filename} is no longer stored`);
    bytes += content.byteLength;
    if (bytes > MAX_ATTACHED_BYTES) {
      return refused(`attachments: must not have more than ${MAX_ATTACHED_BYTES} bytes in total`);
    }
    files.push({ filename, contentType, content, ...(cid === undefined ? {} : { cid }) });
  }
  return { ok: true, parts: { ...parts, ...(files.length > 0 ? { attachments: files } : {}) } };
}

const presentFile = ({ filename, contentType, content, cid }: EmailAttachment) => ({
  filename,
  content_type: contentType,
  cid: cid ?? null,
  bytes: content.byteLength,
});

/** The envelope of a content, in the form in which the API shows it. */
export function presentEnvelope({ cc, bcc, reply_to, headers, attachments }: EmailContent): JsonObject {
  return {
    ...(cc ? { cc: [...cc] } : {}),
    ...(bcc ? { bcc: [...bcc] } : {}),
    ...(reply_to === undefined ? {} : { reply_to }),
    ...(headers ? { headers: { ...headers } } : {}),
    ...(attachments ? { attachments: attachments.map(presentFile) } : {}),
  };
}
