import type { TemplateWarning } from '@postrider/domain';
import { MAIL_FEATURES, type MailFeature } from './mail-features.ts';

/** Characters of CSS that are checked. Mail programs keep far less. */
const MAX_CSS = 256 * 1_024;
/** Characters of one selector or declaration that are checked. */
const MAX_DECLARATION = 2_000;

const byFinder = new Map(MAIL_FEATURES.map((feature) => [feature.by.join(' '), feature]));
const functions = MAIL_FEATURES.filter(({ by }) => by[0] === 'function');

/** Searches for features that common mail programs do not support, and warns once of each. */
export function createClientCheck(warn: (warning: TemplateWarning) => void) {
  const warned = new Set<MailFeature>();

  function found(feature: MailFeature | undefined): void {
    if (!feature || warned.has(feature)) return;
    warned.add(feature);
    const message = `${feature.title} is not supported by ${feature.clients.join(', ')}`;
    warn({ code: 'client_support', path: '/html', message });
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
