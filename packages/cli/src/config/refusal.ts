import { PostriderApiError, type TemplateCheck } from '@postrider/client';
import { plain } from '../output/text.ts';
import { asUsageError, type FolderIssue } from './contained-files.ts';
import type { Folder, FolderItem } from './read-folder.ts';
import { referencesOf } from './references.ts';
import { pathOf } from './yaml-file.ts';

/** What the service says about a value of the document. */
interface Detail {
  readonly path?: string;
  readonly message: string;
  /** The line in a text, such as a template. */
  readonly line?: number;
}

/** The issue at a value of a resource: in the file of its text, if that has one. */
function issueIn(item: FolderItem, inside: readonly string[], { message, line }: Detail): FolderIssue {
  const text = referencesOf(item).find(({ path }) => path.join('/') === inside.join('/'));
  if (text?.leadsTo !== undefined && typeof line === 'number') return { file: text.leadsTo, line, message };
  const pointer = inside.length === 0 ? '' : `/${inside.join('/')} `;
  return { file: item.file, line: item.yaml.lineOf(inside), message: plain(`${pointer}${message}`) };
}

/** The issue at its line of the folder; a pointer to nothing in it is a part of the message. */
function locate(folder: Folder, detail: Detail): FolderIssue {
  const [, name, index, ...rest] = pathOf(detail.path ?? '');
  const section = folder.sections.find((each) => each.name === name);
  const items = folder.items.filter((each) => each.section === section);
  const isOne = section?.folder === '';
  const item = items[isOne ? 0 : Number(index)];
  if (item) return issueIn(item, isOne && index !== undefined ? [index, ...rest] : rest, detail);
  return {
    file: `${section?.folder ?? '.'}/`,
    line: 1,
    message: plain(`${detail.path ?? ''} ${detail.message}`),
  };
}

/** The error for people who edit the folder: a refused document as its files and lines. */
export function located(error: unknown, folder: Folder | null): unknown {
  if (!(error instanceof PostriderApiError) || !folder) return error;
  const { status, details } = error;
  const isDocument = details.length > 0 && details.every(({ path }) => path.startsWith('/document'));
  if (status !== 422 || !isDocument) return error;
  return asUsageError(details.map((detail) => locate(folder, detail as Detail)));
}

/** Throws a UsageError with the errors of templates, if there are any. */
export function refuseErrors(checks: readonly TemplateCheck[], folder: Folder | null): void {
  const issues = checks.flatMap(({ kind, key, errors }) => {
    const item = folder?.items.find(({ section, key: own }) => section.kind === kind && own === key);
    return (errors as unknown as readonly Detail[]).map((error) =>
      item
        ? issueIn(item, pathOf(error.path ?? ''), error)
        : { file: `${kind} ${key}`, line: 1, message: plain(`${error.path ?? ''} ${error.message}`) },
    );
  });
  if (issues.length > 0) throw asUsageError(issues);
}
