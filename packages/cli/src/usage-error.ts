/** What the person who typed the command can mend; one line per issue. */
export class UsageError extends Error {
  constructor(...issues: readonly string[]) {
    super(issues.join('\n'));
  }
}
