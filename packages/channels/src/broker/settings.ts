import { checked, isJsonObject, type JsonObject, type JsonValue } from '@postrider/domain';
import type { Delivery } from '../sender.ts';

/** A path in double braces, as in Liquid; no other Liquid syntax is supported. */
const PATH = /\{\{\s*([a-z_]+(?:\.[\w-]+){0,8})\s*\}\}/gi;
const ROOTS = new Set(['event_key', 'message_id', 'delivery_run_id', 'ordering_key', 'recipient', 'payload']);

/** Text for the descriptions of settings in the OpenAPI document. */
export const PATHS_DESCRIPTION =
  'It may contain `{{ event_key }}`, `{{ message_id }}`, `{{ delivery_run_id }}`, `{{ ordering_key }}`, and fields such as ' +
  '`{{ recipient.id }}` and `{{ payload.country }}`; missing fields are empty.';

/** Issues of a text with paths in braces. */
export const pathIssues = checked((value) => {
  const unknown = [...value.matchAll(PATH)]
    .map(([, name = '']) => name)
    .find((name) => {
      const [root = '', ...fields] = name.split('.');
      const hasFields = root === 'recipient' || root === 'payload';
      return !ROOTS.has(root) || fields.length > 0 !== hasFields;
    });
  if (unknown !== undefined) {
    return `must not name ${unknown}: there are event_key, message_id, delivery_run_id, ordering_key, recipient.… and payload.…`;
  }
  const isPlain = !/[{}]/.test(value.replace(PATH, ''));
  return isPlain ? null : 'must name values as {{ payload.country }}, without filters and tags';
});

type Named = Pick<Delivery<unknown>, 'ids' | 'message'>;

const valuesOf = ({ ids, message }: Named): JsonObject => ({
  event_key: message.eventKey,
  message_id: ids.message,
  delivery_run_id: ids.run,
  ordering_key: message.orderingKey ?? null,
  recipient: message.recipient,
  payload: message.payload,
});

function textAt(values: JsonObject, name: string): string {
  const [root = '', ...fields] = name.split('.');
  const value = [root, ...fields].reduce<JsonValue | undefined>(
    (at, field) => (at !== undefined && isJsonObject(at) && Object.hasOwn(at, field) ? at[field] : undefined),
    values,
  );
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : '';
}

/** Replaces the paths with the values of a delivery. Braces inside the values are unchanged. */
export function fillPaths(text: string, delivery: Named): string {
  // Once for all paths, because each access to the payload parses it.
  let values: JsonObject | undefined;
  return text.replace(PATH, (_whole, name: string) => {
    values ??= valuesOf(delivery);
    return textAt(values, name);
  });
}
