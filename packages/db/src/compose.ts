import { Prisma } from './generated/client.ts';

/**
 * Text of SQL with named parameters, written as in `defineStatement` by {@link sql}. It never has a value in it. It is an object, so
 * that a string is never taken for one.
 */
export class SqlText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

function textOf(inserted: SqlText | Prisma.Sql | number): string {
  if (typeof inserted === 'number') return String(inserted);
  if (inserted instanceof SqlText) return inserted.text;
  if (inserted.values.length > 0) throw new TypeError('a text of SQL has no values');
  return inserted.sql;
}

/** Writes a {@link SqlText}. Only numbers, other such texts and constants without values can be inserted. */
export const sql = (
  parts: TemplateStringsArray,
  ...inserted: readonly (SqlText | Prisma.Sql | number)[]
): SqlText => new SqlText(String.raw({ raw: parts }, ...inserted.map(textOf)));

/** Joins texts, with a comma by default. */
export const joined = (parts: readonly SqlText[], separator = ', '): SqlText =>
  new SqlText(parts.map(textOf).join(separator));

/** A colon and the name of a parameter, but not the type of a cast. */
const PARAMETER = /(?<!:):([a-z]\w*)/;

/**
 * A statement whose text depends on its input, such as the filters of a list, with the values of its parameters by their names.
 * A value that the text does not use is left out.
 * @throws TypeError if a parameter has no value
 */
export function compose({ text }: SqlText, values: Readonly<Record<string, unknown>>): Prisma.Sql {
  // The texts between the parameters and the names of these alternate.
  const parts = text.split(PARAMETER);
  const names = parts.filter((_, index) => index % 2 === 1);
  const missing = names.find((name) => values[name] === undefined);
  if (missing !== undefined) throw new TypeError(`no value for parameter ${missing}`);
  return new Prisma.Sql(
    parts.filter((_, index) => index % 2 === 0),
    names.map((name) => values[name]),
  );
}
