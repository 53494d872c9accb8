import type { UnboundDatabase } from '@postrider/db';
import type { IdSource, SecretBox } from '@postrider/domain';
import type { EnqueueRuns } from '@postrider/queue';
import type { Renderer } from '@postrider/rendering';

/** What the operations of the management API work with. */
export interface AdminDeps {
  /** Operators see all environments, and name most resources by an id alone. */
  readonly db: UnboundDatabase;
  readonly newId: IdSource;
  readonly secretBox: SecretBox;
  /** Compiles, checks and previews templates. */
  readonly renderer: Renderer;
  /** Best effort: the rows are the outbox. */
  readonly enqueue: EnqueueRuns;
}
