import { describe, expect, it } from '@postrider/testing';
import supertest from 'supertest';
import { detailsOf, MAIL } from '../support/channels.ts';
import { useApi } from '../support/database.ts';
import { createOutsider } from '../support/outsider.ts';

const world = useApi();
const { api } = world;

const ROLE = 'arn:aws:iam::123456789012:role/postrider-orders';
const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/123456789012/orders';
const KEY = { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'wJalrXUtnFEMI/K7MDENG' };
const QUEUE_OF_ROLE = { kind: 'sqs', name: 'orders', config: { queue_url: QUEUE, aws_role: ROLE } };
const QUEUE_OF_KEY = { ...QUEUE_OF_ROLE, config: { queue_url: QUEUE, ...KEY } };
const MAIL_OF_ROLE = {
  ...MAIL,
  config: { from: { email: 'shop@example.com' }, ses: { region: 'eu-central-1', aws_role: 'worker' } },
};
const SENDERS_OF_ROLE = {
  ...MAIL,
  config: {
    from: { email: 'shop@example.com' },
    senders: [{ provider: 'ses', ses: { region: 'eu-central-1', aws_role: ROLE } }],
  },
};

const outsider = () => createOutsider(world, { plan: { channelKinds: ['email', 'sqs', 'webhook'] } });

/** Requests of a machine with these scopes. */
async function machine(scopes: readonly string[], bounds: object = {}) {
  const { body } = await api()
    .admin('post', '/admin/v1/operator-tokens', { name: 'machine', scopes, ...bounds })
    .expect(201);
  return (method: 'post' | 'patch', path: string, sent: object) =>
    supertest(api().url)[method](path).set('Authorization', `Bearer ${body.token}`).send(sent);
}

describe('a channel that uses the access to AWS of the installation', () => {
  it.each([
    [QUEUE_OF_ROLE, '/config/aws_role'],
    [MAIL_OF_ROLE, '/config/ses/aws_role'],
    [SENDERS_OF_ROLE, '/config/senders/0/ses/aws_role'],
  ])(
    'is created by operators with keyless:write, and by no token of the environment: %j',
    async (channel, path) => {
      const { call, admin } = await outsider();
      expect(detailsOf(await call('post', 'channels', channel).expect(422))).toEqual([
        [path, 'invalid_value'],
      ]);
      const without = await machine(['channels:write', 'consumers:write']);
      expect(detailsOf(await without('post', `${admin}/channels`, channel).expect(422))).toEqual([
        [path, 'invalid_value'],
      ]);
      const marking = await machine(['channels:write', 'keyless:write']);
      const { body } = await marking('post', `${admin}/channels`, channel).expect(201);
      expect(JSON.stringify(body.config)).toContain('aws_role');
      expect(body.credentials_set).toEqual([]);
    },
  );

  it('is not moved by a token to where it would send with that access, nor given other credentials', async () => {
    const { call, admin } = await outsider();
    const { body: queue } = await api().admin('post', `${admin}/channels`, QUEUE_OF_ROLE).expect(201);
    const { body: mail } = await api().admin('post', `${admin}/channels`, MAIL_OF_ROLE).expect(201);
    const changes: [string, object][] = [
      [queue.id, { queue_url: 'https://sqs.eu-central-1.amazonaws.com/210987654321/orders' }],
      [queue.id, { aws_role: 'worker' }],
      [queue.id, { aws_role: null, ...KEY }],
      [mail.id, { ses: { endpoint: 'https://ses.example.com' } }],
      [mail.id, { ses: { region: 'us-east-1' } }],
      [mail.id, { from: { email: 'ceo@bank.example' } }],
    ];
    const without = await machine(['channels:write']);
    for (const [id, config] of changes) {
      const refused = await call('patch', `channels/${id}`, { config }).expect(422);
      expect(detailsOf(refused)).toEqual([['/config', 'invalid_value']]);
      await without('patch', `/admin/v1/channels/${id}`, { config }).expect(422);
    }
    const renamed = await call('patch', `channels/${queue.id}`, { name: 'orders 2', enabled: false }).expect(
      200,
    );
    expect(renamed.body.config).toMatchObject({ queue_url: QUEUE, aws_role: ROLE, access_key_id: null });
    const marking = await machine(['channels:write', 'keyless:write']);
    const moved = await marking('patch', `/admin/v1/channels/${queue.id}`, { config: changes[0]?.[1] });
    expect(moved.status).toBe(200);
  });

  it('is neither made nor moved by operators of one tenant, whose access would reach what others send to', async () => {
    const { admin } = await outsider();
    const { body: queue } = await api().admin('post', `${admin}/channels`, QUEUE_OF_ROLE).expect(201);
    const { body: environment } = await api().admin('get', admin).expect(200);
    const bound = await machine(['channels:write', 'keyless:write'], { tenants: [environment.tenant_id] });
    const made = await bound('post', `${admin}/channels`, MAIL_OF_ROLE).expect(422);
    expect(detailsOf(made)).toEqual([['/config/ses/aws_role', 'invalid_value']]);
    const moved = await bound('patch', `/admin/v1/channels/${queue.id}`, { config: { aws_role: 'worker' } });
    expect(detailsOf(moved)).toEqual([['/config', 'invalid_value']]);
  });

  it('is not made of a channel of a token by the token itself', async () => {
    const { call } = await outsider();
    const { body } = await call('post', 'channels', QUEUE_OF_KEY).expect(201);
    const config = { access_key_id: null, aws_role: 'worker' };
    const refused = await call('patch', `channels/${body.id}`, { config }).expect(422);
    expect(detailsOf(refused)).toEqual([['/config/aws_role', 'invalid_value']]);
    const marked = await api().admin('patch', `/admin/v1/channels/${body.id}`, { config }).expect(200);
    expect(marked.body).toMatchObject({ credentials_set: [], config });
  });

  it('is never one of a consumer', async () => {
    const { call, admin } = await outsider();
    await call('put', 'consumers/acme', { name: 'Acme' });
    const made = await api().admin('post', `${admin}/consumers/acme/channels`, QUEUE_OF_ROLE);
    expect(made.status).toBe(422);
    expect(detailsOf(made)).toContainEqual(['/config/aws_role', 'invalid_value']);
  });

  it('has either an access key or a role', async () => {
    const { admin } = await outsider();
    const configs: [object, string][] = [
      [{ ...QUEUE_OF_ROLE.config, ...KEY }, '/config/aws_role'],
      [{ queue_url: QUEUE }, '/config/access_key_id'],
      [{ queue_url: QUEUE, aws_role: 'root' }, '/config/aws_role'],
    ];
    for (const [config, path] of configs) {
      const refused = await api()
        .admin('post', `${admin}/channels`, { ...QUEUE_OF_ROLE, config })
        .expect(422);
      expect(detailsOf(refused).map(([at]) => at)).toContain(path);
    }
  });
});
