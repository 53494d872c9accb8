import {
  type AttemptErrorCode,
  type ChannelKind,
  formatId,
  formatTime,
  type JsonObject,
  type MessageStatus,
  parseId,
  parseTimestamp,
  type RunStatus,
} from '@postrider/domain';
import type { MessageFilter } from '../read/message-search.ts';

/** A filter as the API takes and shows it, and as it is stored. */
export interface PresentedFilter {
  readonly event_key?: string;
  readonly status?: MessageStatus;
  readonly recipient_email?: string;
  readonly created_after?: string;
  readonly created_before?: string;
  readonly run_status?: RunStatus;
  readonly channel_id?: string;
  readonly channel_kind?: ChannelKind;
  readonly error_code?: AttemptErrorCode;
}

/** What the search understands; the filter must be valid. */
export function toMessageFilter(filter: PresentedFilter): MessageFilter {
  const time = (text: string | undefined) =>
    text === undefined ? undefined : (parseTimestamp(text) ?? undefined);
  return {
    eventKey: filter.event_key,
    status: filter.status,
    recipientEmail: filter.recipient_email,
    createdAfter: time(filter.created_after),
    createdBefore: time(filter.created_before),
    runStatus: filter.run_status,
    channelId: filter.channel_id === undefined ? undefined : (parseId('chn', filter.channel_id) ?? undefined),
    channelKind: filter.channel_kind,
    errorCode: filter.error_code,
  };
}

/** The filter as {@link toMessageFilter} takes it; what is not asked for is left out. */
export function presentFilter(filter: MessageFilter): JsonObject {
  const fields = {
    event_key: filter.eventKey,
    status: filter.status,
    recipient_email: filter.recipientEmail,
    created_after: filter.createdAfter && formatTime(filter.createdAfter),
    created_before: filter.createdBefore && formatTime(filter.createdBefore),
    run_status: filter.runStatus,
    channel_id: filter.channelId && formatId('chn', filter.channelId),
    channel_kind: filter.channelKind,
    error_code: filter.errorCode,
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
