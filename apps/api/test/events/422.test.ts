import { putTestEventType } from '@postrider/db/testing';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from '../support/database.ts';

const world = useApi();

async function issuesOf(token: string, body: unknown): Promise<[string, string][]> {
  const response = await world.api().postEvent(token, body);
  expect(response.status).toBe(422);
  expect(response.body.error.code).toBe('validation_failed');
  for (const detail of response.body.error.details) expect(typeof detail.message).toBe('string');
  return response.body.error.details
    .map(({ path, code }: { path: string; code: string }) => [path, code])
    .sort();
}

describe('POST /api/v1/events, 422', () => {
  it.each<[string, unknown, [string, string][]]>([
    ['an array', [], [['', 'invalid_type']]],
    ['null', null, [['', 'invalid_type']]],
    [
      'nothing that is required',
      {},
      [
        ['/event_key', 'required'],
        ['/payload', 'required'],
        ['/recipient', 'required'],
      ],
    ],
    ['an unknown field', anEvent({ extra: 1 }), [['/extra', 'unknown_field']]],
    ['an unknown field with a name to be escaped', anEvent({ 'a/b~c': 1 }), [['/a~1b~0c', 'unknown_field']]],
    ['a key of one part', anEvent({ event_key: 'order' }), [['/event_key', 'invalid_format']]],
    ['a key in upper case', anEvent({ event_key: 'Order.shipped' }), [['/event_key', 'invalid_format']]],
    ['a key with a line end', anEvent({ event_key: 'order.shipped\n' }), [['/event_key', 'invalid_format']]],
    ['a key that is too long', anEvent({ event_key: `a.${'b'.repeat(127)}` }), [['/event_key', 'too_long']]],
    ['a recipient that is a text', anEvent({ recipient: 'ada' }), [['/recipient', 'invalid_type']]],
    ['a payload that is a list', anEvent({ payload: [] }), [['/payload', 'invalid_type']]],
    [
      'a name that is too long',
      anEvent({ recipient: { name: 'x'.repeat(256) } }),
      [['/recipient/name', 'too_long']],
    ],
    [
      'a name with a control character',
      anEvent({ recipient: { name: 'a\u0007' } }),
      [['/recipient/name', 'invalid_format']],
    ],
    [
      'a name that turns the direction of text',
      anEvent({ recipient: { name: 'Ada \u202egpj.exe' } }),
      [['/recipient/name', 'invalid_format']],
    ],
    [
      'a time zone that is not one',
      anEvent({ recipient: { email: 'ada@example.com', timezone: 'Europe/Berln' } }),
      [['/recipient/timezone', 'invalid_format']],
    ],
    [
      'an offset',
      anEvent({ recipient: { timezone: '+01:00' } }),
      [['/recipient/timezone', 'invalid_format']],
    ],
    [
      'a time zone that is a number',
      anEvent({ recipient: { timezone: 1 } }),
      [['/recipient/timezone', 'invalid_type']],
    ],
    [
      'a number that would lose digits',
      '{"event_key":"a.b","recipient":{"id":9007199254740993},"payload":{"ids":[1,123456789012345678901]}}',
      [
        ['/payload/ids/1', 'too_large'],
        ['/recipient/id', 'too_large'],
      ],
    ],
    [
      'an ordering key with the address of the recipient',
      anEvent({ ordering_key: 'Cart of ADA@example.com', recipient: { email: 'ada@example.com' } }),
      [['/ordering_key', 'invalid_value']],
    ],
    [
      'a time without offset',
      anEvent({ schedule_at: '2026-11-21T10:00:00' }),
      [['/schedule_at', 'invalid_format']],
    ],
    [
      'a day that is not',
      anEvent({ schedule_at: '2026-02-30T10:00:00Z' }),
      [['/schedule_at', 'invalid_format']],
    ],
    [
      'a year that Postgres has not',
      anEvent({ schedule_at: '0000-06-01T10:00:00Z' }),
      [['/schedule_at', 'invalid_format']],
    ],
    ['a time that is a number', anEvent({ schedule_at: 1 }), [['/schedule_at', 'invalid_type']]],
  ])('reports the issue of %s', async (_what, body, issues) => {
    const { token } = await world.environment();
    expect(await issuesOf(token, body)).toEqual(issues);
  });

  it.each([
    'ada@example.com, bob@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\r\nBcc: bob@example.com',
    'ada',
    '"a b"@example.com',
    '',
  ])('refuses %j as recipient.email', async (email) => {
    const { token } = await world.environment();
    expect(await issuesOf(token, anEvent({ recipient: { email } }))).toEqual([
      ['/recipient/email', 'invalid_format'],
    ]);
  });

  it('describes the form of event keys and names instead of quoting a regular expression', async () => {
    const body = anEvent({ event_key: 'Order', recipient: { email: 'ada@example.com', name: 'A\nB' } });
    const { token } = await world.environment();
    const { body: answer } = await world.api().postEvent(token, body).expect(422);
    const messages = answer.error.details.map((detail: { message: string }) => detail.message);
    expect(messages).toEqual([
      expect.stringContaining('such as order.shipped'),
      expect.stringContaining('control characters'),
    ]);
  });

  it('reports no_matching_channel at /event_key', async () => {
    const { token } = await world.environment({ channels: [{ ...WEBHOOK, eventKeys: ['invoice.*'] }] });
    expect(await issuesOf(token, anEvent())).toEqual([['/event_key', 'no_matching_channel']]);
  });

  it('requires recipient.email when an e-mail channel takes the event', async () => {
    const { token } = await world.environment({ channels: [EMAIL], templates: [EMAIL_TEMPLATE] });
    expect(await issuesOf(token, anEvent({ recipient: { name: 'Ada' } }))).toEqual([
      ['/recipient/email', 'required'],
    ]);
  });

  it('reports template_not_found at /event_key when an email channel has no active template', async () => {
    const { token } = await world.environment({
      channels: [EMAIL, WEBHOOK],
      templates: [{ ...EMAIL_TEMPLATE, activate: false }],
    });
    expect(await issuesOf(token, anEvent())).toEqual([['/event_key', 'template_not_found']]);
  });

  it('reports schedule_too_far beyond the horizon of the plan, but not at it', async () => {
    const { token } = await world.environment({ plan: { maxScheduleDays: 30 } });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    expect(await issuesOf(token, anEvent({ schedule_at: inDays(30.01) }))).toEqual([
      ['/schedule_at', 'schedule_too_far'],
    ]);
    const near = await world.api().postEvent(token, anEvent({ schedule_at: inDays(29.99) }));
    expect(near.status).toBe(201);
  });

  it('checks the payload against the schema of its event key, all issues at once', async () => {
    const { token, environmentId } = await world.environment();
    await putTestEventType(world.db(), {
      environmentId,
      eventKey: 'order.shipped',
      description: null,
      payloadSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://example.com/order',
        type: 'object',
        required: ['order_id', 'total'],
        properties: {
          order_id: { type: 'string' },
          total: { type: 'number', minimum: 0 },
          lines: { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
        },
      },
    });
    world.api().deps.snapshots.clear();
    expect(await issuesOf(token, anEvent({ payload: { order_id: 1, lines: ['a', 'b'] } }))).toEqual([
      ['/payload/lines/1', 'payload_schema_mismatch'],
      ['/payload/order_id', 'payload_schema_mismatch'],
      ['/payload/total', 'payload_schema_mismatch'],
    ]);
    const good = { order_id: 'A', total: 1, lines: ['a', 2] };
    expect((await world.api().postEvent(token, anEvent({ payload: good }))).status).toBe(201);
    const other = anEvent({ event_key: 'order.paid', payload: {} });
    expect((await world.api().postEvent(token, other)).status).toBe(201);
  });

  it('reports a payload that is too large for its schema', async () => {
    const { token, environmentId } = await world.environment();
    await putTestEventType(world.db(), {
      environmentId,
      eventKey: 'order.shipped',
      description: null,
      payloadSchema: { properties: { text: { pattern: '^[ab]*a[ab]{400}c$' } } },
    });
    world.api().deps.snapshots.clear();
    expect(await issuesOf(token, anEvent({ payload: { text: 'ab'.repeat(50_000) } }))).toEqual([
      ['/payload', 'payload_schema_mismatch'],
    ]);
  });

  it('keeps using a schema with an $id after its snapshot was replaced', async () => {
    const { token, environmentId } = await world.environment();
    const payloadSchema = { $id: 'https://example.com/again', required: ['order_id'] };
    await putTestEventType(world.db(), {
      environmentId,
      eventKey: 'order.shipped',
      description: null,
      payloadSchema,
    });
    for (let round = 0; round < 2; round += 1) {
      world.api().deps.snapshots.clear();
      expect((await world.api().postEvent(token)).status).toBe(201);
    }
  });

  it('reports the issues of shape, configuration and schema together', async () => {
    const { token, environmentId } = await world.environment({
      plan: { maxScheduleDays: 1 },
      channels: [EMAIL],
    });
    await putTestEventType(world.db(), {
      environmentId,
      eventKey: 'order.shipped',
      description: null,
      payloadSchema: { required: ['order_id'] },
    });
    const body = {
      event_key: 'order.shipped',
      recipient: { name: 'x'.repeat(256) },
      payload: {},
      schedule_at: '2099-01-01T00:00:00Z',
      extra: true,
    };
    expect(await issuesOf(token, body)).toEqual([
      ['/event_key', 'template_not_found'],
      ['/extra', 'unknown_field'],
      ['/payload/order_id', 'payload_schema_mismatch'],
      ['/recipient/email', 'required'],
      ['/recipient/name', 'too_long'],
      ['/schedule_at', 'schedule_too_far'],
    ]);
  });

  it('limits the response for a body with many issues', async () => {
    const { token } = await world.environment();
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`extra${index}`, 1]));
    const response = await world.api().postEvent(token, anEvent(many));
    expect(response.status).toBe(422);
    expect(response.body.error.details).toHaveLength(200);
  });

  it('leaves nothing behind', async () => {
    const { token, environmentId, tenantId } = await world.environment();
    const enqueuedBefore = world.api().enqueued.length;
    await issuesOf(token, anEvent({ extra: 1 }));
    expect(await world.db().message.count({ where: { environmentId } })).toBe(0);
    expect(await world.db().idempotencyRecord.count({ where: { environmentId } })).toBe(0);
    expect(await world.db().tenantUsage.count({ where: { tenantId } })).toBe(0);
    expect(world.api().enqueued).toHaveLength(enqueuedBefore);
  });
});
