import { randomUUID } from 'node:crypto';
import { ID_PREFIXES } from '@postrider/domain';

/**
 * What a generated request names without knowing it yet: `«msg:3»` is a message that the service has made, or that of
 * another tenant as `«other.msg:0»`. It is put in when the request is sent, so that requests can be generated, shown and
 * made smaller before there is anything.
 */
export const reference = (kind: string, index: number) => `«${kind}:${index}»`;

const REFERENCE = /«([\w.]+):(\d+)»/g;
const ID = new RegExp(`\\b(${ID_PREFIXES.join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}\\b`, 'g');
const TOKEN = /\bpr_[a-z0-9-]+_[0-9A-Za-z]{36}\b/g;

/** Encodes a text for a URL, all but its references; what is no Unicode becomes U+FFFD. */
export function percentEncoded(text: string): string {
  const unicode = text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  return encodeURIComponent(unicode).replaceAll(/%C2%AB([\w.]+)%3A(\d+)%C2%BB/g, '«$1:$2»');
}

/** What the answers of the service have named so far, by kind. */
export interface Known {
  readonly add: (kind: string, value: string) => void;
  /** Notes every id, token, cursor and code in the text of an answer. */
  readonly learn: (text: string) => void;
  /** Puts what is known instead of references; a fresh UUID where nothing of that kind is known. */
  readonly resolve: (text: string) => string;
}

export function createKnown(): Known {
  const values = new Map<string, string[]>();

  function add(kind: string, value: string): void {
    const known = values.get(kind) ?? [];
    if (!known.includes(value)) values.set(kind, [...known, value]);
  }
  return {
    add,
    learn: (text) => {
      for (const [id, kind] of text.matchAll(ID)) add(kind ?? '', id);
      for (const [token] of text.matchAll(TOKEN)) add('token', token);
      for (const [, cursor] of text.matchAll(/"next_cursor":"([^"]+)"/g)) add('cursor', cursor ?? '');
      for (const [, code] of text.matchAll(/"(?:plan|code)":"([a-z0-9][a-z0-9_-]{0,62})"/g)) {
        add('plan', code ?? '');
      }
    },
    resolve: (text) =>
      text.replaceAll(REFERENCE, (_all, kind: string, index: string) => {
        const known = values.get(kind) ?? [];
        return known[Number(index) % known.length] ?? randomUUID();
      }),
  };
}
