import { createHash } from 'node:crypto';
import { PREVIOUS_SIGNING_KEY, publicJwk, SIGNING_KEY } from '@postrider/channels';
import { createSigningKeysLookup, type UnboundDatabase } from '@postrider/db';
import { credentialBinding, parseId, reject, type SecretBox } from '@postrider/domain';
import type { Router } from 'express';
import { contextOf } from '../http/request.ts';
import { mountRoutes } from '../http/routes.ts';

/** The path of the public keys of a channel's `v1a` signatures. */
const JWKS_PATH = '/.well-known/webhooks/{channelId}/jwks.json';

interface WebhookKeysDeps {
  readonly db: UnboundDatabase;
  readonly secretBox: SecretBox;
}

/** Seconds for which receivers may keep a document: a rotation without overlap is soon known to all of them. */
const MAX_AGE = 60;

/** A JWK Set (RFC 7517 section 5) as text. The id of a key is its thumbprint (RFC 7638). */
function jwksOf(keys: readonly string[]): string {
  const jwks = keys.map((key) => {
    const { kty, crv, x } = publicJwk(key);
    const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
    return { kty, crv, x, kid, use: 'sig', alg: 'EdDSA' };
  });
  return JSON.stringify({ keys: jwks });
}

/**
 * Serves the public keys with which receivers verify `v1a` signatures, newest first, without authentication. 404 for
 * a channel without such signatures, and for an unknown channel. Every request reads the current keys: the process keeps none, so
 * all processes serve the same ones at once after a rotation. Concurrent requests share a statement.
 */
export function createWebhookKeysRouter({ db, secretBox }: WebhookKeysDeps): Router {
  const find = createSigningKeysLookup(db);

  async function read(channelId: string): Promise<string | null> {
    const found = await find(channelId);
    if (!found) return null;
    const names = found.hasOverlap ? [SIGNING_KEY, PREVIOUS_SIGNING_KEY] : [SIGNING_KEY];
    const keys = names.flatMap((name) => {
      const encrypted = found.credentials[name];
      const decrypted =
        encrypted === undefined ? null : secretBox.decrypt(encrypted, credentialBinding(channelId, name));
      return decrypted?.ok ? [decrypted.plaintext] : [];
    });
    return keys.length === 0 ? null : jwksOf(keys);
  }

  return mountRoutes([
    {
      method: 'get',
      path: JWKS_PATH,
      handler: async (req, res) => {
        contextOf(res).facts.route = JWKS_PATH;
        const channelId = parseId('chn', String(req.params.channelId));
        const document = channelId === null ? null : await read(channelId);
        if (document === null) reject('channel_not_found');
        res.setHeader('Content-Type', 'application/jwk-set+json');
        res.setHeader('Cache-Control', `public, max-age=${MAX_AGE}`);
        res.end(document);
      },
    },
  ]);
}
