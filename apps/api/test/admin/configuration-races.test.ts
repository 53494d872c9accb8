import { describe, expect, it } from '@postrider/testing';
import { pathOf, RIGHTS_LOCK } from '../support/configuration.ts';
import { useApi } from '../support/database.ts';
import { until } from '../support/waiting.ts';

const world = useApi();

async function anEnvironment() {
  const { environmentId } = await world.environment({ channels: [] });
  const send = (path: string, body: object) => world.api().admin('post', pathOf(environmentId, path), body);
  return {
    environmentId,
    async apply(document: object, more: object = {}) {
      const { hash } = (await send('/plan', { document, ...more }).expect(200)).body;
      return (await send('/apply', { document, hash, ...more }).expect(200)).body;
    },
    plan: async (document: object) => (await send('/plan', { document }).expect(200)).body,
    changes: async (document: object, more: object = {}) =>
      (await send('/plan', { document, ...more }).expect(200)).body.changes,
    export: () => world.api().admin('get', pathOf(environmentId)),
  };
}

const template = (event_key: string) => ({
  event_key,
  channel_kind: 'email',
  subject: 'x',
  html: '<p>x</p>',
});

describe('the configuration of an environment', () => {
  it('loses what is pruned, also when a new default language makes new versions of all templates', async () => {
    const environment = await anEnvironment();
    await environment.apply({
      version: 1,
      settings: { default_locale: 'en' },
      templates: [template('a.b'), template('a.c')],
    });
    const document = { version: 1, settings: { default_locale: 'de' }, templates: [template('a.b')] };
    const { changes } = await environment.apply(document, { prune: true });
    expect(changes).toMatchObject([
      { action: 'update', kind: 'settings' },
      { action: 'delete', kind: 'template', key: 'a.c email' },
    ]);
    expect(await environment.changes(document, { prune: true })).toEqual([]);
  });

  it('is planned with the rendering of at most 50 templates, those that differ first, and says how many are left out', async () => {
    const environment = await anEnvironment();
    const keys = Array.from({ length: 53 }, (_, index) => `a.n${10 + index}`);
    const document = {
      version: 1,
      partials: [{ name: 'footer', content: 'Then' }],
      templates: keys.map((key) => ({ ...template(key), html: "{% render 'footer' %}" })),
    };
    await environment.apply(document);
    const changed = {
      ...document,
      partials: [{ name: 'footer', content: 'Now' }],
      templates: document.templates.map((item) =>
        item.event_key === 'a.n62' ? { ...item, subject: 'y' } : item,
      ),
    };
    const { checks, checks_left_out } = await environment.plan(changed);
    const rendered = checks.map(({ key }: { key: string }) => key);
    expect(rendered).toEqual(['a.n62', ...keys.slice(0, 49)].map((key) => `${key} email`));
    expect(checks_left_out).toBe(3);
    const few = { version: 1, templates: [template('b.c')] };
    expect(await environment.plan(few)).toMatchObject({ checks: [{ key: 'b.c email' }], checks_left_out: 0 });
  });

  it('keeps no change of rights waiting while templates are rendered', async () => {
    const environment = await anEnvironment();
    const roles = [{ code: 'of-rights', name: 'Rights', scopes: ['messages:read'] }];
    const document = { version: 1, templates: [template('a.b')], roles };
    const { planning, isLocked } = await world.db().$transaction(async (tx) => {
      // A template is rendered with the newest event, which is read before.
      await tx.$executeRaw`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`;
      const plan = environment.plan(document);
      await until(async () => {
        const waiting = await tx.$queryRaw<object[]>`
          SELECT FROM pg_locks WHERE relation = 'messages'::regclass AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
        return waiting.length > 0;
      });
      const held = await tx.$queryRaw<object[]>`
        SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${RIGHTS_LOCK}::bigint::oid
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      return { planning: { plan }, isLocked: held.length > 0 };
    });
    expect(isLocked).toBe(false);
    expect(await planning.plan).toMatchObject({ changes: [{ kind: 'template' }, { kind: 'role' }] });
  });

  it('is exported as it was at one moment, while a change of two sections commits', async () => {
    const environment = await anEnvironment();
    const { environmentId } = environment;
    const roles = [{ code: 'of-then', name: 'Then', scopes: ['messages:read'] }];
    await environment.apply({ version: 1, event_types: [{ event_key: 'a.b', description: 'Then' }], roles });
    const exported = await world.db().$transaction(async (tx) => {
      // The roles are read last.
      await tx.$executeRaw`LOCK TABLE roles IN ACCESS EXCLUSIVE MODE`;
      const exporting = environment.export().then((reply) => reply);
      await until(async () => {
        const waiting = await tx.$queryRaw<object[]>`
          SELECT FROM pg_locks WHERE relation = 'roles'::regclass AND NOT granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
        return waiting.length > 0;
      });
      await tx.$executeRaw`UPDATE event_types SET description = 'Now' WHERE environment_id = ${environmentId}::uuid`;
      await tx.$executeRaw`UPDATE roles SET name = 'Now' WHERE code = 'of-then'`;
      return { exporting };
    });
    const { document } = (await exported.exporting).body;
    expect([document.event_types[0].description, document.roles[0].name]).toEqual(['Then', 'Then']);
  });
});
