/** Exit codes for scripts; `postrider --help` lists them. */
export const EXIT = {
  done: 0,
  /** The service refused it, or it failed. */
  failed: 1,
  /** Invalid arguments, a missing variable, or an unreadable file. */
  usage: 2,
  /** The resource does not exist. */
  notFound: 3,
  /** The token is refused or lacks rights. */
  notAllowed: 4,
  /** The service is unreachable or temporarily unavailable: try again. */
  unavailable: 5,
  /** Ctrl-C, as shells report it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_CODES_HELP = `Exit codes:
0 done; 1 refused or failed; 2 wrong usage; 3 not found; 4 token refused; 5 service unavailable, try again; 130 interrupted.`;

/** A command has shown a result that is a failure, such as an event that was not delivered. */
export class Unsuccessful extends Error {
  /** For --json: a `code` instead of `unsuccessful`, and what else programs need. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.facts = facts;
  }
}

/** Sending a file ended early because of `cause`. */
export class SendingEnded extends Error {
  readonly idempotencyKey: string;
  /** Whether anything may have been sent. */
  readonly hasSent: boolean;

  constructor(idempotencyKey: string, hasSent: boolean, cause: unknown) {
    super(`The run with --idempotency-key ${idempotencyKey} did not finish.`, { cause });
    this.idempotencyKey = idempotencyKey;
    this.hasSent = hasSent;
  }
}

/** An error that the user can fix; one line per issue. */
export class UsageError extends Error {
  constructor(...issues: readonly string[]) {
    super(issues.join('\n'));
  }
}
