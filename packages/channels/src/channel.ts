import type {
  AttemptErrorCode,
  ChannelIssue,
  ChannelKind,
  ChannelRule,
  JsonObject,
  JsonValue,
  MissingVariable,
  TemplateContent,
  TemplateContext,
  TemplateIssue,
  TemplateWarning,
} from '@postrider/domain';
import type { Answered, Renderer, RenderFailure, RenderOptions } from '@postrider/rendering';
import type { CreateCommand } from './command.ts';
import type { EmailFeedbackReader } from './email/feedback.ts';
import type { JsonSchema } from './schema.ts';
import type { Sender, SenderOptions } from './sender.ts';

/** A secret that the service makes: shown once, and rotated with an overlap. A channel always has one. */
export interface GeneratedSecret {
  readonly type: 'generated';
  create(): string;
  /**
   * Credentials that are rotated with it, where they are set: made anew, while `previous` keeps the value before for the
   * overlap. Receivers cannot tell them apart from the secret.
   */
  readonly rotatedCredentials?: readonly {
    readonly name: string;
    readonly previous: string;
    create(): string;
  }[];
}

/** What becomes of credentials, by their names: replaced by this text, or removed. Those that are not named stay. */
export type CredentialChanges = Readonly<Record<string, string | null>>;

/**
 * The credentials that the operator gives in the config. Each is stored apart under its name, encrypted and bound to the
 * channel and the name, and never shown: channels name those that are set in `credentials_set`.
 */
export interface GivenCredentials<Config> {
  /** Of the one that is kept where channels with a single secret always had it, so that every release finds it. */
  readonly inSecretColumn?: string;
  /**
   * What a request makes of the stored credentials, and what is wrong with that. One that was stored for a destination is
   * never kept for another one, and none is kept that the config has no use for.
   * @param before the config until now, and the names of the credentials that are set; null when the channel is new
   * @param after `given` is the config of the request, of which a patch has only a part; `config` what it leads to
   */
  change(
    before: { readonly config: Config; readonly credentials: ReadonlySet<string> } | null,
    after: { readonly given: JsonObject; readonly config: Config },
  ): { readonly changes: CredentialChanges; readonly issues: readonly ChannelIssue[] };
}

/** The config of a channel, as requests give it, as it is stored and as it is presented. */
export interface ConfigDefinition<Config> {
  /** Of a request. Null stands for left out, so that what was read can be sent again. */
  readonly schema: JsonSchema;
  /** Rules on a config that fulfils the schema; paths begin at the config. */
  readonly rules: readonly ChannelRule<Config>[];
  /** The config of a valid request as it is stored: without secrets and without what was left out. */
  toStored(config: JsonObject): Config;
  /** JSON Pointers to the URLs of a config that are not https; a kind without URLs has none. */
  plaintextUrls?(config: Config): readonly string[];
  readonly presentedSchema: JsonSchema;
  /** With every default. */
  present(config: Config): JsonObject;
  /** As the audit log keeps it. */
  presentForAudit(config: Config): JsonObject;
}

/** The stored columns of a template version; a format leaves the columns of the others null. */
export interface StoredTemplate {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly mjml: string | null;
  readonly body: JsonValue;
  /** Copies, headers and files of a mail. */
  readonly envelope: JsonValue;
}

/** Reads a file of the run's message by its number; null when there is none. */
export type ReadFile = (file: number) => Promise<Buffer | null>;

/** What a delivery sends is made of this. */
export interface RunToRender {
  readonly channelName: string;
  /** Whether an operator tries the channel. */
  readonly test: boolean;
  /** Whether the service reports something of itself, for which no template is needed. */
  readonly operational: boolean;
  /** The version that was active when the run was created; null when there was none. */
  readonly template: StoredTemplate | null;
  readonly context: TemplateContext;
  readonly readFile: ReadFile;
}

export type Rendered<Content> = { readonly ok: true; readonly content: Content } | RenderFailure;

export interface TemplatePreview {
  /** Null when there are errors. */
  readonly rendered: JsonValue;
  readonly missing: readonly MissingVariable[];
  readonly issues: readonly TemplateIssue[];
  readonly warnings: readonly TemplateWarning[];
}

/** Templates of a kind: what a request may give, how it is stored, and what is sent. */
export interface TemplateDefinition<Content> {
  /** Whether an event is refused while none is active for it. */
  readonly isRequired: boolean;
  /** The fields of a request besides event key, kind and activation. */
  readonly schema: {
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, JsonSchema>>;
  };
  /** Rules on a request that fulfils the schema. */
  readonly rules: readonly ChannelRule<JsonObject>[];
  /** The content of a valid request, which a render process then checks. */
  toContent(body: JsonObject): TemplateContent;
  /** What is sent: by the template, or without one if the kind or a test allows that. */
  render(renderer: Renderer, run: RunToRender, options: RenderOptions): Promise<Rendered<Content>>;
  readonly previewSchema: JsonSchema;
  preview(
    renderer: Renderer,
    template: StoredTemplate,
    context: TemplateContext,
    options: RenderOptions,
  ): Promise<Answered<TemplatePreview>>;
  /** Requests for the OpenAPI document, by name: each `value` without event key and kind. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: JsonObject }>>;
  readonly command: CreateCommand;
}

/** What a request to the feedback endpoint may be verified by. */
export interface FeedbackVerifier {
  /** The stored settings of a provider. */
  readonly settings: JsonObject;
  /** Opened, by the name of the provider's field. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** Who reports what became of a delivery after it was taken. */
export interface FeedbackSource {
  /** The last part of its path. */
  readonly name: string;
  /** The largest request. */
  readonly maxBytes: number;
  /** Whether its requests are verified. Anybody can have written what is reported otherwise. */
  readonly isSigned: boolean;
  load(): Promise<EmailFeedbackReader>;
  /** A request must be genuine by one of these; empty when the channel does not use the provider. */
  verifiersOf(config: JsonObject, credentials: Readonly<Record<string, string>>): readonly FeedbackVerifier[];
}

export interface FeedbackDefinition {
  readonly sources: readonly FeedbackSource[];
}

/**
 * A kind of channel: everything that the service knows about it. `Config` is what is stored, `Content` what is sent. The
 * API loads definitions, so they import no network library: `loadSender` does that.
 */
export interface ChannelKindDefinition<Config = JsonObject, Content = unknown> {
  /** Lower case; stored with channels, templates and runs, and part of the name of a queue in Redis. */
  readonly kind: ChannelKind;
  /** For messages to people, with its article: `an email channel`. */
  readonly label: string;
  /** Of a channel, for the OpenAPI document. */
  readonly description: string;
  /** Time limit of an attempt whose config names none, in milliseconds. */
  readonly defaultTimeoutMs: number;
  /** The most deliveries of one channel that a process has under way at once; unlimited when left out. */
  readonly maxConcurrentPerChannel?: number;
  readonly config: ConfigDefinition<Config>;
  readonly secret: GeneratedSecret | null;
  readonly credentials: GivenCredentials<Config> | null;
  /** What in a channel's config will most likely go wrong with a template that it delivers. */
  warningsOf?(config: Config): readonly Pick<TemplateWarning, 'code' | 'message'>[];
  /** The senders that a config lists, in its order; left out where a kind has none. */
  sendersOf?(config: Config): readonly { readonly name: string; readonly provider: string }[];
  /** What is done to which address, for people who read what was sent: `PUBLISH`, and where. A POST to `url` when left out. */
  readonly targetOf?: (config: Config) => { readonly method: string; readonly url: string };
  /** Fields that the recipient of an event must have. */
  readonly recipientFields: readonly string[];
  /**
   * The field of the recipient that the environment's suppression list can name: a run whose recipient is on it ends as
   * `recipient_suppressed`. Nothing suppresses deliveries of a kind that leaves it out.
   */
  readonly suppressibleField?: string;
  /** Who a delivery comes from, for its recipient. */
  readonly senderName?: (config: Config) => string;
  readonly template: TemplateDefinition<Content>;
  /** The `error_code`s of its attempts, besides those that all kinds share. */
  readonly errorCodes: readonly AttemptErrorCode[];
  /** The one of an attempt whose secret or credentials are missing or cannot be opened. */
  readonly secretErrorCode: AttemptErrorCode;
  /** A request body for the OpenAPI document, without the kind. */
  readonly example: { readonly summary: string; readonly value: JsonObject };
  /** Its `fieldsOf` makes fields of the config. */
  readonly command: CreateCommand;
  /** Who reports of its deliveries; nobody when left out. */
  readonly feedback?: FeedbackDefinition;
  /** Loads what sends. Called once, by processes that deliver. */
  loadSender(): Promise<{ createSender(options: SenderOptions): Sender<Content> }>;
}

/**
 * Hides the types of a definition's config and content: the registry gives a definition only what that definition made.
 */
export function defineChannelKind<Config, Content>(
  definition: ChannelKindDefinition<Config, Content>,
): ChannelKindDefinition {
  return definition as unknown as ChannelKindDefinition<JsonObject, unknown>;
}
