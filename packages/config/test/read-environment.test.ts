import { adminToken, databaseUrl, encryptionKeys, port, readEnvironment, redisUrl } from '@postrider/config';
import { describe, expect, it } from '@postrider/testing';

const specification = { databaseUrl, redisUrl, port: port('PORT', 3000), encryptionKeys, adminToken };
const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64');
const complete = {
  DATABASE_URL: 'postgresql://app:hunter2@db:5432/postrider',
  REDIS_URL: 'redis://cache:6379',
  ENCRYPTION_KEYS: `k1:${key}`,
};

describe('reading the environment', () => {
  it('returns the value or the default of every field', () => {
    const result = readEnvironment(specification, complete);

    expect(result).toEqual({
      ok: true,
      config: {
        databaseUrl: complete.DATABASE_URL,
        redisUrl: complete.REDIS_URL,
        port: 3000,
        encryptionKeys: [{ id: 'k1', key: Buffer.from(key, 'base64') }],
        adminToken: null,
      },
    });
  });

  it('names every issue of every variable at once', () => {
    const result = readEnvironment(specification, {
      REDIS_URL: 'http://cache',
      PORT: '70000',
      ENCRYPTION_KEYS: 'k1:short,nothing',
      ADMIN_TOKEN: 'short',
    });

    expect(result).toEqual({
      ok: false,
      issues: [
        'DATABASE_URL is required',
        'REDIS_URL must be a URL that starts with redis://, redis+sentinel:// or redis+cluster:// (rediss for TLS)',
        'PORT must be a whole number from 0 to 65535',
        'ENCRYPTION_KEYS is not usable: key "k1" is not the base64 of 32 bytes',
        'ENCRYPTION_KEYS is not usable: key 2 is not of the form id:base64',
        'ADMIN_TOKEN must have at least 32 characters',
      ],
    });
  });

  it('does not repeat given values in errors', () => {
    const result = readEnvironment(specification, {
      DATABASE_URL: 'mysql://root:s3cr3t-a@db/app',
      REDIS_URL: 's3cr3t-b',
      PORT: 's3cr3t-c',
      ENCRYPTION_KEYS: 's3cr3t-d,k1:s3cr3t-e',
      ADMIN_TOKEN: 's3cr3t-f',
    });

    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain('s3cr3t');
  });

  it('treats an empty or blank variable as missing', () => {
    const result = readEnvironment(specification, { ...complete, PORT: ' ', ADMIN_TOKEN: '', REDIS_URL: '' });

    expect(result).toEqual({ ok: false, issues: ['REDIS_URL is required'] });
  });

  it('detects production by NODE_ENV, even if the app does not read that field', () => {
    const weak = { ...complete, ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}` };

    expect(readEnvironment(specification, weak)).toMatchObject({ ok: true });
    expect(readEnvironment(specification, { ...weak, NODE_ENV: 'production' })).toEqual({
      ok: false,
      issues: ['ENCRYPTION_KEYS is too weak: the bytes of key "k1" are not random'],
    });
  });
});
