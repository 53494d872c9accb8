import { formatId } from '@postrider/domain';
import { type AdminRequest, idOf } from '../operation.ts';

/** The message that the path names, noted for the log; null when it cannot be one. */
export function messagePlaceOf(request: AdminRequest): { environmentId: string; messageId: string } | null {
  const environmentId = idOf(request, 'env', 'environmentId');
  const messageId = idOf(request, 'msg', 'messageId');
  if (environmentId === null || messageId === null) return null;
  request.facts.message_id = formatId('msg', messageId);
  return { environmentId, messageId };
}
