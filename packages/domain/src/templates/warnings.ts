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
  /** The template uses messages that a language does not have. */
  'translation_missing',
] as const;
export type TemplateWarningCode = (typeof TEMPLATE_WARNING_CODES)[number];

/** `path` is a JSON Pointer into the request or the template. */
export type TemplateWarning = { code: TemplateWarningCode; path: string; message: string };
