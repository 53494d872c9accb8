import { type Database, type Queryable, readInEnvironments, readOwnedBatch } from '@postrider/db';
import { parseId } from '@postrider/domain';
import type { Identified, Stage } from './stage.ts';

type Owned = { readonly consumerId: string | null } | null;
type Find = (db: Queryable, environmentId: string, text: string) => Promise<Owned>;

const OWNER = { consumerId: true } as const;

/** How the consumer that owns what a path names is found, by the name of the parameter. */
const FIND_OWNER: Readonly<Record<string, Find>> = {
  consumer: async (_db, _environmentId, consumerId) => ({ consumerId }),
  async channelId(db, environmentId, text) {
    const id = parseId('chn', text);
    return id === null
      ? null
      : db.channel.findFirst({ where: { id, environmentId, deletedAt: null }, select: OWNER });
  },
  async deliveryRunId(db, environmentId, text) {
    const id = parseId('run', text);
    const run =
      id && (await db.deliveryRun.findFirst({ where: { id, environmentId }, select: { channelId: true } }));
    return run
      ? db.channel.findFirst({ where: { id: run.channelId, deletedAt: null }, select: OWNER })
      : null;
  },
  async replayId(db, environmentId, text) {
    const id = parseId('rpb', text);
    return id === null ? null : readOwnedBatch(db, { id, environmentId });
  },
};

/** What the paths of operations for consumers name that every consumer may read. */
const SHARED: ReadonlySet<string> = new Set(['eventKey']);

/**
 * For a caller of one consumer: empties each id in the path that is not of its own consumer. The empty text is no id, so that the
 * operation answers exactly as for one that does not exist. A parameter that nothing is known about is emptied, too.
 */
export function createHideOthers({ db }: { readonly db: Database }): Stage<Identified, Identified> {
  return async (request) => {
    const { consumerId, params, snapshot } = request;
    if (consumerId === null) return { passed: request };
    const environmentId = snapshot.environment.id;
    const own = await readInEnvironments(db, [environmentId], async (tx) => {
      const visible: Record<string, string> = {};
      for (const [name, text] of Object.entries(params)) {
        const owned =
          SHARED.has(name) || (await FIND_OWNER[name]?.(tx, environmentId, text))?.consumerId === consumerId;
        visible[name] = owned ? text : '';
      }
      return visible;
    });
    return { passed: { ...request, params: own } };
  };
}
