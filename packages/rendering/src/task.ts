import type { MessagePort } from 'node:worker_threads';
import type {
  EmailPreview,
  EmailTemplate,
  JsonPreview,
  JsonValue,
  RenderedEmail,
  RenderedJson,
  TemplateContent,
  TemplateContext,
  TemplateVerdict,
  TemplateWarning,
} from '@postrider/domain';

/** What a thread can be asked. */
export type Work =
  | { readonly kind: 'email'; readonly template: EmailTemplate; readonly context: TemplateContext }
  | { readonly kind: 'json'; readonly body: JsonValue; readonly context: TemplateContext }
  | { readonly kind: 'preview_email'; readonly template: EmailTemplate; readonly context: TemplateContext }
  | { readonly kind: 'preview_json'; readonly body: JsonValue; readonly context: TemplateContext }
  | { readonly kind: 'prepare'; readonly content: TemplateContent };

/** A preview with what the receiver of the email would stumble over. */
export type PreviewedEmail = EmailPreview & { warnings: TemplateWarning[] };

/** What it answers. */
export interface Answers {
  email: RenderedEmail;
  json: RenderedJson;
  preview_email: PreviewedEmail;
  preview_json: JsonPreview;
  prepare: TemplateVerdict;
}

/** `started` gets one message when the thread takes the work up: the time limit counts from there. */
export interface Task {
  readonly work: Work;
  readonly started: MessagePort;
}
