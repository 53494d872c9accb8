import { readFileSync } from 'node:fs';
import { type Content, createContent } from '../http/static-content.ts';

/** The root of the checkout, the image or the package: bundles are as deep in it as this file. */
const ROOT = new URL('../../../../', import.meta.url);
const LINK = /\]\((docs\/[^)]+\.md)\)/g;

/**
 * The documentation of this version for agents (https://llmstxt.org): the list at /llms.txt, and the pages that it links to, by their
 * paths. Reads the files once.
 */
export function readPages(): ReadonlyMap<string, Content> {
  const read = (path: string, type: string) =>
    [`/${path}`, createContent(readFileSync(new URL(path, ROOT)), `${type}; charset=utf-8`)] as const;
  const [, list] = read('docs/llms.txt', 'text/plain');
  const pages = [...list.bytes.toString().matchAll(LINK)].map(([, path = '']) => read(path, 'text/markdown'));
  return new Map([['/llms.txt', list], ...pages]);
}
