import { posix } from 'node:path';
import { type JsonObject, type JsonPath, type JsonValue, withValue } from '@postrider/domain';
import type { Io } from '../io.ts';
import { type FolderIssue, refuseIssues, UnreadableFile } from './contained-files.ts';
import type { Folder, FolderItem } from './read-folder.ts';
import type { ConfigurationDocument } from './sections.ts';
import { textsOf } from './yaml-file.ts';

/** A text that refers to another one. */
export interface Reference {
  readonly path: JsonPath;
  /** As it is in the file: `env:NAME` or `file:PATH`. */
  readonly text: string;
  /** The file that it leads to, relative to the folder. */
  readonly leadsTo?: string;
}

/** Credentials of the command itself: a channel's configuration could send them anywhere. */
const OWN_VARIABLES: ReadonlySet<string> = new Set(['ADMIN_TOKEN', 'POSTRIDER_TOKEN']);
const VARIABLE = /^env:([A-Za-z_][A-Za-z0-9_]*)$/;
const FILE = 'file:';
/** Before a text that would be a reference. */
const LITERAL = 'text:';

const isMarked = (text: string) => /^(?:env|file|text):/.test(text);
/** Escapes a text where references are possible, so that it is not taken for one. */
export const literal = (text: string): string => (isMarked(text) ? LITERAL + text : text);

/** Whether a text at this path may be a reference. */
export const mayRefer = (
  { references, texts = [] }: FolderItem['section'],
  [field = '', ...rest]: JsonPath,
) => field === references || (rest.length === 0 && texts.includes(field));

/** The references of a resource. */
export function referencesOf({ section, file, yaml }: FolderItem): Reference[] {
  return textsOf(yaml.data).flatMap(({ path, text }): Reference[] => {
    if (!mayRefer(section, path) || !isMarked(text) || text.startsWith(LITERAL)) return [];
    if (!text.startsWith(FILE)) return [{ path, text }];
    const target = text.slice(FILE.length);
    return [
      { path, text, leadsTo: posix.isAbsolute(target) ? target : posix.join(posix.dirname(file), target) },
    ];
  });
}

/** The text that a reference leads to. Throws an error with the reason, which does not have the value. */
function resolveOne({ text, leadsTo, path }: Reference, { files }: Folder, io: Io, item: FolderItem): string {
  if (leadsTo !== undefined) {
    const content = files.read(leadsTo);
    // Editors end a secret with a line break, which is not part of it. A template's text is used unchanged.
    return item.section.references === path[0] ? content.replace(/\r?\n$/, '') : content;
  }
  const [, name] = VARIABLE.exec(text) ?? [];
  if (name === undefined)
    throw new UnreadableFile(text, 'is not a reference: write env:NAME with letters, digits and _');
  if (OWN_VARIABLES.has(name))
    throw new UnreadableFile(text, `may not be used: ${name} belongs to this command`);
  const value = io.env[name];
  if (!value) throw new UnreadableFile(text, `needs the variable ${name}, which is not set`);
  return value;
}

function resolveItem(folder: Folder, item: FolderItem, io: Io, issues: FolderIssue[]): JsonObject {
  let value: JsonValue = item.yaml.data;
  for (const { path, text } of textsOf(value)) {
    if (mayRefer(item.section, path) && text.startsWith(LITERAL))
      value = withValue(value, path, text.slice(LITERAL.length));
  }
  for (const reference of referencesOf(item)) {
    try {
      value = withValue(value, reference.path, resolveOne(reference, folder, io, item));
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      const what = reference.leadsTo === undefined ? `/${reference.path.join('/')}` : reference.text;
      const line = item.yaml.lineOf(reference.path);
      issues.push({ file: item.file, line, message: `${what} ${error.reason}.` });
    }
  }
  return value as JsonObject;
}

/**
 * The document of a folder, with variables and files instead of references. Throws a UsageError that names file, line and variable of
 * each that is missing.
 */
export function documentOf(folder: Folder, io: Io): ConfigurationDocument {
  const issues: FolderIssue[] = [];
  const sections = folder.sections.map(({ name }) => {
    const items = folder.items
      .filter(({ section }) => section.name === name)
      .map((item) => resolveItem(folder, item, io, issues));
    return [name, name === 'settings' ? (items[0] ?? {}) : items] as const;
  });
  refuseIssues(issues);
  return { version: 1, ...Object.fromEntries(sections) };
}
