import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  type BillingStatus,
  type ChannelKind,
  type ConfiguredKinds,
  checkTemplate,
  createSecretBox,
  createTraceId,
  createUuidV7Source,
  type EmailEnvelope,
  type EnvironmentSettings,
  type JsonObject,
  KIND_FACTS,
  type Plan,
  type SecretBox,
  type TemplateSource,
  UNLIMITED,
} from '@postrider/domain';
import type { EventToAccept } from '../accept/ingest.ts';
import { draftRuns, type PlannedRun } from '../accept/runs.ts';
import { type AnyClient, type Database, Prisma, type Queryable, type UnboundDatabase } from '../client.ts';
import { type ChannelInput, createChannel, type WithKinds } from '../configure/channels.ts';
import { createEnvironment } from '../configure/environments.ts';
import { type EventTypeInput, putEventType } from '../configure/event-types.ts';
import { putPlan } from '../configure/plans.ts';
import { createTemplateVersion } from '../configure/templates.ts';
import { createTenant } from '../configure/tenants.ts';
import { issueToken } from '../configure/tokens.ts';
import { firstIdAt } from '../first-id-at.ts';
import { EMPTY_FIELDS, type NewMessage } from '../message-fields.ts';
import { createFinish, type EndedAttempt, type FinishAttempt } from '../statements/finish.ts';
import { createServiceKeys, type ServiceKeySource } from '../suppressions/service-keys.ts';
import type { Actor, ConfigureDeps } from '../transactions/audit.ts';
import { testKinds } from './kinds.ts';

/** A secret box with a new key, like that of ENCRYPTION_KEYS. */
export function createTestSecretBox(): SecretBox {
  return createSecretBox([{ id: 'test', key: randomBytes(32) }]);
}

/** An operator without a session, as the actor of changes in tests. */
export function actorNamed(name: string, requestId: string | null = null): Actor {
  const request = { address: null, reason: null, requestId, traceId: null };
  return { name, kind: 'operator', credentialId: null, ...request };
}

const KEYS_BOX = createTestSecretBox();

/** The service's own keys in a database, encrypted with one shared box unless another is given. */
export function createTestKeys(db: UnboundDatabase, secretBox: SecretBox = KEYS_BOX): ServiceKeySource {
  return createServiceKeys({ db, secretBox });
}

type WithoutEnvironment<Input extends { environmentId: string }> = {
  [Field in keyof Input as Field extends 'environmentId' ? never : Field]: Input[Field];
};

export interface FixtureInput {
  /** Fields that differ from those of a plan without limits. */
  readonly plan?: Partial<Omit<Plan, 'code'>>;
  readonly billingStatus?: BillingStatus;
  readonly graceEndsAt?: Date | null;
  /** Adds the environment to an existing tenant; `plan` and billing are then ignored. */
  readonly tenantId?: string;
  readonly environmentName?: string;
  /** Those of its token; by default those of a token that was issued without any. */
  readonly scopes?: readonly string[];
  /** Settings that differ from the defaults. */
  readonly settings?: Partial<EnvironmentSettings>;
  readonly channels?: readonly WithoutEnvironment<ChannelInput>[];
  readonly templates?: readonly WithoutEnvironment<TestTemplate>[];
}

/** Ids are UUIDs; channels and templates are in the order of the input. */
export interface Fixture {
  readonly tenantId: string;
  readonly planCode: string | null;
  readonly environmentId: string;
  readonly tokenId: string;
  readonly token: string;
  readonly channels: readonly { readonly id: string; readonly secret: string | null }[];
  readonly templates: readonly { readonly id: string; readonly version: number }[];
}

const NO_LIMITS = {
  name: 'Test',
  ...UNLIMITED,
} as const satisfies Omit<Plan, 'code' | 'channelKinds'>;

async function createTestTenant(deps: ConfigureDeps, planCode: string, input: FixtureInput): Promise<string> {
  const tenant = await createTenant(deps, {
    name: 'Test tenant',
    planCode,
    billingStatus: input.billingStatus ?? 'active',
    graceEndsAt: input.graceEndsAt ?? null,
  });
  return tenant.id;
}

async function createTestEnvironment(
  deps: ConfigureDeps,
  tenantId: string,
  { environmentName = `test-${randomBytes(4).toString('hex')}`, settings }: FixtureInput,
): Promise<string> {
  return (await createEnvironment(deps, { tenantId, name: environmentName, ...settings })).id;
}

async function createTestChannel(
  deps: ConfigureDeps & WithKinds & { readonly secretBox: SecretBox },
  input: ChannelInput,
): Promise<Fixture['channels'][number]> {
  const { channel, secret } = await createChannel(deps, input);
  return { id: channel.id, secret };
}

/** Creates a tenant with its own plan, an environment with a token, and the given channels and templates. */
export async function createFixture(
  db: UnboundDatabase,
  input: FixtureInput = {},
  secretBox: SecretBox = createTestSecretBox(),
  kinds: ConfiguredKinds = testKinds,
): Promise<Fixture> {
  const actor = actorNamed('test');
  const deps = { db, newId: createUuidV7Source(), secretBox, actor, kinds };
  const planCode = input.tenantId ? null : `test-${randomBytes(6).toString('hex')}`;
  if (planCode)
    await putPlan(deps, {
      code: planCode,
      ...NO_LIMITS,
      channelKinds: Object.keys(KIND_FACTS),
      ...input.plan,
    });
  const tenantId = input.tenantId ?? (await createTestTenant(deps, planCode ?? '', input));
  const environmentId = await createTestEnvironment(deps, tenantId, input);
  const issued = await issueToken(deps, { environmentId, name: 'test', scopes: input.scopes ?? [] });
  const channels = [];
  for (const channel of input.channels ?? []) {
    channels.push(await createTestChannel(deps, { ...channel, environmentId }));
  }
  const templates = [];
  for (const template of input.templates ?? []) {
    templates.push(await createTestTemplate(db, { ...template, environmentId }));
  }
  return {
    tenantId,
    planCode,
    environmentId,
    tokenId: issued.token.id,
    token: issued.secret,
    channels,
    templates,
  };
}

/** A template version in tests: these fields, and `subject`, `html`, `text` and the envelope of a mail or `body` of another kind. */
export interface TestTemplate extends JsonObject {
  readonly environmentId: string;
  readonly eventKey: string;
  readonly channelKind: ChannelKind;
  readonly activate: boolean;
}

const configure = (db: UnboundDatabase): ConfigureDeps => ({
  db,
  newId: createUuidV7Source(),
  actor: actorNamed('test'),
});

const ENVELOPE = ['cc', 'bcc', 'reply_to', 'headers', 'attachments'];

function sourceOf({ subject, html, text, body, ...other }: JsonObject): TemplateSource {
  const unknown = Object.keys(other).filter((field) => !ENVELOPE.includes(field));
  if (unknown.length > 0) throw new Error(`a test's template has ${unknown}`);
  if (body !== undefined) return { format: 'json', body: body as JsonObject };
  const textOf = (source: unknown) => (typeof source === 'string' ? source : null);
  const envelope = Object.keys(other).length > 0 ? (other as EmailEnvelope) : null;
  return {
    format: 'email',
    subject: String(subject),
    html: textOf(html),
    text: textOf(text),
    mjml: null,
    envelope,
  };
}

/** Adds a valid template version and returns its UUID and number. */
export async function createTestTemplate(
  db: UnboundDatabase,
  { environmentId, eventKey, channelKind, activate, ...content }: TestTemplate,
): Promise<{ readonly id: string; readonly version: number }> {
  const checked = checkTemplate(sourceOf(content));
  if (checked.outcome === 'invalid') throw new Error(`a test's template: ${JSON.stringify(checked.issues)}`);
  const { template, references } = checked;
  const made = await createTemplateVersion(configure(db), {
    environmentId,
    eventKey,
    channelKind,
    template,
    references,
    activate,
  });
  if ('problem' in made) throw new Error(`a test's template: ${made.problem.message}`);
  return made.template;
}

/** Creates the event type of a key. Throws if its schema is invalid. */
export async function putTestEventType(db: UnboundDatabase, eventType: EventTypeInput): Promise<void> {
  await putEventType(configure(db), eventType);
}

export interface TestEventInput extends Partial<NewMessage> {
  readonly runs: readonly PlannedRun[];
  /** Idempotency-Key; a new one if left out. */
  readonly key?: string;
  readonly fingerprint?: Uint8Array;
  readonly traceparent?: string | null;
}

let latestMs = 0;

/** The time, at least a millisecond after that of the event before: the ids of events are in no order within one. */
function laterTime(): Date {
  while (Date.now() <= latestMs);
  latestMs = Date.now();
  return new Date(latestMs);
}

/** An event to accept, dated now, with a response that contains the ids of its message and runs. */
export function testEvent(
  { tenantId, environmentId }: { readonly tenantId: string; readonly environmentId: string },
  { runs, key = randomUUID(), fingerprint, traceparent = null, ...message }: TestEventInput,
): EventToAccept {
  const drafted = draftRuns(runs, { now: laterTime(), scheduleAt: message.scheduleAt ?? null });
  const body = { messageId: drafted.messageId, runs: drafted.runs.map(({ id }) => id) };
  return {
    ...drafted,
    tenantId,
    environmentId,
    message: {
      ...EMPTY_FIELDS,
      eventKey: 'order.shipped',
      recipient: { email: 'ada@example.com' },
      payload: { order: 1 },
      traceId: createTraceId(),
      test: false,
      ignoreSuppression: false,
      ...message,
    },
    traceparent,
    response: {
      environmentId,
      operation: 'events.create',
      key,
      fingerprint: fingerprint ?? createHash('sha256').update(key).digest(),
      status: 201,
      body: Buffer.from(JSON.stringify(body)),
    },
    bytes: 100,
  };
}

/** The owner of the tables sees the rows of all environments, so any id will do. */
const ANY = { environmentId: '00000000-0000-0000-0000-000000000000' };

/** `createFinish` for tests that connect as the owner of the tables. */
export function createOwnerFinish(
  db: UnboundDatabase,
): (
  run: Omit<EndedAttempt['run'], 'environmentId'>,
  outcome: EndedAttempt['outcome'],
) => ReturnType<FinishAttempt> {
  const finish = createFinish(db);
  return (run, outcome) => finish({ run: { ...ANY, ...run }, outcome });
}

/** Marks a client or transaction of the owner of the tables, to which no policy applies. */
export function asOwner(db: Database): UnboundDatabase;
export function asOwner(tx: AnyClient): Queryable;
export function asOwner(client: AnyClient): Queryable {
  return client as Queryable;
}

/** SQL of the id that the row of `messages` would have if it were that many days older, with the same random bits. */
export const idDaysAgo = (days: number): Prisma.Sql =>
  Prisma.raw(`overlay(
    id::text PLACING left(${firstIdAt(`extract(epoch FROM now() - make_interval(days => ${days})) * 1000`)}::text, 13)
    FROM 1 FOR 13)::uuid`);
