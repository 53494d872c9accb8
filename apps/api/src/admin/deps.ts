import type { Database } from '@postrider/db';
import type { IdSource, SecretBox } from '@postrider/domain';
import type { EnqueueRuns } from '@postrider/queue';

/** What the operations of the management API work with. */
export interface AdminDeps {
  readonly db: Database;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  /** Best effort: the rows are the outbox. */
  readonly enqueue: EnqueueRuns;
}
