import { listMessages, type MessageFilter, type Queryable } from '@postrider/db';
import { ok, type Reply } from '../http/reply.ts';
import { formatCursor } from '../paging/cursor.ts';
import { fieldsToOmit, presentMessage } from './present.ts';

export interface MessagePageQuery {
  readonly environmentId: string;
  readonly filter: MessageFilter;
  readonly after: string | null;
  readonly limit: number;
  /** The fields to show; undefined for all of them. */
  readonly fields: ReadonlySet<string> | undefined;
}

/** Answers with a page of an environment's messages. Large fields that are not shown are not read. */
export async function messagePage(db: Queryable, { fields, ...query }: MessagePageQuery): Promise<Reply> {
  const page = await listMessages(db, { ...query, omit: fieldsToOmit(fields) });
  return ok({
    data: page.messages.map((message) => presentMessage(message, fields)),
    has_more: page.nextAfter !== null,
    next_cursor: page.nextAfter && formatCursor(page.nextAfter),
  });
}
