import {
  type BrokerCase,
  type BrokerKind,
  brokerCases,
  brokerChannel,
  MISBEHAVIOURS,
  type MisbehavingBroker,
  startMisbehavingBroker,
} from '@postrider/rig';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { deliver, eventOf } from './deliveries.ts';

const EVENT_KEY = 'order.shipped';
/** Shorter than a late answer takes. */
const TIMEOUT_MS = 1_000;
const KINDS = ['amqp', 'kafka', 'sqs'] as const;

const nameOf = ({ step, how }: BrokerCase) => `${step} ${how}`;

function channelOf(one: BrokerCase, { port }: MisbehavingBroker) {
  const { config, credentials } = brokerChannel(one, port);
  return {
    kind: one.kind,
    name: nameOf(one),
    eventKeys: [EVENT_KEY],
    config: { ...config, timeout_ms: TIMEOUT_MS },
    credentials,
    retry: { max_attempts: 1, delays_seconds: [1] },
  };
}

/** Each attempt must have succeeded, or say in the words of its kind why it did not. */
async function unexplained(
  { target }: AttackContext,
  environmentId: string,
  kind: BrokerKind,
): Promise<string[]> {
  const attempts = await target.db.attempt.findMany({
    where: { run: { environmentId }, errorCode: { not: null } },
    select: { errorCode: true, errorMessage: true },
  });
  return attempts
    .filter(({ errorCode, errorMessage }) => !errorCode?.startsWith(`${kind}_`) || !errorMessage)
    .map(({ errorCode, errorMessage }) => `an attempt ended with ${errorCode}: ${errorMessage}`);
}

/** Publishes events to all of these brokers at once. */
async function publish(context: AttackContext, cases: readonly BrokerCase[]): Promise<Outcome> {
  const brokers: MisbehavingBroker[] = [];
  const [{ kind } = { kind: 'amqp' as const }] = cases;
  try {
    for (const one of cases) brokers.push(await startMisbehavingBroker(one));
    const channels = cases.map((one, index) => channelOf(one, brokers[index] as MisbehavingBroker));
    const events = Array.from({ length: context.amount(2, 10) }, () => eventOf(EVENT_KEY));
    const { environmentId, figures, violations = [] } = await deliver(context, { channels, events });
    const uncalled = cases.filter((_, index) => brokers[index]?.connections() === 0);
    return {
      figures: { ...figures, brokers: cases.length },
      violations: [
        ...violations,
        ...new Set(await unexplained(context, environmentId, kind)),
        ...uncalled.map((one) => `never called: ${nameOf(one)}`),
      ],
    };
  } finally {
    await Promise.all(brokers.map((broker) => broker.close()));
  }
}

/** All at once for each protocol; in the long form also each misbehaviour alone, at every step. */
export const BROKER_ATTACKS: readonly Attack[] = KINDS.flatMap((kind) => [
  { name: `brokers of kind ${kind}, all at once`, run: (context) => publish(context, brokerCases(kind)) },
  ...MISBEHAVIOURS.map((how) => ({
    name: `brokers of kind ${kind} that answer ${how}`,
    isLong: true as const,
    run: (context: AttackContext) => publish(context, brokerCases(kind, [how])),
  })),
]);
