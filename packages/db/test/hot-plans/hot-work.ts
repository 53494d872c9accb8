import { createHash, randomUUID } from 'node:crypto';
import {
  createUuidV7Source,
  type IdempotencyClaim,
  type IdempotentOperation,
  SERVICE_KINDS,
} from '@postrider/domain';
import { createStoredResponseLookup } from '../../src/accept/idempotency.ts';
import {
  acceptInEnvironment,
  acceptReplay,
  askForRun,
  assignDueSequences,
  cancelRun,
  chainAuditEntries,
  claimRuns as claimRunsOf,
  createIngest,
  deleteChannel,
  deleteExpiredAnswers,
  dispatchOperationalEvents,
  endLostRun,
  endRunsOfDeletedChannels,
  findChannels as findChannelFacts,
  findExpiredLimited,
  findHeldChannels,
  findOpenErasures,
  findOpenReplayBatches,
  findQuarantinedRuns,
  findReleasingChannels,
  findResumedStreams,
  findWaitingRuns,
  foldDeliveryUsage,
  foldStats,
  keepAttention,
  listAuditEntries,
  listMessages,
  markEndedChannels,
  pollChannels,
  readBacklog,
  readDeliveries,
  readMessage,
  recordFeedback,
  refuseRuns,
  releaseExpiredLeases,
  removeExpiredMessages,
  removeOldConsumerUsage,
  removeOldStats,
  replayPage,
  reportQuotaThresholds,
  settleHealth,
  settleOrder,
  storeResponse,
} from '../../src/index.ts';
import { loadEnvironment, loadTokens } from '../../src/snapshot/load.ts';
import type { Fixture } from '../../src/testing/index.ts';
import { createOwnerFinish, createTestKeys, SUCCEEDED, testKinds } from '../../src/testing/index.ts';
import { actor, ask, work } from '../erasures/support.ts';
import { reported } from '../feedback/support.ts';
import { createBatch, pageDeps } from '../replay-batches/support.ts';
import { eventFor, replayFor } from '../support.ts';
import { type GrownDatabase, SHARED_MESSAGE_ID } from './grown-database.ts';

const BATCH = 30;
const newId = createUuidV7Source();

/** What the service asks often: finds its work in a grown database, and returns what asks for it. */
type HotWork = (grown: GrownDatabase) => Promise<() => Promise<unknown>>;

function environmentOf({ environments }: GrownDatabase): Fixture {
  const [first] = environments;
  if (!first) throw new Error('no environment');
  return first;
}

const runsThatAre = (status: string, grown: GrownDatabase) =>
  grown.db.deliveryRun.findMany({
    where: { status, environmentId: environmentOf(grown).environmentId },
    orderBy: { id: 'asc' },
    take: BATCH,
  });

async function runThatIs(status: string, grown: GrownDatabase) {
  const [run] = await runsThatAre(status, grown);
  if (!run) throw new Error(`no run is ${status}`);
  return { ...run, runId: run.id };
}

const newKey = (operation: IdempotentOperation, grown: GrownDatabase): IdempotencyClaim => ({
  environmentId: environmentOf(grown).environmentId,
  operation,
  key: randomUUID(),
  fingerprint: createHash('sha256').update('').digest(),
});

const ANSWER = { status: 200, body: Buffer.from('{}') };

const accept: HotWork = async ({ db, environments }) => {
  const ingest = createIngest(db);
  const events = environments.flatMap((fixture) =>
    Array.from({ length: BATCH / 3 }, () => eventFor(fixture)),
  );
  return () => Promise.all(events.map(ingest));
};

const findStoredResponses: HotWork = async (grown) => {
  const find = createStoredResponseLookup(grown.db);
  const claims = Array.from({ length: BATCH }, () => newKey('events.create', grown));
  return () => Promise.all(claims.map(find));
};

/** What claims ask for the channels of all environments. */
const asksOf = ({ environments }: GrownDatabase) =>
  environments.flatMap(({ environmentId, channels }) =>
    channels.map(({ id: channelId }) => ({
      ...{ channelId, environmentId, slots: 4, renders: 1, since: null },
      attemptIds: Array.from({ length: 4 }, newId),
    })),
  );

const claimRuns: HotWork = async (grown) => () =>
  claimRunsOf(grown.db, asksOf(grown), { addressHashKey: new Uint8Array(32) });

const claimWithBound: HotWork = async (grown) => {
  const since = new Date(Date.now() - 7_200_000);
  const asks = asksOf(grown).map((ask) => ({ ...ask, since, ahead: 20 }));
  return () => claimRunsOf(grown.db, asks, { addressHashKey: null });
};

const claimOfWebhook: HotWork = async (grown) => {
  const asks = asksOf(grown).slice(0, 1);
  const kinds = SERVICE_KINDS.filter(({ kind }) => kind === 'webhook');
  return () => claimRunsOf(grown.db, asks, { kinds, addressHashKey: null });
};

const refuse: HotWork = async (grown) => {
  const runs = (await runsThatAre('queued', grown)).map(({ id, environmentId }) => ({
    ...{ runId: id, environmentId, attemptId: newId() },
  }));
  return () => refuseRuns(grown.db, runs, { addressHashKey: new Uint8Array(32) });
};

const claimOne: HotWork = async (grown) => {
  const { runId, channelId, environmentId } = await runThatIs('queued', grown);
  const ask = askForRun({ channelId, environmentId }, { runId, attemptId: newId() });
  return () => claimRunsOf(grown.db, [ask], { addressHashKey: null });
};

const finishAttempts: HotWork = async (grown) => {
  const finish = createOwnerFinish(grown.db);
  const runs = await runsThatAre('running', grown);
  return () =>
    Promise.all(
      runs.map(({ id, attemptCount, fence }) =>
        finish({ runId: id, attemptNumber: attemptCount, fence }, SUCCEEDED),
      ),
    );
};

const findRuns: HotWork = async (grown) => {
  const runs = await runsThatAre('queued', grown);
  return () =>
    findWaitingRuns(
      grown.db,
      runs.map(({ id }) => id),
    );
};

const findFacts: HotWork = async (grown) => () =>
  findChannelFacts(
    grown.db,
    asksOf(grown).map(({ channelId }) => channelId),
  );

const poll: HotWork = async (grown) => () =>
  pollChannels(grown.db, { kinds: ['webhook'], without: [], aheadMs: 500, limit: 2_000 });

const list: HotWork = async (grown) => {
  const { environmentId } = environmentOf(grown);
  return () => listMessages(grown.db, { environmentId, filter: {}, after: null, limit: 25 });
};

const read =
  (reader: typeof readMessage | typeof readDeliveries): HotWork =>
  async (grown) => {
    const { environmentId, messageId } = await runThatIs('succeeded', grown);
    return () => reader(grown.db, { environmentId, messageId });
  };

const replay: HotWork = async (grown) => {
  const { messageId } = await runThatIs('failed', grown);
  return () => acceptReplay(grown.db, replayFor(environmentOf(grown), messageId, randomUUID()));
};

const cancel: HotWork = async (grown) => {
  const { environmentId, runId } = await runThatIs('scheduled', grown);
  const idempotency = newKey('delivery-runs.cancel', grown);
  return () =>
    acceptInEnvironment(grown.db, environmentId, async (tx) => {
      const cancelled = await cancelRun(tx, { newId, environmentId, runId });
      await storeResponse(tx, { ...idempotency, ...ANSWER });
      return cancelled;
    });
};

const load: HotWork = async (grown) => {
  const { environmentId } = environmentOf(grown);
  return () => loadEnvironment(grown.db, environmentId);
};

const findTokens: HotWork = async ({ db, environments }) => {
  const hashes = environments.map(({ token }) => createHash('sha256').update(token).digest());
  return () => loadTokens(db, hashes, () => performance.now());
};

const listAudit =
  (filter: Parameters<typeof listAuditEntries>[1]['filter']): HotWork =>
  async ({ db }) =>
  () =>
    listAuditEntries(db, { filter, after: null, limit: 25 });

/** To one channel, so that a page of 250 messages makes fewer than 500 runs. */
const replayMessages: HotWork = async (grown) => {
  const channelIds = environmentOf(grown)
    .channels.slice(0, 1)
    .map(({ id }) => id);
  const open = await grown.db.replayBatch.findFirst({ where: { status: 'pending' }, select: { id: true } });
  const batch = open ?? (await createBatch(grown.db, environmentOf(grown), { channelIds }));
  return () => replayPage(pageDeps(grown.db), batch);
};

const erase: HotWork = async (grown) => {
  const { environmentId } = environmentOf(grown);
  const { recipientEmail } = await grown.db.message.findFirstOrThrow({ where: { environmentId } });
  const erasure = await ask(grown.db, environmentOf(grown), recipientEmail ?? '');
  return () => work(grown.db, erasure);
};

export const HOT_WORK: readonly (readonly [string, HotWork])[] = [
  ['accepting events', accept],
  ['looking for stored answers', findStoredResponses],
  ['claiming runs', claimRuns],
  ['finishing attempts', finishAttempts],
  ['claiming runs from a bound on', claimWithBound],
  ['claiming runs of one channel without addresses', claimOfWebhook],
  ['claiming one run', claimOne],
  ['refusing runs', refuse],
  ['looking for the channels of runs', findRuns],
  ['looking for what is known of channels', findFacts],
  ['polling the channels with work', poll],
  [
    'reading the backlog',
    async ({ db }) =>
      () =>
        readBacklog(db),
  ],
  [
    'releasing leases that have run out',
    async ({ db }) =>
      () =>
        releaseExpiredLeases(db, 100),
  ],
  [
    'looking for runs in quarantine',
    async ({ db }) =>
      () =>
        findQuarantinedRuns(db, { limit: 20, withoutChannels: [] }),
  ],
  [
    'ending a run that ended the process which tried it',
    async (grown) => {
      const { runId } = await runThatIs('running', grown);
      return () => endLostRun(grown.db, { runId, attemptId: newId() });
    },
  ],
  [
    'a report of what a provider calls by the same id as thousands',
    async (grown) => {
      const { environmentId } = environmentOf(grown);
      const event = { ...reported({ runId: newId() }), runId: null, providerMessageId: SHARED_MESSAGE_ID };
      const [channelId, keys] = [newId(), createTestKeys(grown.db)];
      const request = { environmentId, channelId, source: 'ses', onlyRecipient: false, events: [event] };
      return () => recordFeedback({ db: grown.db, newId, keys }, request);
    },
  ],
  [
    'looking for the work of the sweeps of due runs',
    async ({ db }) =>
      async () => {
        await settleOrder(db, BATCH);
        await assignDueSequences(db, BATCH);
        await findHeldChannels(db, { limit: BATCH });
        await findReleasingChannels(db, BATCH);
        await findResumedStreams(db, BATCH);
        await findExpiredLimited(db, { limit: BATCH, after: null });
      },
  ],
  [
    'looking for the work of the other frequent sweeps',
    async ({ db }) =>
      async () => {
        await endRunsOfDeletedChannels({ db, newId }, BATCH);
        await markEndedChannels(db, BATCH);
        await findOpenReplayBatches(db, BATCH);
        await findOpenErasures(db, BATCH);
        await foldStats(db, BATCH);
        await foldDeliveryUsage(db, BATCH);
        await dispatchOperationalEvents({ db }, BATCH);
        await removeExpiredMessages(db);
      },
  ],
  [
    'appending audit entries to the hash chain',
    async ({ db }) =>
      () =>
        chainAuditEntries({ db, key: new Uint8Array(32) }, BATCH),
  ],
  [
    'removing expired answers',
    async ({ db }) =>
      () =>
        deleteExpiredAnswers(db, 500),
  ],
  ['listing messages', list],
  ['reading a message', read(readMessage)],
  ['reading the deliveries of a message', read(readDeliveries)],
  ['replaying a message', replay],
  ['cancelling a run', cancel],
  ['loading an environment', load],
  ['looking for tokens', findTokens],
  [
    'removing old figures',
    async ({ db }) =>
      () =>
        removeOldStats(db, 1_000),
  ],
  [
    'removing the usage of consumers in old months',
    async ({ db }) =>
      () =>
        removeOldConsumerUsage(db, 1_000),
  ],
  [
    'settling the health of channels',
    async ({ db }) =>
      () =>
        settleHealth({ db, newId, kinds: testKinds }, { limit: 200, after: null, onError: () => undefined }),
  ],
  [
    'reporting quota thresholds',
    async ({ db }) =>
      () =>
        reportQuotaThresholds(db),
  ],
  [
    'looking at what needs attention',
    async ({ db }) =>
      () =>
        keepAttention(db, { after: null, freshMs: 0 }),
  ],
  ['listing audit entries by time', listAudit({ createdBefore: new Date(Date.now() - 20 * 86_400_000) })],
  ['listing audit entries by actor', listAudit({ actor: 'ada' })],
  ['listing audit entries by action', listAudit({ action: 'plan.created' })],
  ['listing audit entries by what they are about', listAudit({ resourceType: 'plan' })],
  ['a page of a bulk replay', replayMessages],
  ['a page of an erasure', erase],
  [
    'deleting a channel',
    async (grown) => {
      const { channelId } = await runThatIs('queued', grown);
      return () => deleteChannel({ db: grown.db, newId, actor, kinds: testKinds }, channelId);
    },
  ],
];
