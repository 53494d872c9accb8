import { isDeepStrictEqual } from 'node:util';
import {
  changeTogether,
  isTimeUp,
  lockEnvironment,
  readAppliedConfiguration,
  readConfiguration,
  recordAppliedConfiguration,
  TOGETHER_LIMIT_MS,
  type UnboundDatabase,
} from '@postrider/db';
import {
  conflict,
  type Detail,
  type EnvironmentRecord,
  invalid,
  type JsonObject,
  type JsonValue,
  reject,
  type Scope,
} from '@postrider/domain';
import { requireScope, WHOLE_INSTALLATION } from '../../access/access.ts';
import type { Success } from '../../http/reply.ts';
import type { AdminDeps, AdminRequest } from '../operation.ts';
import { type Check, checkTemplates } from './checks.ts';
import { type ChangedField, digestOf, fieldsBetween, hashOf } from './difference.ts';
import { type ConfigurationDocument, type DocumentItem, itemsOf, storedByKey } from './document.ts';
import { type Configured, ORDER, type Section, type StoredItem, sectionsOf, TEMPLATES } from './sections.ts';
import { callForPlan, channelStep, createCallOperation, perform, type Step } from './steps.ts';

/** A change that a document makes. */
interface Change {
  readonly action: 'create' | 'update' | 'delete';
  readonly kind: string;
  readonly key: string;
  readonly fields: readonly ChangedField[];
  /** What its caller must be allowed to do. */
  readonly scope: Scope;
}

interface Planned {
  readonly hash: string;
  readonly changes: readonly Change[];
  /** Stored resources that the document does not have, and that stay. */
  readonly unmanaged: readonly { readonly kind: string; readonly key: string }[];
  readonly checks: readonly Check[];
  /** Templates with new versions that were not rendered, because there are too many. */
  readonly checks_left_out: number;
}

/** A signing secret that the server generated. */
interface NewSecret {
  readonly kind: string;
  readonly key: string;
  readonly id: string;
  readonly secret: string;
}

export interface Asked {
  readonly document: ConfigurationDocument;
  readonly prune: boolean;
  /** The hash of the plan to apply; null: only plan. */
  readonly hash: string | null;
}

interface Result {
  readonly isKept: boolean;
  readonly planned: Planned;
  readonly secrets: readonly NewSecret[];
  /** The `request_id` of the entries in the audit log. */
  readonly requestId: string | null;
}

/** The most issues of a response. */
const MAX_ISSUES = 100;
function requireNoIssues(issues: readonly Detail[]): void {
  if (issues.length > 0) reject(invalid(issues.slice(0, MAX_ISSUES)));
}

/** Whether the caller may read a section. */
export const mayRead = ({ bounds, scopes }: AdminRequest, { read, ofInstallation }: Section): boolean =>
  !(ofInstallation && bounds !== null) && scopes.has(read);

/**
 * Refuses a document with sections that the caller may not read.
 * @throws RefusedError
 */
export function requireSections(access: AdminRequest, sections: Iterable<Section>): void {
  for (const section of sections) {
    if (mayRead(access, section)) continue;
    if (section.ofInstallation && access.bounds !== null) reject(WHOLE_INSTALLATION);
    requireScope(access, section.read);
  }
}

type ByKey = ReadonlyMap<string, StoredItem>;
type State = ReadonlyMap<string, ByKey>;

const stateOf = (sections: readonly Section[], configured: Configured): State =>
  new Map(sections.map((section) => [section.name, storedByKey(section, configured).byKey]));

const EMPTY: ByKey = new Map();

/** The differences in a section. */
function changesOf(
  { kind, write: scope }: Section,
  before: ByKey,
  after: ByKey,
  secretsOf: ReadonlyMap<string, readonly string[]>,
): Change[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key): Change[] => {
    const [from, to] = [before.get(key), after.get(key)];
    const secrets = from && to ? (secretsOf.get(key) ?? []) : [];
    const fields = [
      ...fieldsBetween(from?.value, to?.value),
      ...secrets.map((path) => ({ path, from: null, to: null, secret: true }) as const),
    ];
    const action = from ? (to ? 'update' : 'delete') : 'create';
    return fields.length > 0 ? [{ action, kind, key, fields, scope }] : [];
  });
}

/** The templates with new versions: first those that differ, then those that only use parts of others. */
function newTemplates(before: ByKey, after: ByKey): StoredItem[] {
  const isRepublished = ({ key, value }: StoredItem) => isDeepStrictEqual(before.get(key)?.value, value);
  return [...after.values()]
    .filter(({ key, id }) => before.get(key)?.id !== id)
    .sort((a, b) => Number(isRepublished(a)) - Number(isRepublished(b)));
}

/** A digest of each resource, by kind and key, with which a later state is compared. */
const digestsOf = (sections: readonly Section[], state: State): JsonObject =>
  Object.fromEntries(
    sections.map(({ name, kind }) => [
      kind,
      Object.fromEntries([...(state.get(name) ?? EMPTY)].map(([key, { value }]) => [key, digestOf(value)])),
    ]),
  );

/** The issues of new versions that do not render, with the paths of their items. */
const checkIssues = (checks: readonly Check[], items: readonly DocumentItem[]): Detail[] =>
  checks.flatMap(({ key, errors }) => {
    const item = items.find((each) => each.section.kind === 'template' && each.key === key);
    return errors.map(({ path, message }) => ({
      path: item ? `${item.pointer}${path}` : '/document/templates',
      code: 'invalid_template' as const,
      message: item ? message : `${key}: ${message}`,
    }));
  });

interface Trial {
  readonly deps: AdminDeps;
  readonly request: AdminRequest;
  readonly asked: Asked;
  readonly environment: EnvironmentRecord;
}

/** The steps that lead from the stored configuration to the document, with the secrets that they change. */
async function stepsFor(
  { deps, request, asked }: Trial,
  configured: Configured,
  items: readonly DocumentItem[],
): Promise<{
  readonly steps: readonly Step[];
  readonly secrets: ReadonlyMap<string, readonly string[]>;
  readonly unmanaged: Planned['unmanaged'];
  readonly issues: readonly Detail[];
}> {
  const steps: Step[] = [];
  const issues: Detail[] = [];
  const unmanaged: { kind: string; key: string }[] = [];
  const secrets = new Map<string, readonly string[]>();
  const seesSecrets = request.scopes.has('channels:write');
  const sections = new Map(sectionsOf(deps.kinds).map((section) => [section.name, section]));
  for (const [what, name] of ORDER) {
    const section = sections.get(name);
    if (!section || asked.document[name] === undefined) continue;
    const { kind } = section;
    const { byKey, leftOut } = storedByKey(section, configured);
    const own = items.filter((item) => item.section.name === name);
    const wanted = new Set(own.map(({ key }) => key));
    const missing = [...byKey.values()].filter(({ key }) => !wanted.has(key));
    const remove = asked.prune ? section.remove : undefined;
    if (what === 'remove') {
      if (remove)
        for (const current of missing)
          steps.push({ kind, key: current.key, pointer: `/document/${name}`, call: remove(current) });
      continue;
    }
    for (const item of own) {
      const { key, pointer, value } = item;
      const current = byKey.get(key) ?? null;
      const ambiguous = leftOut.find((each) => each.key === key);
      if (ambiguous) issues.push({ path: pointer, code: 'duplicate', message: ambiguous.reason });
      else if (current?.channel) {
        const step = await channelStep(deps, item, current, seesSecrets);
        issues.push(...(step.issues ?? []));
        secrets.set(key, step.secrets ?? []);
        if (step.call) steps.push({ kind, key, pointer, call: step.call });
      } else {
        const call = section.put(value, current);
        if (call) steps.push({ kind, key, pointer, call });
      }
    }
    if (!remove) unmanaged.push(...missing.map(({ key }) => ({ kind, key })));
  }
  return { steps, secrets, unmanaged, issues };
}

const TIME_IS_UP = conflict(
  `The changes and the rendering of their templates took more than ${TOGETHER_LIMIT_MS / 1_000} s, and were ` +
    'undone: make fewer at once, for example one section at a time.',
);

const isOfRoles = ({ kind }: Step) => kind === 'role';

/** Makes the changes of the document in a transaction. They are kept only for an apply whose hash is the current one. */
async function tryIn(trial: Trial): Promise<Result> {
  const { deps, request, asked, environment } = trial;
  const { db, kinds, newId } = deps;
  const { items, issues: ofItems } = itemsOf(kinds, asked.document);
  requireNoIssues(ofItems);
  const sections = sectionsOf(kinds).filter(({ name }) => asked.document[name] !== undefined);
  const read = async (): Promise<Configured> => {
    const settings = (await lockEnvironment(db, environment.id)) ?? environment;
    return { ...(await readConfiguration(db, environment.id)), environment: settings };
  };
  const configured = await read();
  const before = stateOf(sections, configured);
  const { steps, secrets, unmanaged, issues } = await stepsFor(trial, configured, items);
  const operate = createCallOperation(deps, db, request, environment.id);
  const call = asked.hash === null ? callForPlan(operate, db) : operate;
  const inSection = (state: State, { name }: Section) => state.get(name) ?? EMPTY;
  const others = steps.filter((step) => !isOfRoles(step));
  const performed = await perform(call, others);
  const all = [...issues, ...performed.issues];
  let after = all.length === 0 ? stateOf(sections, await read()) : before;
  const newVersions = newTemplates(inSection(before, TEMPLATES), inSection(after, TEMPLATES));
  const seesContent = request.scopes.has('messages:content');
  const { checks, leftOut } = await checkTemplates(deps, newVersions, seesContent);

  // A change of a role makes all changes of rights in the installation wait: they must not also wait for the rendering of templates.
  const ofRoles = steps.filter(isOfRoles);
  const last = await perform(call, ofRoles);
  requireNoIssues([...all, ...last.issues]);
  if (ofRoles.length > 0) after = stateOf(sections, await read());
  const changes = sections.flatMap((section) =>
    changesOf(
      section,
      inSection(before, section),
      inSection(after, section),
      section.kind === 'channel' ? secrets : new Map(),
    ),
  );
  const hash = hashOf(changes as unknown as JsonValue);
  if (asked.hash !== null && asked.hash !== hash) reject('configuration_changed');
  const planned: Planned = { hash, changes, unmanaged, checks, checks_left_out: leftOut };
  if (asked.hash === null) return { isKept: false, planned, secrets: [], requestId: null };

  requireNoIssues(checkIssues(checks, items));
  // A step may write something without a visible change, such as a version with the same text.
  const changed = new Set([...steps, ...changes].map(({ kind }) => kind));
  for (const { kind, write } of sections) {
    if (changed.has(kind)) requireScope(request, write);
  }
  const { id } = environment;
  // What later states are compared with is the caller's to say only where it could have made changes.
  const resources = digestsOf(
    sections.filter(({ write }) => request.scopes.has(write)),
    after,
  );
  const stored = await readAppliedConfiguration(db, id);
  const saysNothing =
    Object.keys(resources).length === 0 || isDeepStrictEqual(stored?.applied.resources, resources);
  if (changes.length === 0 && saysNothing) return { isKept: false, planned, secrets: [], requestId: null };
  const applied = { hash, changes: changes.length, resources };
  await recordAppliedConfiguration(db, { db, newId, actor: request.actor }, { id, applied });
  const { requestId } = request.actor;
  return { isKept: true, planned, secrets: newSecrets(performed.replies), requestId };
}

/** The signing secrets in the replies to created channels. */
function newSecrets(replies: ReadonlyMap<Step, Success>): NewSecret[] {
  return [...replies].flatMap(([{ kind, key, call }, reply]) => {
    if (call.operationId !== 'createChannel') return [];
    const { id, secret } = JSON.parse(Buffer.from(reply.body).toString()) as {
      id: string;
      secret: string | null;
    };
    return secret === null ? [] : [{ kind, key, id, secret }];
  });
}

/**
 * Plans a document, or applies it, in one transaction under a lock of the environment. Planning makes the changes and undoes them, so
 * that it finds all that applying would find.
 * @throws RefusedError
 */
export function tryDocument(
  deps: AdminDeps,
  request: AdminRequest,
  environmentId: string,
  asked: Asked,
): Promise<Result> {
  // All entries of the audit log that belong together have it.
  const requestId = request.actor.requestId ?? `configuration-${deps.newId()}`;
  const grouped = { ...request, actor: { ...request.actor, requestId } };
  const trying = changeTogether(deps, async (db: UnboundDatabase): Promise<Result> => {
    const environment = (await lockEnvironment(db, environmentId)) ?? reject('environment_not_found');
    return tryIn({ deps: { ...deps, db }, request: grouped, asked, environment });
  });
  return trying.catch((error: unknown) => {
    if (isTimeUp(error)) reject(TIME_IS_UP);
    throw error;
  });
}
