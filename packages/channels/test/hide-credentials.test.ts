import { describe, expect, it } from '@postrider/testing';
import { hideCredentials, hidingResponses } from '../src/hide-credentials.ts';
import { keptHeaders, MAX_RESPONSE_BYTES, toExcerpt } from '../src/sender.ts';

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');

describe.each(['Zürich-pässwörd', 'open sesame', 'пароль-секрет', 'q"uo\\te&<1>', 'e\u0301cole😀9'])(
  'the SMTP password %j',
  (password) => {
    const username = 'shöp@example.com';
    const hide = hideCredentials(username, password);
    const utf8 = Buffer.from(password, 'utf8');

    it.each([
      ['as it is', password],
      ['as NFC', password.normalize('NFC')],
      ['as NFD', password.normalize('NFD')],
      ['as UTF-8 that was read as Latin-1', utf8.toString('latin1')],
      ['as UTF-8 that was read as Windows-1252', new TextDecoder('windows-1252').decode(utf8)],
      ['as Latin-1 that was read as UTF-8', Buffer.from(password, 'latin1').toString('utf8')],
      ['in a URL', encodeURIComponent(password)],
      ['in a URL with small digits', encodeURIComponent(password).toLowerCase()],
      ['in JSON', JSON.stringify(password).slice(1, -1)],
      ['in a quoted string', password.replace(/["\\]/g, '\\$&')],
      ['in AUTH LOGIN', base64(password)],
      ['in AUTH LOGIN as Latin-1', base64(password, 'latin1')],
      ['in AUTH PLAIN', base64(`\0${username}\0${password}`)],
      ['in AUTH PLAIN with another identity', base64(`ada\0${username}\0${password}`)],
      ['behind a colon', base64(`${username}:${password}`)],
      ['within more base64', base64(`xx${password}yy`)],
    ])('is hidden %s', (how, form) => {
      const shown = hide(`535 5.7.8 <${form}> is wrong`);
      // A password without capitals in its URL form has the same one with small digits.
      const isOther = how === 'in a URL with small digits' && /[A-Z]/.test(password);
      if (!isOther) expect(shown).toBe('535 5.7.8 <[hidden]> is wrong');
    });

    it('is hidden together with the user name of AUTH LOGIN', () => {
      expect(hide(`334 ${base64(username)}`)).toBe('334 [hidden]');
    });

    it('does not change an ordinary reply', () => {
      const reply =
        '535 5.7.8 Username and Password not accepted. For more, go to https://support.example/?p=1';
      expect(hide(reply)).toBe(reply);
    });
  },
);

describe('a credential that is truncated at the end of a text', () => {
  const password = 'q"uo\\te-Zürich-passwort';
  const hide = hideCredentials('ada', password);
  const inPlain = base64(`\0ada\0${password}`);
  it.each([
    ['as it is', password],
    ['in JSON', JSON.stringify(password).slice(1, -1)],
    ['in a URL', encodeURIComponent(password)],
    ['in AUTH LOGIN', base64(password)],
  ])('is hidden %s, at any position of the cut', (_how, form) => {
    for (let length = 4; length <= form.length; length += 1) {
      expect(hide(`you sent <${form.slice(0, length)}`)).toBe('you sent <[hidden]');
    }
    expect(hide(`you sent <${form.slice(0, 3)}`)).toBe(`you sent <${form.slice(0, 3)}`);
  });

  it('is hidden in AUTH PLAIN with everything before it', () => {
    const before = Math.ceil((base64('\0ada\0').replace(/=+$/, '').length + 4) / 4) * 4;
    for (let length = before; length < inPlain.length; length += 1) {
      expect(hide(`535 ${inPlain.slice(0, length)}`)).toBe('535 [hidden]');
    }
  });

  it('is hidden in a response that is truncated at its limit', async () => {
    const body = Buffer.from(`${'x'.repeat(MAX_RESPONSE_BYTES - 8)}${password}`);
    const shown = hidingResponses([password]).exchange({
      broken: null,
      response: { statusCode: 400, bodyExcerpt: toExcerpt([body]) },
      retryAfter: undefined,
      asksForPause: false,
    });
    expect(JSON.stringify(shown)).not.toContain(password.slice(0, 4).replaceAll('"', '\\"'));
    expect(shown).toMatchObject({ response: { bodyExcerpt: expect.stringMatching(/x\[hidden\]$/) } });
  });

  it('of repeated characters is found in linear time', () => {
    const long = `${'a'.repeat(4_000)}b`;
    const reply = `${'a'.repeat(20_000)}c`.repeat(3);
    expect(hideCredentials('', long)(reply)).toBe(reply);
    expect(hideCredentials('', long)(`c${'a'.repeat(3_999)}`)).toBe('c[hidden]');
  });

  // A search whose time is the product of both lengths takes more than a minute for the spellings of such a credential.
  it('that almost occurs everywhere is searched in linear time', () => {
    const long = `${'a'.repeat(20)}"é&<ﬁ ${'a'.repeat(30_000)}`;
    const reply = `${'a'.repeat(65_000)}.`;
    expect(hideCredentials('', long)(reply)).toBe(reply);
  });

  // Each word can be the beginning of its base64. A search whose time is the product of both lengths takes more than a minute.
  it('whose beginning is in thousands of words is searched in linear time', () => {
    const words = 'VVVV '.repeat(13_000);
    expect(hideCredentials('', 'U'.repeat(20_000))(words)).toBe(words);
  });
});

it('is looked for in no more than 100 headers of a response', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `x${index}`);
  expect(keptHeaders(Object.fromEntries(names.map((name) => [name, 'a'])))).toHaveLength(100);
});

it('a reply of a megabyte of base64 is truncated, and searched in one pass', () => {
  const hide = hideCredentials('ada', 'open sesame');
  expect(hide('A'.repeat(1_048_576))).toBe('A'.repeat(65_536));
  const encoded = Buffer.from('open sesame').toString('base64');
  expect(hide(`${'A'.repeat(40_000)}${encoded} after`)).toBe('[hidden] after');
});

describe('a credential of the maximum length', () => {
  it.each(['\u00e9\u00fc\u20ac'.repeat(1_365), 'A1b+/"\n'.repeat(4_096), 'a'.repeat(4_096)])(
    'is hidden without a pattern that is too large (%#)',
    (secret) => {
      expect(hideCredentials('', secret)(`it is ${secret}, is it not?`)).toBe('it is [hidden], is it not?');
    },
  );
});

it('hides overlapping forms of a credential', () => {
  expect(hideCredentials('', 'abcab')('x abcabcab y')).toBe('x [hidden] y');
});
