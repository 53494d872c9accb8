import { createHash } from 'node:crypto';
import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  createToken,
  hashToken,
  isEnvironmentName,
  isWellFormedToken,
  tokenLastFour,
  tokenPrefix,
} from '../src/index.ts';

const environmentName = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,62}$/);

describe('a token', () => {
  it('has the form of docs/specification.md, "Authentication"', () => {
    expect(createToken('production')).toMatch(/^pr_production_[0-9A-Za-z]{36}$/);
  });

  it('keeps its form, so that tokens stay valid across releases', () => {
    const random = (size: number) => new Uint8Array(size).fill(10);
    expect(createToken('test', random)).toBe('pr_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA3MZpB0');
  });

  it('is well-formed for every environment name', () => {
    fc.assert(
      fc.property(environmentName, (name) => {
        expect(isEnvironmentName(name)).toBe(true);
        expect(isWellFormedToken(createToken(name))).toBe(true);
      }),
    );
  });

  it('differs each time', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => createToken('test'))).size).toBe(1_000);
  });

  it('is not well-formed when any character is changed', () => {
    const token = createToken('staging-2');
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.stringMatching(/^[0-9A-Za-z_-]$/), (at, character) => {
        fc.pre(token[at] !== character);
        expect(isWellFormedToken(token.slice(0, at) + character + token.slice(at + 1))).toBe(false);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['a cut token', createToken('test').slice(0, -1)],
    ['a token with more', `${createToken('test')}0`],
    ['a line break at the end', `${createToken('test')}\n`],
    ['a space at the start', ` ${createToken('test')}`],
    ['another service’s token', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
    ['a very long text', 'pr_'.repeat(100_000)],
  ])('is not %s', (_, text) => {
    expect(isWellFormedToken(text)).toBe(false);
  });

  it('discards bytes that would make some characters likelier', () => {
    const bytes = [255, 248, 247, 61, 0];
    let drawn = 0;
    const random = (size: number) =>
      Uint8Array.from({ length: size }, () => bytes[drawn++ % bytes.length] ?? 0);
    expect(createToken('test', random).slice(8, 38)).toBe('zz0'.repeat(10));
  });

  it.each(['', '-test', 'Test', 'te_st', 'te st', 'a'.repeat(64)])(
    'cannot be created for the name %j',
    (name) => {
      expect(isEnvironmentName(name)).toBe(false);
      expect(() => createToken(name)).toThrow(TypeError);
    },
  );

  it('is stored as its SHA-256 and listed with its prefix and last four characters', () => {
    const token = createToken('staging-2');
    expect(hashToken(token)).toEqual(createHash('sha256').update(token).digest());
    expect(tokenPrefix(token)).toBe('pr_staging-2_');
    expect(tokenLastFour(token)).toBe(token.slice(-4));
  });
});
