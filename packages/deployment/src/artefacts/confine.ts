const [MAJOR = 0] = process.versions.node.split('.').map(Number);

/**
 * Options with which Node.js itself lets a program read its artefact alone, write nothing, and start no other
 * program: what the container of an image holds it to. Release 20 calls the switch by another name.
 */
export function confinedTo(directory: string): string[] {
  const permission = MAJOR < 22 ? '--experimental-permission' : '--permission';
  return [
    permission,
    `--allow-fs-read=${directory}/*`,
    '--allow-worker',
    '--disable-warning=ExperimentalWarning',
  ];
}
