import { canonicalAddress, toBareAddress } from '../email-address.ts';
import { onOneLine } from '../one-line.ts';
import { escapePointerSegment } from '../storable-json.ts';
import {
  type AttachmentTemplate,
  checkAttachments,
  type RenderedAttachment,
  toFilename,
} from './attachments.ts';
import { describeRenderErrors } from './email-template.ts';
import { plainEngine } from './engine.ts';
import type { MissingVariable, TemplateContext, TemplateIssue } from './template-types.ts';

/**
 * The parts of an email template besides subject and text. `cc`, `bcc`, `reply_to` and the values of `headers` are
 * Liquid.
 */
export type EmailEnvelope = {
  /** Renders to bare addresses, separated by commas, semicolons or line breaks. */
  cc?: string;
  bcc?: string;
  /** Renders to one address, or to nothing: then the channel's is used. */
  reply_to?: string;
  headers?: { [name: string]: string };
  attachments?: AttachmentTemplate[];
};

/** The rendered envelope, without empty values. */
export type RenderedEnvelope = {
  cc?: string[];
  bcc?: string[];
  reply_to?: string;
  headers?: { [name: string]: string };
  attachments?: RenderedAttachment[];
};

/** The most recipients of one mail besides the event's own: what most servers and providers accept. */
export const MAX_COPIES = 50;
export const MAX_HEADERS = 20;
/** The longest header value: with its name it fits on one line of 998 octets (RFC 5322 section 2.1.1). */
const MAX_HEADER_VALUE = 900;
const MAX_HEADER_NAME = 76;

const ALLOWED = [
  /^(?:x|list)-[a-z0-9-]*$/i,
  /^(?:auto-submitted|comments|feedback-id|importance|in-reply-to|keywords)$/i,
  /^(?:organization|precedence|priority|references|sensitivity)$/i,
];
/** Headers that the service sets, and headers that mail providers interpret: these could name other recipients. */
const REFUSED = /^x-(?:(?:postrider|ses|sg|pm|mailgun|mg|mc|msys|mailin|sib|mj|resend|mailjet)-|smtpapi)/i;
const VISIBLE_ASCII = /^[!-~]+(?: [!-~]+)*$/;
/** `msg-id` of RFC 5322 section 3.6.4, in its common form, with one `@`: with several, matching could backtrack. */
const MESSAGE_IDS = /^<[!-;=?A-~]+@[!-;=?A-~]+>(?: <[!-;=?A-~]+@[!-;=?A-~]+>)*$/;
const THREADING = ['in-reply-to', 'references'];

/** Headers of unstructured text, in which any character can be encoded (RFC 2047 section 5). */
const TEXT = /^(?:x-|comments$|organization$)/i;

/** Whether the value of this header may have characters outside ASCII. */
export const isTextHeader = (name: string): boolean => TEXT.test(name);

/** Whether a template may set this header. */
const isTemplateHeader = (name: string): boolean =>
  name.length <= MAX_HEADER_NAME && ALLOWED.some((allowed) => allowed.test(name)) && !REFUSED.test(name);

/** Issues of a new envelope; `path` is a JSON Pointer into the request. Without issues it can be stored. */
export function checkEnvelope(envelope: EmailEnvelope): TemplateIssue[] {
  const { headers = {}, attachments = [] } = envelope;
  const issues = templatesOf(envelope).flatMap(({ source, path }) => plainEngine.check(source, path));
  const seen = new Set<string>();
  for (const name of Object.keys(headers)) {
    const path = headerPath(name);
    if (!isTemplateHeader(name)) issues.push({ path, message: 'is not a header that a template may set' });
    else if (seen.has(name.toLowerCase()))
      issues.push({ path, message: 'repeats another name (case is ignored)' });
    seen.add(name.toLowerCase());
  }
  if (Object.keys(headers).length > MAX_HEADERS) {
    issues.push({ path: '/headers', message: `must not be more than ${MAX_HEADERS}` });
  }
  return [...issues, ...checkAttachments(attachments)];
}

const headerPath = (name: string) => `/headers/${escapePointerSegment(name)}`;

/** Every Liquid source of an envelope, with its path. */
function templatesOf({ cc, bcc, reply_to, headers = {}, attachments = [] }: EmailEnvelope) {
  const given = { cc, bcc, reply_to };
  return [
    ...Object.entries(given).flatMap(([name, source]) =>
      source === undefined ? [] : [{ source, path: `/${name}` }],
    ),
    ...Object.entries(headers).map(([name, source]) => ({ source, path: headerPath(name) })),
    ...attachments.map(({ filename }, index) => ({
      source: filename,
      path: `/attachments/${index}/filename`,
    })),
  ];
}

/** A rendered envelope, and all issues that prevent sending it. */
type FilledEnvelope = {
  envelope: RenderedEnvelope;
  missing: MissingVariable[];
  issues: TemplateIssue[];
};

/**
 * Renders an envelope and checks the result: at most {@link MAX_COPIES} bare addresses, and headers on one
 * line, of visible ASCII if they are not text. Duplicate addresses are removed, and the recipient's own from `cc` and `bcc`.
 * Issues quote the template but no values. Missing values are empty.
 */
export function fillEnvelope(envelope: EmailEnvelope, context: TemplateContext): FilledEnvelope {
  const missing: MissingVariable[] = [];
  const issues: TemplateIssue[] = [];
  const texts = new Map<string, string>();
  for (const { source, path } of templatesOf(envelope)) {
    const previewed = plainEngine.preview(source, path, context);
    missing.push(...previewed.missing);
    issues.push(...previewed.issues);
    texts.set(path, previewed.text ?? '');
  }
  const textAt = (path: string) => texts.get(path) ?? '';

  const { email } = context.recipient;
  const taken = new Set(typeof email === 'string' ? [canonicalAddress(email)] : []);
  const cc = addressesIn(textAt('/cc'), '/cc', taken, issues);
  const bcc = addressesIn(textAt('/bcc'), '/bcc', taken, issues);
  if (cc.length + bcc.length > MAX_COPIES) {
    issues.push({ path: '/cc', message: `must not be more than ${MAX_COPIES} addresses together with bcc` });
  }
  const [replyTo, ...others] = addressesIn(textAt('/reply_to'), '/reply_to', new Set(), issues);
  if (others.length > 0) issues.push({ path: '/reply_to', message: 'must be one address' });
  const headers = headersOf(envelope, textAt, issues);
  const attachments = attachmentsOf(envelope, textAt, { missing, issues });
  return {
    envelope: {
      ...(cc.length > 0 ? { cc } : {}),
      ...(bcc.length > 0 ? { bcc } : {}),
      ...(replyTo === undefined ? {} : { reply_to: replyTo }),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
    },
    missing,
    issues,
  };
}

/** Like {@link fillEnvelope}, for sending: missing values are errors. */
export function renderEnvelope(
  envelope: EmailEnvelope,
  context: TemplateContext,
): { ok: true; envelope: RenderedEnvelope } | { ok: false; message: string; issues: TemplateIssue[] } {
  const filled = fillEnvelope(envelope, context);
  const undefinedVariables = filled.missing.map(({ name, ...position }) => ({
    ...position,
    message: `undefined variable: ${name}`,
  }));
  const [first, ...rest] = [...undefinedVariables, ...filled.issues];
  if (!first) return { ok: true, envelope: filled.envelope };
  const ofSamePart = [first, ...rest.filter(({ path }) => path === first.path)];
  return { ok: false, ...describeRenderErrors(ofSamePart) };
}

function addressesIn(text: string, path: string, taken: Set<string>, issues: TemplateIssue[]): string[] {
  const given = text
    .split(/[,;\r\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const addresses = given.map(toBareAddress);
  const wrong = addresses.indexOf(null);
  if (wrong >= 0) {
    issues.push({ path, message: `address ${wrong + 1} of ${given.length} is not one bare address` });
    return [];
  }
  return addresses.filter((address): address is string => {
    if (address === null) return false;
    const canonical = canonicalAddress(address);
    const isNew = !taken.has(canonical);
    taken.add(canonical);
    return isNew;
  });
}

type TextAt = (path: string) => string;

function headersOf({ headers = {} }: EmailEnvelope, textAt: TextAt, issues: TemplateIssue[]) {
  const filled = Object.keys(headers)
    .map((name) => [name, onOneLine(textAt(headerPath(name))).replace(/ +/g, ' ')] as const)
    .filter(([, value]) => value !== '');
  for (const [name, value] of filled) {
    const path = headerPath(name);
    if (value.length > MAX_HEADER_VALUE) {
      issues.push({ path, message: `must not be longer than ${MAX_HEADER_VALUE} characters` });
    } else if (!isTextHeader(name) && !VISIBLE_ASCII.test(value)) {
      issues.push({ path, message: 'must be visible ASCII' });
    } else if (THREADING.includes(name.toLowerCase()) && !MESSAGE_IDS.test(value)) {
      issues.push({
        path,
        message: 'must be message ids such as <id@example.com>, separated by spaces',
      });
    }
  }
  return Object.fromEntries(filled);
}

function attachmentsOf(
  { attachments = [] }: EmailEnvelope,
  textAt: TextAt,
  { missing, issues }: Pick<FilledEnvelope, 'missing' | 'issues'>,
) {
  return attachments.map(({ content, content_type, cid }, index): RenderedAttachment => {
    const path = `/attachments/${index}/filename`;
    const named = toFilename(onOneLine(textAt(path)));
    const isKnown = [...missing, ...issues].some((known) => known.path === path);
    if ('message' in named && !isKnown) issues.push({ path, message: named.message });
    const filename = 'filename' in named ? named.filename : '';
    return { content, filename, content_type, ...(cid === undefined ? {} : { cid }) };
  });
}
