/** Each place that names the version of the product: a description, and the version it has. */
export function versionsIn(root?: string): [place: string, version: string | undefined][];
/** The first line of rendered manifests, by their path in the checkout. */
export function chartSourceLine(manifests: string, root?: string): string;
/** The section of a version in the changelog, without its heading. Null if there is none, or if it is empty. */
export function notesOf(changelog: string, version: string): string | null;
/** Sets the version in all files, and dates the section of the changelog. */
export function prepareRelease(version: string, date: string, root?: string): void;
/** The notes of the release that a tag names, or what does not fit the tag. */
export function checkRelease(
  tag: string,
  root?: string,
):
  | { readonly notes: string; readonly problem?: never }
  | { readonly problem: string; readonly notes?: never };
