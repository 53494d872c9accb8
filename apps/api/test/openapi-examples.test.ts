import { randomBytes, randomUUID } from 'node:crypto';
import { parseId } from '@postrider/domain';
import { beforeAll, describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { EXAMPLE_IDS } from '../src/openapi/examples.ts';
import type { OperationDescription, Parameter } from '../src/openapi/operation.ts';
import { OPERATIONS } from '../src/resources.ts';
import { isDocumented } from './openapi-conformance.ts';
import { ADMIN_TOKEN } from './support/api.ts';
import { openBrowser } from './support/console.ts';
import { useApi } from './support/database.ts';
import { type Populated, populate, replayMatching } from './support/populated.ts';

const { api, db } = useApi();

/** Examples that are answered with the other success of their operation. */
const ALTERNATIVE = /^create(Own)?ReplayBatch count$/;
/** What the examples create under a name that nobody may have yet. */
const NEW_NAMES: Readonly<Record<string, readonly string[]>> = {
  createOperator: ['grace@example.com', 'joan@example.com'],
  createRole: ['on-call'],
};
/** Examples that are about the channel for mail. */
const TO_EMAIL = /^(test(Own)?Channel email|rotate(Own)?ChannelFeedbackToken)$/;
/** Paths of examples that are about a channel with a listener. */
const LISTENS = /\/listen(?:\/answer)?$/;
const PLANS_IN_EXAMPLES = ['starter', 'pro'];

interface Executable {
  readonly name: string;
  readonly doc: OperationDescription;
  /** As JSON, null where the operation takes no body. */
  readonly body: string | null;
}

function executables(doc: OperationDescription): Executable[] {
  if (doc.body === undefined) return [{ name: doc.operationId, doc, body: null }];
  return Object.entries(doc.body.examples).map(([name, { value }]) => ({
    name: `${doc.operationId} ${name}`,
    doc,
    body: JSON.stringify(value),
  }));
}

/** Parameters without which an operation does not work, except headers. */
const isSent = ({ in: place, required }: Parameter) => place !== 'header' && required === true;

/** Ids and codes in the examples, and what replaces them here. A new code is one that nobody has. */
function replacements({ name, doc }: Executable, world: Populated): [string, string][] {
  const { parameters } = world;
  const code = doc.operationId === 'createPlan' ? `new-${randomBytes(6).toString('hex')}` : parameters.code;
  const ofParameters = doc.parameters.flatMap((parameter): [string, string][] => {
    const real = parameters[parameter.name];
    return isSent(parameter) && real !== undefined ? [[String(parameter.example), real]] : [];
  });
  const channel = TO_EMAIL.test(name) ? world.emailChannelId : (parameters.channelId ?? '');
  return [
    [EXAMPLE_IDS.webhookChannel, channel],
    [EXAMPLE_IDS.tenant, parameters.tenantId ?? ''],
    ...(NEW_NAMES[doc.operationId] ?? []).map((name): [string, string] => [
      name,
      `new-${randomBytes(6).toString('hex')}${name.slice(name.indexOf('@') + 1 ? name.indexOf('@') : name.length)}`,
    ]),
    ...ofParameters,
    ...PLANS_IN_EXAMPLES.map((plan): [string, string] => [plan, code ?? '']),
  ];
}

/** What is shown of a run's content is that of an attempt. */
async function addAttempt(deliveryRunId: string): Promise<void> {
  const runId = parseId('run', deliveryRunId) ?? '';
  const attempt = { number: 1, id: randomUUID(), fence: 1, status: 'running', startedAt: new Date() };
  await db().attempt.create({ data: { runId, ...attempt } });
}

/** The world of the examples that read and need nothing more in it: they leave everything as it was. */
let unchanged: Promise<Populated> | undefined;
const NEEDS_MORE = /\{consoleSessionId\}|\{replayId\}|\/content$/;

async function worldFor({ doc }: Executable): Promise<Populated> {
  if (doc.method === 'get' && !NEEDS_MORE.test(doc.path)) {
    unchanged ??= populate(api(), db());
    return unchanged;
  }
  // What deletes something may reach every part; anything else, besides reads, only the parts that it names.
  const isNamed = (part: string) =>
    doc.parameters.some((parameter) => parameter.name === part) ||
    Object.hasOwn(doc.body?.schema.properties ?? {}, part);
  const world = await populate(api(), db(), {}, doc.method === 'delete' ? undefined : isNamed);
  if (doc.path.includes('{consoleSessionId}')) {
    const { session } = await openBrowser(api(), world.token);
    return { ...world, parameters: { ...world.parameters, consoleSessionId: session.id } };
  }
  if (LISTENS.test(doc.path)) {
    const path = `/admin/v1/environments/${world.parameters.environmentId}/channels`;
    const listener = { kind: 'webhook', name: 'laptop', config: { url: 'listen://laptop' } };
    const { body } = await api().admin('post', path, listener).expect(201);
    return { ...world, parameters: { ...world.parameters, channelId: body.id } };
  }
  if (doc.path.endsWith('/content')) await addAttempt(world.parameters.deliveryRunId ?? '');
  if (!doc.path.includes('{replayId}')) return world;
  const replayId = await replayMatching(api(), world.parameters.environmentId ?? '');
  return { ...world, parameters: { ...world.parameters, replayId } };
}

/** Sends an example by the token of its world, with what `replaced` makes of each text in it. */
function sendExample({ doc, body: given }: Executable, token: string, replaced = (text: string) => text) {
  const path = doc.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const { example: shown } = doc.parameters.find((parameter) => parameter.name === name) ?? {};
    return replaced(String(shown));
  });
  const bearer = doc.path.startsWith('/api/') ? token : ADMIN_TOKEN;
  const query = doc.parameters
    .filter((parameter) => parameter.in === 'query' && isSent(parameter))
    .map(({ name, example }): [string, string] => [name, replaced(String(example))]);
  const test = supertest(api().url)
    [doc.method](path)
    .query(Object.fromEntries(query))
    .set('Authorization', `Bearer ${bearer}`);
  if (doc.traits?.idempotency.key === 'required') test.set('Idempotency-Key', randomUUID());
  if (given === null) return test;
  const body = given.replaceAll(/"([^"\\]*)"/g, (_all, text: string) => JSON.stringify(replaced(text)));
  return test.type('application/json').send(body);
}

async function execute(example: Executable) {
  const world = await worldFor(example);
  const changes = replacements(example, world);
  return sendExample(example, world.token, (text) => changes.find(([shown]) => shown === text)?.[1] ?? text);
}

describe('each example of the document, sent to the API', () => {
  it.each(OPERATIONS.flatMap(executables))('succeeds as documented: $name', async (example) => {
    const { success, alternative } = example.doc;
    const expected = ALTERNATIVE.test(example.name) ? alternative : success;
    const response = await execute(example);

    expect({ status: response.status, error: response.body.error }).toEqual({ status: expected?.status });
    isDocumented(response);
  });
});

describe('each example of the document, sent unchanged', () => {
  let token = '';
  beforeAll(async () => {
    ({ token } = await populate(api(), db()));
  });

  it.each(OPERATIONS.flatMap(executables))(
    'is answered as documented, also where it names what is not there: $name',
    async (example) => {
      const response = await sendExample(example, token);

      expect(response.status).toBeLessThan(500);
      isDocumented(response);
    },
  );
});
