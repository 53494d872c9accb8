import { createHash, createPublicKey } from 'node:crypto';
import { createTestSecretBox } from '@postrider/db/testing';
import { createWebhookSecret, formatId } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { channelActions, HOOK, MAIL, detailsOf as pairsOf } from '../support/channels.ts';
import { useApi } from '../support/database.ts';

const world = useApi();
const { anEnvironment: environmentWith, post, patch, make, rowOf, auditOf } = channelActions(world);
const anEnvironment = async () => (await environmentWith()).id;
const detailsOf = (response: Parameters<typeof pairsOf>[0]) =>
  pairsOf(response).map((pair) => pair.join(' '));
const hook = (config: object) => ({ ...HOOK, config: { ...HOOK.config, ...config } });

describe('the credentials of a webhook channel', () => {
  it('are stored encrypted, shown only by name, and kept when the shown config is sent back', async () => {
    const { secret, ...made } = await make(
      hook({
        secret_headers: { 'X-Api-Key': 'key-5f1e' },
        auth: { type: 'basic', username: 'ada', password: 'pass-77aa' },
      }),
    );
    expect(made.config).toMatchObject({
      secret_headers: { 'X-Api-Key': true },
      auth: { type: 'basic', username: 'ada' },
    });
    expect(made.credentials_set).toEqual(['auth/password', 'headers/x-api-key']);
    expect((await patch(made.id, { config: made.config }).expect(200)).body).toEqual(made);
    const kept = JSON.stringify([made, await rowOf(made.id), await auditOf(made.id)]);
    expect(kept).not.toMatch(/key-5f1e|pass-77aa/);
  });

  it('have a secret that signs instead of the generated one, which is then neither shown nor rotated', async () => {
    const signature = { type: 'stripe', secret: 'secret-of-the-receiver' };
    const given = await make(hook({ signature }));
    expect(given).toMatchObject({ secret: null, credentials_set: ['signature/secret'] });
    expect((await make(hook({ signature: { type: 'stripe' } }))).secret).toMatch(/^whsec_/);
    const rotate = (id: string) => world.api().admin('post', `/admin/v1/channels/${id}/rotate-secret`, {});
    expect((await rotate(given.id).expect(409)).body.error.message).toContain('A given secret signs');
    // The key of v1a is rotated.
    const standard = { type: 'standard', secret: createWebhookSecret() };
    const both = await make(hook({ signature: standard, signatures: ['v1', 'v1a'] }));
    expect((await rotate(both.id).expect(200)).body).toMatchObject({ secret: null });
    expect(Object.keys((await rowOf(both.id)).sealedCredentials as object)).toContain('previous_signing_key');
  });

  it('are replaced and removed by a patch, which the audit log records by name', async () => {
    const made = await make(
      hook({ secret_headers: { 'X-One': '1', 'X-Two': '2' }, auth: { type: 'bearer', token: 'abc' } }),
    );
    const { body } = await patch(made.id, {
      config: { secret_headers: { 'X-One': null, 'X-Two': 'new' }, auth: null },
    }).expect(200);
    expect(body.credentials_set).toEqual(['headers/x-two']);
    const entry = (await auditOf(made.id)).at(-1);
    expect(entry?.after).toMatchObject({
      credentials_changed: ['auth/token', 'headers/x-one', 'headers/x-two'],
    });
  });

  it('are never kept for another origin', async () => {
    const oauth2 = { type: 'oauth2', token_url: 'https://id.example.com/token', client_id: 'shop' };
    const made = await make(
      hook({ secret_headers: { 'X-Key': 'k' }, auth: { ...oauth2, client_secret: 's' } }),
    );
    const moved = await patch(made.id, { config: { url: 'https://other.example.com/in' } }).expect(422);
    expect(detailsOf(moved).sort()).toEqual([
      '/config/auth/client_secret required',
      '/config/secret_headers/X-Key required',
    ]);
    const path = await patch(made.id, { config: { url: `${HOOK.config.url}/elsewhere` } });
    expect(path.status).toBe(200);
    const token = await patch(made.id, {
      config: { auth: { token_url: 'https://evil.example.com/token' } },
    }).expect(422);
    expect(detailsOf(token)).toEqual(['/config/auth/client_secret required']);
  });

  it.each<[object, string]>([
    [{ auth: { type: 'basic', username: 'a:b', password: 'p' } }, '/config/auth/username invalid_format'],
    [{ auth: { type: 'basic', username: 'ada' } }, '/config/auth/password required'],
    [{ auth: { type: 'basic', password: 'p' } }, '/config/auth/username required'],
    [{ auth: { type: 'bearer', token: 'a b' } }, '/config/auth/token invalid_format'],
    [{ auth: { type: 'bearer', token: 'a', username: 'x' } }, '/config/auth/username invalid_value'],
    [
      { auth: { type: 'oauth2', token_url: 'ftp://id.example.com', client_id: 'a', client_secret: 's' } },
      '/config/auth/token_url invalid_format',
    ],
    [{ secret_headers: { 'X-A': 'a\nb' } }, '/config/secret_headers/X-A invalid_format'],
    [{ secret_headers: { 'X-A': true } }, '/config/secret_headers/X-A required'],
    [{ secret_headers: { Host: 'x' } }, '/config/secret_headers/Host invalid_value'],
    [{ headers: { 'x-a': '1' }, secret_headers: { 'X-A': '1' } }, '/config/secret_headers/X-A duplicate'],
    [{ headers: { Authorization: 'x' }, auth: { type: 'bearer', token: 't' } }, '/config/auth invalid_value'],
    [{ url: 'http://hooks.example.com/in', tls: { ca: 'x' } }, '/config/tls invalid_value'],
    [{ tls: {} }, '/config/tls invalid_value'],
    [{ tls: { ca: 'no certificate' } }, '/config/tls/ca invalid_format'],
    [{ signatures: ['v1a'] }, '/config/signatures invalid_value'],
  ])('%j is refused with %s', async (config, detail) => {
    const response = await post(await anEnvironment(), hook(config)).expect(422);
    expect(detailsOf(response)).toContain(detail);
  });
});

describe('the public keys of a webhook channel', () => {
  const jwks = (id: string) => world.api().get(`/.well-known/webhooks/${id}/jwks.json`);

  it('are served without a token, both during the overlap of a rotation, and never with the private part', async () => {
    const made = await make(hook({ signatures: ['v1', 'v1a'] }));
    expect(made.credentials_set).toEqual(['signing_key']);
    await world.api().admin('post', `/admin/v1/channels/${made.id}/rotate-secret`, {}).expect(200);
    const { body, headers } = await jwks(made.id).expect(200);
    expect(headers['content-type']).toBe('application/jwk-set+json');
    expect(body.keys).toHaveLength(2);
    for (const key of body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
      const { crv, kty, x } = key;
      expect(key.kid).toBe(createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url'));
      expect(createPublicKey({ key, format: 'jwk' }).asymmetricKeyType).toBe('ed25519');
    }
    const [row] = [await rowOf(made.id)];
    expect(Object.keys(row.sealedCredentials as object).sort()).toEqual([
      'previous_signing_key',
      'signing_key',
    ]);
  });

  it('are only the new ones at once after a rotation without overlap, in every process', async () => {
    const secretBox = createTestSecretBox();
    const [one, other] = [await world.more({ secretBox }), await world.more({ secretBox })];
    const list = `/admin/v1/environments/${await anEnvironment()}/channels`;
    const { body: made } = await one.admin('post', list, hook({ signatures: ['v1', 'v1a'] })).expect(201);
    const keysIn = async (api: typeof one) => {
      const { body, headers } = await api.get(`/.well-known/webhooks/${made.id}/jwks.json`).expect(200);
      expect(headers['cache-control']).toBe('public, max-age=60');
      return (body.keys as { kid: string }[]).map(({ kid }) => kid);
    };
    const before = await keysIn(other);
    expect(await keysIn(one)).toEqual(before);
    const rotate = `/admin/v1/channels/${made.id}/rotate-secret`;
    await one.admin('post', rotate, { overlap_seconds: 0 }).expect(200);
    const after = await keysIn(other);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
    expect(await keysIn(one)).toEqual(after);
  });

  it('do not exist for a channel without v1a, an email channel or an unknown channel', async () => {
    const [plain, mail] = [await make(HOOK), await make(MAIL)];
    for (const id of [
      plain.id,
      mail.id,
      formatId('chn', '018f0000-0000-7000-8000-000000000000'),
      'chn_x',
      'x',
    ]) {
      expect((await jwks(id)).status).toBe(404);
    }
  });

  it('stay when a patch changes something else, and are removed with v1a', async () => {
    const made = await make(hook({ signatures: ['v1', 'v1a'] }));
    const before = (await rowOf(made.id)).sealedCredentials;
    await patch(made.id, { config: { timeout_ms: 3_000 } }).expect(200);
    expect((await rowOf(made.id)).sealedCredentials).toEqual(before);
    const { body } = await patch(made.id, { config: { signatures: ['v1'] } }).expect(200);
    expect(body.credentials_set).toEqual([]);
  });
});

describe('https_only of an environment', () => {
  const set = (environment: string, on: boolean) =>
    world.api().admin('patch', `/admin/v1/environments/${environment}`, { https_only: on });
  const plain = { ...HOOK, config: { url: 'http://hooks.example.com/in' } };

  it('refuses channels with other URLs, new and changed ones', async () => {
    const environment = await anEnvironment();
    await set(environment, true).expect(200);
    expect(detailsOf(await post(environment, plain).expect(422))).toEqual(['/config/url invalid_value']);
    const { body } = await post(environment, HOOK).expect(201);
    const changed = await patch(body.id, { config: { url: 'http://hooks.example.com/in' } }).expect(422);
    expect(detailsOf(changed)).toEqual(['/config/url invalid_value']);
  });

  it('cannot be set while a channel has another URL, and reports the channel', async () => {
    const environment = await anEnvironment();
    await post(environment, { ...plain, name: 'Old ERP' }).expect(201);
    const refused = await set(environment, true).expect(422);
    expect(detailsOf(refused)).toEqual(['/https_only invalid_value']);
    expect(JSON.stringify(refused.body)).toContain('Old ERP');
    await set(environment, false).expect(200);
  });
});
