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
 * An email template; `mjml` is what its HTML was compiled from, null or absent when there is nothing. Issues of
 * the HTML are then placed in the MJML.
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
export type PreviewedFile = {
  filename: string;
  content_type: string;
  cid: string | null;
  bytes: number | null;
};

/** A mail with what its envelope came to. */
type PreviewedMail = NonNullable<EmailPreview['rendered']> &
  Omit<RenderedEnvelope, 'attachments'> & { attachments?: PreviewedFile[] };

/** A preview with what the receiver of the email would stumble over. */
export type PreviewedEmail = Omit<EmailPreview, 'rendered'> & {
  rendered: PreviewedMail | null;
  warnings: TemplateWarning[];
};

/** What it answers. */
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
 * What a render process says: `ready` once, then for each piece of work `started`, from which the time limit
 * counts, and its end. `failed` is an exception that the work has no answer for.
 */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'started' }
  | { readonly type: 'answered'; readonly answer: Answers[Work['kind']] }
  | { readonly type: 'failed'; readonly message: string };
