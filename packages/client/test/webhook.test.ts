import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { verifyWebhook, type WebhookKey, WebhookVerificationError } from '@postrider/client';
import { describe, expect, it } from '@postrider/testing';
import { Webhook } from 'standardwebhooks';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(32, 6).toString('base64')}`;
const RUN = 'run_01kb2t5rwhffh8rkc5f0m1ek9r';
const BODY = JSON.stringify({
  type: 'order.shipped',
  timestamp: '2026-11-21T09:30:00.017Z',
  data: { message_id: 'msg_1', delivery_run_id: RUN, recipient: {}, payload: { name: 'Žofie' } },
});

function signed({ body = BODY, at = new Date(), secrets = [SECRET] } = {}) {
  return {
    'webhook-id': RUN,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(RUN, at, body)).join(' '),
  };
}

/** Headers as undici, node-fetch and jsdom make them: not an instance of the global class. */
function otherHeaders(values: Record<string, string>): Headers {
  const of = new Headers(values);
  return { get: (name: string) => of.get(name) } as Headers;
}

/** Headers as gateways that capitalise names give them. */
const capitalised = (values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name.replace(/\b./g, (letter) => letter.toUpperCase()),
      value,
    ]),
  );

describe('a webhook', () => {
  it.each([
    ['text and headers of Node’s http', BODY, signed()],
    ['bytes and Headers', new TextEncoder().encode(BODY), new Headers(signed())],
    ['Headers of another class', BODY, otherHeaders(signed())],
    ['an object with capitalised names', BODY, capitalised(signed())],
  ])('is read if its signature is valid: %s', (_, body, headers) => {
    const { id, signedAt, body: event } = verifyWebhook({ body, headers }, SECRET);

    expect(id).toBe(RUN);
    expect(Math.abs(signedAt.getTime() - Date.now())).toBeLessThan(300_000);
    expect(event.type).toBe('order.shipped');
    expect(event.data.payload).toEqual({ name: 'Žofie' });
  });

  it('is read with a list of secrets, of which one has signed it', () => {
    const headers = signed({ secrets: [OLD_SECRET] });

    expect(verifyWebhook({ body: BODY, headers }, [SECRET, OLD_SECRET]).id).toBe(RUN);
    expect(() => verifyWebhook({ body: BODY, headers }, [SECRET])).toThrow(WebhookVerificationError);
    const unset = undefined as unknown as string;
    expect(() => verifyWebhook({ body: BODY, headers }, [unset, SECRET])).toThrow(WebhookVerificationError);
    for (const none of [[], unset, [unset]])
      expect(() => verifyWebhook({ body: BODY, headers }, none)).toThrow(
        new TypeError('a webhook cannot be verified without a key'),
      );
  });
});

describe('a body that a framework has parsed', () => {
  it.each([[{ type: 'order.shipped' }], [undefined]])('is refused with what is needed: %j', (parsed) => {
    const body = parsed as unknown as string;
    expect(() => verifyWebhook({ body, headers: signed() }, SECRET)).toThrow(/unchanged bytes or text/);
  });
});

describe('a webhook with v1a signatures', () => {
  const pair = () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const jwk = publicKey.export({ format: 'jwk' }) as { kty: string; crv: string; x: string };
    return { privateKey, jwk, whpk: `whpk_${Buffer.from(jwk.x, 'base64url').toString('base64')}` };
  };
  const [one, other] = [pair(), pair()];

  function asymmetric({ at = new Date(), keys = [one], secrets = [SECRET] } = {}) {
    const headers = signed({ at, secrets });
    const bytes = Buffer.from(`${RUN}.${headers['webhook-timestamp']}.${BODY}`);
    const signatures = keys.map(
      ({ privateKey }) => `v1a,${sign(null, bytes, privateKey).toString('base64')}`,
    );
    return { ...headers, 'webhook-signature': [headers['webhook-signature'], ...signatures].join(' ') };
  }

  it.each<[string, WebhookKey | WebhookKey[]]>([
    ['a key of the JWKS', one.jwk],
    ['a whpk_ key', one.whpk],
    ['several keys', [other.jwk, one.jwk]],
    ['a secret and a key that does not fit', [SECRET, other.whpk]],
  ])('is read with %s', (_, key) => {
    const { id, body } = verifyWebhook({ body: BODY, headers: asymmetric() }, key);

    expect(id).toBe(RUN);
    expect(body.type).toBe('order.shipped');
  });

  it.each([
    ['the signature of another key', { body: BODY, headers: asymmetric({ keys: [other] }) }],
    ['a later one', { body: BODY, headers: asymmetric({ at: new Date(Date.now() + 360_000) }) }],
    ['a missing header', { body: BODY, headers: { ...asymmetric(), 'webhook-id': undefined } }],
    ['another time', { body: BODY, headers: { ...asymmetric(), 'webhook-timestamp': 'soon' } }],
    ['no base64', { body: BODY, headers: { ...asymmetric(), 'webhook-signature': 'v1a,%%' } }],
  ])('is refused with %s', (_, received) => {
    expect(() => verifyWebhook(received, [one.jwk, one.whpk])).toThrow(WebhookVerificationError);
  });

  it('is refused with a key that is not ed25519', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({ format: 'jwk' });
    expect(() => verifyWebhook({ body: BODY, headers: asymmetric() }, jwk as WebhookKey)).toThrow('ed25519');
  });
});
