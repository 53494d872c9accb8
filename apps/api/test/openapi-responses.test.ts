import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import supertest, { type Response } from 'supertest';
import { isDocumented } from './openapi-conformance.ts';
import { anEvent } from './support/api.ts';
import { EMAIL, EMAIL_TEMPLATE, useApi, WEBHOOK } from './support/database.ts';

const { api, environment } = useApi();

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

describe('real responses match the OpenAPI document', () => {
  it('events, messages, deliveries, replay, cancel and the list', async () => {
    const { token } = await environment({ channels: [WEBHOOK, EMAIL], templates: [EMAIL_TEMPLATE] });
    const key = randomUUID();
    const sent = await api().postEvent(token, anEvent(), key).expect(201).expect(isDocumented);
    await api().postEvent(token, anEvent(), key).expect(201).expect(isDocumented);
    const scheduled = await api()
      .postEvent(token, anEvent({ schedule_at: tomorrow() }))
      .expect(isDocumented);
    const [run] = scheduled.body.delivery_runs;
    const message = `/api/v1/messages/${sent.body.message_id}`;

    await api().post(`/api/v1/delivery-runs/${run.id}/cancel`, token).expect(200).expect(isDocumented);
    await api().post(`/api/v1/delivery-runs/${run.id}/cancel`, token).expect(409).expect(isDocumented);
    await api().post(`${message}/replay`, token).expect(201).expect(isDocumented);
    await api().get(message, token).expect(200).expect(isDocumented);
    await api().get(`${message}/deliveries`, token).expect(200).expect(isDocumented);
    await api().get('/api/v1/messages?limit=1', token).expect(200).expect(isDocumented);
    const cancelled = `/api/v1/messages/${scheduled.body.message_id}/deliveries`;
    await api().get(cancelled, token).expect(200).expect(isDocumented);
  });

  it('usage and limits, of a limited and an unlimited plan', async () => {
    const figures = {
      eventsPerMonth: 10,
      requestsPerSecond: 5,
      burst: 10,
      maxScheduleDays: 3,
      retentionDays: 9,
    };
    for (const plan of [{}, figures]) {
      const { token } = await environment({ plan });
      await api().get('/api/v1/usage/current', token).expect(200).expect(isDocumented);
      await api().get('/api/v1/limits', token).expect(200).expect(isDocumented);
    }
  });

  it('refusals of every stage', async () => {
    const { token } = await environment({ plan: { eventsPerMonth: 1, requestsPerSecond: 1, burst: 8 } });
    const key = randomUUID();
    const events = () => api().post('/api/v1/events', token).type('application/json');

    await api().postEvent('wrong').expect(401).expect(isDocumented);
    await events().send('{}').expect(400).expect(isDocumented);
    await events().set('Idempotency-Key', 'x').send('{}').expect(400).expect(isDocumented);
    await events().type('text/plain').send('x').expect(415).expect(isDocumented);
    await api().postEvent(token, 'x'.repeat(300_000)).expect(413).expect(isDocumented);
    await api().postEvent(token, '{').expect(400).expect(isDocumented);
    await api().postEvent(token, { extra: 1 }).expect(422).expect(isDocumented);
    await api().get('/api/v1/messages?limit=0&x=1', token).expect(422).expect(isDocumented);
    await api().get('/api/v1/messages/none', token).expect(404).expect(isDocumented);
    await api().post('/api/v1/delivery-runs/none/cancel', token).expect(404).expect(isDocumented);
    await api().postEvent(token, anEvent(), key).expect(201).expect(isDocumented);
    await api()
      .postEvent(token, anEvent({ payload: {} }), key)
      .expect(409)
      .expect(isDocumented);
    await api().postEvent(token).expect(402).expect(isDocumented);
    const flood = Array.from({ length: 12 }, () => api().get('/api/v1/limits', token).expect(isDocumented));
    expect((await Promise.all(flood)).map(({ status }) => status)).toContain(429);
  });

  it('refusal of a tenant that does not pay', async () => {
    const { token } = await environment({ billingStatus: 'suspended' });

    await api().postEvent(token).expect(402).expect(isDocumented);
  });

  it('the preflight', async () => {
    const origin = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' };

    await supertest(api().url).options('/api/v1/events').set(origin).expect(204).expect(isDocumented);
  });
});

describe('the check of real responses', () => {
  it('finds an undocumented status, a missing header, a missing field and an unknown field', async () => {
    const { token } = await environment();
    const real = await api().get('/api/v1/limits', token).expect(isDocumented);
    const altered = (change: Partial<Pick<Response, 'status' | 'body' | 'headers'>>) => () =>
      isDocumented({
        request: real.request,
        headers: real.headers,
        status: 200,
        body: real.body,
        ...change,
      } as Response);

    expect(altered({})).not.toThrow();
    expect(altered({ status: 402 })).toThrow('the status is not documented');
    expect(altered({ headers: {} })).toThrow('the header X-Trace-ID is missing');
    expect(altered({ body: { ...real.body, plan: undefined } })).toThrow("required property 'plan'");
    expect(altered({ body: { ...real.body, secret: 1 } })).toThrow('must NOT have additional properties');
    expect(altered({ status: 404, body: { error: { code: 'message_not_found' } } })).toThrow(
      'not documented',
    );
  });

  it('finds a code with an undocumented status', async () => {
    const { token } = await environment();
    const { request, headers, body } = await api().get('/api/v1/messages/none', token).expect(404);
    const error = { ...body.error, code: 'route_not_found' };

    expect(() => isDocumented({ request, headers, status: 404, body: { error } } as Response)).toThrow(
      'is not documented for',
    );
  });
});
