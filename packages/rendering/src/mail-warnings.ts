import type { TemplateWarning, TemplateWarningCode } from '@postrider/domain';
import { Parser } from 'htmlparser2';
import { MAIL_FEATURES, type MailFeature } from './mail-features.ts';
import { withoutHidden } from './without-hidden.ts';

/** Whether HTML has a link to this URL that people can see, with a text or an image. */
function hasVisibleLink(html: string, url: string): boolean {
  if (!html.includes(url)) return false;
  let isFound = false;
  let isInLink = false;
  const show = () => {
    if (isInLink) isFound = true;
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'a') isInLink = attributes.href?.trim().startsWith(url) === true;
      if (name === 'img') show();
    },
    ontext(text) {
      if (text.trim() !== '') show();
    },
    onclosetag(name) {
      if (name === 'a') isInLink = false;
    },
  });
  parser.end(withoutHidden(html));
  return isFound;
}

/** Characters of CSS that are checked. Mail programs keep far less. */
const MAX_CSS = 256 * 1_024;
/** Characters of one selector or declaration that are checked. */
const MAX_DECLARATION = 2_000;

const byFinder = new Map(MAIL_FEATURES.map((feature) => [feature.by.join(' '), feature]));
const functions = MAIL_FEATURES.filter(({ by }) => by[0] === 'function');

/** Searches for features that common mail programs do not support, and warns once of each. */
function createClientCheck(warn: Warn) {
  const warned = new Set<MailFeature>();

  function found(feature: MailFeature | undefined): void {
    if (!feature || warned.has(feature)) return;
    warned.add(feature);
    warn('client_support', '/html', `${feature.title} is not supported by ${feature.clients.join(', ')}`);
  }

  function declaration(text: string): void {
    const colon = text.indexOf(':');
    if (colon < 0) return;
    const property = text.slice(0, colon).trim().toLowerCase();
    const value = text
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    found(byFinder.get(`property ${property}`));
    found(byFinder.get(`value ${property} ${value}`));
    for (const feature of functions) if (value.includes(`${feature.by[1]}(`)) found(feature);
  }

  /** The content of a style attribute or element. */
  function css(text: string): void {
    for (const part of text.slice(0, MAX_CSS).split(/[;{}]/)) {
      const trimmed = part.trim().slice(0, MAX_DECLARATION);
      const at = /^@([a-z-]+)/i.exec(trimmed)?.[1];
      if (at === undefined) declaration(trimmed);
      else found(byFinder.get(`at ${at.toLowerCase()}`));
    }
  }

  return {
    css,
    element(name: string, attributes: Readonly<Record<string, string>>): void {
      found(byFinder.get(`element ${name}`));
      for (const attribute of Object.keys(attributes)) found(byFinder.get(`attribute ${attribute}`));
      if (attributes.style !== undefined) css(attributes.style);
    },
  };
}

/** RFC 5322 section 2.1.1: the recommended line length. Mail programs show even less of a subject. */
const MAX_SUBJECT_CHARACTERS = 78;
/** Gmail cuts off the HTML of a message after this many bytes. */
const MAX_HTML_BYTES = 102 * 1_024;
/** Further warnings are not reported. */
const MAX_WARNINGS = 50;
const MAX_QUOTED_CHARACTERS = 80;

/** The links that mail programs open. */
const LINK = /^(?:https?:\/\/[^/]|mailto:.|tel:.|sms:.)/i;
const IMAGE = /^(?:https?:\/\/[^/]|cid:.)/i;
const INSECURE = /^http:/i;
const CID = /^cid:(.*)$/i;
/** Mail programs remove these elements, and spam filters penalise them. */
const REMOVED = ['script', 'iframe', 'object', 'embed', 'form'];

/** A rendered email; `hasText` says whether its text was written or derived. */
export interface MailToWarnOf {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly hasText: boolean;
  /** The content ids of the mail's inline files. */
  readonly cids?: readonly string[];
  /** The link to unsubscribe that people must be able to see; left out if none is needed. */
  readonly unsubscribeUrl?: string | null;
}

const quote = (text: string) => JSON.stringify(text.slice(0, MAX_QUOTED_CHARACTERS));

/** Warnings about a rendered email, at most 50. */
export function warningsOfMail(mail: MailToWarnOf): TemplateWarning[] {
  const { subject, html, text, hasText, cids = [], unsubscribeUrl = null } = mail;
  const warnings: TemplateWarning[] = [];
  const warn = (code: TemplateWarningCode, path: string, message: string) =>
    warnings.push({ code, path, message });

  if (subject === '') warn('subject_blank', '/subject', 'is blank');
  if (subject.length > MAX_SUBJECT_CHARACTERS) {
    warn(
      'subject_too_long',
      '/subject',
      `has ${subject.length} characters, of ${MAX_SUBJECT_CHARACTERS} at most`,
    );
  }
  if (!hasText) warn('text_derived', '/text', 'is derived from the HTML, because there is none');
  if (text?.trim() === '') warn('text_blank', '/text', 'is blank');
  // Before those of the HTML, which can be too many.
  if (unsubscribeUrl !== null) {
    const isVisible = html === null ? text?.includes(unsubscribeUrl) : hasVisibleLink(html, unsubscribeUrl);
    const path = html === null ? '/text' : '/html';
    if (!isVisible) warn('unsubscribe_missing', path, 'has no visible link to {{ unsubscribe_url }}');
  }
  if (html !== null) warnOfHtml(html, warn, cids);
  return warnings.slice(0, MAX_WARNINGS);
}

type Warn = (code: TemplateWarningCode, path: string, message: string) => void;

/**
 * Warnings about HTML that is not rendered: its size, images without alt text, and features that mail programs do not
 * support. Links and addresses may contain Liquid, so only the preview checks them.
 */
export function warningsOfSource(html: string): TemplateWarning[] {
  const warnings: TemplateWarning[] = [];
  warnOfHtml(html, (code, path, message) => {
    if (OF_SOURCE.includes(code)) warnings.push({ code, path, message });
  });
  return warnings.slice(0, MAX_WARNINGS);
}

const OF_SOURCE: readonly TemplateWarningCode[] = [
  'client_support',
  'content_removed',
  'html_too_large',
  'image_without_alt',
  'link_insecure',
];

function warnOfHtml(html: string, warn: Warn, cids: readonly string[] = []): void {
  const clients = createClientCheck(warn);
  const unused = new Set(cids);
  let isStyle = false;
  const bytes = Buffer.byteLength(html);
  if (bytes > MAX_HTML_BYTES) {
    warn('html_too_large', '/html', `has ${bytes} bytes: Gmail cuts off what is beyond ${MAX_HTML_BYTES}`);
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      const { href, src, alt } = attributes;
      clients.element(name, attributes);
      isStyle = name === 'style';
      const address = (name === 'a' ? href : name === 'img' ? src : undefined)?.trim();
      if (address !== undefined && INSECURE.test(address)) {
        warn('link_insecure', '/html', `${quote(address)} is not https`);
      }
      const cid = CID.exec(src?.trim() ?? '')?.[1];
      if (cid !== undefined && !cids.includes(cid)) {
        warn('inline_file', '/html', `no attachment has the cid ${quote(cid)}`);
      }
      if (cid !== undefined) unused.delete(cid);
      if (name === 'a' && href !== undefined && !LINK.test(href.trim())) {
        warn('link_broken', '/html', `the link to ${quote(href)} cannot be followed from a mail`);
      }
      if (name === 'img' && !IMAGE.test(src?.trim() ?? '')) {
        warn('image_broken', '/html', `the image ${quote(src ?? '')} cannot be shown in a mail`);
      }
      if (name === 'img' && alt === undefined) {
        warn('image_without_alt', '/html', `the image ${quote(src ?? '')} has no alt text`);
      }
      if (REMOVED.includes(name)) {
        warn('content_removed', '/html', `<${name}> is removed by mail programs`);
      }
    },
    onclosetag() {
      isStyle = false;
    },
    ontext(text) {
      if (isStyle) clients.css(text);
    },
  });
  parser.end(html);
  for (const cid of unused) warn('inline_file', '/attachments', `the HTML shows no image with cid:${cid}`);
}
