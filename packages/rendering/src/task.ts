import type {
  EmailEnvelope,
  EmailPreview,
  EmailTemplate,
  JsonPreview,
  JsonValue,
  RenderedEmail,
  RenderedEnvelope,
  RenderedJson,
  TemplateContent,
  TemplateContext,
  TemplateVerdict,
  TemplateWarning,
} from '@postrider/domain';
import type { NewPart, PartVerdict } from './prepare.ts';

/**
 * An email template. `mjml` is the source of its HTML, null or absent if there is none. Issues of the HTML are mapped
 * to the MJML.
 */
export type SourcedEmail = EmailTemplate & {
  readonly mjml?: string | null;
  readonly envelope?: EmailEnvelope | null;
};

/** Requests to a render process. */
export type Work =
  | { readonly kind: 'email'; readonly template: SourcedEmail; readonly context: TemplateContext }
  | { readonly kind: 'json'; readonly body: JsonValue; readonly context: TemplateContext }
  | {
      readonly kind: 'preview_email';
      readonly template: SourcedEmail;
      readonly context: TemplateContext;
    }
  | { readonly kind: 'preview_json'; readonly body: JsonValue; readonly context: TemplateContext }
  | { readonly kind: 'inspect'; readonly html: string }
  | { readonly kind: 'prepare'; readonly content: TemplateContent }
  | { readonly kind: 'prepare_part'; readonly part: NewPart };

/** A file of a previewed mail, without its bytes. */
type PreviewedFile = {
  filename: string;
  content_type: string;
  cid: string | null;
  bytes: number | null;
};

/** A mail with its rendered envelope. */
type PreviewedMail = NonNullable<EmailPreview['rendered']> &
  Omit<RenderedEnvelope, 'attachments'> & { attachments?: PreviewedFile[] };

/** A preview with the warnings for the rendered mail. */
export type PreviewedEmail = Omit<EmailPreview, 'rendered'> & {
  rendered: PreviewedMail | null;
  warnings: TemplateWarning[];
};

/** The answers to each kind of work. */
export interface Answers {
  email: RenderedEmail;
  json: RenderedJson;
  preview_email: PreviewedEmail;
  preview_json: JsonPreview;
  inspect: TemplateWarning[];
  prepare: TemplateVerdict;
  prepare_part: PartVerdict;
}

/**
 * Messages of a render process: `ready` once, then for each piece of work `started`, at which the time limit starts,
 * and its end. `failed` is an unexpected exception.
 */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'started' }
  | { readonly type: 'answered'; readonly answer: Answers[Work['kind']] }
  | { readonly type: 'failed'; readonly message: string };
