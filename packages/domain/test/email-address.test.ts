import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  addressOf,
  canonicalAddress,
  isBareEmailAddress,
  namesAddress,
  spellingsOf,
  toBareAddress,
} from '../src/index.ts';

describe('a bare email address', () => {
  it.each([
    'ada@example.com',
    'a.b+tag@mail.example.co.uk',
    "o'hara!#$%&*/=?^_`{|}~-@example.com",
    'ada@localhost',
    'ada@LOCALHOST',
    'ada@xn--bcher-kva.example',
    `${'a'.repeat(64)}@example.com`,
    `a@${'b'.repeat(63)}.com`,
    `${'a'.repeat(64)}@${'b'.repeat(61)}.${'b'.repeat(61)}.${'b'.repeat(61)}.com`,
  ])('is %s', (text) => {
    expect(isBareEmailAddress(text)).toBe(true);
  });

  it.each([
    ['an encoded word', '=?utf-8?q?=E2=80=AEa?=@example.com'],
    ['an encoded word within', 'a.=?utf-8?B?DQo?=.b@example.com'],
    ['empty', ''],
    ['without @', 'ada'],
    ['without a local part', '@example.com'],
    ['without a domain', 'ada@'],
    ['of a domain without a dot', 'ada@example'],
    ['a list', 'ada@example.com,eve@example.com'],
    ['a list by semicolon', 'ada@example.com;eve@example.com'],
    ['with a display name', 'Ada <ada@example.com>'],
    ['in angle brackets', '<ada@example.com>'],
    ['with a header in it', 'ada@example.com\r\nBcc: eve@example.com'],
    ['with a line break at the end', 'ada@example.com\n'],
    ['with a space', 'ada @example.com'],
    ['with a space around', ' ada@example.com'],
    ['with a comment', 'ada(the first)@example.com'],
    ['quoted', '"ada"@example.com'],
    ['quoted around an @', '"ada@evil.example"@example.com'],
    ['with two @', 'ada@eve@example.com'],
    ['with a dot at the start', '.ada@example.com'],
    ['with a dot at the end', 'ada.@example.com'],
    ['with two dots', 'a..da@example.com'],
    ['of an address literal', 'ada@[127.0.0.1]'],
    ['of a bare IPv4 address', 'ada@127.0.0.1'],
    ['of a domain with a trailing dot', 'ada@example.com.'],
    ['of an empty label', 'ada@example..com'],
    ['of a label that begins with a hyphen', 'ada@-example.com'],
    ['of a label that ends with a hyphen', 'ada@example-.com'],
    ['of an underscore in the domain', 'ada@ex_ample.com'],
    ['of a domain outside ASCII', 'ada@bücher.example'],
    ['of a local part outside ASCII', 'ädä@example.com'],
    ['of a long label', `a@${'b'.repeat(64)}.com`],
    ['of a long local part', `${'a'.repeat(65)}@example.com`],
    ['of 255 characters', `${'a'.repeat(64)}@${'b'.repeat(61)}.${'b'.repeat(61)}.${'b'.repeat(61)}.comm`],
    ['with NUL', 'ada\u0000@example.com'],
    ['a percent-encoded break', 'ada%0d%0a@example.com\u2028'],
  ])('is nothing %s', (_, text) => {
    expect(isBareEmailAddress(text)).toBe(false);
  });

  it('accepts no character that could end a header or begin another recipient', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '.', '@', ',', ';', '<', '"', '\r', '\n', ' ', ':', '('),
    });
    fc.assert(
      fc.property(text, (local) => {
        const address = `${local}@example.com`;
        if (isBareEmailAddress(address)) expect(address).toMatch(/^[a.]+@example\.com$/);
      }),
    );
  });
});

describe('an address with an internationalised domain', () => {
  it.each([
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['Ada@BÜCHER.Example', 'Ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['ada@bücher。example', 'ada@xn--bcher-kva.example'],
    ['ada@faß.example', 'ada@xn--fa-hia.example'],
    ['ada@例え.テスト', 'ada@xn--r8jz45g.xn--zckzah'],
    ['Ada@Example.COM', 'Ada@Example.COM'],
  ])('%s is stored as %s', (given, stored) => {
    expect(toBareAddress(given)).toBe(stored);
    expect(toBareAddress(stored)).toBe(stored);
    expect(canonicalAddress(given)).toBe(canonicalAddress(stored));
  });

  it.each([
    ['with a local part outside ASCII', 'ädä@bücher.example'],
    ['with a path', 'ada@bücher.example/x'],
    ['with another host', 'ada@ü@evil.example'],
    ['with a port', 'ada@bücher.example:25'],
    ['with an encoded dot', 'ada@bücher%2eexample'],
    ['with a line break', 'ada@bü\ncher.example'],
    ['with a wide slash', 'ada@ü／x.example'],
    ['of wide digits', 'ada@１２７.０.０.１'],
    ['that is no punycode', 'ada@xn--ü.example'],
    ['with an empty label', 'ada@bücher..example'],
    ['with a trailing dot', 'ada@bücher.example.'],
    ['that is too long in ASCII', `ada@${'ü'.repeat(63)}.example`],
  ])('is refused %s', (_, text) => {
    expect(toBareAddress(text)).toBeNull();
  });

  it('is not converted, which takes quadratic time, if it is too long', () => {
    const long = `ada@${'例え.'.repeat(100)}example`;
    expect(toBareAddress(long)).toBeNull();
    expect(canonicalAddress(long)).toBe(long);
    expect(spellingsOf(long)).toEqual([long]);
    expect(spellingsOf(`ada@${'xn--r8jz45g.'.repeat(100)}example`)).toHaveLength(1);
  });

  it('is found in a text in either form', () => {
    for (const address of ['ada@bücher.example', 'ada@xn--bcher-kva.example']) {
      expect(namesAddress('asked by Ada@Bücher.example', address)).toBe(true);
      expect(namesAddress('asked by ada@xn--bcher-kva.example', address)).toBe(true);
      expect(namesAddress('asked by eve@bücher.example', address)).toBe(false);
    }
  });
});

describe('the canonical form of an address', () => {
  it.each([
    ['Ada.L@Example.COM', 'Ada.L@example.com'],
    ['ada@example.com', 'ada@example.com'],
    ['ADA@LOCALHOST', 'ADA@localhost'],
    ['Ada', 'Ada'],
  ])('of %s is %s: only the domain is case-insensitive', (address, canonical) => {
    expect(canonicalAddress(address)).toBe(canonical);
    expect(canonicalAddress(canonical)).toBe(canonical);
    expect(addressOf({ email: address })).toBe(canonical);
  });

  it('is null if a recipient has no address', () => {
    expect(addressOf({ name: 'Ada' })).toBeNull();
  });
});
