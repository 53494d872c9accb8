import type { Fixture } from '@postrider/db/testing';
import { formatId, SELF_SERVICE_LIMITS } from '@postrider/domain';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { type AuthorIn, byAuthors, type Credential } from '../target/author.ts';
import { type Call, callAll, callApi } from '../target/post-event.ts';
import { eventOf } from './deliveries.ts';
import { PAYLOAD, sources } from './templates.ts';

const { changes, versions, suppressions } = SELF_SERVICE_LIMITS;

/** Operators are trusted and have none of the limits that these attacks meet. */
const OUTSIDERS: readonly Credential[] = ['a token', 'a token with one scope'];
/** Changes that commit at once do not see each other; see `limitChanges` of the database package. */
const AT_ONCE = 8;

const json = (value: unknown) => JSON.stringify(value);

/** Adds versions by SQL until only `left` are missing. */
async function fillVersions({ target }: AttackContext, { environmentId }: Fixture, left: number) {
  await target.db.$executeRaw`
    INSERT INTO template_versions (id, environment_id, event_key, channel_kind, version, body)
    SELECT gen_random_uuid(), ${environmentId}::uuid, 'filled.up', 'webhook', i, '{}'
      FROM generate_series(1, ${versions.count - left}::int) AS i`;
}

async function storedVersions({ target }: AttackContext, { environmentId }: Fixture): Promise<number> {
  const where = { environmentId };
  return (await target.db.templateVersion.count({ where })) + (await target.db.templatePart.count({ where }));
}

const tooMany = (what: string, stored: number, most: number) =>
  stored > most ? [`${stored} ${what} were stored, at most ${most}`] : [];

/** Drafts and versions of expensive templates, beyond the limit of stored versions. */
async function addTemplates(context: AttackContext, authorIn: AuthorIn): Promise<Outcome> {
  const { target, amount } = context;
  const environment = await target.addEnvironment({});
  const { path, token } = await authorIn(environment);
  await fillVersions(context, environment, amount(10, 200));
  const calls = sources(amount(20, 500)).flatMap((text, index): Call[] => {
    const template = { event_key: `hostile.${index}`, channel_kind: 'webhook', body: { text } };
    return [
      { path: path('templates'), body: json({ ...template, activate: true }), what: 'a version' },
      {
        path: path('templates/preview-draft'),
        body: json({ ...template, payload: PAYLOAD }),
        what: 'a draft',
      },
    ];
  });
  const called = await callAll(target, token, calls);
  const stored = await storedVersions(context, environment);
  return {
    figures: { stored, ...called.statuses },
    violations: [...called.violations, ...tooMany('versions', stored, versions.count)],
  };
}

/** Two versions of a partial that many large templates use become active in turn: each time all are copied. */
async function activateParts(context: AttackContext, authorIn: AuthorIn): Promise<Outcome> {
  const { target, amount } = context;
  const environment = await target.addEnvironment({});
  const { path, token } = await authorIn(environment);
  const templates = amount(200, 1_000);
  const ids: string[] = [];
  for (const content of ['Bye', 'See you']) {
    const body = json({ name: 'footer', content, activate: ids.length === 0 });
    const { text } = await callApi(target, { path: path('partials'), token, body });
    ids.push(JSON.parse(text).id);
  }
  await target.db.$executeRaw`
    INSERT INTO template_versions (id, environment_id, event_key, channel_kind, version, subject, html, uses, active)
    SELECT gen_random_uuid(), ${environment.environmentId}::uuid, 'large.' || i, 'email', 1, 'Hi', html.text, '{partial:footer}', true
      FROM generate_series(1, ${templates}::int) AS i
     CROSS JOIN (SELECT string_agg(md5(i::text), '') AS text FROM generate_series(1, 900) AS i) AS html`;
  const calls = Array.from({ length: amount(10, 400) }, (_, index) => ({
    path: path(`partials/${ids[(index + 1) % 2]}/activate`),
    body: '{}',
    what: 'an activation',
  }));
  const called = await callAll(target, token, calls);
  const stored = await storedVersions(context, environment);
  return {
    figures: { templates, stored, ...called.statuses },
    violations: [...called.violations, ...tooMany('versions', stored, versions.count)],
  };
}

/** Imports as large as a body may be, beyond the limit of the list. */
async function importAddresses(context: AttackContext, authorIn: AuthorIn): Promise<Outcome> {
  const { target, amount } = context;
  const environment = await target.addEnvironment({});
  const { path, token } = await authorIn(environment);
  const entries = (round: number) =>
    Array.from({ length: 500 }, (_, index) => ({
      email: `${round}.${index}@example.com`,
      reason: 'x'.repeat(400),
    }));
  const calls = Array.from({ length: amount(6, 240) }, (_, round) => ({
    path: path('suppressions/import'),
    body: json({ entries: entries(round) }),
    what: 'an import',
  }));
  const called = await callAll(target, token, calls);
  const stored = await target.db.suppression.count({ where: { environmentId: environment.environmentId } });
  return {
    figures: { stored, ...called.statuses },
    violations: [...called.violations, ...tooMany('suppressions', stored, suppressions + AT_ONCE * 500)],
  };
}

/** Changes of every kind that differ from the last one, beyond what the audit log may grow in an hour. */
async function changeChannels(context: AttackContext, authorIn: AuthorIn): Promise<Outcome> {
  const { target, amount } = context;
  const environment = await target.addEnvironment({});
  const { environmentId } = environment;
  const { path, token } = await authorIn(environment);
  const left = amount(100, changes.count);
  await target.db.$executeRaw`
    INSERT INTO audit_log (id, actor, actor_kind, action, resource_type, resource_id, environment_id)
    SELECT uuidv7(), 'tok', 'environment_token', 'channel.updated', 'channel', 'chn', ${environmentId}::uuid
      FROM generate_series(1, ${changes.count - left}::int)`;
  const channel = { kind: 'webhook', name: 'hook', config: { url: 'https://hooks.example.com/' } };
  const made = await callApi(target, { path: path('channels'), token, body: json(channel) });
  const { id } = JSON.parse(made.text);
  const headers = Object.fromEntries(Array.from({ length: 3 }, (_, at) => [`X-${at}`, 'x'.repeat(1_300)]));
  const calls = Array.from({ length: left * 2 }, (_, index): Call => {
    const what = 'a change';
    switch (index % 4) {
      case 0:
        return { path: path('channels'), body: json(channel), what };
      case 1:
        return { path: path(`channels/${id}/rotate-secret`), body: json({ overlap_seconds: 0 }), what };
      case 2:
        return { path: path(`channels/${id}/${index % 8 === 2 ? 'pause' : 'resume'}`), body: '{}', what };
      default:
        return {
          method: 'PATCH',
          path: path(`channels/${id}`),
          body: json({ config: { headers: { ...headers, 'X-0': `${index}` } } }),
          what,
        };
    }
  });
  const called = await callAll(target, token, calls);
  const entries = await target.db.auditEntry.count({
    where: { environmentId, actorKind: 'environment_token' },
  });
  return {
    figures: { entries, ...called.statuses },
    violations: [...called.violations, ...tooMany('entries', entries, changes.count + AT_ONCE)],
  };
}

/** Expensive filters on large messages, in two environments of the tenant at once. */
async function testFilters({ target, amount }: AttackContext, authorIn: AuthorIn): Promise<Outcome> {
  const config = { url: 'https://hooks.example.com/' };
  const channel = { kind: 'webhook' as const, name: 'hook', config, enabled: false };
  const payload = { list: Array.from({ length: 10_000 }, (_, at) => `v${at}`) };
  const condition = { list: { $in: Array.from({ length: 50 }, (_, at) => `x${at}`) } };
  const body = json({ filter: { payload: condition } });
  const all = await Promise.all(
    [1, 2].map(async () => {
      const environment = await target.addEnvironment({
        channels: [channel],
        settings: { unmatchedEvents: 'store' },
      });
      const event = { path: '/api/v1/events', body: eventOf('large.message', payload), what: 'an event' };
      const stored = await callAll(
        target,
        environment.token,
        Array.from({ length: amount(20, 200) }, () => event),
      );
      const { path, token } = await authorIn(environment);
      const id = formatId('chn', environment.channels[0]?.id ?? '');
      const test = { path: path(`channels/${id}/filter/test`), body, what: 'a filter test' };
      const called = await callAll(
        target,
        token,
        Array.from({ length: amount(20, 200) }, () => test),
      );
      return { figures: called.statuses, violations: [...stored.violations, ...called.violations] };
    }),
  );
  const figures: Record<string, number> = {};
  for (const each of all)
    for (const [status, times] of Object.entries(each.figures))
      figures[status] = (figures[status] ?? 0) + times;
  return { figures, violations: all.flatMap(({ violations }) => violations) };
}

/** Test sends, which are not counted, as fast as possible. */
async function sendTests({ target, amount }: AttackContext, authorIn: AuthorIn): Promise<Outcome> {
  const environment = await target.addEnvironment({});
  const { environmentId } = environment;
  const { path, token } = await authorIn(environment);
  const channel = { kind: 'webhook', name: 'hook', config: { url: 'https://hooks.example.com/' } };
  const made = await callApi(target, { path: path('channels'), token, body: json(channel) });
  const test = path(`channels/${JSON.parse(made.text).id}/test`);
  const calls = Array.from({ length: amount(60, 2_000) }, () => ({ path: test, body: '{}', what: 'a test' }));
  const began = performance.now();
  const called = await callAll(target, token, calls);
  const minutes = Math.ceil((performance.now() - began) / 60_000);
  const sent = await target.db.message.count({ where: { environmentId, test: true } });
  return {
    figures: { sent, ...called.statuses },
    violations: [...called.violations, ...tooMany('tests', sent, 30 * minutes)],
  };
}

/** What an outsider does with a self-service token to use up what tenants share. */
export const AUTHOR_ATTACKS: readonly Attack[] = [
  { name: 'templates without end', needed: 'templates:write' as const, run: addTemplates },
  { name: 'parts activated without end', needed: 'templates:write' as const, run: activateParts },
  { name: 'imports of suppressions', needed: 'suppressions:write' as const, run: importAddresses },
  { name: 'changes without end', needed: 'channels:write' as const, run: changeChannels },
  { name: 'expensive filter tests', needed: 'messages:content' as const, run: testFilters },
  { name: 'test sends without end', needed: 'channels:write' as const, run: sendTests },
].flatMap((attack) => byAuthors(attack, OUTSIDERS));
