/** An error that the user can fix; one line per issue. */
export class UsageError extends Error {
  constructor(...issues: readonly string[]) {
    super(issues.join('\n'));
  }
}
