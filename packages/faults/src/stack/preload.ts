/** A module's source as an argument of Node.js that has it loaded before anything else, in children, too. */
const importOf = (script: string) => `--import=data:text/javascript,${encodeURIComponent(script)}`;

/**
 * The environment of a Node.js process that loads these scripts first. They can import modules of Node.js alone. A process
 * that it starts loads them as well.
 */
export function preloading(scripts: readonly (string | null)[]): NodeJS.ProcessEnv {
  const imports = scripts.filter((script) => script !== null).map(importOf);
  return imports.length > 0 ? { NODE_OPTIONS: imports.join(' ') } : {};
}
