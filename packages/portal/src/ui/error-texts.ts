import type { CallError } from '../api/session.ts';
import type { Texts } from '../locales/en.ts';
import type { Language } from './i18n.ts';

type Detail = CallError['details'][number];

/** A problem of a field for readers. `original` is the service's own text, in English, where it says more. */
interface DetailText {
  /** The field of the form; null if it is none. */
  readonly label: string | null;
  /** Where in it; the whole path without a field. */
  readonly within: string;
  readonly text: string;
  readonly original: string | null;
}

/** The longest of these that begins a path names the field. */
const labelsOf = (t: Texts): Readonly<Record<string, string>> => ({
  '/name': t.endpoints.name,
  '/event_keys': t.form.others,
  '/config/url': t.form.url,
  '/filter': t.advanced.filter,
  '/config/body': t.advanced.body,
  '/config/template': t.advanced.template,
  '/config/signature': t.advanced.signature,
  '/config/signature/secret': t.advanced.secret,
  ...Object.fromEntries(
    Object.entries(t.advanced.fields).map(([name, label]) => [`/config/signature/${name}`, label]),
  ),
  '/filter/created_after': t.replay.since,
  '/channels': t.deliveries.endpoint,
  '/event_key': t.events.key,
  '/overlap_seconds': t.secret.overlap,
});

/** Refusals for which the service has one code, by the words in which it says them. */
const CONFLICTS = [
  [/ still signs until /, 'overlap'],
  [/cannot be replayed/, 'notReplayable'],
  [/data was erased/, 'erased'],
  [/bulk replay/, 'replays'],
] as const satisfies readonly (readonly [RegExp, keyof Texts['errors']['conflicts']])[];

/** What was refused and why, in the reader's language. `original` is the service's own text if there is none, or it says more. */
export function errorText(
  { status, code, message }: CallError,
  t: Texts,
): { readonly title: string; readonly original: string | null } {
  if (code === 'conflict' && / has at most \d+ channels\.$/.test(message))
    return { title: t.endpoints.limitReached, original: null };
  const [, conflict] = (code === 'conflict' && CONFLICTS.find(([pattern]) => pattern.test(message))) || [];
  if (conflict) return { title: t.errors.conflicts[conflict], original: null };
  const codes: Readonly<Record<string, string>> = t.errors.codes;
  const statuses: Readonly<Record<number, string>> = t.errors.statuses;
  const title = codes[code] ?? statuses[status >= 500 ? 503 : status];
  if (title === undefined) return { title: message, original: null };
  return { title, original: code === 'conflict' ? message : null };
}

/** What a message of the service says in numbers and lists, by the texts that repeat it. */
const SENTENCES = [
  [/^must NOT have more than (\d+) characters$/, 'longest'],
  [/^must be an (?:absolute http or )?https URL/, 'url'],
  [/^must not contain (?:a user name|a fragment|spaces)/, 'plainUrl'],
  [/ is not public, and /, 'publicAddress'],
  [/^is (?:not the name of a|a reserved) header$/, 'headerName'],
  [/^must contain (\{\w+\})$/, 'contains'],
] as const satisfies readonly (readonly [RegExp, keyof Texts['errors']['sentences']])[];

/** Says in the reader's language what is wrong with a field. */
export function detailText({ path, code, message }: Detail, { t, tag }: Language): DetailText {
  const labels = labelsOf(t);
  const at = Object.keys(labels)
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .sort((one, other) => other.length - one.length)[0];
  const field = {
    label: at === undefined ? null : (labels[at] ?? null),
    within: path.slice((at ?? '').length),
  };
  const [sentence] = SENTENCES.flatMap(([pattern, name]) => {
    const match = pattern.exec(message);
    return match ? [t.errors.sentences[name](match[1] ?? '')] : [];
  });
  if (sentence !== undefined) return { ...field, text: sentence, original: null };
  const codes: Readonly<Record<string, string>> = t.errors.details;
  const isKnown = Object.hasOwn(codes, code);
  const isExact = isKnown && code !== 'invalid_template';
  if (tag === 'en' && !isExact) return { ...field, text: message, original: null };
  return { ...field, text: codes[code] ?? t.errors.details.other, original: isExact ? null : message };
}
