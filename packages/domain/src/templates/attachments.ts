import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { JsonValue } from '../storable-json.ts';
import type { MissingVariable, TemplateContext, TemplateIssue } from './template-types.ts';
import { parseValuePath, valueAt } from './value-path.ts';

export type AttachmentTemplate = {
  /** A path such as `payload.invoice.pdf` to base64 in the event. Null there means no file. */
  content: string;
  /** Liquid. */
  filename: string;
  /** `type/subtype` in lower case, with parameters such as `; charset=utf-8`. */
  content_type: string;
  /** The HTML shows the file as `cid:<this>`; left out for an attachment. */
  cid?: string;
};

/** The content is read when the mail is built. */
export type RenderedAttachment = AttachmentTemplate;

export const MAX_ATTACHMENTS = 10;
/**
 * The largest total size of a mail's files in bytes, before base64. With base64 most servers accept such a mail (10
 * MB).
 */
export const MAX_ATTACHED_BYTES = 7 * 1_024 * 1_024;
const MAX_FILENAME = 200;

export const MAX_CONTENT_TYPE = 255;
const MEDIA_TYPE = '[a-z]+/[a-z0-9](?:[a-z0-9.+-]{0,98}[a-z0-9])?';
/** A `token` of RFC 2045 section 5.1, without the `*` of names that continue or have a charset (RFC 2231). */
const TOKEN = "[!#$%&'+.^_`{|}~0-9A-Za-z-]+";
const PARAMETER = ` *; *(${TOKEN})=(?:${TOKEN}|"[ !#-\\[\\]-~]*")`;
export const CONTENT_TYPE_PATTERN = `^${MEDIA_TYPE}(?:${PARAMETER})*$`;
/** Parameters that the mail library writes: a name of its own could have a refused ending. */
const REFUSED_PARAMETERS = ['boundary', 'name'];
export const CID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
/** Types that are parts of the mail itself, that mail programs execute, or that filters refuse. */
const REFUSED_TYPES = [
  /^(?:multipart|message)\/|^text\/(?:ecmascript|html|javascript|vbscript)$|^image\/svg\+xml$/,
  /^application\/(?:ecmascript|hta|java-archive|javascript|vnd\.android\.package-archive|xhtml\+xml)$/,
  /^application\/(?:vnd\.microsoft\.portable-executable|x-(?:bat|dosexec|executable|javascript|msi|sh))$/,
  /^application\/x-ms(?:dos-program|download)$/,
];
/** File name extensions that Gmail and Outlook refuse. */
const REFUSED_ENDINGS =
  /\.(?:ade|adp|apk|appx?|appxbundle|bat|cab|chm|cmd|com|cpl|diagcab|dll|dmg|ex|exe|hta|html?|img|ins|iso|isp|jar|jnlp|js|jse|lib|lnk|mde|msc|msi|msix|msixbundle|msp|mst|nsh|pif|ps1|scr|sct|shb|svgz?|sys|vbe?|vbs|vhdx?|vxd|wsc|wsf|wsh|xht|xhtml|xll)$/i;
/** Path separators, and characters that some systems do not allow in names. */
const NOT_IN_NAMES = /[/\\:*?"<>|]/g;

export function checkAttachments(attachments: readonly AttachmentTemplate[]): TemplateIssue[] {
  const issues: TemplateIssue[] = [];
  const cids = new Set<string>();
  attachments.forEach(({ content, content_type, cid }, index) => {
    const at = (field: string, message: string) =>
      issues.push({ path: `/attachments/${index}/${field}`, message });
    const path = parseValuePath(content);
    if ('message' in path) at('content', path.message);
    const issue = contentTypeIssue(content_type);
    if (issue !== null) at('content_type', issue);
    if (cid === undefined) return;
    if (!new RegExp(CID_PATTERN).test(cid))
      at('cid', 'must be letters, digits, ".", "_" and "-", at most 64');
    else if (cids.has(cid)) at('cid', 'is used by another attachment');
    cids.add(cid);
  });
  if (attachments.length > MAX_ATTACHMENTS) {
    issues.push({ path: '/attachments', message: `must not be more than ${MAX_ATTACHMENTS}` });
  }
  return issues;
}

/** Content type without its parameters. */
export const mediaTypeOf = (contentType: string): string => contentType.split(/ *;/, 1)[0] ?? '';

function contentTypeIssue(contentType: string): string | null {
  if (contentType.length > MAX_CONTENT_TYPE || !new RegExp(CONTENT_TYPE_PATTERN).test(contentType)) {
    return 'must be a type in lower case, such as application/pdf or text/calendar; method=REQUEST';
  }
  const type = mediaTypeOf(contentType);
  if (REFUSED_TYPES.some((refused) => refused.test(type))) return 'is a type that mail programs refuse';
  const names = [...contentType.matchAll(new RegExp(PARAMETER, 'g'))].map(([, name = '']) =>
    name.toLowerCase(),
  );
  const refused = names.find((name) => REFUSED_PARAMETERS.includes(name));
  if (refused !== undefined) return `must not have the parameter ${refused}`;
  return new Set(names).size < names.length ? 'must not have a parameter twice' : null;
}

const TOO_LARGE = `must not have more than ${MAX_ATTACHED_BYTES} bytes together`;

/** A safe file name without path separators, or the issue. */
export function toFilename(text: string): { filename: string } | { message: string } {
  const filename = text.replace(NOT_IN_NAMES, '_').replace(/^\.+/, '').trim();
  if (filename === '') return { message: 'must not be blank' };
  if (filename.length > MAX_FILENAME)
    return { message: `must not be longer than ${MAX_FILENAME} characters` };
  if (REFUSED_ENDINGS.test(filename)) return { message: 'has an extension that mail programs refuse' };
  return { filename };
}

/**
 * Matches a single character instead of repeating. V8 stops optimizing regular expressions in a process with much code, and a
 * repetition over more than 2 MiB of text then overflows its stack.
 */
const NOT_BASE64 = /[^A-Za-z0-9+/]/;
const PADDING = ['==', '='];
/** The marker in the payload for a file that is stored separately. It is not valid base64. */
const MARKER = /^\$file:(\d{1,3});/;

/** The bytes of one piece of base64; null if it is invalid. */
export function decodeFile(text: string): Buffer | null {
  if (text === '' || text.length % 4 !== 0) return null;
  const padding = PADDING.find((each) => text.endsWith(each)) ?? '';
  return NOT_BASE64.test(text.slice(0, text.length - padding.length)) ? null : Buffer.from(text, 'base64');
}

/** The marker of a file in a payload, numbered from 1: `$file:1;bytes=48213;sha256=…`. */
export function fileMarker(file: number, content: Uint8Array): string {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return `$file:${file};bytes=${content.byteLength};sha256=${sha256}`;
}

/** The content of an attachment: its bytes, the number of a file of the message, or nothing. */
type AttachedContent =
  | { readonly content: Buffer }
  | { readonly file: number }
  | { readonly none: true }
  | { readonly message: string };

/** Reads the value at an attachment's path: base64 in one piece or in lines. */
function attachedContentOf(value: JsonValue): AttachedContent {
  if (value === null) return { none: true };
  if (typeof value !== 'string') return { message: 'is not a text in base64' };
  if (value === '') return { message: 'is empty' };
  const [, file] = MARKER.exec(value) ?? [];
  if (file !== undefined) return { file: Number(file) };
  const content = decodeFile(value.replace(/\s/g, ''));
  if (content === null) return { message: 'is not base64' };
  return content.byteLength > MAX_ATTACHED_BYTES ? { message: TOO_LARGE } : { content };
}

/** A file of a mail, with its bytes or with the number of the message's file. */
type ReadAttachment = Omit<RenderedAttachment, 'content'> &
  ({ readonly content: Buffer } | { readonly file: number });

/**
 * Reads the contents of attachments from the context. A null is left out. Missing values, invalid base64 and files
 * that are too large are reported with their position in the template.
 */
export function readAttachments(
  attachments: readonly RenderedAttachment[],
  context: TemplateContext,
): { read: ReadAttachment[]; missing: MissingVariable[]; issues: TemplateIssue[] } {
  const read: ReadAttachment[] = [];
  const missing: MissingVariable[] = [];
  const issues: TemplateIssue[] = [];
  let bytes = 0;
  attachments.forEach(({ content, ...attachment }, index) => {
    const at = `/attachments/${index}/content`;
    const path = parseValuePath(content);
    const found = 'message' in path ? { missing: content } : valueAt(context, path);
    if ('missing' in found) {
      missing.push({ path: at, name: found.missing });
      return;
    }
    const attached = attachedContentOf(found.value);
    if ('message' in attached) issues.push({ path: at, message: `${content} ${attached.message}` });
    else if ('content' in attached) {
      bytes += attached.content.byteLength;
      read.push({ ...attachment, content: attached.content });
    } else if ('file' in attached) read.push({ ...attachment, file: attached.file });
  });
  if (bytes > MAX_ATTACHED_BYTES) issues.push({ path: '/attachments', message: TOO_LARGE });
  return { read, missing, issues };
}
