import { parseId } from '@postrider/domain';
import type { Identified } from '../pipeline/stage.ts';

/** The UUID that the path's `messageId` names, null when it names none; noted for the log. */
export function messageIdOf({ http, context }: Identified): string | null {
  const text = String(http.params.messageId);
  const id = parseId('msg', text);
  if (id !== null) context.facts.message_id = text;
  return id;
}
