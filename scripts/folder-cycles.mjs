/**
 * Finds folders that import each other: folders directly in `src` of an app or a package, and the files there, each on
 * its own. Imports of types do not count, because they are gone when the code runs.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Imports and re-exports by relative path; the second group has the names in braces. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;'"{]*?(?:\{([^}]*)\}[^;'"]*?)?\sfrom\s+)?'(\.[^']+)'/gm;
const hasValues = (names) =>
  names === undefined || names.split(',').some((name) => !/^\s*(?:type\s|$)/.test(name));

/** The folders and files directly in `src`, and what the value imports of each reach at once. */
function folderGraph(src) {
  const folderOf = (path) => relative(src, path).split('/', 1)[0];
  const graph = new Map();
  for (const name of readdirSync(src, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const from = folderOf(join(src, name));
    const targets = graph.get(from) ?? new Set();
    graph.set(from, targets);
    for (const [, names, path] of readFileSync(join(src, name), 'utf8').matchAll(IMPORT)) {
      const to = folderOf(join(src, dirname(name), path));
      if (hasValues(names) && to !== from) targets.add(to);
    }
  }
  return graph;
}

function reachableFrom(graph, start) {
  const seen = new Set();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of graph.get(folder) ?? []) {
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return seen;
}

/** The sets of folders (and files directly in `src`) that import each other through value imports. */
export function folderCycles(src) {
  if (!existsSync(src)) return [];
  const graph = folderGraph(src);
  const reach = new Map([...graph.keys()].map((folder) => [folder, reachableFrom(graph, folder)]));
  const cycles = [...graph.keys()].map((folder) =>
    [...reach.get(folder)].filter((other) => reach.get(other)?.has(folder)).sort(),
  );
  return [...new Set(cycles.filter(({ length }) => length > 1).map((cycle) => cycle.join(', ')))].map(
    (cycle) => cycle.split(', '),
  );
}
