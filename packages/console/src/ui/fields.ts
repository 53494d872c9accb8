import { PostriderApiError } from '@postrider/client';
import { getAt, isObject, type Json, setAt } from './json.ts';

export { getAt, isObject, type Json, setAt } from './json.ts';

type Choice = readonly [value: string, text: string];

/** A field of a form: which part of a JSON object it edits, and how. */
export interface Field {
  /** The names of the part, separated by dots, such as `config.smtp.host`. */
  readonly at: string;
  readonly label: string;
  readonly hint?: string;
  /**
   * `text` by default. `words` is a list of texts or, with `numeric`, numbers. `pairs` is an object of texts, `secrets`
   * one whose values are never shown, `json` any value. `several` is a choice of several options, `list` a list of
   * objects with the fields `item`.
   */
  readonly kind?:
    | ('text' | 'email' | 'number' | 'check' | 'choice' | 'moment' | 'long')
    | ('words' | 'several' | 'pairs' | 'secrets' | 'json' | 'list');
  /** Stored encrypted and never shown: not kept in drafts either. */
  readonly secret?: true;
  /** Can contain secrets that no field names: not kept in drafts. */
  readonly mayHoldSecrets?: true;
  readonly required?: true;
  readonly numeric?: true;
  readonly placeholder?: string;
  /** What the service uses without a value; only for `check` and `several`. */
  readonly usual?: true | readonly string[];
  readonly options?: readonly Choice[];
  /** How many units of the API one unit of the form has, such as 3,600 for hours of a field in seconds. */
  readonly per?: number;
  /** The text of the empty choice. Choosing it removes the part `clears`, which contains this one. */
  readonly none?: string;
  readonly clears?: string;
  readonly item?: FormShape;
  /** Whether the field applies to a value. Where it does not, its part is removed, or kept if it always has a value. */
  readonly when?: (value: Json) => boolean;
  readonly isKept?: true;
}

type More = Omit<Partial<Field>, 'at' | 'label' | 'kind' | 'options'>;

/** Makes fields of one kind: `number('port', 'Port')`. */
const ofKind =
  (kind: Field['kind'], always: More = {}) =>
  (at: string, label: string, more: More = {}): Field => ({ at, label, kind, ...always, ...more });

export const text = ofKind('text');
export const email = ofKind('email');
export const number = ofKind('number');
export const check = ofKind('check');
export const moment = ofKind('moment');
export const long = ofKind('long');
export const words = ofKind('words');
export const pairs = ofKind('pairs');
export const secrets = ofKind('secrets');
export const json = ofKind('json');
/** A text that is stored encrypted and never shown. */
export const secret = ofKind('text', { secret: true });

/** Makes fields that choose among options, which are texts by their values. */
const among =
  (kind: Field['kind']) =>
  (
    at: string,
    label: string,
    { options, ...more }: More & { readonly options: Readonly<Record<string, string>> },
  ): Field => ({ at, label, kind, options: Object.entries(options), ...more });

export const choice = among('choice');
export const several = among('several');

export interface Group {
  readonly title: string;
  readonly about?: string;
  readonly fields: readonly Field[];
}

/** The fields of a form: those that everybody fills in, and those that are hidden at first. */
export interface FormShape {
  readonly first: readonly Field[];
  readonly advanced: readonly Group[];
}

const allFields = ({ first, advanced }: FormShape): readonly Field[] => [
  ...first,
  ...advanced.flatMap(({ fields }) => fields),
];

export const isShown = ({ when }: Field, value: Json): boolean => when?.(value) ?? true;

/** A value without the parts whose fields do not apply to it. */
export function withoutHidden(shape: FormShape, value: Json): Json {
  const fields = allFields(shape);
  const shown = new Set(fields.filter((field) => isShown(field, value)).map(({ at }) => at));
  const kept = fields
    .filter(({ at, isKept }) => !isKept && !shown.has(at) && getAt(value, at) !== undefined)
    .reduce((rest, { at }) => setAt(rest, at, undefined), value);
  return fields
    .filter(({ kind, at }) => kind === 'list' && Array.isArray(getAt(kept, at)))
    .reduce((rest, { at, item }) => {
      const items = getAt(rest, at) as readonly Json[];
      return item
        ? setAt(
            rest,
            at,
            items.map((each) => withoutHidden(item, each)),
          )
        : rest;
    }, kept);
}

/** The user name and password in an address. */
const USER_INFO = /^(\s*[a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/** A value without its secrets, for a draft. */
export function withoutSecrets(shape: FormShape, value: Json): Json {
  return allFields(shape).reduce((rest, { at, kind, secret, mayHoldSecrets, item }) => {
    const part = getAt(rest, at);
    if (part === undefined) return rest;
    if (secret || mayHoldSecrets) return setAt(rest, at, undefined);
    if (typeof part === 'string') return setAt(rest, at, part.replace(USER_INFO, '$1'));
    if (kind === 'secrets' && isObject(part))
      return setAt(rest, at, Object.fromEntries(Object.entries(part).filter(([, each]) => each === true)));
    if (item && Array.isArray(part))
      return setAt(
        rest,
        at,
        part.map((each) => withoutSecrets(item, each)),
      );
    return rest;
  }, value);
}

/** The errors of fields, by their `at`, and whether others remain that belong to no field. */
export interface FieldErrors {
  readonly byField: ReadonlyMap<string, string>;
  readonly others: boolean;
}

const sentenceOf = (message: string) =>
  message === 'is required' ? 'Fill this in.' : `This ${message.replace(/\.$/, '')}.`;

/** The paths of the fields that are shown, with those of items of lists. */
function pathsOf(shape: FormShape, value: Json, before = ''): readonly string[] {
  return allFields(shape)
    .filter((field) => isShown(field, value))
    .flatMap(({ at, item }) => {
      const items = item ? getAt(value, at) : undefined;
      const inner = Array.isArray(items) && item ? items : [];
      return [
        `${before}${at}`,
        ...inner.flatMap((each: Json, index) =>
          item ? pathsOf(item, each, `${before}${at}.${index}.`) : [],
        ),
      ];
    });
}

const isEmpty = (part: unknown) => part === undefined || part === '';

/** The fields that must be filled in and are not. */
export function missingOf(shape: FormShape, value: Json): ReadonlyMap<string, string> {
  const missing = allFields(shape).filter(
    (field) => field.required && isShown(field, value) && isEmpty(getAt(value, field.at)),
  );
  return new Map(missing.map(({ at }) => [at, sentenceOf('is required')]));
}

/** Assigns the details of an error of the API to the fields that they are about. */
export function errorsOf(shape: FormShape, value: Json, error: unknown): FieldErrors {
  const byField = new Map<string, string>();
  if (!(error instanceof PostriderApiError)) return { byField, others: Boolean(error) };
  const paths = [...pathsOf(shape, value)].sort((a, b) => b.length - a.length);
  let others = error.details.length === 0;
  for (const { path, message } of error.details) {
    const pointer = path.slice(1).split('/').join('.').replaceAll('~1', '/').replaceAll('~0', '~');
    const at = paths.find((each) => pointer === each || pointer.startsWith(`${each}.`));
    if (at === undefined) others = true;
    else if (!byField.has(at)) byField.set(at, sentenceOf(message));
  }
  return { byField, others };
}
