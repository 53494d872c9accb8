import { formatId, SELF_SERVICE_LIMITS } from '@postrider/domain';
import type { Renderer } from '@postrider/rendering';
import { describe, expect, it } from '@postrider/testing';
import { openSharedRenderer } from '../../../packages/rendering/test/shared-renderer.ts';
import { holderOf } from '../src/access/access.ts';
import { HOOK } from './support/channels.ts';
import { EMAIL_TEMPLATE, useApi } from './support/database.ts';
import { createOutsider, type Method } from './support/outsider.ts';

const world = useApi();
const { api, db } = world;
const { changes, newChannels, versions, eventTypes, consumers, suppressions } = SELF_SERVICE_LIMITS;

type Outsider = Awaited<ReturnType<typeof createOutsider>>;
type Step = readonly [method: Method, path: string, body?: unknown];

const template = { event_key: 'order.paid', channel_kind: 'webhook', body: { text: 'Paid' } };
const layout = { name: 'main', content: '{% block %}{% endblock %}' };
const partial = { name: 'footer', content: 'Bye' };
const translation = { locale: 'fr', messages: { bye: 'Salut' } };

/** Entries of the audit log that the tokens of the environment have caused. */
async function fillAuditLog(
  { fixture }: Outsider,
  { count, seconds, bytes = 1 }: { count: number; seconds: number; bytes?: number },
) {
  await db().$executeRaw`
    INSERT INTO audit_log (id, actor, actor_kind, action, resource_type, resource_id, environment_id, before, created_at)
    SELECT uuidv7(make_interval(secs => -${seconds}::int)), 'tok', 'environment_token', 'channel.updated', 'channel', 'chn',
           ${fixture.environmentId}::uuid, text.value, now() - make_interval(secs => ${seconds}::int)
      FROM generate_series(1, ${count}::int)
     CROSS JOIN (SELECT to_jsonb(string_agg(md5(i::text), '')) AS value
                   FROM generate_series(1, ${Math.ceil(bytes / 32)}::int) AS i) AS text`;
}

/** Rows for several statements. Each is within the time limit, also on a busy machine. */
function* inSteps(count: number, step = 10_000) {
  for (let from = 1; from <= count; from += step) yield [from, Math.min(count, from + step - 1)];
}

async function fillVersions({ fixture }: Outsider, count: number) {
  for (const [from, to] of inSteps(count)) {
    await db().$executeRaw`
      INSERT INTO template_versions (id, environment_id, event_key, channel_kind, version, body)
      SELECT gen_random_uuid(), ${fixture.environmentId}::uuid, 'filled.up', 'webhook', i, '{}'
        FROM generate_series(${from}::int, ${to}::int) AS i`;
  }
}

async function fillEventTypes({ fixture }: Outsider, count: number) {
  await db().$executeRaw`
    INSERT INTO event_types (environment_id, event_key)
    SELECT ${fixture.environmentId}::uuid, 'filled.' || i FROM generate_series(1, ${count}::int) AS i`;
}

async function fillSuppressions({ fixture }: Outsider, count: number) {
  for (const [from, to] of inSteps(count)) {
    await db().$executeRaw`
      INSERT INTO suppressions (id, environment_id, address_hash, scope, source)
      SELECT uuidv7(), ${fixture.environmentId}::uuid, sha256(i::text::bytea), 'all', 'import'
        FROM generate_series(${from}::int, ${to}::int) AS i`;
  }
}

async function fillConsumers({ fixture }: Outsider, count: number) {
  for (const [from, to] of inSteps(count)) {
    await db().$executeRaw`
      INSERT INTO consumers (environment_id, id, deleted_at)
      SELECT ${fixture.environmentId}::uuid, 'filled:' || i, now() FROM generate_series(${from}::int, ${to}::int) AS i`;
  }
}

/** Copies of a channel that were created and deleted. */
async function fillChannels({ fixture, call }: Outsider, count: number) {
  await call('post', 'channels', HOOK).expect(201);
  const names = await db().$queryRaw<{ name: string }[]>`
    SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = 'channels' AND is_generated = 'NEVER'`;
  const columns = names.map(({ name }) => name);
  await db().$executeRawUnsafe(
    `INSERT INTO channels (${columns.join()})
     SELECT ${columns.map((column) => `copy.${column}`).join()} FROM channels source
      CROSS JOIN (SELECT uuidv7() AS id FROM generate_series(1, $1::int)) AS made
      CROSS JOIN LATERAL jsonb_populate_record(source, jsonb_build_object(
        'id', made.id, 'deleted_at', now(), 'runs_ended_at', now(), 'sealed_secret', NULL)) AS copy
      WHERE source.environment_id = $2::uuid AND source.deleted_at IS NULL`,
    count,
    fixture.environmentId,
  );
}

/** Everything that could have been stored. */
async function stored({ fixture }: Outsider) {
  const where = { environmentId: fixture.environmentId };
  return {
    templates: await db().templateVersion.count({ where }),
    parts: await db().templatePart.count({ where }),
    active: await db().templateVersion.count({ where: { ...where, active: true } }),
    eventTypes: await db().eventType.count({ where }),
    suppressions: await db().suppression.count({ where }),
    consumers: await db().consumer.count({ where }),
    channels: await db().channel.count({ where }),
    entries: await db().auditEntry.count({ where }),
  };
}

/** The step is refused and stores nothing; an operator may take it. */
async function expectOnlyOperators(outsider: Outsider, [method, path, body]: Step, status: 409 | 429) {
  const before = await stored(outsider);
  const refused = await outsider.call(method, path, body).expect(status);
  expect(refused.body.error.code).toBe(status === 409 ? 'conflict' : 'rate_limited');
  expect(await stored(outsider)).toEqual(before);
  const operators = /^(?:layouts|partials|translations|templates)\/./.test(path)
    ? `/admin/v1/${path}`
    : `${outsider.admin}/${path}`;
  const done = await api().admin(method, operators, body);
  expect([200, 201]).toContain(done.status);
  return refused;
}

describe('stored versions of templates and parts are bounded for tokens', () => {
  it.each<[string, Step]>([
    ['a template', ['post', 'templates', template]],
    ['a layout', ['post', 'layouts', layout]],
    ['a partial that becomes active', ['post', 'partials', { ...partial, activate: true }]],
    ['a translation', ['post', 'translations', translation]],
  ])('on adding %s', async (_what, step) => {
    const outsider = await createOutsider(world);
    await fillVersions(outsider, versions.count);
    const { body } = await expectOnlyOperators(outsider, step, 409);
    expect(body.error.message).toBe(
      'Tokens can store at most 20000 versions of templates, layouts, partials and translations in an environment. ' +
        'Ask an operator, who can add more.',
    );
  });

  it('on activating a part, which republishes templates', async () => {
    const outsider = await createOutsider(world);
    const { call } = outsider;
    const uses = {
      ...template,
      channel_kind: 'email',
      subject: 'Paid',
      html: "{% render 'footer' %}",
      body: undefined,
    };
    await call('post', 'partials', { ...partial, activate: true }).expect(201);
    await call('post', 'templates', { ...uses, activate: true }).expect(201);
    const { body: next } = await call('post', 'partials', { ...partial, content: 'See you' }).expect(201);
    await fillVersions(outsider, versions.count - 3);
    await expectOnlyOperators(outsider, ['post', `partials/${next.id}/activate`], 409);
  });

  it('by their bytes for one activation, also of operators', async () => {
    const outsider = await createOutsider(world);
    const { call, fixture } = outsider;
    const { body: first } = await call('post', 'partials', { ...partial, activate: true }).expect(201);
    await db().$executeRaw`
      INSERT INTO template_versions (id, environment_id, event_key, channel_kind, version, subject, html, uses, active)
      SELECT gen_random_uuid(), ${fixture.environmentId}::uuid, 'large.' || i, 'email', 1, '', html.text, '{partial:footer}', true
        FROM generate_series(1, 320) AS i
       CROSS JOIN (SELECT string_agg(md5(i::text), '') AS text FROM generate_series(1, 6000) AS i) AS html`;
    const { body: next } = await call('post', 'partials', { ...partial, content: 'See you' }).expect(201);
    const refused = await call('post', `partials/${next.id}/activate`).expect(409);
    expect(refused.body.error.message).toMatch(
      /^The active templates that use it have more than 33554432 bytes\. Deactivate/,
    );
    await api().admin('post', `/admin/v1/partials/${next.id}/activate`).expect(409);
    const { body: active } = await call('get', `partials/${first.id}`).expect(200);
    expect(active.active).toBe(true);
  });

  it('by active templates', async () => {
    const outsider = await createOutsider(world);
    const { body: idle } = await outsider.call('post', 'templates', template).expect(201);
    await db().$executeRaw`
      INSERT INTO template_versions (id, environment_id, event_key, channel_kind, version, body, active)
      SELECT gen_random_uuid(), ${outsider.fixture.environmentId}::uuid, 'filled.' || i, 'webhook', 1, '{}', true
        FROM generate_series(1, ${versions.activeTemplates}::int) AS i`;
    const again = { ...template, event_key: 'filled.1', activate: true };
    await outsider.call('post', 'templates', again).expect(201);
    await expectOnlyOperators(outsider, ['post', `templates/${idle.id}/activate`], 409);
  });
});

it('event types are bounded for tokens, which can still change them', async () => {
  const outsider = await createOutsider(world);
  await fillEventTypes(outsider, eventTypes);
  await outsider.call('put', 'event-types/filled.1', { description: 'changed' }).expect(200);
  await expectOnlyOperators(outsider, ['put', 'event-types/order.paid', {}], 409);
});

it('the suppression list is bounded for tokens', async () => {
  const outsider = await createOutsider(world);
  const entries = (email: string) => ({ entries: [{ email }] });
  await fillSuppressions(outsider, suppressions - 1);
  await outsider.call('post', 'suppressions', { email: 'ada@example.com' }).expect(201);
  await expectOnlyOperators(outsider, ['post', 'suppressions', { email: 'grace@example.com' }], 409);
  await expectOnlyOperators(outsider, ['post', 'suppressions/import', entries('joan@example.com')], 409);
});

it('consumers are bounded for tokens, which can still change them', async () => {
  const outsider = await createOutsider(world);
  await outsider.call('put', 'consumers/acme', { name: 'Acme' }).expect(200);
  await fillConsumers(outsider, consumers - 1);
  await outsider.call('put', 'consumers/acme', { name: 'Acme Inc.' }).expect(200);
  await expectOnlyOperators(outsider, ['put', 'consumers/globex', {}], 409);
});

it('tokens cannot leave any number of deleted channels', async () => {
  const outsider = await createOutsider(world);
  await fillChannels(outsider, newChannels.count - 1);
  const refused = await expectOnlyOperators(outsider, ['post', 'channels', HOOK], 429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(newChannels.seconds - 600);
});

describe('the audit log', () => {
  const step: Step = ['put', 'event-types/order.paid', {}];

  it.each([
    ['changes', { count: changes.count, bytes: 1 }],
    ['bytes of changes', { count: 40, bytes: 400_000 }],
  ])('grows by a bounded number of %s of tokens in an hour', async (_what, filling) => {
    const outsider = await createOutsider(world);
    await fillAuditLog(outsider, { ...filling, seconds: changes.seconds + 60 });
    await outsider.call('put', 'event-types/order.sent', {}).expect(200);
    await fillAuditLog(outsider, { ...filling, seconds: 600 });
    const refused = await expectOnlyOperators(outsider, step, 429);
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(changes.seconds - 700);
    expect(retryAfter).toBeLessThanOrEqual(changes.seconds - 600);
    // Another environment of the tenant has its own.
    const other = await createOutsider(world, { tenantId: outsider.fixture.tenantId });
    await other.call(...step).expect(200);
  });

  it('gets no entry of a change that changes nothing', async () => {
    const { call, audit } = await createOutsider(world);
    const eventType = { description: 'An order was paid.', payload_schema: { type: 'object' } };
    const { body: channel } = await call('post', 'channels', HOOK).expect(201);
    const { body: version } = await call('post', 'templates', { ...template, activate: true }).expect(201);
    const { body: part } = await call('post', 'layouts', { ...layout, activate: true }).expect(201);
    await call('put', 'event-types/order.paid', eventType).expect(200);
    await call('post', 'suppressions', { email: 'ada@example.com' }).expect(201);
    await call('post', `channels/${channel.id}/pause`).expect(200);
    const before = await audit();
    await call('patch', `channels/${channel.id}`, { name: channel.name, config: {} }).expect(200);
    await call('post', `channels/${channel.id}/pause`).expect(200);
    await call('post', `templates/${version.id}/activate`).expect(200);
    await call('post', `layouts/${part.id}/activate`).expect(200);
    await call('put', 'event-types/order.paid', eventType).expect(200);
    await call('post', 'suppressions', { email: 'ADA@example.com' }).expect(201);
    await call('post', 'suppressions/import', { entries: [{ email: 'ada@example.com' }] }).expect(200);
    expect(await audit()).toEqual(before);
  });
});

it('test sends, which are not counted, are bounded for a day', async () => {
  const outsider = await createOutsider(world);
  const { call, fixture } = outsider;
  const { body: channel } = await call('post', 'channels', HOOK).expect(201);
  const send = () => call('post', `channels/${channel.id}/test`, {});
  const { body: sent } = await send().expect(201);
  await db().$executeRaw`
    INSERT INTO messages
    SELECT copy.* FROM messages source
     CROSS JOIN (SELECT uuidv7(interval '-2 hours') AS id FROM generate_series(1, 498)) AS made
     CROSS JOIN LATERAL jsonb_populate_record(source, jsonb_build_object(
       'id', made.id, 'created_at', now() - interval '2 hours')) AS copy
     WHERE source.environment_id = ${fixture.environmentId}::uuid`;
  expect((await send().expect(201)).body.message_id).not.toBe(sent.message_id);
  const refused = await send().expect(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(21 * 3_600);
});

it('renders take turns by tenant, and so do filter tests', async () => {
  const first = await world.environment({ templates: [EMAIL_TEMPLATE] });
  const { tenantId, environmentId } = await world.environment({
    tenantId: first.tenantId,
    templates: [EMAIL_TEMPLATE],
  });
  expect([await holderOf(db(), first.environmentId), await holderOf(db(), environmentId)]).toEqual([
    { owner: tenantId, part: first.environmentId },
    { owner: tenantId, part: environmentId },
  ]);
  expect(await holderOf(db(), environmentId, 'org_1')).toEqual({
    owner: `consumers ${tenantId}`,
    part: `${environmentId} org_1`,
  });

  const turns: unknown[] = [];
  const renderer = new Proxy(openSharedRenderer(), {
    get(target, name: keyof Renderer) {
      const work = target[name] as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => {
        turns.push(given.at(-1));
        return work.apply(target, given);
      };
    },
  });
  const { admin } = await world.more({ renderer });
  const path = `/admin/v1/environments/${formatId('env', environmentId)}`;
  const { event_key, channel_kind } = template;
  const email = { event_key, channel_kind: 'email', subject: 'Paid', html: '<p>Paid</p>' };
  await admin('post', `${path}/partials`, partial).expect(201);
  const { body } = await admin('post', `${path}/templates`, email).expect(201);
  await admin('post', `${path}/templates/preview-draft`, { ...email, channel_kind }).expect(422);
  await admin('post', `${path}/templates/preview-draft`, email).expect(200);
  await admin('post', `/admin/v1/templates/${body.id}/preview`, {}).expect(200);
  await admin('post', `/admin/v1/templates/${body.id}/activate`).expect(200);
  expect(turns.length).toBeGreaterThanOrEqual(6);
  expect(new Set(turns.map((turn) => JSON.stringify(turn)))).toEqual(
    new Set([JSON.stringify({ owner: tenantId, part: environmentId })]),
  );
});
