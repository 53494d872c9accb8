import type { JsonObject } from '@postrider/domain';
import { createAuthority } from '@postrider/rig/certificates';
import { describe, expect, it } from '@postrider/testing';
import { KAFKA_SETTINGS, type KafkaConfig, parseBroker } from '../../src/kafka/config.ts';
import { kafkaKind } from '../../src/kafka/index.ts';

const valid = {
  brokers: ['kafka-1.example.com:9093', '[2001:db8::1]:9093'],
  mechanism: 'PLAIN',
  username: 'postrider',
  topic: 'shop.orders',
};
const issuesOf = (config: object) =>
  KAFKA_SETTINGS.config.rules.flatMap((rule) => rule.issuesOf(config as KafkaConfig)).map(({ path }) => path);

describe('the config of a Kafka channel', () => {
  it('names brokers by host and port, IPv6 in brackets', () => {
    expect(issuesOf(valid)).toEqual([]);
    expect(valid.brokers.map(parseBroker)).toEqual([
      { host: 'kafka-1.example.com', port: 9_093 },
      { host: '2001:db8::1', port: 9_093 },
    ]);
  });

  it.each([
    ['no port', { brokers: ['kafka.example.com'] }, '/brokers/0'],
    ['a port beyond 65535', { brokers: ['kafka.example.com:65536'] }, '/brokers/0'],
    ['IPv6 without brackets', { brokers: [valid.brokers[0], '::1:9092'] }, '/brokers/1'],
    ['IPv6 with an opening bracket alone', { brokers: [valid.brokers[0], '[::1:9092'] }, '/brokers/1'],
    ['a name in brackets', { brokers: ['[kafka]:9092'] }, '/brokers/0'],
    ['a URL', { brokers: ['kafka://kafka.example.com:9092'] }, '/brokers/0'],
    ['a mechanism without a user', { username: null }, '/username'],
    ['a user without a mechanism', { mechanism: null }, '/mechanism'],
    ['a password without a mechanism', { mechanism: null, username: null, password: 'p' }, '/mechanism'],
    ['authorities without TLS', { tls: false, ca: 'x' }, '/ca'],
    ['a certificate without TLS', { tls: false, certificate: 'x' }, '/certificate'],
    ['an invalid certificate', { certificate: 'x' }, '/certificate'],
    ['a private key without its certificate', { private_key: 'x' }, '/certificate'],
    ['a topic with a slash', { topic: 'a/b' }, '/topic'],
    ['filters in the key', { key: '{{ event_key | upcase }}' }, '/key'],
  ])('refuses %s', (_what, change, path) => {
    expect(issuesOf({ ...valid, ...change })).toEqual([path]);
  });

  it('keeps the key of its client certificate for that certificate, and says when it expires', async () => {
    const { certificate, privateKey } = await (await createAuthority('Clients')).issue('postrider', 10);
    const config = KAFKA_SETTINGS.config.toStored({
      brokers: valid.brokers,
      topic: valid.topic,
      certificate,
    });
    expect(kafkaKind.config.present(config)).toMatchObject({
      certificate,
      certificate_expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const change = (given: JsonObject, credentials: readonly string[] = []) =>
      kafkaKind.credentials?.change({ config, credentials: new Set(credentials) }, { given, config });
    expect(change({})).toMatchObject({ issues: [{ path: '/private_key', code: 'required' }] });
    expect(change({ private_key: 'x' })).toMatchObject({
      issues: [{ path: '/private_key', code: 'invalid_value' }],
    });
    expect(change({ private_key: privateKey })).toEqual({ changes: { private_key: privateKey }, issues: [] });
    expect(change({}, ['private_key'])).toEqual({ changes: {}, issues: [] });
    const { certificate: other } = await (await createAuthority('Others')).issue('postrider');
    const changed = KAFKA_SETTINGS.config.toStored({ ...config, certificate: other });
    const before = { config, credentials: new Set(['private_key']) };
    expect(kafkaKind.credentials?.change(before, { given: {}, config: changed })).toMatchObject({
      issues: [{ path: '/private_key', code: 'required' }],
    });
  });

  it('never keeps a password for other brokers, authorities or another user, and asks for none without a login', () => {
    const config = KAFKA_SETTINGS.config.toStored(valid);
    const before = { config, credentials: new Set(['password']) };
    const change = (changed: object) =>
      kafkaKind.credentials?.change(before, { given: {}, config: { ...config, ...changed } });
    const required = { issues: [{ path: '/password', code: 'required' }] };
    expect(change({ topic: 'other' })).toMatchObject({ issues: [] });
    expect(change({ brokers: ['elsewhere.example.com:9093'] })).toMatchObject(required);
    expect(change({ username: 'another' })).toMatchObject(required);
    expect(change({ tls: false })).toMatchObject(required);
    expect(change({ ca: 'another authority' })).toMatchObject(required);
    expect(change({ mechanism: undefined })).toMatchObject({ changes: { password: null }, issues: [] });
  });
});
