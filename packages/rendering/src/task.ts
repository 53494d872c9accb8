import type { MessagePort } from 'node:worker_threads';
import type {
  EmailTemplate,
  JsonValue,
  RenderedEmail,
  RenderedJson,
  TemplateContext,
  TemplateFault,
} from '@postrider/domain';

/** What a thread can be asked. */
export type Work =
  | { readonly kind: 'email'; readonly template: EmailTemplate; readonly context: TemplateContext }
  | { readonly kind: 'json'; readonly body: JsonValue; readonly context: TemplateContext }
  | { readonly kind: 'check_email'; readonly template: EmailTemplate }
  | { readonly kind: 'check_json'; readonly body: JsonValue };

/** What it answers. */
export interface Answers {
  email: RenderedEmail;
  json: RenderedJson;
  check_email: TemplateFault[];
  check_json: TemplateFault[];
}

/** `started` gets one message when the thread takes the work up: the time limit counts from there. */
export interface Task {
  readonly work: Work;
  readonly started: MessagePort;
}
