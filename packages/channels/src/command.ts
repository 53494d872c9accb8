/** An option of a command of the command line. */
export interface CommandOption {
  /** As commander reads them, such as `--url <url>`; the value's name is the camel case of the flag. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  /** Reads the value; throws an Error that says what it must be. `before` is set when the option is repeated. */
  parse?(text: string, before: unknown): unknown;
}

/** The values of the options that were given, by name. */
export type OptionValues = Readonly<Record<string, unknown>>;

/** What a command reads besides its options. Each function throws when there is nothing to read. */
export interface CommandIo {
  /** A secret, which others could see as an argument: from the environment variable of this name, or stdin. */
  readSecret(source: 'env' | 'stdin', variable: string): Promise<string>;
  /** The text of a file; `-` is stdin. */
  readText(path: string): Promise<string>;
  /** The JSON object in a file; `-` is stdin. */
  readJson(path: string): Promise<Record<string, unknown>>;
}

/** A command that creates something of a kind: its options, and the fields of the request that they make. */
export interface CreateCommand {
  readonly description: string;
  readonly options: readonly CommandOption[];
  /** Lines of a command and what it is for. */
  readonly examples: readonly (readonly [command: string, purpose: string])[];
  /** The fields of the request; undefined leaves one out. */
  fieldsOf(options: OptionValues, io: CommandIo): Promise<Record<string, unknown>>;
}

/** The value that removes a field; the API's null, which commander cannot hold. */
export const NONE = 'none';

/** An option's value as the API takes it: null for `none`, undefined when it was left out. */
export const orNull = (value: unknown): unknown => (value === NONE ? null : value);

/** The fields that were given, or undefined when none was. */
export function part(fields: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** Reads a whole number of at most 15 digits. */
export function parseWholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error('It must be a whole number.');
  return Number(text);
}
