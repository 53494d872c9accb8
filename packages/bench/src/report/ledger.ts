/** What became of the events of one run, by the client, the database and the receivers. */
export interface RunLedger {
  readonly sent: number;
  /** Answers by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly unanswered: number;
  /** Messages of this run in the database. */
  readonly stored: number;
  /** Runs, of which each message has one, that are not at their end. */
  readonly waiting: number;
  /** Whether they wait because no worker is there. */
  readonly mayWait: boolean;
  /** Runs that failed or were cancelled. */
  readonly failed: number;
  /** Attempts whose outcome nobody knows. */
  readonly unknownAttempts: number;
  /** Different events at the receivers. */
  readonly delivered: number;
  readonly duplicates: number;
  /** What arrived at the receivers and is no event of this run. */
  readonly foreign: number;
}

const ACCEPTED = '201';
/** Too many at once, and overload: the answers by which the service sheds load. */
const REFUSALS = ['429', '503'];

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** Why a run is void; nothing when what was sent is delivered or explained. */
export function faultsOf(ledger: RunLedger): string[] {
  const { sent, answers, unanswered, stored, waiting, failed, delivered } = ledger;
  const accepted = answers[ACCEPTED] ?? 0;
  const unexplained = Object.keys(answers).filter(
    (status) => status !== ACCEPTED && !REFUSALS.includes(status),
  );
  const answered = sum(Object.values(answers));
  const faults: string[] = [];
  if (sent !== answered + unanswered) {
    faults.push(`${sent} sent, but ${answered} answered and ${unanswered} unanswered`);
  }
  for (const status of unexplained) faults.push(`${answers[status]} answers with ${status}`);
  if (stored < accepted || stored > accepted + unanswered) {
    faults.push(`${accepted} accepted and ${unanswered} unanswered, but ${stored} stored`);
  }
  if (waiting > 0 && !ledger.mayWait) faults.push(`${waiting} runs are not at their end`);
  if (stored !== delivered + waiting + failed) {
    faults.push(`${stored} stored, but ${delivered} delivered, ${waiting} waiting and ${failed} failed`);
  }
  if (ledger.duplicates > ledger.unknownAttempts) {
    faults.push(`${ledger.duplicates} duplicates, ${ledger.unknownAttempts} explained`);
  }
  if (ledger.foreign > 0) faults.push(`${ledger.foreign} arrivals that belong to nothing`);
  return faults;
}
