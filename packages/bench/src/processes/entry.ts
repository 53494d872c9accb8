/** Node.js' arguments by which TypeScript runs from source, as the tests do. */
const FROM_SOURCE = [
  '--import',
  'tsx',
  '--conditions=@postrider/source',
  '--disable-warning=ExperimentalWarning',
];

const isSource = (moduleUrl: string) => moduleUrl.endsWith('.ts');

/** `.ts` for a module that runs from source, `.js` for one that was built: what it starts is of its kind. */
export const sameKindOf = (moduleUrl: string) => (isSource(moduleUrl) ? '.ts' : '.js');

/** The folder of a workspace in which modules of that kind are. */
export const folderOf = (moduleUrl: string) => (isSource(moduleUrl) ? 'src' : 'dist');

/** Node.js' arguments for starting a module of that kind; none for a built one. */
export const nodeArguments = (moduleUrl: string): string[] => (isSource(moduleUrl) ? FROM_SOURCE : []);
