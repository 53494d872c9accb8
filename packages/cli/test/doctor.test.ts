import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import type { Check } from '../src/doctor/check.ts';
import { postrider } from './support/command-line.ts';
import { startDns } from './support/dns.ts';
import { useManagement } from './support/management.ts';

const { made, anEnvironment, environment: ofOperator, fixture, postrider: asOperator } = useManagement();

/** What DNS has of each domain: all is well, or something else is wrong with each. */
const RECORDS = {
  'well.example': ['v=spf1 include:_spf.example ~all', 'unrelated'],
  'k1._domainkey.well.example': [`v=DKIM1; k=rsa; p=${'A'.repeat(300)}`],
  '_dmarc.well.example': ['v=DMARC1; p=reject'],
  'open.example': ['v=spf1 +all'],
  'k1._domainkey.open.example': ['v=DKIM1; p='],
  'twice.example': ['v=spf1 -all', 'v=spf1 ~all'],
};
let dns: Awaited<ReturnType<typeof startDns>>;
beforeAll(async () => {
  dns = await startDns(RECORDS);
});
afterAll(() => {
  dns.close();
});

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** An environment with an email channel of this domain and these settings of its server. */
async function withChannel(domain: string, smtp: object) {
  const { id } = await anEnvironment();
  const { POSTRIDER_URL: url, ADMIN_TOKEN: token } = ofOperator();
  const response = await fetch(`${url}/admin/v1/environments/${id}/channels`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      kind: 'email',
      name: 'mail',
      config: { from: { email: `shop@${domain}` }, smtp },
    }),
  });
  expect(response.status).toBe(201);
  return id;
}

async function checksOf(environment: string): Promise<Record<string, [string, string]>> {
  const { code, json, stderr } = await asOperator([
    ...['doctor', '--json', '--environment', environment, '--dns-server', dns.address],
  ]);
  const { data } = json<{ data: Check[] }>();
  const failed = data.filter(({ state }) => state === 'failed').length;
  expect({ code, stderr }).toMatchObject({ code: failed > 0 ? 1 : 0 });
  return Object.fromEntries(data.map(({ check, state, detail }) => [check, [state, detail]]));
}

describe('postrider doctor', () => {
  it('finds nothing wrong with an installation and a domain that are well', async () => {
    const dkim = { domain: 'well.example', selector: 'k1', private_key: privateKey };
    const environment = await withChannel('well.example', {
      ...{ host: 'mail.well.example', port: 587, username: 'shop', password: 'secret', dkim },
    });

    const checks = await checksOf(environment);
    expect(checks).toMatchObject({
      API: ['ok', expect.stringContaining('interface')],
      Ready: ['ok', expect.anything()],
      'Store postgres': ['ok', 'ok'],
      Clock: ['ok', expect.anything()],
      'Token for management': ['ok', expect.anything()],
      'Encryption keys': ['ok', expect.anything()],
      'SPF of well.example': ['ok', 'v=spf1 include:_spf.example ~all'],
      'DKIM at k1._domainkey.well.example': ['ok', expect.anything()],
      'DMARC of well.example': ['ok', 'v=DMARC1; p=reject'],
    });
  });

  it('says what is wrong with settings, SPF, DKIM and DMARC', async () => {
    const dkim = { domain: 'open.example', selector: 'k1', private_key: privateKey };
    const open = await checksOf(
      await withChannel('news.open.example', {
        host: 'mail.example',
        port: 465,
        dkim,
        return_path: 'b@open.example',
      }),
    );
    expect(open).toMatchObject({
      'SPF of open.example': ['failed', 'Anyone may send for it: v=spf1 +all'],
      'DKIM at k1._domainkey.open.example': ['failed', expect.stringContaining('revoked')],
      'DMARC of news.open.example': ['warning', expect.stringContaining('_dmarc.news.open.example')],
    });
    const twice = await checksOf(await withChannel('twice.example', { host: 'mail.example', port: 25 }));
    expect(twice).toMatchObject({
      'SPF of twice.example': ['failed', expect.stringContaining('several')],
      'DKIM of twice.example': ['skipped', expect.anything()],
    });
  });

  it('says that the service lacks an encryption key, or has another one with its id', async () => {
    const channel = { kind: 'webhook', name: 'shop', config: { url: 'https://shop.example.com' } } as const;
    await fixture({ channels: [channel] }, { id: 'lost', key: randomBytes(32) });
    await fixture({ channels: [channel] }, { id: 'test', key: randomBytes(32) });
    const { id } = await anEnvironment();
    expect(await checksOf(id)).toMatchObject({
      'Encryption keys': ['failed', expect.stringMatching(/those of 1 channels under test.*, 1 under lost/)],
    });
  });

  it('ends at once, and says so, if nothing or something else is at the address', async () => {
    const env = { POSTRIDER_URL: 'http://127.0.0.1:9' };
    const away = await postrider(['doctor'], { env });
    expect(away).toMatchObject({ code: 1, stdout: expect.stringContaining('does not respond') });
  });
});

describe('postrider trigger', () => {
  it('sends the example of the event type with the values that are set', async () => {
    const { id } = await anEnvironment();
    const schema = {
      type: 'object',
      required: ['order_id', 'total'],
      properties: {
        order_id: { type: 'string', examples: ['A-1'] },
        total: { type: 'integer', minimum: 1 },
        items: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
      },
    };
    await asOperator(
      ['event-types', 'put', '--environment', id, '--event-key', 'order.shipped', '--schema-file', '-'],
      {
        stdin: JSON.stringify(schema),
      },
    );
    await made('environments', 'update', id, '--unmatched-events', 'store');
    const trigger = ['trigger', 'order.shipped', '--environment', id];
    const set = [
      '--set',
      'payload.total=5',
      '--set',
      'payload.items.0.sku=B-2',
      '--set',
      'payload.items.1.sku=C-3',
      '--set',
      'recipient.name=Ada',
    ];

    const sent = await made<{ message_id: string; payload: object }>(...trigger, ...set);
    expect(sent.payload).toEqual({ order_id: 'A-1', total: 5, items: [{ sku: 'B-2' }, { sku: 'C-3' }] });
    const shown = await made<{ recipient: object }>('messages', 'show', sent.message_id, '--environment', id);
    expect(shown.recipient).toMatchObject({ email: 'ada@example.com', name: 'Ada' });
    // The service checks it by the schema.
    expect(await asOperator([...trigger, '--set', 'payload.total=none'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/payload/total'),
    });
    expect(await asOperator([...trigger, '--set', 'total=5'])).toMatchObject({ code: 2 });
  });

  it('sends what is set if there is no event type, with a note', async () => {
    const { id } = await anEnvironment();
    await made('environments', 'update', id, '--unmatched-events', 'store');
    const { code, stderr } = await asOperator([
      'trigger',
      'a.b',
      '--environment',
      id,
      '--set',
      'payload.n=1',
    ]);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('there is no event type a.b'),
    });
  });
});
