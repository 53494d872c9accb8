import { parseId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { anEvent } from '../support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from '../support/database.ts';

const world = useApi();

describe('POST /api/v1/events, accepted', () => {
  it('answers 201 with the message and one run per enabled channel that takes the event', async () => {
    const { token, environmentId, channels } = await world.environment({
      channels: [
        WEBHOOK,
        EMAIL,
        { ...WEBHOOK, name: 'Other events', eventKeys: ['invoice.*'] },
        { ...WEBHOOK, name: 'Off', enabled: false },
      ],
      templates: [EMAIL_TEMPLATE],
    });
    const response = await world.api().postEvent(token);
    expect(response.status).toBe(201);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Object.keys(response.body)).toEqual(['message_id', 'status', 'delivery_runs']);
    expect(response.body.status).toBe('pending');
    expect(response.body.delivery_runs).toEqual([
      {
        id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
        channel: { id: expect.stringMatching(/^chn_/), kind: 'webhook', name: 'Shop' },
        status: 'queued',
        scheduled_at: null,
      },
      {
        id: expect.stringMatching(/^run_[0-9a-z]{26}$/),
        channel: { id: expect.stringMatching(/^chn_/), kind: 'email', name: 'Mail' },
        status: 'queued',
        scheduled_at: null,
      },
    ]);
    const ofChannels = response.body.delivery_runs.map((run: { channel: { id: string } }) =>
      parseId('chn', run.channel.id),
    );
    expect(ofChannels).toEqual(channels.slice(0, 2).map((channel) => channel.id));
    const id = parseId('msg', response.body.message_id);
    const message = await world.db().message.findFirstOrThrow({ where: { environmentId } });
    expect(message.id).toBe(id);
    expect(message.recipientEmail).toBe('ada@example.com');
  });

  it('pins the active template to the run', async () => {
    const { token, templates, environmentId } = await world.environment({
      channels: [EMAIL],
      templates: [
        EMAIL_TEMPLATE,
        { ...EMAIL_TEMPLATE, subject: 'Newer' },
        { ...EMAIL_TEMPLATE, activate: false },
      ],
    });
    expect((await world.api().postEvent(token)).status).toBe(201);
    const run = await world.db().deliveryRun.findFirstOrThrow({ where: { environmentId } });
    expect(run.templateVersionId).toBe(templates[1]?.id);
  });

  it('schedules the runs of an event in the future, considering its offset', async () => {
    const { token } = await world.environment();
    const response = await world
      .api()
      .postEvent(token, anEvent({ schedule_at: '2099-01-01T02:00:00.5+02:00' }));
    expect(response.status).toBe(201);
    expect(response.body.delivery_runs[0]).toMatchObject({
      status: 'scheduled',
      scheduled_at: '2099-01-01T00:00:00.500Z',
    });
  });

  it.each(['2001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])(
    'delivers an event with a past time immediately: %s',
    async (schedule_at) => {
      const { token } = await world.environment();
      const response = await world.api().postEvent(token, anEvent({ schedule_at }));
      expect(response.status).toBe(201);
      expect(response.body.delivery_runs[0]).toMatchObject({ status: 'queued', scheduled_at: null });
    },
  );

  it('wakes the channels of the runs', async () => {
    const { token, channels } = await world.environment();
    const api = await world.more();
    const response = await api.postEvent(token);
    expect(api.enqueued).toEqual([
      {
        runId: parseId('run', response.body.delivery_runs[0].id),
        channelId: channels[0]?.id,
        channelKind: 'webhook',
        delayMs: 0,
        dueMs: expect.any(Number),
      },
    ]);
  });

  it('responds although the queue never does', async () => {
    const { token } = await world.environment();
    const api = await world.more({ enqueue: () => new Promise(() => undefined) });
    expect((await api.postEvent(token)).status).toBe(201);
  });

  it('stores the X-Request-ID and the trace id with the message', async () => {
    const { token, environmentId } = await world.environment();
    await world
      .api()
      .postEvent(token)
      .set('X-Request-ID', 'req-1')
      .set('traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
    const message = await world.db().message.findFirstOrThrow({ where: { environmentId } });
    expect(message).toMatchObject({ requestId: 'req-1', traceId: '0af7651916cd43dd8448eb211c80319c' });
  });

  it('stores the traceparent with the runs, or none without a valid one', async () => {
    const { token, environmentId } = await world.environment();
    const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    for (const traceparent of [TRACEPARENT, '00-0-0-00', null]) {
      const request = world.api().postEvent(token);
      if (traceparent !== null) request.set('traceparent', traceparent);
      expect((await request).status).toBe(201);
    }
    const runs = await world.db().deliveryRun.findMany({
      where: { environmentId },
      orderBy: { id: 'asc' },
      select: { traceparent: true },
    });
    expect(runs.map((run) => run.traceparent)).toEqual([TRACEPARENT, null, null]);
  });

  it('keeps unknown fields of recipient and payload, and any JSON, unchanged', async () => {
    const { token } = await world.environment();
    const recipient = { email: 'ada@example.com', phone: '+44', nested: { a: [1, null] } };
    const payload = { text: 'Grüße 🚀', empty: '', 'a/b~c': true, big: 9007199254740991 };
    const posted = await world.api().postEvent(token, anEvent({ recipient, payload }));
    const read = await world.api().get(`/api/v1/messages/${posted.body.message_id}`, token);
    expect(read.body).toMatchObject({ recipient, payload });
  });

  it('needs no recipient.email when only webhooks take the event', async () => {
    const { token } = await world.environment();
    expect((await world.api().postEvent(token, anEvent({ recipient: {} }))).status).toBe(201);
  });

  it('accepts a body of exactly the allowed size', async () => {
    const { token } = await world.environment();
    const frame = JSON.stringify(anEvent({ payload: { filler: '' } }));
    const body = frame.replace('"filler":""', `"filler":"${'x'.repeat(256 * 1024 - frame.length)}"`);
    expect(Buffer.byteLength(body)).toBe(256 * 1024);
    expect((await world.api().postEvent(token, body)).status).toBe(201);
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"', 'application/json'])(
    'accepts a body sent as %s',
    async (type) => {
      const { token } = await world.environment();
      const response = await world.api().postEvent(token).set('Content-Type', type);
      expect(response.status).toBe(201);
    },
  );

  it('accepts an Idempotency-Key of any version, in upper case too', async () => {
    const { token } = await world.environment();
    const upper = await world.api().postEvent(token, anEvent(), 'F47AC10B-58CC-1372-8567-0E02B2C3D479');
    const lower = await world.api().postEvent(token, anEvent(), 'f47ac10b-58cc-1372-8567-0e02b2c3d479');
    expect(upper.status).toBe(201);
    expect(lower.headers['idempotent-replayed']).toBe('true');
    expect(lower.text).toBe(upper.text);
  });
});
