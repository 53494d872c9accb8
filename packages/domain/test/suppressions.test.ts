import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  addressHash,
  deriveServiceKeys,
  hmacBlocks,
  isBareEmailAddress,
  isStreamName,
  suppressedSpelling,
} from '../src/index.ts';

const ENVIRONMENT = '01923456-789a-7bcd-8ef0-123456789abc';
const RUN = '01923456-789a-7bcd-8ef0-abcdefabcdef';
const keys = deriveServiceKeys(randomBytes(32));
const target = (stream = 'newsletter') => ({
  environmentId: ENVIRONMENT,
  runId: RUN,
  addressHash: addressHash(keys.addressHash, ENVIRONMENT, 'ada@example.com'),
  stream,
});

const LOCAL = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,20}(\.[A-Za-z0-9-]{1,10})?$/);
const DOMAIN = fc.stringMatching(/^[A-Za-z0-9]{1,15}\.[A-Za-z]{2,6}$/);
const ADDRESS = fc.tuple(LOCAL, DOMAIN).map(([local, domain]) => `${local}@${domain}`);
/** The text with each letter in upper or lower case. */
const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) =>
      [...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter.toLowerCase())).join(''),
    );

describe('the hash of a suppressed address', () => {
  it('is the same for all spellings of an address, and the compared spelling is an address', () => {
    fc.assert(
      fc.property(
        ADDRESS.chain((address) => fc.tuple(fc.constant(address), inAnyCase(address))),
        ([one, other]) => {
          const hash = (address: string) => addressHash(keys.addressHash, ENVIRONMENT, address);
          expect(hash(other)).toEqual(hash(one));
          expect(hash(` ${one}\n`)).toEqual(hash(one));
          const spelling = suppressedSpelling(one);
          expect(suppressedSpelling(spelling)).toBe(spelling);
          expect(isBareEmailAddress(spelling)).toBe(isBareEmailAddress(one));
        },
      ),
    );
  });

  it('differs for addresses that differ in more than case, for environments and for keys', () => {
    fc.assert(
      fc.property(ADDRESS, ADDRESS, (one, other) => {
        fc.pre(one.toLowerCase() !== other.toLowerCase());
        expect(addressHash(keys.addressHash, ENVIRONMENT, one)).not.toEqual(
          addressHash(keys.addressHash, ENVIRONMENT, other),
        );
        expect(addressHash(keys.addressHash, ENVIRONMENT, one)).not.toEqual(
          addressHash(keys.addressHash, RUN, one),
        );
      }),
    );
    const others = deriveServiceKeys(randomBytes(32));
    expect(addressHash(others.addressHash, ENVIRONMENT, 'a@b.cd')).not.toEqual(
      addressHash(keys.addressHash, ENVIRONMENT, 'a@b.cd'),
    );
  });

  it('equals what a database computes with the two blocks of the key', () => {
    const { inner, outer } = hmacBlocks(keys.addressHash);
    const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
    const text = Buffer.from(`${ENVIRONMENT}:ada@example.com`);
    expect(Uint8Array.from(sha256(outer, sha256(inner, text)))).toEqual(
      addressHash(keys.addressHash, ENVIRONMENT, 'Ada@Example.com'),
    );
  });
});

describe('an unsubscribe link', () => {
  it('returns what was encrypted, and is always the same for the same content', () => {
    const token = keys.links.encrypt(target());
    expect(token).toMatch(/^[A-Za-z0-9_-]{130,250}$/);
    expect(keys.links.decrypt(token)).toEqual(target());
    expect(keys.links.encrypt(target())).toBe(token);
    expect(keys.links.encrypt(target('offers'))).not.toBe(token);
  });

  it('does not reveal its content', () => {
    const bytes = Buffer.from(keys.links.encrypt(target()), 'base64url');
    expect(bytes.includes('newsletter')).toBe(false);
    expect(bytes.includes(Buffer.from(target().addressHash))).toBe(false);
  });

  it('is refused if anything was changed, added or removed, and for any other text', () => {
    const token = keys.links.encrypt(target());
    const bytes = Buffer.from(token, 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(keys.links.decrypt(changed.toString('base64url'))).toBeNull();
    }
    for (const other of [
      '',
      'x',
      token.slice(1),
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      'A'.repeat(100_000),
    ]) {
      expect(keys.links.decrypt(other)).toBeNull();
    }
    expect(deriveServiceKeys(randomBytes(32)).links.decrypt(token)).toBeNull();
    fc.assert(fc.property(fc.string(), (text) => expect(keys.links.decrypt(text)).toBeNull()));
  });
});

describe('the name of a stream', () => {
  it.each(['newsletter', 'a', 'product.updates', '2026-offers', 'a_b'])('may be %s', (name) =>
    expect(isStreamName(name)).toBe(true),
  );
  it.each(['', 'all', 'transactional', 'News', 'a b', '.a', 'a.', '-', 'ä', 'x'.repeat(65)])(
    'may not be %j',
    (name) => expect(isStreamName(name)).toBe(false),
  );
});
