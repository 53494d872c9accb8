import type { Attack } from '../attack.ts';
import { AUTHOR_ATTACKS } from './authors.ts';
import { BROKER_ATTACKS } from './brokers.ts';
import { CONNECTION_ATTACKS } from './connections.ts';
import { DOCUMENT_ATTACKS } from './documents.ts';
import { FEEDBACK_ATTACKS } from './feedback.ts';
import { FIGURES } from './figures.ts';
import { LARGE_LISTS } from './large-lists.ts';
import { LARGE_READS } from './large-reads.ts';
import { MAIL_SERVER_ATTACKS } from './mail-servers.ts';
import { RECEIVER_ATTACKS } from './receivers.ts';
import { SMUGGLING } from './smuggling.ts';
import { STREAM_ATTACKS } from './streams.ts';
import { TEMPLATE_ATTACKS } from './templates.ts';

/** Every attack, in the order in which they are run. */
export const ATTACKS: readonly Attack[] = [
  SMUGGLING,
  ...CONNECTION_ATTACKS,
  LARGE_LISTS,
  ...STREAM_ATTACKS,
  ...LARGE_READS,
  ...DOCUMENT_ATTACKS,
  ...FEEDBACK_ATTACKS,
  ...TEMPLATE_ATTACKS,
  ...AUTHOR_ATTACKS,
  ...RECEIVER_ATTACKS,
  ...MAIL_SERVER_ATTACKS,
  FIGURES,
  ...BROKER_ATTACKS,
];
