import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ExportedConfiguration } from '@postrider/client';
import { type JsonObject, type JsonPath, type JsonValue, valueAt, withValue } from '@postrider/domain';
import { stringify } from 'yaml';
import { UsageError } from '../exit-codes.ts';
import { ContainedFiles, UnreadableFile } from './contained-files.ts';
import { type Folder, type FolderItem, findFolder, MANIFEST, SETTINGS_FILE } from './read-folder.ts';
import { literal, mayRefer, referencesOf } from './references.ts';
import { createFolderSchemas, type OpenApiDocument } from './schemas.ts';
import { type ConfigurationDocument, keyOf, SECTIONS, type Section } from './sections.ts';
import { pathOf, textsOf } from './yaml-file.ts';

/** What the service exports: a document, and where secrets are stored. */
export type Exported = Pick<ExportedConfiguration, 'secrets'> & { readonly document: ConfigurationDocument };

/** What an export has done to a folder, in the names of its files. */
export interface Written {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

const SCHEMAS = '.schemas';
const GIT_ATTRIBUTES = '.gitattributes';
/** Texts are compared byte by byte, and Git for Windows changes line breaks unless it is told not to. */
const KEEP_LINE_BREAKS = '# Line breaks are part of texts.\n* -text\n';
/** Longer names of files are cut off. */
const MAX_BASE = 100;
const ABOUT = [
  '# Configuration of a Postrider environment: postrider config diff, apply, export.',
  '# Sections that are not in the list are left alone. With --prune, apply removes what is not in the files of the others.',
];

/** A name for files, of a key in any letters. */
function baseOf(key: string): string {
  const ascii = key.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return ascii
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_BASE);
}

/** The file of a new resource. Keys that would have the same name get a part of their hash. */
function newFile(section: Section, key: string, taken: ReadonlySet<string>): string {
  if (section.folder === '') return SETTINGS_FILE;
  const base = baseOf(key);
  const file = posix.join(section.folder, `${base}.yaml`);
  if (base !== '' && !taken.has(file)) return file;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return posix.join(section.folder, `${base}-${hash}.yaml`);
}

/** The variable of a secret that has none yet, such as EMAIL_MAIL_SMTP_PASSWORD. */
function variableFor(file: string, path: JsonPath): string {
  const name = [posix.basename(file, '.yaml'), ...path.slice(1)].join('_').toUpperCase();
  return `env:${name.replaceAll(/[^A-Z0-9]+/g, '_').replace(/^(?=\d|_)/, 'CHANNEL')}`;
}

function extensionOf(field: string, text: string): string {
  if (field === 'text') return 'txt';
  return /^\s*<mjml[\s>]/.test(text) ? 'mjml' : 'html';
}

/** Whether the entries of lists on a path are the same before and after: a secret must not move to another sender. */
function isSameEntry(before: JsonObject | undefined, after: JsonObject, path: JsonPath): boolean {
  return path.every((_, index) => {
    const [around, entry] = [path.slice(0, index), path.slice(0, index + 1)];
    if (!Array.isArray(valueAt(after, around))) return true;
    return ['name', 'provider'].every((field) =>
      isDeepStrictEqual(valueAt(before, [...entry, field]), valueAt(after, [...entry, field])),
    );
  });
}

/**
 * The files of a resource: its YAML and its long texts. Existing references are kept; secrets and long texts become references.
 */
function filesFor(
  section: Section,
  file: string,
  item: JsonObject,
  secrets: readonly JsonPath[],
  known: FolderItem | undefined,
  isFree: (path: string, text: string) => boolean,
): { readonly data: JsonObject; readonly texts: ReadonlyMap<string, string> } {
  const texts = new Map<string, string>();
  const references = known ? referencesOf(known) : [];
  const reference = (path: JsonPath) => {
    const found = references.find((each) => isDeepStrictEqual(each.path, path));
    return found && isSameEntry(known?.yaml.data, item, path) ? found : undefined;
  };
  let data: JsonValue = item;
  for (const { path, text } of textsOf(item)) {
    if (!mayRefer(section, path)) continue;
    const [field = ''] = path;
    const kept = reference(path);
    if (field === section.references) {
      data = withValue(data, path, kept?.text ?? literal(text));
      continue;
    }
    const base = file.replace(/\.ya?ml$/, '');
    const extension = extensionOf(field, text);
    const names = [`${base}.${extension}`, `${base}-${field}.${extension}`];
    const { leadsTo } = kept ?? {};
    if (leadsTo !== undefined && posix.dirname(leadsTo) === posix.dirname(file)) names.unshift(leadsTo);
    // Another resource may have it.
    const target = names.find((each) => isFree(each, text)) ?? `${base}-${field}.${extension}`;
    texts.set(target, text);
    data = withValue(data, path, `file:${posix.basename(target)}`);
  }
  const named = new Set<string>();
  for (const path of secrets) {
    const base = variableFor(file, path);
    // Names of headers can differ in what a variable cannot have.
    let text = reference(path)?.text ?? base;
    for (let next = 2; named.has(text); next += 1) text = `${base}_${next}`;
    named.add(text);
    data = withValue(data, path, text);
  }
  return { data: data as JsonObject, texts };
}

function yamlText(schema: string | null, file: string, data: JsonValue): string {
  const path = posix.relative(posix.dirname(file), posix.join(SCHEMAS, `${schema}.json`));
  const head = schema === null ? '' : `# yaml-language-server: $schema=${path}\n`;
  return (
    head + stringify(data, { lineWidth: 0, version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  );
}

/** Writes the files of a folder, each at once, so that a crash leaves either the old or the new one. */
class Writing {
  readonly #files: ContainedFiles;
  readonly written: string[] = [];
  readonly removed: string[] = [];
  /** What the export has, by the names of files. */
  readonly seen = new Map<string, string | null>();

  constructor(files: ContainedFiles) {
    this.#files = files;
  }

  /** Writes a file, unless it has this text. */
  write(path: string, text: string): void {
    this.seen.set(path, text);
    const folder = posix.dirname(path);
    mkdirSync(join(this.#files.directory, folder), { recursive: true });
    const real = this.#files.resolve(folder);
    const file = join(real, posix.basename(path));
    if (readText(file) === text) return;
    const draft = join(real, `.${randomUUID()}`);
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, file);
    this.written.push(path);
  }

  /** Removes a file that the export does not have, if it is in the folder. */
  remove(path: string): void {
    if (this.seen.has(path)) return;
    try {
      rmSync(this.#files.resolve(path));
      this.removed.push(path);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
    }
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The files that belong to a resource: its own, and those of its texts beside it. */
function ownFiles(item: FolderItem): string[] {
  const { texts = [] } = item.section;
  const ofTexts = referencesOf(item).flatMap(({ path: [field = ''], leadsTo = '' }) =>
    texts.includes(field) && posix.dirname(leadsTo) === item.section.folder ? [leadsTo] : [],
  );
  return [item.file, ...ofTexts];
}

function writeSection(
  writing: Writing,
  schemas: ReturnType<typeof createFolderSchemas>,
  section: Section,
  { document, secrets }: Exported,
  known: readonly FolderItem[],
): void {
  const stored = document[section.name];
  const items = (Array.isArray(stored) ? stored : [stored]) as JsonObject[];
  const taken = new Set(known.map(({ file }) => file));
  for (const item of items) {
    const key = keyOf(section, item);
    const one = known.find((each) => each.key === key);
    const file = one?.file ?? newFile(section, key, taken);
    taken.add(file);
    const paths = secrets.flatMap((secret) =>
      secret.kind === section.kind && secret.key === key ? [pathOf(secret.path)] : [],
    );
    const isFree = (path: string, text: string) => !writing.seen.has(path) || writing.seen.get(path) === text;
    const { data, texts } = filesFor(section, file, item, paths, one, isFree);
    for (const [path, text] of texts) writing.write(path, text);
    const schema = schemas.nameFor(section, item);
    // A file that says the same stays, with its comments.
    if (one && isDeepStrictEqual(one.yaml.data, data)) writing.seen.set(file, null);
    else writing.write(file, yamlText(schema, file, data));
  }
  for (const path of known.flatMap(ownFiles)) writing.remove(path);
}

/** The sections that the folder manages and the export has, of those that are asked for. */
function sectionsOf(
  folder: Folder | null,
  document: ConfigurationDocument,
  only: readonly string[] | undefined,
) {
  const managed = folder?.sections ?? SECTIONS;
  const other = only?.find((asked) => !managed.some(({ name }) => name === asked));
  if (other !== undefined) throw new UsageError(`${MANIFEST} does not list the section ${other}.`);
  return managed.filter(
    ({ name }) => Object.hasOwn(document, name) && (only === undefined || only.includes(name)),
  );
}

/**
 * Writes an export into a folder, which is created if it is missing. Names of files, comments and references stay where the resource
 * has not changed; files of removed resources are removed, and others left alone. A second export writes nothing.
 * @param only the sections to write; by default all that the folder manages. Throws a UsageError for one that it does not manage
 */
export function writeFolder(
  directory: string,
  exported: Exported,
  openApi: OpenApiDocument,
  only?: readonly string[],
): Written {
  mkdirSync(directory, { recursive: true });
  const files = new ContainedFiles(directory);
  const folder = findFolder(files);
  const sections = sectionsOf(folder, exported.document, only);
  const schemas = createFolderSchemas(openApi);
  const writing = new Writing(files);
  for (const section of sections) {
    const before = folder?.items.filter((item) => item.section === section) ?? [];
    writeSection(writing, schemas, section, exported, before);
  }
  for (const [name, schema] of schemas.files)
    writing.write(posix.join(SCHEMAS, `${name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
  if (!folder) {
    const manifest = stringify({ version: 1, sections: sections.map(({ name }) => name) });
    writing.write(MANIFEST, `${ABOUT.join('\n')}\n${manifest}`);
    if (readText(join(directory, GIT_ATTRIBUTES)) === null) writing.write(GIT_ATTRIBUTES, KEEP_LINE_BREAKS);
  }
  const { written, removed, seen } = writing;
  return { written, removed, unchanged: seen.size - written.length };
}
