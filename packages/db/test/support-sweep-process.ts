import { createUuidV7Source } from '@postrider/domain';
import { acrossEnvironments, endRunsOfDeletedChannels, openDatabase } from '../src/index.ts';

/** A process that ends the runs of deleted channels in small batches, and prints how many, until it is killed. */
const db = acrossEnvironments(openDatabase(process.argv[2] ?? ''));
for (;;) {
  const ended = await endRunsOfDeletedChannels({ db, newId: createUuidV7Source() }, 20);
  process.stdout.write(`${ended}\n`);
}
