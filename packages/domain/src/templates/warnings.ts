/**
 * What does not keep a template from being stored or sent but will most likely not be what was meant. Stable
 * like error codes.
 */
export const TEMPLATE_WARNING_CODES = [
  /** There is HTML and no text: the text part is derived from the HTML. */
  'text_derived',
  'text_blank',
  'subject_blank',
  'subject_too_long',
  'html_too_large',
  'link_broken',
  /** It leads to http, not https. */
  'link_insecure',
  'image_broken',
  'image_without_alt',
  'content_removed',
  /** Main mail programs do not support it (caniemail.com). */
  'client_support',
  /** The HTML names no file of the mail, or a file is named nowhere. */
  'inline_file',
  /** The sender's domain is not that of the channel's DKIM signature, so DMARC does not pass by it. */
  'from_not_aligned',
  /** The payload would be refused at ingestion. */
  'payload_schema_mismatch',
  /** No enabled channel of the template's kind takes its event. */
  'no_matching_channel',
  /** An enabled email channel takes the event, which is refused while no template is active. */
  'template_required',
  /** A template names messages that a language does not have. */
  'translation_missing',
] as const;
export type TemplateWarningCode = (typeof TEMPLATE_WARNING_CODES)[number];

/** `path` is a JSON Pointer into the request or the template. */
export type TemplateWarning = { code: TemplateWarningCode; path: string; message: string };
