import { PostriderConnectionError } from '@postrider/client';
import { InvalidArgumentError } from 'commander';
import type { SessionCommand } from '../command.ts';
import { type Folder, readFolder } from '../config/read-folder.ts';
import { documentOf } from '../config/references.ts';
import { located, refuseErrors } from '../config/refusal.ts';
import type { OpenApiDocument } from '../config/schemas.ts';
import { type ConfigurationDocument, SECTION_NAMES } from '../config/sections.ts';
import { countOf, showPlan, withReferences } from '../config/show-plan.ts';
import { writeFolder } from '../config/write-folder.ts';
import { Unsuccessful, UsageError } from '../exit-codes.ts';
import { plain } from '../output/text.ts';
import { fetchJson, type Session } from '../session.ts';
import { list } from '../values.ts';

/** Time limit of a plan or apply, which may wait for earlier renders. */
const TIMEOUT_MS = 120_000;

/** An environment, and the session that may configure it. */
interface Target {
  readonly session: Session;
  readonly environment: string;
}

/** The wanted configuration. */
interface Wanted {
  readonly document: ConfigurationDocument;
  readonly prune: boolean;
  /** Where the document is from; null if that is not a folder. */
  readonly folder: Folder | null;
}

/** The options of all commands of this file; required ones are always set. */
interface ConfigOptions {
  readonly environment: string;
  readonly out: string;
  readonly from: string;
  readonly to: string;
  readonly sections?: readonly string[];
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly allowOutside?: boolean;
}

function sectionList(text: string): string[] {
  const names = list(text);
  const unknown = names.find((name) => !SECTION_NAMES.includes(name));
  if (names.length === 0 || unknown !== undefined)
    throw new InvalidArgumentError(`The sections are ${SECTION_NAMES.join(', ')}.`);
  return names;
}

/** The configuration of an environment. */
async function exportOf({ session, environment }: Target) {
  const exported = await session.admin().environments.configuration(environment, session.call);
  return { ...exported, document: exported.document as ConfigurationDocument };
}

type Planned = Parameters<typeof withReferences>[0];

/** Awaits a plan or apply: restores the folder's references, and adds lines of the folder to issues. */
const planned = async <Plan extends Planned>(folder: Folder | null, call: Promise<Plan>): Promise<Plan> =>
  withReferences(await call.catch((error: unknown) => Promise.reject(located(error, folder))), folder);

/** Plans the changes. */
function planOf({ session, environment }: Target, { folder, ...body }: Wanted) {
  const call = { ...session.call, timeoutMs: TIMEOUT_MS };
  return planned(folder, session.admin().environments.configurationPlan(environment, body, call));
}

/** Makes the changes of a plan. */
function applyTo({ session, environment }: Target, { folder, ...body }: Wanted, hash: string) {
  const call = { ...session.call, timeoutMs: TIMEOUT_MS };
  const { environments } = session.admin();
  return planned(folder, environments.configurationApply(environment, { ...body, hash }, call));
}

/** Exports an environment into a folder. */
async function exportInto({ session, environment }: Target, directory: string, sections?: readonly string[]) {
  const exported = await exportOf({ session, environment });
  const { response, body: openApi } = await fetchJson(session, 'openapi.json');
  if (!response.ok || openApi === null)
    throw new PostriderConnectionError('The service did not return its OpenAPI document.');
  for (const { kind, key, reason } of exported.left_out)
    session.note(`The ${kind} ${key} is left out: ${reason}`);
  return writeFolder(directory, exported, openApi as OpenApiDocument, sections);
}

async function exportCommand(session: Session, { environment, out, sections }: ConfigOptions): Promise<void> {
  const result = await exportInto({ session, environment }, out, sections);
  session.show(result, ({ written, removed, unchanged }) =>
    [
      ...written.map((file) => `wrote ${plain(file)}`),
      ...removed.map((file) => `removed ${plain(file)}`),
      `${written.length} written, ${removed.length} removed, ${unchanged} unchanged`,
    ].join('\n'),
  );
}

/** What a folder wants, in these sections or in all. */
function wantedIn(
  { io }: Session,
  directory: string,
  { prune = false, allowOutside = false, sections = SECTION_NAMES }: ConfigOptions,
): Wanted {
  const read = readFolder(directory, { allowOutside });
  const folder = { ...read, sections: read.sections.filter(({ name }) => sections.includes(name)) };
  return { document: documentOf(folder, io), prune, folder };
}

async function diff(session: Session, directory: string, options: ConfigOptions): Promise<void> {
  const { environment } = options;
  const wanted = wantedIn(session, directory, options);
  const plan = await planOf({ session, environment }, wanted);
  session.show(plan, showPlan);
  refuseErrors(plan.checks, wanted.folder);
  if (plan.changes.length > 0) throw new Unsuccessful('The folder and the environment differ.');
}

/** Asks on the terminal. Throws a UsageError if nobody is there. */
async function confirm({ io }: Session, question: string): Promise<void> {
  if (!io.stdin.isTTY)
    throw new UsageError('There is no terminal to confirm on: add --yes to apply without confirmation.');
  io.stderr.write(`${question} Type yes to continue: `);
  for await (const chunk of io.stdin) {
    if (/^y(?:es)?$/i.test(String(chunk).trim())) return;
    break;
  }
  throw new Unsuccessful('Nothing was changed.');
}

/** Shows the plan, asks, and applies exactly that plan. */
async function planAndApply(target: Target, wanted: Wanted, { yes = false }: ConfigOptions): Promise<void> {
  const { session, environment } = target;
  const plan = await planOf(target, wanted);
  if (!session.json) session.show(plan, showPlan);
  refuseErrors(plan.checks, wanted.folder);
  if (plan.changes.length === 0) {
    if (session.json) session.show({ request_id: null, hash: plan.hash, changes: [], secrets: [] }, () => '');
    return;
  }
  if (!yes) await confirm(session, `${countOf(plan.changes)} in ${environment} at ${session.url}.`);
  const applied = await applyTo(target, wanted, plan.hash);
  const isShown = session.io.stdout.isTTY === true;
  session.show(applied, ({ changes, request_id, secrets }, style) =>
    [
      style.green(`Applied: ${changes.length} changed. In the audit log: request ${request_id ?? '-'}.`),
      ...secrets.map(({ key, id, secret }) =>
        plain(
          isShown
            ? `The signing secret of ${key} (${id}), which is not shown again: ${secret}`
            : `The service created a signing secret for ${key}. To get one that you can read: postrider channels rotate-secret ${id}`,
        ),
      ),
    ].join('\n'),
  );
}

/** An environment of this session, or that of another profile. */
function targetOf(session: Session, named: string, option: string): Target {
  if (named.startsWith('env_')) return { session, environment: named };
  const other = session.withProfile(named);
  const { environment } = other.signedIn() ?? {};
  if (environment === undefined)
    throw new UsageError(
      `${option} must be an environment (env_…), or a profile with one: postrider login --profile ${named} --environment env_….`,
    );
  return { session: other, environment };
}

/** The sections of a document that were asked for. */
const partOf = (document: ConfigurationDocument, sections: readonly string[] = SECTION_NAMES) =>
  Object.fromEntries(
    Object.entries(document).filter(([name]) => name === 'version' || sections.includes(name)),
  ) as ConfigurationDocument;

async function promote(
  session: Session,
  directory: string | undefined,
  options: ConfigOptions,
): Promise<void> {
  const { prune = false, sections } = options;
  const from = targetOf(session, options.from, '--from');
  const to = targetOf(session, options.to, '--to');
  if (directory !== undefined) {
    await exportInto(from, directory, sections);
    return planAndApply(to, wantedIn(session, directory, options), options);
  }
  const { document } = await exportOf(from);
  return planAndApply(to, { document: partOf(document, sections), prune, folder: null }, options);
}

const SECTIONS = [
  '--sections <names>',
  `only these, separated by commas: ${SECTION_NAMES.join(', ')}`,
  sectionList,
] as const;
const PRUNE = ['--prune', 'also delete or deactivate what is not in the folder'] as const;
const YES = ['--yes', 'apply without confirmation'] as const;
const OUTSIDE = ['--allow-outside', 'allow file: references and links that lead out of the folder'] as const;

/** `postrider config`: the configuration of an environment as a folder of files. */
export function addConfig(program: SessionCommand): void {
  const group = program.add(
    'config',
    'configuration as code: plans, event types, channels, templates and more as a folder of files',
  );
  group
    .add(
      'export',
      'write the configuration of an environment into a folder; unchanged files stay as they are',
    )
    .needsEnvironment()
    .requiredOption('--out <folder>', 'the folder; if it has a postrider.yaml, only the sections in its list')
    .option(...SECTIONS)
    .examples({
      'postrider config export --environment env_01… --out config': 'Start, or see what was changed by hand.',
    })
    .runs(exportCommand);
  group
    .add('diff', 'show what apply would change; exits with 1 if anything differs')
    .argument('<folder>', 'the folder')
    .needsEnvironment()
    .option(...PRUNE)
    .option(...OUTSIDE)
    .examples({ 'postrider config diff --environment env_01… config': 'What would change?' })
    .runs(diff);
  group
    .add('apply', 'show the changes, ask for confirmation, and make all of them or none')
    .argument('<folder>', 'the folder')
    .needsEnvironment()
    .option(...PRUNE)
    .option(...YES)
    .option(...OUTSIDE)
    .examples({
      'postrider config apply --environment env_01… config --prune --yes':
        'In a pipeline: make the environment equal to the folder.',
    })
    .runs((session, directory: string, options: ConfigOptions) => {
      const { environment } = options;
      return planAndApply({ session, environment }, wantedIn(session, directory, options), options);
    });
  group
    .add(
      'promote',
      'apply the configuration of one environment to another; through a folder if there are secrets',
    )
    .argument('[folder]', 'where the export goes; its references give the secrets and values of the target')
    .requiredOption('--from <source>', 'an environment, env_…, or a profile with one')
    .requiredOption('--to <target>', 'an environment, env_…, or a profile with one')
    .option(...SECTIONS)
    .option(...PRUNE)
    .option(...YES)
    .option(...OUTSIDE)
    .examples({
      'postrider config promote --from staging --to production --sections templates,layouts,partials,translations':
        'Between two profiles.',
    })
    .runs(promote);
}
