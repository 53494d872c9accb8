import { describe, expect, it } from '@postrider/testing';
import { EMAIL, useApi } from '../support/database.ts';
import { EMAIL_BODY, templateActions, WEBHOOK_BODY } from '../support/templates.ts';

const world = useApi();
const { anEnvironment, create, act } = templateActions(world);

describe('POST /admin/v1/templates/{id}/preview', () => {
  it('shows what would be sent, without storing or sending anything', async () => {
    const environment = await anEnvironment({ channels: [EMAIL] });
    const { body: template } = await create(environment.id, {
      ...EMAIL_BODY,
      subject: '{{ event_key }}',
      text: 'x',
    });
    const enqueued = world.api().enqueued.length;
    const { body } = await act(template.id, 'preview', {
      recipient: { name: '<Ada>' },
      payload: { order_id: 'A-1' },
      event_key: 'order.other',
    }).expect(200);
    expect(body).toEqual({
      template_id: template.id,
      deliverable: true,
      rendered: { subject: 'order.other', html: '<p>Hello &lt;Ada&gt;: A-1</p>', text: 'x' },
      missing_variables: [],
      errors: [],
      warnings: [],
      parts: [],
    });
    const { environmentId } = environment;
    expect(await world.db().message.count({ where: { environmentId } })).toBe(0);
    expect(await world.db().auditEntry.count({ where: { environmentId, resourceType: 'template' } })).toBe(1);
    expect(world.api().enqueued).toHaveLength(enqueued);
  });

  it('lists missing values and shows the rest', async () => {
    const { body: template } = await create((await anEnvironment()).id, EMAIL_BODY);
    const { body } = await act(template.id, 'preview').expect(200);
    expect(body).toMatchObject({
      deliverable: false,
      rendered: { subject: 'Order', html: '<p>Hello Ada Lovelace: </p>' },
      missing_variables: [
        { path: '/subject', name: 'payload.order_id', line: 1, column: 10 },
        { path: '/html', name: 'payload.order_id', line: 1, column: 35 },
      ],
      errors: [],
    });
  });

  it('previews a webhook, with its issues under /body', async () => {
    const body = { ...WEBHOOK_BODY, body: { a: '{{ payload.x }}', b: ['{{ payload.y | url_decode }}'] } };
    const { body: template } = await create((await anEnvironment()).id, body);
    const sound = await act(template.id, 'preview', { payload: { x: 1, y: '%20' } }).expect(200);
    expect(sound.body).toMatchObject({ deliverable: true, rendered: { body: { a: '1', b: [' '] } } });
    const invalid = await act(template.id, 'preview', { payload: { y: '%' } }).expect(200);
    expect(invalid.body).toMatchObject({
      deliverable: false,
      rendered: null,
      missing_variables: [{ path: '/body/a', name: 'payload.x' }],
      errors: [{ path: '/body/b/0', line: 1, column: 1 }],
    });
  });

  it('warns of a payload that acceptance would refuse', async () => {
    const environment = await anEnvironment();
    const path = `/admin/v1/environments/${environment.id}/event-types/order.shipped`;
    await world
      .api()
      .admin('put', path, { payload_schema: { required: ['total'] } })
      .expect(200);
    const { body: template } = await create(environment.id, WEBHOOK_BODY);
    const { body } = await act(template.id, 'preview', { payload: { order_id: 'A' } }).expect(200);
    expect(body.deliverable).toBe(true);
    expect(body.warnings).toMatchObject([{ code: 'payload_schema_mismatch', path: '/payload/total' }]);
  });

  it('cuts off slow templates, and serves others meanwhile', async () => {
    const environment = await anEnvironment();
    const endless =
      '{% for i in (1..999999) %}{% for j in (1..999999) %}{% assign x = j %}{% endfor %}{% endfor %}';
    const { body: hostile } = await create(environment.id, { ...EMAIL_BODY, subject: 'x', html: endless });
    const { body: sound } = await create(environment.id, WEBHOOK_BODY);
    const [cut, other] = await Promise.all([
      act(hostile.id, 'preview'),
      act(sound.id, 'preview', { payload: { order_id: 'A' } }),
    ]);
    expect(cut.body).toMatchObject({ deliverable: false, rendered: null });
    expect(cut.body.errors).toHaveLength(1);
    expect(other.body.deliverable).toBe(true);
  });

  it('refuses a time zone that events cannot have', async () => {
    const { body: template } = await create((await anEnvironment()).id, EMAIL_BODY);
    const { body } = await act(template.id, 'preview', { recipient: { timezone: 'Mars/Olympus' } }).expect(
      422,
    );
    expect(body.error.details).toMatchObject([
      { path: '/recipient/timezone', code: 'invalid_format', message: expect.stringContaining('IANA') },
    ]);
    await act(template.id, 'preview', { recipient: { timezone: null } }).expect(200);
  });

  it('responds with 422 for an invalid body', async () => {
    const { body: template } = await create((await anEnvironment()).id, WEBHOOK_BODY);
    const { body } = await act(template.id, 'preview', { payload: 1, event_key: 'x', other: 1 }).expect(422);
    expect(body.error.details.map((detail: { path: string }) => detail.path).sort()).toEqual([
      '/event_key',
      '/other',
      '/payload',
    ]);
  });
});
