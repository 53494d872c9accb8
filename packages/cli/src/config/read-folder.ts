import { posix } from 'node:path';
import type { JsonValue } from '@postrider/domain';
import { UsageError } from '../exit-codes.ts';
import { ContainedFiles, type FolderIssue, refuseIssues, UnreadableFile } from './contained-files.ts';
import { keyOf, SECTION_NAMES, SECTIONS, type Section } from './sections.ts';
import { parseYaml, type YamlFile } from './yaml-file.ts';

/** The file that makes a folder one of configuration: it names the sections that the folder manages. */
export const MANIFEST = 'postrider.yaml';
export const SETTINGS_FILE = 'settings.yaml';

/** A resource in a folder. */
export interface FolderItem {
  readonly section: Section;
  readonly key: string;
  /** Its file, relative to the folder. */
  readonly file: string;
  readonly yaml: YamlFile;
}

/** A folder of configuration. */
export interface Folder {
  readonly files: ContainedFiles;
  readonly sections: readonly Section[];
  /** Sorted by section and file. */
  readonly items: readonly FolderItem[];
}

/** What is read of a file or folder; null, with an issue, if it cannot be read. */
function readable<Read>(what: string, file: string, issues: FolderIssue[], read: () => Read): Read | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    issues.push({ file, line: 1, message: `The ${what} ${error.reason}.` });
    return null;
  }
}

/** Reads a YAML file; null, with issues, if it cannot be read or has errors. */
function readYaml(files: ContainedFiles, file: string, issues: FolderIssue[]): YamlFile | null {
  const parsed = readable('file', file, issues, () => parseYaml(files.read(file)));
  if (!parsed || 'file' in parsed) return parsed?.file ?? null;
  issues.push(...parsed.issues.map((issue) => ({ file, ...issue })));
  return null;
}

function sectionsIn({ data, lineOf }: YamlFile, issues: FolderIssue[]): Section[] {
  const add = (path: string[], message: string) =>
    issues.push({ file: MANIFEST, line: lineOf(path), message });
  if (data.version !== 1)
    add(['version'], 'The version must be 1. Other versions need another release of postrider.');
  const { sections } = data;
  if (!Array.isArray(sections)) {
    add(['sections'], 'The sections must be a list.');
    return [];
  }
  sections.forEach((name: JsonValue, index) => {
    if (!SECTION_NAMES.includes(name as string))
      add(['sections', String(index)], `The sections are ${SECTION_NAMES.join(', ')}.`);
  });
  return SECTIONS.filter(({ name }) => sections.includes(name));
}

const isYaml = (name: string) => /^[^.].*\.ya?ml$/.test(name);

/** The YAML files of a section that the folder manages. Others are issues: somebody expects them to count. */
function filesOf(
  files: ContainedFiles,
  { name: section, folder }: Section,
  isManaged: boolean,
  issues: FolderIssue[],
): string[] {
  if (folder === '') return isManaged ? [SETTINGS_FILE] : [];
  const names = readable('folder', folder, issues, () => files.list(folder)) ?? [];
  return names.flatMap((name) => {
    const file = posix.join(folder, name);
    const isFolder = name.endsWith('/');
    if (!isFolder && !isYaml(name)) return [];
    if (isManaged && !isFolder) return [file];
    const message = isFolder
      ? 'Subfolders are not read.'
      : `${MANIFEST} does not list the section ${section}.`;
    issues.push({ file, line: 1, message });
    return [];
  });
}

/**
 * Issues of folders with YAML files that belong to no section, such as a misspelt name: `--prune` would remove what they
 * have. One that cannot be read is no issue: a disk of its own has `lost+found`.
 */
function strayFolders(files: ContainedFiles, entries: readonly string[]): FolderIssue[] {
  const strays = entries.filter(
    (name) => /^[^.].*\/$/.test(name) && !SECTIONS.some(({ folder }) => `${folder}/` === name),
  );
  const message = `No section has a folder of this name. The folders are ${SECTIONS.flatMap(({ folder }) => folder || []).join(', ')}.`;
  const hasYaml = (name: string) => readable('folder', name, [], () => files.list(name))?.some(isYaml);
  return strays.filter(hasYaml).map((file) => ({ file, line: 1, message }));
}

function itemsOf(
  files: ContainedFiles,
  section: Section,
  isManaged: boolean,
  issues: FolderIssue[],
): FolderItem[] {
  const found = new Map<string, FolderItem>();
  for (const file of filesOf(files, section, isManaged, issues)) {
    const yaml = readYaml(files, file, issues);
    if (!yaml) continue;
    const key = keyOf(section, yaml.data);
    const other = found.get(key);
    if (other)
      issues.push({
        file,
        line: yaml.lineOf([section.key.at(-1) ?? '']),
        message: `${other.file} describes the same ${section.kind}.`,
      });
    else found.set(key, { section, key, file, yaml });
  }
  return [...found.values()];
}

/**
 * Reads a folder, without what its references lead to. Throws a UsageError with every issue, such as `channels/shop.yaml:3 …`; null
 * if it is no folder of configuration.
 */
export function findFolder(files: ContainedFiles): Folder | null {
  const entries = files.list('.');
  if (!entries.includes(MANIFEST)) return null;
  const issues = strayFolders(files, entries);
  const manifest = readYaml(files, MANIFEST, issues);
  const sections = manifest ? sectionsIn(manifest, issues) : [];
  const items = SECTIONS.flatMap((section) => itemsOf(files, section, sections.includes(section), issues));
  refuseIssues(issues);
  return { files, sections, items };
}

/** Like {@link findFolder}, and throws a UsageError if it is no folder of configuration. */
export function readFolder(directory: string, options: { readonly allowOutside?: boolean }): Folder {
  const folder = findFolder(new ContainedFiles(directory, options));
  if (!folder) throw new UsageError(`${directory} has no ${MANIFEST}: postrider config export creates one.`);
  return folder;
}
