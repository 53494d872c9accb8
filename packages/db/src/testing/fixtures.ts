import { randomBytes } from 'node:crypto';
import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import {
  type BillingStatus,
  createSecretBox,
  createUuidV7Source,
  type EnvironmentSettings,
  type Plan,
  type SecretBox,
} from '@postrider/domain';
import type { UnboundDatabase } from '../client.ts';
import type { ConfigureDeps } from '../configure/change.ts';
import { type ChannelInput, createChannel } from '../configure/channels.ts';
import { createEnvironment } from '../configure/environments.ts';
import { putPlan } from '../configure/plans.ts';
import { createTenant } from '../configure/tenants.ts';
import { issueToken } from '../configure/tokens.ts';
import { createServiceKeys, type ServiceKeySource } from '../suppressions/service-keys.ts';
import { createTestTemplate, type TestTemplate } from './templates.ts';

/** A box with a key of its own, as a process would get from ENCRYPTION_KEYS. */
export function createTestSecretBox(): SecretBox {
  return createSecretBox([{ id: 'test', key: randomBytes(32) }]);
}

const KEYS_BOX = createTestSecretBox();

/** The service's own keys in a database: with one box for all unless the service under test has another. */
export function createTestKeys(db: UnboundDatabase, secretBox: SecretBox = KEYS_BOX): ServiceKeySource {
  return createServiceKeys({ db, secretBox });
}

type WithoutEnvironment<Input extends { environmentId: string }> = {
  [Field in keyof Input as Field extends 'environmentId' ? never : Field]: Input[Field];
};

export interface FixtureInput {
  /** Figures that differ from a plan without limits. */
  readonly plan?: Partial<Omit<Plan, 'code'>>;
  readonly billingStatus?: BillingStatus;
  readonly graceEndsAt?: Date | null;
  /** Adds the environment to a tenant that is there already; `plan` and billing are then left out. */
  readonly tenantId?: string;
  readonly environmentName?: string;
  /** What differs from the defaults of an environment. */
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
  eventsPerMonth: null,
  requestsPerSecond: null,
  burst: null,
  maxPayloadBytes: null,
  maxScheduleDays: null,
  retentionDays: null,
} as const satisfies Omit<Plan, 'code' | 'channelKinds'>;

async function createTestTenant(deps: ConfigureDeps, planCode: string, input: FixtureInput): Promise<string> {
  const made = await createTenant(deps, {
    name: 'Test tenant',
    planCode,
    billingStatus: input.billingStatus ?? 'active',
    graceEndsAt: input.graceEndsAt ?? null,
  });
  if (made.outcome !== 'created') throw new Error(`the tenant of a fixture: ${made.outcome}`);
  return made.tenant.id;
}

async function createTestEnvironment(
  deps: ConfigureDeps,
  tenantId: string,
  { environmentName = `test-${randomBytes(4).toString('hex')}`, settings }: FixtureInput,
): Promise<string> {
  const made = await createEnvironment(deps, { tenantId, name: environmentName, ...settings });
  if (made.outcome !== 'created') throw new Error(`the environment of a fixture: ${made.outcome}`);
  return made.environment.id;
}

async function createTestChannel(
  deps: ConfigureDeps & { readonly secretBox: SecretBox },
  input: ChannelInput,
): Promise<Fixture['channels'][number]> {
  const made = await createChannel(deps, input);
  if (made.outcome !== 'created') throw new Error(`the channel of a fixture: ${made.outcome}`);
  return { id: made.channel.id, secret: made.secret };
}

/** A tenant on a plan of its own, an environment with a token, and the channels and templates asked for. */
export async function createFixture(
  db: UnboundDatabase,
  input: FixtureInput = {},
  secretBox: SecretBox = createTestSecretBox(),
  kinds: ChannelRegistry = channelKinds,
): Promise<Fixture> {
  const actor = { name: 'test', requestId: null, traceId: null };
  const deps = { db, newId: createUuidV7Source(), secretBox, actor, kinds };
  const planCode = input.tenantId ? null : `test-${randomBytes(6).toString('hex')}`;
  if (planCode)
    await putPlan(deps, { code: planCode, ...NO_LIMITS, channelKinds: kinds.kinds, ...input.plan });
  const tenantId = input.tenantId ?? (await createTestTenant(deps, planCode ?? '', input));
  const environmentId = await createTestEnvironment(deps, tenantId, input);
  const issued = await issueToken(deps, { environmentId, name: 'test' });
  if (issued.outcome !== 'issued') throw new Error(`the token of a fixture: ${issued.outcome}`);
  const channels = [];
  for (const channel of input.channels ?? []) {
    channels.push(await createTestChannel(deps, { ...channel, environmentId }));
  }
  const templates = [];
  for (const template of input.templates ?? []) {
    templates.push(await createTestTemplate(db, { ...template, environmentId }, kinds));
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
