/** Exit codes for scripts; `postrider --help` lists them. */
export const EXIT = {
  done: 0,
  /** The service refused it, or it failed. */
  failed: 1,
  /** Arguments, a variable that is missing, a file that cannot be read. */
  usage: 2,
  /** What the command names does not exist. */
  notFound: 3,
  /** The token is refused, or not enough. */
  notAllowed: 4,
  /** The service cannot be reached, or says that it cannot work now: try again. */
  unavailable: 5,
  /** By Ctrl-C, as shells report it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_CODES_HELP = `Exit codes:
0 done; 1 refused or failed; 2 wrong usage; 3 not found; 4 token refused; 5 service out of reach, try again; 130 interrupted.`;

/** An error that the user can fix; one line per issue. */
export class UsageError extends Error {
  constructor(...issues: readonly string[]) {
    super(issues.join('\n'));
  }
}
