import { describe, expect, it } from '@postrider/testing';
import { type MailToWarnOf, warningsOfMail } from '../src/mail-warnings.ts';
import { compileMjml } from '../src/mjml.ts';

const mail: MailToWarnOf = { subject: 'Shipped', html: '<p>Hello</p>', text: 'Hello', hasText: true };
const codesFor = (changes: Partial<MailToWarnOf>) =>
  warningsOfMail({ ...mail, ...changes }).map(({ code, path }) => `${code} ${path}`);

describe('the warnings of a mail', () => {
  it.each([
    'https://x.example/',
    'HTTPS://x.example',
    'mailto:a@x.example',
    'tel:+431',
    ' https://x.example',
  ])('are not given for a sound mail with a link to %s', (href) => {
    const html = `<a href="${href}">x</a><a name="top">x</a><img src="https://x.example/a.png" alt="">`;
    expect(codesFor({ html })).toEqual([]);
  });

  it.each<[string, Partial<MailToWarnOf>, string[]]>([
    ['a blank subject', { subject: '' }, ['subject_blank /subject']],
    ['a long subject', { subject: 'x'.repeat(79) }, ['subject_too_long /subject']],
    ['a text that was derived', { hasText: false }, ['text_derived /text']],
    ['a blank text', { text: ' \n' }, ['text_blank /text']],
    ['more HTML than Gmail shows', { html: 'ä'.repeat(52_300) }, ['html_too_large /html']],
    ['a relative link', { html: '<a href="/orders">x</a>' }, ['link_broken /html']],
    ['an empty link', { html: '<a href="">x</a>' }, ['link_broken /html']],
    ['a link to a script', { html: '<a href="javascript:x()">x</a>' }, ['link_broken /html']],
    ['a relative image', { html: '<img src="a.png" alt="a">' }, ['image_broken /html']],
    ['an image without alt', { html: '<img src="https://x.example/a.png">' }, ['image_without_alt /html']],
    ['a link that is not https', { html: '<a href="HTTP://x.example">x</a>' }, ['link_insecure /html']],
    ['a file that is not there', { html: '<img src="cid:a" alt="a">' }, ['inline_file /html']],
    ['a script', { html: '<script>x()</script>' }, ['content_removed /html']],
  ])('name %s', (_, changes, expected) => {
    expect(codesFor(changes)).toEqual(expected);
  });

  const unsubscribeUrl = 'https://x.example/unsubscribe/1';
  const link = `<a href="${unsubscribeUrl}">Leave</a>`;

  it.each([
    `<p>${link}</p>`,
    `<div style="display:none">a</div><p>${link}</p>`,
    `<p hidden>a<br></p><a href="${unsubscribeUrl}"><img src="https://x.example/a.png" alt="Leave"></a>`,
    `<a href=" ${unsubscribeUrl}?from=mail ">Leave</a>`,
    `<div style="font-size:0px;padding:0"><p style="font-size:13px">${link}</p></div>`,
  ])('are not given for a visible link to unsubscribe: %s', (html) => {
    expect(codesFor({ html, unsubscribeUrl })).toEqual([]);
  });

  it.each([
    '<p>Hello</p>',
    `<p>${unsubscribeUrl.slice(0, -1)}</p>`,
    `<a href="${unsubscribeUrl}"> </a>`,
    `<div style="color: red; display: none">${link}</div>`,
    `<p hidden><b>x</b>${link}</p>`,
    `<div style="font-size:0">${link}</div>`,
    `<div style="opacity:0">${link}</div>`,
    `<div style="max-height:0px;overflow:hidden">${link}</div>`,
    `<template>${link}</template>`,
    `<!-- ${link} -->`,
    `<style>/* ${link} */</style>`,
  ])('name a link to unsubscribe that nobody sees: %s', (html) => {
    expect(codesFor({ html, unsubscribeUrl })).toContain('unsubscribe_missing /html');
  });

  it('are not given for a link to unsubscribe that a template in MJML shows', async () => {
    const compiled = await compileMjml(
      `<mjml><mj-body><mj-section><mj-column><mj-text>${link}</mj-text></mj-column></mj-section></mj-body></mjml>`,
    );
    if (compiled.outcome === 'invalid') throw new Error(JSON.stringify(compiled.issues));
    expect(codesFor({ html: compiled.html, unsubscribeUrl })).not.toContain('unsubscribe_missing /html');
  });

  it('look for the link in the text of a mail without HTML', () => {
    expect(codesFor({ html: null, unsubscribeUrl })).toEqual(['unsubscribe_missing /text']);
    expect(codesFor({ html: null, text: `Leave: ${unsubscribeUrl}`, unsubscribeUrl })).toEqual([]);
  });

  it('are 50 at most', () => {
    expect(codesFor({ html: '<a href="x">x</a>'.repeat(100) })).toHaveLength(50);
  });
});
