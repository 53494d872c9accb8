import { NONE } from '@postrider/channels';
import { Option } from 'commander';
import type { Io } from './io.ts';

/** An option whose value is a field of a request. */
export interface FieldOption {
  readonly field: string;
  readonly option: Option;
  /** Whether `none` is null. */
  readonly isNullable: boolean;
  /** Reads the field from the file that the option names; `-` is stdin. */
  readonly load?: ((io: Io, path: string) => Promise<unknown>) | undefined;
}

interface Reading extends Pick<FieldOption, 'load'> {
  /** By default the option's name. */
  readonly field?: string;
  readonly read?: (text: string) => unknown;
  readonly choices?: readonly string[];
  readonly isNullable?: boolean;
  readonly isRequired?: boolean;
}

/** An option for a field. Without `read` its value is a text. */
export function fieldOption(
  flags: string,
  description: string,
  { field, read, choices, load, isNullable = false, isRequired = false }: Reading = {},
): FieldOption {
  const option = new Option(flags, description).makeOptionMandatory(isRequired);
  if (choices) option.choices(choices);
  if (read) option.argParser((text) => (isNullable && text === NONE ? NONE : read(text)));
  return { field: field ?? option.name().replaceAll('-', '_'), option, isNullable, load };
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

/** Like {@link fieldsIn}, with the content of files. */
export async function loadFields(io: Io, fields: readonly FieldOption[], options: object) {
  const found = fieldsIn<Record<string, unknown>>(fields, options);
  for (const { field, load } of fields)
    if (load && field in found) found[field] = await load(io, found[field] as string);
  return found;
}
