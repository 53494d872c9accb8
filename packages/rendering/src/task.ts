import type {
  EmailEnvelope,
  EmailPreview,
  EmailTemplate,
  JsonPreview,
  JsonValue,
  Preview,
  RenderedEmail,
  RenderedEnvelope,
  RenderedJson,
  TemplateCheck,
  TemplateContext,
  TemplateResources,
  TemplateSource,
  TemplateWarning,
} from '@postrider/domain';
import type { NewPart, PartCheck } from './prepare.ts';

/**
 * An email template. `mjml` is the source of its HTML, null or absent if there is none. Issues of the HTML are mapped
 * to the MJML.
 */
export type SourcedEmail = EmailTemplate & {
  readonly mjml?: string | null;
  readonly envelope?: EmailEnvelope | null;
};

/**
 * Content that a render process caches under its key, which identifies it. The content is left out if the process got
 * it before.
 */
export interface Kept<Content> {
  readonly key: string;
  readonly content?: Content;
}

/** The part of a render request that other requests share: the template, its parts and its language. */
interface Shared<Template> {
  /** Owners have equal shares of a process's cache. */
  readonly owner: string;
  readonly template: Kept<Template>;
  /** Null if they are in the context, or are the default. */
  readonly resources: Kept<TemplateResources> | null;
  readonly context: TemplateContext;
}

/** Requests to a render process. */
export type Work =
  | ({ readonly kind: 'email' } & Shared<SourcedEmail>)
  | ({ readonly kind: 'json' } & Shared<JsonValue>)
  | {
      readonly kind: 'preview_email';
      readonly template: SourcedEmail;
      readonly context: TemplateContext;
    }
  | { readonly kind: 'preview_json'; readonly body: JsonValue; readonly context: TemplateContext }
  | { readonly kind: 'inspect'; readonly html: string }
  | { readonly kind: 'prepare'; readonly source: TemplateSource }
  | { readonly kind: 'prepare_part'; readonly part: NewPart };

/** A file of a previewed mail, without its bytes. */
type PreviewedFile = {
  filename: string;
  content_type: string;
  cid: string | null;
  bytes: number | null;
};

type PreviewedMail = NonNullable<EmailPreview['rendered']> &
  Omit<RenderedEnvelope, 'attachments'> & { attachments?: PreviewedFile[] };

export type PreviewedEmail = Preview<PreviewedMail | null> & { warnings: TemplateWarning[] };

/** The answers to each kind of work. */
export interface Answers {
  email: RenderedEmail;
  json: RenderedJson;
  preview_email: PreviewedEmail;
  preview_json: JsonPreview;
  inspect: TemplateWarning[];
  prepare: TemplateCheck;
  prepare_part: PartCheck;
}

/** Leaves out the contents whose keys are in `given`, and adds the keys of the others to it. */
export function withoutGiven(work: Work, given: Set<string>): Work {
  if (!('owner' in work)) return work;
  const keyOf = ({ key }: Kept<unknown>) => `${work.owner} ${key}`;
  const strip = <Content>(kept: Kept<Content>): Kept<Content> =>
    given.has(keyOf(kept)) ? { key: kept.key } : kept;
  const { template, resources } = work;
  const stripped = {
    ...work,
    template: strip<unknown>(template),
    resources: resources && strip(resources),
  } as Work;
  for (const kept of resources ? [template, resources] : [template]) given.add(keyOf(kept));
  return stripped;
}

/**
 * Messages of a render process: `ready` once, then for each piece of work `started`, at which the time limit starts,
 * and the result. `wanted`: content that was left out is not cached, so the work must be sent again with all its content.
 * `failed` is an unexpected exception.
 */
export type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'wanted' }
  | { readonly type: 'started' }
  | { readonly type: 'answered'; readonly answer: Answers[Work['kind']] }
  | { readonly type: 'failed'; readonly message: string };
