import type {
  AttemptErrorCode,
  ChannelIssue,
  ChannelRule,
  ConfigRules,
  ConfiguredKind,
  CredentialChanges,
  JsonObject,
  JsonValue,
  KindFacts,
  Preview,
  StoredTemplate,
  TemplateContext,
  TemplateSource,
  TemplateWarning,
} from '@postrider/domain';
import type { Answered, Renderer, RenderFailure, RenderOptions } from '@postrider/rendering';
import type { CreateCommand } from './command.ts';
import type { ReadFeedback } from './email/feedback.ts';
import type { JsonSchema } from './schema.ts';
import type { Delivery, HeaderList, Sender, SenderOptions } from './sender.ts';

/**
 * Credentials that the operator gives in the config. Each is stored under its own name, encrypted, and bound to the
 * channel and the name. They are never shown; channels list those that are set in `credentials_set`.
 */
export interface GivenCredentials<Config> {
  /**
   * The credential that is stored in the `secret` column of the channel, where the first release kept its only
   * secret.
   */
  readonly inSecretColumn?: string;
  /**
   * Derives the changes of the stored credentials from a request, and the issues of the request. A stored credential
   * is never sent to a destination other than the one it was given for, and unused credentials are removed.
   * @param before the config before the request and the names of the set credentials; null for a new channel
   * @param after `given`: the config of the request, which may be a patch; `config`: the resulting config
   */
  change(
    before: { readonly config: Config; readonly credentials: ReadonlySet<string> } | null,
    after: { readonly given: JsonObject; readonly config: Config },
  ): { readonly changes: CredentialChanges; readonly issues: readonly ChannelIssue[] };
}

/** The config of a channel kind: its schema in requests, its stored form and its presentation. */
export interface ConfigDefinition<Config> extends ConfigRules<Config> {
  /** Schema of a config in a request. Null means "not set", so that a presented config can be sent back. */
  readonly schema: JsonSchema;
  /** Rules on a config that fulfils the schema. Paths start at the config. */
  readonly rules: readonly ChannelRule<Config>[];
  /** The stored form of a valid config: without secrets and without null fields. */
  toStored(config: JsonObject): Config;
  /** URLs, host names and addresses that it connects to, by their JSON Pointers. Left out by a kind without any. */
  endpointsOf?(config: Config): Readonly<Record<string, string>>;
  /**
   * JSON Pointers to the fields of a config that use the installation's own access to a service instead of credentials. Only an
   * operator with `keyless:write` changes such a config. Left out by a kind without such fields.
   */
  keylessOf?(config: Config): readonly string[];
  readonly presentedSchema: JsonSchema;
}

/** Reads a file of the run's message by its number. Returns null if there is none. */
export type ReadFile = (file: number) => Promise<Buffer | null>;

/** The run for which a content is rendered, with its template. */
interface RunToRender {
  readonly channel: Pick<Delivery<unknown>['channel'], 'config'> & { readonly name: string };
  readonly message: Pick<Delivery<unknown>['message'], 'test'> & {
    /** Whether this is an operational event, which needs no template; null: no. */
    readonly operational: boolean | null;
  };
  /** The version that was active when the run was created, or null. */
  readonly template: StoredTemplate | null;
  readonly context: TemplateContext;
  readonly readFile: ReadFile;
}

export type Rendered<Content> = { readonly ok: true; readonly content: Content } | RenderFailure;

/** `rendered` is null if there are errors. */
export type TemplatePreview = Preview<JsonValue> & { readonly warnings: readonly TemplateWarning[] };

/** Templates of a kind: the request's schema, the stored form and the rendering. */
export interface TemplateDefinition<Content> {
  /** The fields of a request besides event key, kind and activation. */
  readonly schema: {
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, JsonSchema>>;
  };
  /** Rules on a request that fulfils the schema. */
  readonly rules: readonly ChannelRule<JsonObject>[];
  /** The source in a valid request. A render process checks it further. */
  toSource(body: JsonObject): TemplateSource;
  /** Renders what is sent. Without a template this works only if the kind does not require one, or for a test. */
  render(renderer: Renderer, run: RunToRender, options: RenderOptions): Promise<Rendered<Content>>;
  readonly previewSchema: JsonSchema;
  preview(
    renderer: Renderer,
    template: StoredTemplate,
    context: TemplateContext,
    options: RenderOptions,
  ): Promise<Answered<TemplatePreview>>;
  /** Example requests for the OpenAPI document, by name; each `value` is without event key and kind. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: JsonObject }>>;
  readonly command: CreateCommand;
}

/** The settings and credentials that can verify a request to the feedback endpoint. */
interface FeedbackVerifier {
  /** The stored settings of a provider. */
  readonly settings: JsonObject;
  /** Decrypted credentials, by the provider's field names. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** A source of feedback: it reports what happened to deliveries after the receiver accepted them. */
export interface FeedbackSource {
  /** The last segment of its URL path. */
  readonly name: string;
  /** The largest request, in bytes. */
  readonly maxBytes: number;
  /** Whether requests are verified. Anybody can forge the reports of a source that is not signed. */
  readonly isSigned: boolean;
  readonly read: ReadFeedback;
  /** A request must be verified by one of these. Empty if the channel does not use the provider. */
  verifiersOf(config: JsonObject, credentials: Readonly<Record<string, string>>): readonly FeedbackVerifier[];
}

/** The run whose headers are computed. */
export type RunOfHeaders = Pick<Delivery<unknown>, 'unsubscribeUrl'> & {
  readonly ids: Pick<Delivery<unknown>['ids'], 'run'>;
  readonly message: Pick<Delivery<unknown>['message'], 'recipient' | 'test'>;
};

/** A run that is only previewed. */
export type PreviewedRun<Content> = Pick<Delivery<Content>, 'ids' | 'message' | 'content'>;

/**
 * A channel kind: everything that the service knows about it. `Config` is the stored config, `Content` the content
 * that is sent. The API loads definitions, so they import no network library: `loadSender` does.
 */
export interface ChannelKindDefinition<Config = JsonObject, Content = unknown>
  extends KindFacts,
    ConfiguredKind<Config> {
  /** Description of a channel for the OpenAPI document. */
  readonly description: string;
  readonly config: ConfigDefinition<Config>;
  readonly credentials: GivenCredentials<Config> | null;
  /** Problems in a channel's config that a template delivered by it will most likely meet. */
  warningsOf?(config: Config): readonly Pick<TemplateWarning, 'code' | 'message'>[];
  /**
   * The method and URL shown for an attempt, such as `PUBLISH` and an exchange. If left out: POST to the config's
   * `url`.
   */
  readonly targetOf?: (config: Config) => { readonly method: string; readonly url: string };
  /**
   * The headers that an attempt of the run sends by the channel's present config, for an attempt that recorded none. Left out
   * by a kind whose headers depend on the attempt.
   */
  readonly headersOf?: (config: Config, content: Content, run: RunOfHeaders) => HeaderList;
  /**
   * The headers of a request for a preview, which is not sent: signed with secrets that are made for it, other secrets masked. Left out by
   * a kind without such a preview.
   */
  readonly previewHeaders?: (config: Config, run: PreviewedRun<Content>) => HeaderList;
  /** The addresses that get a content besides the recipient. They are checked like the `suppressibleField`. */
  readonly copiesOf?: (content: Content) => readonly string[];
  /** The sender's name that the recipient sees. */
  readonly fromName?: (config: Config) => string;
  readonly template: TemplateDefinition<Content>;
  /** The `error_code`s of its attempts, besides those that all kinds share. */
  readonly errorCodes: readonly AttemptErrorCode[];
  /** The `error_code` of an attempt whose secret or credentials are missing or cannot be decrypted. */
  readonly secretErrorCode: AttemptErrorCode;
  /** Example request body for the OpenAPI document, without the kind. */
  readonly example: { readonly summary: string; readonly value: JsonObject };
  /** The create command of the command line. Its `fieldsOf` turns options into fields of the config. */
  readonly command: CreateCommand;
  /** The feedback that a kind accepts; none if left out. */
  readonly feedback?: readonly FeedbackSource[];
  /** Loads the sender. Called once, in processes that deliver. */
  loadSender(): Promise<{ createSender(options: SenderOptions): Sender<Content> }>;
}

/**
 * Hides the types of a definition's config and content. This is safe because the registry passes a definition only
 * values that the same definition created.
 */
export function defineChannelKind<Config, Content>(
  definition: ChannelKindDefinition<Config, Content>,
): ChannelKindDefinition {
  return definition as unknown as ChannelKindDefinition<JsonObject, unknown>;
}
