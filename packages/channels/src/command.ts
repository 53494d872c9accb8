export interface CommandOption {
  /** Commander's flags, such as `--url <url>`. The name of the value is the camel case of the flag. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  /** Parses the value. Throws an Error that says what the value must be. `before` is set if the option is repeated. */
  parse?(text: string, before: unknown): unknown;
}

/** The given option values, by name. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** Input of a command besides its options. Each function throws if there is nothing to read. */
export interface CommandIo {
  /**
   * Reads a secret from the environment variable of this name or from stdin, because others could see it as an
   * argument.
   */
  readSecret(source: 'env' | 'stdin', variable: string): Promise<string>;
  /** The text of a file; `-` is stdin. */
  readText(path: string): Promise<string>;
  /** The JSON object in a file; `-` is stdin. */
  readJson(path: string): Promise<Record<string, unknown>>;
}

/** A command that creates something: its options, and the request fields that they make. */
export interface CreateCommand {
  readonly description: string;
  readonly options: readonly CommandOption[];
  /** Example lines with their purpose. */
  readonly examples: readonly (readonly [command: string, purpose: string])[];
  /** The request's fields, undefined if no option was given; an undefined field is left out. */
  fieldsOf(options: OptionValues, io: CommandIo): Promise<Record<string, unknown> | undefined>;
}

/** Reads a secret where an option says that it is: `env` or `stdin`. Undefined if the option names neither. */
export async function readGivenSecret(
  io: CommandIo,
  source: unknown,
  variable: string,
): Promise<string | undefined> {
  return source === 'env' || source === 'stdin' ? io.readSecret(source, variable) : undefined;
}

/** Removes a field: null in the API, which commander cannot represent. */
export const NONE = 'none';

/** The given fields, or undefined if none was given. */
export function part(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Reads a whole number of at most 15 digits. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error('It must be a whole number.');
  return Number(text);
}

/** Parses `Name: value` of an option that is repeated. @param value what follows the colon, such as `a value` */
export const headerParser =
  (value: string) =>
  (line: string, before: unknown): Record<string, string> => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`It must be a name, a colon and ${value}.`);
    const earlier = before as Record<string, string> | undefined;
    return { ...earlier, [line.slice(0, colon).trim()]: line.slice(colon + 1).trim() };
  };
