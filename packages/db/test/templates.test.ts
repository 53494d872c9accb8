import { checkTemplate, createUuidV7Source, orRefusal, type TemplateSource } from '@postrider/domain';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import {
  type ConfigureDeps,
  createTemplateVersion,
  listTemplates,
  readTemplate,
  switchTemplate,
  type UnboundDatabase,
} from '../src/index.ts';
import {
  actorNamed,
  createFixture,
  createTestDatabase,
  createTestTemplate,
  type TestDatabase,
} from '../src/testing/index.ts';

const EMAIL = { channelKind: 'email', subject: 'Hi', html: '<p>Hi</p>', text: null } as const;

describe('template versions', () => {
  let database: TestDatabase;
  let db: UnboundDatabase;
  let deps: ConfigureDeps;
  beforeAll(async () => {
    database = await createTestDatabase();
    db = database.db;
    deps = { db, newId: createUuidV7Source(), actor: actorNamed('ada', 'r1') };
  });
  afterAll(() => database.drop());

  const environment = async () => (await createFixture(db)).environmentId;
  const activeVersions = async (environmentId: string) => {
    const page = await listTemplates(db, {
      environmentId,
      filter: { active: true },
      after: null,
      limit: 100,
    });
    return page.rows.map(({ version }) => version);
  };
  const auditOf = (environmentId: string) =>
    db.auditEntry.findMany({ where: { environmentId, resourceType: 'template' }, orderBy: { id: 'asc' } });

  it('are numbered without gaps and only one is active, with concurrent creations', async () => {
    const environmentId = await environment();
    const made = await Promise.all(
      Array.from({ length: 12 }, () =>
        createTestTemplate(db, { environmentId, eventKey: 'order.shipped', activate: true, ...EMAIL }),
      ),
    );
    expect(made.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect(await activeVersions(environmentId)).toEqual([12]);
  });

  it('are numbered separately for each event key and kind', async () => {
    const environmentId = await environment();
    const common = { environmentId, activate: true };
    const webhook = { channelKind: 'webhook', body: { a: '{{ event_key }}' } } as const;
    const made = [
      await createTestTemplate(db, { ...common, eventKey: 'order.shipped', ...EMAIL }),
      await createTestTemplate(db, { ...common, eventKey: 'order.paid', ...EMAIL }),
      await createTestTemplate(db, { ...common, eventKey: 'order.shipped', ...webhook }),
    ];
    expect(made.map(({ version }) => version)).toEqual([1, 1, 1]);
    expect(await activeVersions(environmentId)).toEqual([1, 1, 1]);
  });

  it('are switched one at a time, and the audit entry names the replaced one', async () => {
    const environmentId = await environment();
    const common = { environmentId, eventKey: 'order.shipped', ...EMAIL };
    const first = await createTestTemplate(db, { ...common, activate: true });
    const second = await createTestTemplate(db, { ...common, activate: true });
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        switchTemplate(deps, (index % 2 === 0 ? first : second).id, true),
      ),
    );
    expect(await activeVersions(environmentId)).toHaveLength(1);
    await switchTemplate(deps, first.id, true);
    expect(await activeVersions(environmentId)).toEqual([1]);
    const before = (await auditOf(environmentId)).length;
    expect(await switchTemplate(deps, second.id, true)).toMatchObject({
      template: { version: 2, active: true },
    });
    const entries = (await auditOf(environmentId)).slice(before);
    expect(
      entries.map(({ action, actor, after }) => [action, actor, (after as { version: number }).version]),
    ).toEqual([
      ['template.deactivated', 'ada', 1],
      ['template.activated', 'ada', 2],
    ]);
  });

  it('write nothing if they are already active', async () => {
    const environmentId = await environment();
    const common = { environmentId, eventKey: 'order.shipped', ...EMAIL };
    const { id } = await createTestTemplate(db, { ...common, activate: false });
    await switchTemplate(deps, id, false);
    expect(await auditOf(environmentId)).toHaveLength(1);
  });

  it('keep their MJML, and never change', async () => {
    const environmentId = await environment();
    const { channelKind, ...parts } = { ...EMAIL, mjml: '<mjml></mjml>' };
    const content: TemplateSource = { format: 'email', ...parts };
    const checked = checkTemplate(content);
    if (checked.outcome === 'invalid') throw new Error('not sound');
    const { template } = checked;
    const made = await createTemplateVersion(deps, {
      environmentId,
      eventKey: 'a.b',
      channelKind,
      template,
      activate: false,
    });
    if ('problem' in made) throw new Error(made.problem.message);
    expect(await readTemplate(db, made.template.id)).toMatchObject({
      ...parts,
      channelKind,
      body: null,
      version: 1,
    });
    const change = db.templateVersion.update({ where: { id: made.template.id }, data: { subject: 'Other' } });
    await expect(change).rejects.toThrow();
  });

  it('of an unknown environment are not created', async () => {
    const { channelKind, ...parts } = EMAIL;
    const checked = checkTemplate({ format: 'email', ...parts, mjml: null });
    if (checked.outcome === 'invalid') throw new Error('not sound');
    const { template } = checked;
    const input = { environmentId: deps.newId(), eventKey: 'a.b', channelKind, template, activate: true };
    const created = orRefusal(() => createTemplateVersion(deps, input));
    expect(await created).toEqual({ refused: 'environment_not_found' });
    const switched = orRefusal(() => switchTemplate(deps, deps.newId(), true));
    expect(await switched).toEqual({ refused: 'template_not_found' });
  });

  it('are listed newest first, by page and filter, without their contents', async () => {
    const environmentId = await environment();
    for (const eventKey of ['a.b', 'a.c', 'a.b']) {
      await createTestTemplate(db, { environmentId, eventKey, activate: true, ...EMAIL });
    }
    const list = (after: string | null, limit: number, eventKey?: string) =>
      listTemplates(db, { environmentId, filter: { eventKey }, after, limit });
    const first = await list(null, 2);
    expect(first.rows.map(({ eventKey, version }) => `${eventKey} ${version}`)).toEqual(['a.b 2', 'a.c 1']);
    expect(first.rows[0]).not.toHaveProperty('html');
    const rest = await list(first.nextAfter, 2);
    expect([rest.rows.length, rest.nextAfter]).toEqual([1, null]);
    expect((await list(null, 5, 'a.b')).rows.map(({ version }) => version)).toEqual([2, 1]);
  });
});
