import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { singleRedisServerUrl } from '@postrider/db/testing';
import { startTlsFront, TLS_FRONT_CERTIFICATE, type TlsFront } from '@postrider/rig/servers';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { openRedis } from '../src/index.ts';

let front: TlsFront;
beforeAll(async () => {
  front = await startTlsFront(singleRedisServerUrl());
});
afterAll(() => front.close());

const secured = (parameters: string) =>
  openRedis(front.url.replace(/^redis:/, 'rediss:') + parameters, {
    offline: 'fail-fast',
    silenceLimitMs: 5_000,
  });

describe('Redis over TLS', () => {
  it('is used with the password in the URL and the authority in sslrootcert', async () => {
    const redis = secured(`?sslrootcert=${TLS_FRONT_CERTIFICATE}`);
    await once(redis, 'ready');
    const key = `test-${randomUUID()}`;
    await redis.set(key, 'kept', 'PX', 10_000);
    expect(await redis.get(key)).toBe('kept');
    redis.disconnect();
  });

  it('is refused when the certificate of the server has an unknown issuer', async () => {
    const redis = secured('');
    const refusal = await new Promise((resolve) => redis.on('error', resolve));
    redis.disconnect();
    expect(refusal).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});
