import { type BodyOf, fields, type Schema, type Schemas } from '@postrider/domain';

export type { BodyOf, Schema, Schemas };

/** The schemas of fields. */
export const { closedObject, count, flag, id, idPattern, limit, list, nullable, oneOf, openObject } = fields;
export const { option, optionalTime, ordinal, text, time, wholeNumber } = fields;

/** `New webhook channel` or `new_webhook_channel` as `NewWebhookChannel`. */
export const pascalCase = (text: string) =>
  text.replace(/(?:^|[ _-])(\w)/g, (_match, letter) => letter.toUpperCase());

/** A schema under `#/components/schemas`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema with a title: the document has it under `#/components/schemas` by that name. */
export const titled = <Titled extends Schema>(title: string, schema: Titled) => ({ ...schema, title });

/** An object with exactly these properties, all required. */
export function record(description: string, properties: Schemas): Schema {
  return { type: 'object', description, required: Object.keys(properties), properties };
}

/** The fields of a page that lead to the next one. */
export const NEXT_PAGE: Schemas = {
  has_more: flag('Whether there are more matches.'),
  next_cursor: nullable(text('Pass it as `cursor` to get the next page; null on the last one.')),
};

/** A page of a list (docs/specification.md, "Lists"); `entry` is the schema of an entry, or the name of one. */
export function pageOf(entry: string | Schema, description: string, more: Schemas = {}): Schema {
  return record(description, {
    data: list(typeof entry === 'string' ? ref(entry) : entry),
    ...NEXT_PAGE,
    ...more,
  });
}

/** The body of a list that examines a bounded number of entries for each page. */
export const searchedPageOf = (entry: string | Schema, description: string): Schema =>
  pageOf(entry, description, {
    searched_back_to: optionalTime(
      'The time of the oldest message that was examined, if the search stopped there: with `next_cursor` it continues. Otherwise null.',
    ),
  });

/** The schema of a time, which can be null or left out. */
export const timeOrNull = (description: string) =>
  ({ type: ['string', 'null'], format: 'date-time', default: null, description }) as const;
