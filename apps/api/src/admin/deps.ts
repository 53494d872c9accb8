import type { Database } from '@postrider/db';
import type { IdSource, SecretBox } from '@postrider/domain';
import type { EnqueueRuns } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';

/** What the operations of the management API work with. */
export interface AdminDeps {
  readonly db: Database;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  /** Compiles, checks and previews templates. */
  readonly renderer: Renderer;
  /** Best effort: the rows are the outbox. */
  readonly enqueue: EnqueueRuns;
}
