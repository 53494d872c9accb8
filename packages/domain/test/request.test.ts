import { createHash } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import { acceptRequestId, fingerprint, parseIdempotencyKey } from '../src/index.ts';

describe('the fingerprint', () => {
  it('is the SHA-256 of the raw bytes', () => {
    expect(fingerprint(Buffer.from('abc')).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    expect(fingerprint(new Uint8Array())).toEqual(createHash('sha256').digest());
  });

  it('differs between bodies that mean the same JSON', () => {
    expect(fingerprint(Buffer.from('{"a":1}'))).not.toEqual(fingerprint(Buffer.from('{"a": 1}')));
  });
});

describe('the idempotency key', () => {
  it.each(['1', '2', '3', '4', '5', '6', '7', '8'])('may be a UUID of version %s', (version) => {
    const key = `2ed6657d-e927-${version}68b-95e1-2665a8aea6a2`;
    expect(parseIdempotencyKey(key)).toBe(key);
  });

  it('is converted to lower case', () => {
    expect(parseIdempotencyKey('2ED6657D-E927-468B-95E1-2665A8AEA6A2')).toBe(
      '2ed6657d-e927-468b-95e1-2665a8aea6a2',
    );
  });

  it.each([
    ['no text', ''],
    ['a word', 'order-1'],
    ['no hyphens', '2ed6657de927468b95e12665a8aea6a2'],
    ['braces', '{2ed6657d-e927-468b-95e1-2665a8aea6a2}'],
    ['a URN', 'urn:uuid:2ed6657d-e927-468b-95e1-2665a8aea6a2'],
    ['two keys', '2ed6657d-e927-468b-95e1-2665a8aea6a2, 2ed6657d-e927-468b-95e1-2665a8aea6a2'],
    ['a line break at the end', '2ed6657d-e927-468b-95e1-2665a8aea6a2\n'],
    ['version 9', '2ed6657d-e927-968b-95e1-2665a8aea6a2'],
    ['another variant', '2ed6657d-e927-468b-c5e1-2665a8aea6a2'],
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['the max UUID', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('is refused for %s', (_, text) => {
    expect(parseIdempotencyKey(text)).toBeNull();
  });
});

describe('the request id', () => {
  it.each(['a', 'req-1', '!~', 'x'.repeat(128)])('%s is accepted unchanged', (text) => {
    expect(acceptRequestId(text)).toBe(text);
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['too long', 'x'.repeat(129)],
    ['spaced', 'a b'],
    ['sent twice', 'a, b'],
    ['with a control character', 'a\u007f'],
    ['with a line break', 'a\n'],
    ['not ASCII', 'é'],
  ])('is not accepted when %s', (_, header) => {
    expect(acceptRequestId(header)).toBeNull();
  });
});
