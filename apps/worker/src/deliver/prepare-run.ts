import { type ChannelKindDefinition, type Delivery, failure, type Rendered } from '@postrider/channels';
import type { ClaimedRun, FileKey, StoredPartContent, StoredTemplateVersion } from '@postrider/db';
import {
  type AttemptOutcome,
  credentialBinding,
  credentialInSecretColumn,
  type JsonObject,
  LRUCache,
  type PinnedPart,
  planResources,
  type SecretBox,
  type TemplateResources,
  templateContextOf,
  toResources,
  type UnsubscribeUrlDeps,
  unsubscribeUrlOf,
} from '@postrider/domain';
import { type EventLoopTurns, LARGE_JSON_CHARACTERS } from '@postrider/fairness';
import type { Renderer } from '@postrider/rendering';

type LostSecret = Extract<ReturnType<SecretBox['decrypt']>, { ok: false }>;

export interface SecretDeps {
  readonly secretBox: SecretBox;
  /** Called with the UUID of the channel, so that operators see what the tenant sees in the attempt. */
  readonly onSecretLost: (channelId: string, lost: LostSecret) => void;
}

/**
 * Messages do not name the key, because tenants read them. Operators find a missing key with `GET /admin/v1/secrets`.
 */
const REASONS = {
  unknown_key: 'was encrypted with a key that the service does not have',
  tampered:
    'cannot be decrypted: it was changed in the database, or the service has another key with the id of its key',
} as const;

type DecryptedSecrets = Pick<Delivery<unknown>, 'secrets' | 'credentials'>;

/** Decrypted secrets by the encrypted ones of a claim. They are kept only as long as that object. */
const decryptedSecrets = new WeakMap<ClaimedRun['encrypted'], DecryptedSecrets>();

/**
 * Decrypts the secrets and credentials of a run's channel, the current secret first. If a required one cannot be decrypted,
 * nothing is sent. The attempt is retried, because the operator can restore the key. Its error code is the kind's
 * `secretErrorCode` (docs/specification.md, "Outgoing deliveries").
 */
export function decryptSecrets(
  { secretBox, onSecretLost }: SecretDeps,
  kind: ChannelKindDefinition,
  { encrypted }: Pick<ClaimedRun, 'encrypted'>,
): DecryptedSecrets | AttemptOutcome {
  const before = decryptedSecrets.get(encrypted);
  if (before) return before;
  const { id, sealedSecret, sealedPreviousSecret, sealedCredentials } = encrypted;
  const notSent = (what: string, reason: string) =>
    failure(kind.secretErrorCode, `Nothing was sent: the channel's ${what} ${reason}.`, { stage: 'secrets' });
  if (kind.secret && sealedSecret === null && sealedPreviousSecret === null) {
    return notSent('secret', 'is missing');
  }
  const texts: [name: string | null, text: string | null][] = [
    ...[sealedSecret, sealedPreviousSecret].map((text): [null, string | null] => [null, text]),
    ...Object.entries(sealedCredentials ?? {}),
  ];
  const secrets: string[] = [];
  const credentials: Record<string, string> = {};
  for (const [name, text] of texts) {
    if (text === null) continue;
    const result = secretBox.decrypt(text, name === null ? id : credentialBinding(id, name));
    if (!result.ok) {
      onSecretLost(id, result);
      return notSent(name === null ? 'secret' : `credential ${name}`, REASONS[result.reason]);
    }
    if (name === null) secrets.push(result.plaintext);
    else credentials[name] = result.plaintext;
  }
  const inColumn = credentialInSecretColumn(kind);
  const [first] = secrets;
  if (inColumn !== null && first !== undefined) credentials[inColumn] ??= first;
  const decrypted = { secrets: kind.secret ? secrets : [], credentials };
  decryptedSecrets.set(encrypted, decrypted);
  return decrypted;
}

/** The size of each cache, in stored characters. */
const MAX_CACHED_CHARACTERS = 16 * 1_024 * 1_024;
/** The overhead of a cache entry. */
const ENTRY_CHARACTERS = 200;

/** Versions of templates and contents of parts, which never change. */
export interface FindTemplates {
  template(environmentId: string, id: string): Promise<StoredTemplateVersion | null>;
  contents(environmentId: string, parts: readonly PinnedPart[]): Promise<StoredPartContent[]>;
}

/** Loads the template of a run, one object for each version, with its resources for the recipient. */
export type LoadTemplate = (run: ClaimedRun) => Promise<{
  /** Null if the run has none. */
  readonly template: StoredTemplateVersion | null;
  /** Null if they are the default. */
  readonly resources: TemplateResources | null;
}>;

function templateLength({ subject, html, text, mjml, body, envelope, parts }: StoredTemplateVersion): number {
  const texts = [subject, html, text, mjml].reduce((sum, source) => sum + (source?.length ?? 0), 0);
  return texts + JSON.stringify([body, envelope, parts]).length + ENTRY_CHARACTERS;
}

/**
 * Creates a {@link LoadTemplate} that caches by id, so that runs with the same template or layout read it once.
 */
export function createLoadTemplate(find: FindTemplates, maxCharacters = MAX_CACHED_CHARACTERS): LoadTemplate {
  const templates = new LRUCache<string, StoredTemplateVersion, string>({
    maxSize: maxCharacters,
    sizeCalculation: templateLength,
    // Otherwise a look-up fails when other templates evict its entry meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: async (id, _stale, { context: environmentId }) =>
      (await find.template(environmentId, id)) ?? undefined,
  });
  const contents = new LRUCache<string, StoredPartContent>({
    maxSize: maxCharacters,
    sizeCalculation: ({ characters }) => characters + ENTRY_CHARACTERS,
  });

  async function contentsOf(environmentId: string, parts: readonly PinnedPart[]) {
    const found = new Map<string, StoredPartContent['content']>();
    const unknown: PinnedPart[] = [];
    for (const part of parts) {
      const kept = contents.get(part.id);
      if (kept) found.set(part.id, kept.content);
      else unknown.push(part);
    }
    if (unknown.length === 0) return found;
    for (const stored of await find.contents(environmentId, unknown)) {
      contents.set(stored.id, stored);
      found.set(stored.id, stored.content);
    }
    return found;
  }

  return async ({ environmentId, templateVersionId, message }) => {
    if (templateVersionId === null) return { template: null, resources: null };
    const template = await templates.fetch(templateVersionId, { context: environmentId });
    if (!template) throw new Error(`there is no template version ${templateVersionId}`);
    const plan = planResources(template, message.recipient as JsonObject);
    const resources = plan && toResources(plan, await contentsOf(environmentId, plan.needed));
    return { template, resources };
  };
}

export interface RenderDeps {
  readonly renderer: Renderer;
  /** Turns in which large messages are parsed and written, one by one, with tenants and their channels in turn. */
  readonly turns: EventLoopTurns;
  readonly loadTemplate: LoadTemplate;
  readonly unsubscribe: UnsubscribeUrlDeps;
  /** Reads a file of a message. Null if there is none. */
  readonly readFile: (key: FileKey) => Promise<Buffer | null>;
  /** Those of a run's copies that are suppressed. */
  readonly findSuppressedCopies: (
    run: ClaimedRun,
    addresses: readonly string[],
  ) => Promise<readonly string[]>;
}

/** What rendering adds to a run. The content has the type of the channel's kind. */
type RenderedContent = Required<Pick<Delivery<unknown>, 'content' | 'unsubscribeUrl' | 'suppressedCopies'>>;

/** Whether parsing the message takes so long that it needs {@link takeMessageTurn} first. */
export const hasLargeMessage = ({ message }: Pick<ClaimedRun, 'message'>) =>
  message.characters >= LARGE_JSON_CHARACTERS;

/** Waits for the turn in which a large message is parsed. The turn ends when its holder waits for something. */
export const takeMessageTurn = (
  { turns }: Pick<RenderDeps, 'turns'>,
  { tenantId, channel, message }: Pick<ClaimedRun, 'tenantId' | 'channel' | 'message'>,
) => turns.take({ owner: tenantId, part: channel.id }, message);

const unrendered = (message: string, retryable = true) =>
  failure('template_render_failed', message, { stage: 'render', retryable });

/**
 * Renders the content of a run from its template version, or the default of its kind. A render that was never tried, or
 * whose process was killed from outside, is retried. A failing template is not, because it would fail again
 * (docs/specification.md, "Templates"). A run in a stream needs an unsubscribe link; without one it is retried, because an
 * operator can fix that.
 */
export async function renderRun(
  deps: RenderDeps,
  kind: ChannelKindDefinition,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<RenderedContent | AttemptOutcome> {
  const { environmentId, tenantId, channel, message } = run;
  if (hasLargeMessage(run)) await takeMessageTurn(deps, run);
  const link = await unsubscribeUrlOf(deps.unsubscribe, run, kind.suppressibleField).catch(() => null);
  if (!link?.ok) {
    const reason = link
      ? 'PUBLIC_URL is not configured'
      : 'the key of unsubscribe links could not be decrypted';
    return unrendered(
      `Nothing was sent: the message has a stream and needs an unsubscribe link, but ${reason}.`,
    );
  }
  const unsubscribeUrl = link.url;
  let loaded: Awaited<ReturnType<LoadTemplate>>;
  try {
    loaded = await deps.loadTemplate(run);
  } catch {
    return unrendered('The template, or its layouts, partials and translations, could not be read.');
  }
  const { template, resources } = loaded;
  let isFileUnread = false;
  const readFile = (number: number) =>
    deps.readFile({ environmentId, messageId: message.id, number }).catch((error) => {
      isFileUnread = true;
      throw error;
    });
  let rendered: Rendered<unknown>;
  try {
    // The turn has ended if loading waited.
    if (hasLargeMessage(run)) await takeMessageTurn(deps, run);
    const context = templateContextOf(run, unsubscribeUrl, resources);
    const toRender = { channel, message, template, context, readFile };
    rendered = await kind.template.render(deps.renderer, toRender, {
      owner: tenantId,
      part: channel.id,
      signal,
    });
  } catch (error) {
    // Nothing was sent. Without this the attempt would stay open until its lease ends, as if the worker were lost.
    if (!isFileUnread) throw error;
    return unrendered('A file of the event could not be read.');
  }
  if (!rendered.ok) {
    return unrendered(rendered.message, rendered.reason === 'busy' || rendered.reason === 'lost');
  }
  const { content } = rendered;
  const copies = kind.copiesOf?.(content) ?? [];
  try {
    const suppressedCopies = copies.length === 0 ? [] : await deps.findSuppressedCopies(run, copies);
    return { content, unsubscribeUrl, suppressedCopies };
  } catch {
    return unrendered('Nothing was sent: whether the copies are suppressed could not be read.');
  }
}
