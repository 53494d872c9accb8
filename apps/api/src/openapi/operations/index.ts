import type { OperationDoc } from '../operation-doc.ts';
import { GET_LIMITS, GET_USAGE } from './account.ts';
import { CANCEL_DELIVERY_RUN } from './delivery-runs.ts';
import { CREATE_EVENT } from './events.ts';
import { GET_DELIVERIES, GET_MESSAGE, LIST_MESSAGES, REPLAY_MESSAGE } from './messages.ts';

/** Every protected operation, in the order of the page. */
export const OPERATION_DOCS: readonly OperationDoc[] = [
  CREATE_EVENT,
  LIST_MESSAGES,
  GET_MESSAGE,
  GET_DELIVERIES,
  REPLAY_MESSAGE,
  CANCEL_DELIVERY_RUN,
  GET_USAGE,
  GET_LIMITS,
];
