/** What the person who typed the command can mend; one line per fault. */
export class UsageError extends Error {
  constructor(...faults: readonly string[]) {
    super(faults.join('\n'));
  }
}
