import { Option } from 'commander';

/** Removes a value: null in the API, which commander cannot represent. */
export const NONE = 'none';

/** An option whose value is a field of a request. */
export interface FieldOption {
  readonly field: string;
  readonly option: Option;
  /** Whether `none` is null. */
  readonly isNullable: boolean;
}

interface Reading {
  /** By default the option's name. */
  readonly field?: string;
  readonly read?: (text: string) => unknown;
  readonly choices?: readonly string[];
  readonly isNullable?: boolean;
}

/** An option for a field. Without `read` its value is a text. */
export function fieldOption(
  flags: string,
  description: string,
  { field, read, choices, isNullable = false }: Reading = {},
): FieldOption {
  const option = new Option(flags, description);
  if (choices) option.choices(choices);
  if (read) option.argParser((text) => (isNullable && text === NONE ? NONE : read(text)));
  return { field: field ?? option.name().replaceAll('-', '_'), option, isNullable };
}

/** The fields whose options were given. The service checks their values. */
export function fieldsIn<Fields extends object>(fields: readonly FieldOption[], options: object): Fields {
  const values = options as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.flatMap(({ field, option, isNullable }) => {
      const value = values[option.attributeName()];
      return value === undefined ? [] : [[field, isNullable && value === NONE ? null : value]];
    }),
  ) as Fields;
}
