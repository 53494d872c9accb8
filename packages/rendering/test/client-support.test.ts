import { describe, expect, it } from '@postrider/testing';
import { warningsOfMail, warningsOfSource } from '../src/mail-warnings.ts';

const of = (html: string, cids: string[] = []) =>
  warningsOfMail({ subject: 'Hello', html, text: 'Hello', hasText: true, cids }).map(({ code, message }) => [
    code,
    message,
  ]);

describe('warnings about client support', () => {
  it.each([
    [
      '<div style="display: grid">',
      'display:grid is not supported by Gmail, Yahoo Mail, Outlook for Windows',
    ],
    [
      '<style>.a { color: red; Z-INDEX: 3 }</style>',
      'z-index is not supported by Gmail, Outlook for Windows',
    ],
    [
      '<p style="width: calc(1px + 2px)">',
      'CSS calc() function is not supported by Outlook.com, Yahoo Mail, Outlook for Windows',
    ],
    [
      '<video src="https://example.com/a.mp4"></video>',
      '<video> element is not supported by Gmail, Outlook.com, Yahoo Mail, Outlook for Windows',
    ],
    [
      '<style>@keyframes a { from { color: red } }</style>',
      '@keyframes is not supported by Gmail, Outlook.com, Outlook for Windows',
    ],
  ])('are given for %s', (html, message) => {
    expect(of(html)).toEqual([['client_support', message]]);
  });

  it('is given once', () => {
    expect(of('<p style="z-index:1"></p><p style="z-index:2"></p>')).toHaveLength(1);
  });

  it('are not given for features that all mail programs support, or for text that looks like code', () => {
    expect(of('<p style="color: red; padding: 4px">z-index: 1; display: grid</p>')).toEqual([]);
  });

  it('take linear time in hostile CSS', () => {
    for (const css of [
      ':'.repeat(2_000_000),
      '{'.repeat(2_000_000),
      'a'.repeat(2_000_000),
      '@'.repeat(2_000_000),
    ]) {
      expect(of(`<style>${css}</style>`).map(([code]) => code)).not.toContain('client_support');
    }
  });
});

describe('links and images', () => {
  it('must be https, or cid: with an existing file', () => {
    expect(of('<a href="http://example.com/a">a</a>')).toEqual([
      ['link_insecure', '"http://example.com/a" is not https'],
    ]);
    expect(of('<img src="cid:logo" alt="">', ['logo'])).toEqual([]);
    expect(of('<img src="cid:nope" alt="">', ['logo'])).toEqual([
      ['inline_file', 'no attachment has the cid "nope"'],
      ['inline_file', 'the HTML shows no image with cid:logo'],
    ]);
  });

  it('that contain Liquid are left to the preview', () => {
    const html =
      '<a href="{{ payload.url }}">a</a><img src="{{ payload.image }}"><a href="http://example.com">b</a>';
    expect(warningsOfSource(html).map(({ code }) => code)).toEqual(['image_without_alt', 'link_insecure']);
  });
});
