import { createUuidV7Source } from '@postrider/domain';
import { acrossEnvironments, deleteConsumer, openDatabase } from '../src/index.ts';
import { actorNamed, testKinds } from '../src/testing/index.ts';

/** A process that deletes a consumer: the URL of the database, its environment and its id. */
const [, , url = '', environmentId = '', id = ''] = process.argv;
const db = acrossEnvironments(openDatabase(url));
const deps = { db, newId: createUuidV7Source(), actor: actorNamed('test'), kinds: testKinds };
await deleteConsumer(deps, { environmentId, id });
