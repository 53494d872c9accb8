import {
  type Creation,
  draftRuns,
  type EventToAccept,
  type IngestOutcome,
  type PlannedRun,
} from '../src/index.ts';
import { type Fixture, type TestEventInput, testEvent } from '../src/testing/index.ts';

export const WEBHOOK = {
  kind: 'webhook',
  name: 'hook',
  config: { url: 'http://127.0.0.1:9/hook' },
} as const;

/** Replaces the severities in errors of PostgreSQL, as another language would. The untranslated field, which the driver drops, stays. */
export const translateSeverities = (chunk: Buffer): Buffer =>
  Buffer.from(
    chunk.toString('latin1').replaceAll('SERROR\0', 'SRRORE\0').replaceAll('SFATAL\0', 'SATALF\0'),
    'latin1',
  );

/** The plan of one run per webhook channel of the fixture. */
export function plannedRuns(fixture: Fixture, maxAttempts = 3): PlannedRun[] {
  return fixture.channels.map(({ id }) => ({
    channel: { id, kind: 'webhook', name: 'hook' },
    templateVersionId: null,
    maxAttempts,
  }));
}

/** An event for the fixture's environment; every call has a key of its own unless told otherwise. */
export function eventFor(fixture: Fixture, changes: Partial<TestEventInput> = {}): EventToAccept {
  return testEvent(fixture, { runs: plannedRuns(fixture), ...changes });
}

/** A replay of a message of the fixture's environment, with an Idempotency-Key where one is given. */
export function replayFor(fixture: Fixture, messageId: string, key: string | null = null): Creation {
  const { tenantId, environmentId } = fixture;
  const drafted = draftRuns(plannedRuns(fixture), { now: new Date(), messageId });
  const response =
    key === null
      ? null
      : {
          environmentId,
          operation: 'messages.replay' as const,
          key,
          fingerprint: new Uint8Array(32),
          status: 201,
          body: Buffer.from(drafted.runs.map(({ id }) => id).join()),
        };
  return { ...drafted, tenantId, environmentId, response };
}

export type Accepted = Extract<IngestOutcome, { outcome: 'accepted' }>;

export function accepted(outcome: IngestOutcome): Accepted {
  if (outcome.outcome !== 'accepted') throw new Error(`expected an acceptance, got ${outcome.outcome}`);
  return outcome;
}

/** The id of the only run that an acceptance made. */
export function onlyRun(outcome: IngestOutcome): string {
  const [run] = accepted(outcome).wakeUps;
  if (!run) throw new Error('the acceptance made no run');
  return run.runId;
}
