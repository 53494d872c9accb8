import type { JsonObject } from '../storable-json.ts';
import type { TemplateResources } from './resources.ts';

/**
 * The variables of templates (docs/specification.md, "Templates"). Ids are public ids; `timestamp` is when the event
 * was accepted (RFC 3339).
 */
export type TemplateContext = {
  event_key: string;
  recipient: JsonObject;
  payload: JsonObject;
  message_id: string;
  delivery_run_id: string;
  timestamp: string;
  /** The recipient's unsubscribe link; null if the message has no stream. */
  unsubscribe_url?: string | null;
  /** Not a variable: the parts that the template may load, and the locale; left out for the default. */
  resources?: TemplateResources;
  /** The sequence within the ordering key, from 1 without gaps; null if the run is not ordered. */
  sequence?: number | null;
};

/**
 * An issue of a new template version. `path` is a JSON Pointer into the template, line and column count from 1.
 * `part` is the layout or partial that has the issue, such as `partial footer`.
 */
export type TemplateIssue = { path: string; message: string; part?: string; line?: number; column?: number };

/**
 * A variable that the template uses and its context lacks, as written, up to the missing part. The position is given
 * as in {@link TemplateIssue}.
 */
export type MissingVariable = { path: string; name: string; part?: string; line?: number; column?: number };

/** A preview with missing values left empty. Only a template without issues and without missing values can be delivered. */
export type Preview<Rendered> = { rendered: Rendered; missing: MissingVariable[]; issues: TemplateIssue[] };

/**
 * Warnings: problems that do not prevent storing or sending a template but are probably not intended. The codes are
 * stable, like error codes.
 */
export const TEMPLATE_WARNING_CODES = [
  /** There is HTML and no text: the text part is derived from the HTML. */
  'text_derived',
  'text_blank',
  'subject_blank',
  'subject_too_long',
  'html_too_large',
  'link_broken',
  /** A link to http, not https. */
  'link_insecure',
  'image_broken',
  'image_without_alt',
  'content_removed',
  /** Common mail programs do not support it (caniemail.com). */
  'client_support',
  /** The HTML refers to a file that the mail does not have, or never refers to an inline file. */
  'inline_file',
  /** The sender's domain differs from that of the channel's DKIM signature, so DMARC does not pass through it. */
  'from_not_aligned',
  /** The payload would be refused at ingestion. */
  'payload_schema_mismatch',
  /** No enabled channel of the template's kind takes its event. */
  'no_matching_channel',
  /** An enabled email channel takes the event, which is refused while no template is active. */
  'template_required',
  /** The event type has a stream, and the email has no visible link to unsubscribe. */
  'unsubscribe_missing',
  /** The template uses messages that a language does not have. */
  'translation_missing',
] as const;
export type TemplateWarningCode = (typeof TEMPLATE_WARNING_CODES)[number];

/** `path` is a JSON Pointer into the request or the template. */
export type TemplateWarning = { code: TemplateWarningCode; path: string; message: string };
