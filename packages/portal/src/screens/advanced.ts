/** The advanced settings of an endpoint: what the form edits, and the part that the API gets. */

import type { ConfiguredChannel } from '@postrider/client';
import { isObject, type Json, patchBetween } from '@postrider/console/ui/json.ts';

type Fields = Readonly<Record<string, string>>;

/** What the advanced part of the form edits, as texts. */
export interface Advanced {
  /** JSON; empty for none. */
  readonly filter: string;
  readonly body: string;
  /** JSON; empty for none. */
  readonly template: string;
  /** The type and its fields. */
  readonly signature: Fields;
}

export const WITHOUT_TEMPLATE = ['standard', 'thin'];

/** The fields of each type of signature besides its secret, in the order of the form. */
export const SIGNATURE_FIELDS = {
  standard: ['header_prefix'],
  github: ['header'],
  stripe: ['header'],
  custom: ['header', 'algorithm', 'encoding', 'signed_text', 'value', 'timestamp_header', 'id_header'],
  none: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type SignatureType = keyof typeof SIGNATURE_FIELDS;
export type SignatureField = (typeof SIGNATURE_FIELDS)[SignatureType][number];

const ALL_SIGNATURE_FIELDS = [...new Set(Object.values(SIGNATURE_FIELDS).flat())];

const toText = (value: unknown) => (value ? JSON.stringify(value, null, 2) : '');

export function advancedOf(channel: ConfiguredChannel | null): Advanced {
  const config = channel?.kind === 'webhook' ? channel.config : null;
  const { type = 'standard', ...given } = (config?.signature ?? {}) as Fields;
  return {
    filter: toText(channel?.filter),
    body: config?.body ?? 'standard',
    template: toText(config?.template),
    signature: { type, ...given },
  };
}

/** The object in a text; null if it is empty, undefined if it has none. */
export function objectOf(text: string): Json | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function templateOf({ body, template }: Advanced, before: Advanced): Json | null {
  const now = WITHOUT_TEMPLATE.includes(body) ? null : (objectOf(template) ?? null);
  return now && patchBetween(objectOf(before.template) ?? {}, now);
}

export const isValid = ({ filter, template }: Advanced) =>
  objectOf(filter) !== undefined && objectOf(template) !== undefined;

/** The signature in the API's form. What another type had becomes null, and an empty secret stays what it was. */
function signatureOf({ type = 'standard', ...given }: Fields, before: unknown): Json | null {
  const own: readonly string[] = SIGNATURE_FIELDS[type as SignatureType];
  const isDefault = type === 'standard' && !Object.values(given).some(Boolean);
  if (isDefault && !before) return null;
  return {
    type,
    ...Object.fromEntries(
      ALL_SIGNATURE_FIELDS.map((name) => [name, (own.includes(name) && given[name]) || null]),
    ),
    ...(given.secret && type !== 'none' && { secret: given.secret }),
  };
}

/** What was changed of the config, in the API's form. */
export function configOf(value: Advanced, channel: ConfiguredChannel | null): Json {
  const before = advancedOf(channel);
  const { body, signature } = value;
  const isChanged = (name: keyof Advanced) => JSON.stringify(value[name]) !== JSON.stringify(before[name]);
  const stored = channel?.kind === 'webhook' ? channel.config.signature : null;
  return {
    ...(isChanged('body') && { body }),
    ...((isChanged('template') || isChanged('body')) && { template: templateOf(value, before) }),
    ...(isChanged('signature') && { signature: signatureOf(signature, stored) }),
  };
}

/** What was changed, in the API's form: fields of the channel, and those of its config. */
export function changesOf(
  value: Advanced,
  channel: ConfiguredChannel | null,
): { readonly own: Json; readonly config: Json } {
  const isFiltered = value.filter !== advancedOf(channel).filter;
  return { own: isFiltered ? { filter: objectOf(value.filter) } : {}, config: configOf(value, channel) };
}
