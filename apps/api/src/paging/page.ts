import type { Page } from '@postrider/db';
import type { JsonObject } from '@postrider/domain';

/** The body of every list: `{data, has_more, next_cursor}` (docs/specification.md, "Lists"). */
export function presentPage<Row>(
  { rows, nextAfter }: Page<Row>,
  present: (row: Row) => JsonObject,
  formatCursor: (key: string) => string,
): JsonObject {
  return {
    data: rows.map(present),
    has_more: nextAfter !== null,
    next_cursor: nextAfter && formatCursor(nextAfter),
  };
}
