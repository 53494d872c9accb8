import { isDeepStrictEqual } from 'node:util';
import { hideChannel, type UnboundDatabase } from '@postrider/db';
import {
  type Detail,
  formatId,
  invalidValue,
  type JsonObject,
  orRefusal,
  parseId,
  type Refusal,
  reject,
} from '@postrider/domain';
import { noContent, type Reply, type Success } from '../../http/reply.ts';
import type { RunOperation } from '../../pipeline/operation.ts';
import { channelsResource } from '../channels/operations.ts';
import { type ChannelBody, channelValidator, toChannelBody } from '../channels/schema.ts';
import { ENVIRONMENTS } from '../environments.ts';
import { EVENT_TYPES } from '../event-types.ts';
import type { AdminCall, AdminDeps, AdminRequest } from '../operation.ts';
import { ROLES } from '../operators/roles.ts';
import { PART_RESOURCES } from '../parts/operations.ts';
import { plansResource } from '../plans.ts';
import { templatesResource } from '../templates/operations.ts';
import { mergeBetween } from './difference.ts';
import type { DocumentItem } from './document.ts';
import { withChangedSecrets } from './secrets.ts';
import type { Call, StoredItem } from './sections.ts';

/** One change of a document. */
export interface Step {
  readonly kind: string;
  readonly key: string;
  /** The JSON Pointer of its item, or of its section, in the request. */
  readonly pointer: string;
  readonly call: Call;
}

/** What a channel's item changes: only what differs, so that an address that stays is not vouched for again. */
export async function channelStep(
  deps: Pick<AdminDeps, 'db' | 'kinds' | 'secretBox'>,
  { section, value, pointer }: DocumentItem,
  current: StoredItem,
  seesSecrets: boolean,
): Promise<{
  readonly call?: Call | null;
  readonly secrets?: readonly string[];
  readonly issues?: readonly Detail[];
}> {
  const { channel } = current;
  const validated = channelValidator(deps.kinds)(value);
  if (!('body' in validated) || !channel)
    return { issues: validated.issues.map((issue) => ({ ...issue, path: pointer + issue.path })) };
  const body: ChannelBody = { enabled: true, event_keys: ['*'], ...validated.body };
  const { config, secrets } = await withChangedSecrets(deps, channel, body.config, seesSecrets);
  const { kind: _kind, filter: before = null, ...stored } = toChannelBody(channel);
  const { kind: _same, filter = null, ...wanted } = body;
  const patch = mergeBetween(stored, { ...wanted, config } as unknown as JsonObject);
  // A filter is replaced, not merged.
  const changed = isDeepStrictEqual(filter, before) ? patch : { ...patch, filter };
  return {
    secrets: secrets.map((path) => `/config${path}`),
    call: Object.keys(changed).length > 0 ? section.put(changed, current) : null,
  };
}

/** Calls operations of the management API in one transaction. */
export type CallOperation = (call: Call) => Promise<Reply>;

/** The same for a plan, whose changes are undone: a channel that would be deleted is only hidden. */
export const callForPlan =
  (call: CallOperation, db: UnboundDatabase): CallOperation =>
  async (asked) => {
    const id = asked.operationId === 'deleteChannel' ? parseId('chn', asked.params?.channelId ?? '') : null;
    if (id === null) return call(asked);
    await hideChannel(db, id);
    return noContent();
  };

/** Creates {@link CallOperation} for a request about an environment; `db` is that of the transaction. */
export function createCallOperation(
  deps: AdminDeps,
  db: UnboundDatabase,
  request: AdminRequest,
  environmentId: string,
): CallOperation {
  const { kinds } = deps;
  const resources = [
    ENVIRONMENTS,
    EVENT_TYPES,
    ...PART_RESOURCES,
    templatesResource(kinds),
    channelsResource(kinds),
    plansResource(kinds),
    ROLES,
  ];
  const operations = new Map(
    resources
      .flatMap((resource) => resource.operations)
      .map((operation) => [operation.operationId, operation]),
  );
  const running = new Map<string, RunOperation<AdminCall>>();

  function runOf(operationId: string): RunOperation<AdminCall> {
    const operation = operations.get(operationId);
    if (!operation) throw new Error(`there is no operation ${operationId}`);
    const run = running.get(operationId) ?? operation.run({ ...deps, db });
    running.set(operationId, run);
    return run;
  }

  return ({ operationId, params = {}, body }) =>
    orRefusal(() =>
      runOf(operationId)({
        ...request,
        params: { ...params, environmentId: formatId('env', environmentId) },
        url: '',
        bytes: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      }),
    );
}

/** The issues of a refused step, with JSON Pointers into the request. */
function issuesOf({ pointer }: Step, { refused, message, details = [] }: Refusal): Detail[] {
  if (details.length > 0) return details.map((issue) => ({ ...issue, path: pointer + issue.path }));
  return [invalidValue(pointer, message ?? refused)];
}

/** Attempts of a step that others must precede. */
const MAX_PASSES = 10;

/**
 * Performs steps until all are done, or none of the rest can be. Returns the replies of those that are
 * done, and the issues of the others.
 * @throws RefusedError if nothing is wrong with the document, which can be sent again
 */
export async function perform(
  call: CallOperation,
  steps: readonly Step[],
): Promise<{ readonly replies: ReadonlyMap<Step, Success>; readonly issues: readonly Detail[] }> {
  const replies = new Map<Step, Success>();
  let left = steps;
  for (let pass = 1; ; pass += 1) {
    const refused: Step[] = [];
    const issues: Detail[] = [];
    for (const step of left) {
      const reply = await call(step.call);
      if (!('refused' in reply)) replies.set(step, reply);
      else if (reply.refused === 'service_unavailable' || reply.refused === 'forbidden') reject(reply);
      else {
        refused.push(step);
        issues.push(...issuesOf(step, reply));
      }
    }
    if (refused.length === 0 || refused.length === left.length || pass === MAX_PASSES)
      return { replies, issues };
    left = refused;
  }
}
