import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A node of a plan, as auto_explain logs it in JSON. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** All executions of one statement in one part of the run. */
export interface Statement {
  /** The text, with single spaces. */
  readonly text: string;
  /** The operation or process that sent the costliest one. */
  readonly by: string;
  readonly calls: number;
  /** The buffers and the plan of the execution that touched most. */
  readonly buffers: number;
  readonly plan: readonly string[];
  /** The time of the slowest execution, by the server. */
  readonly ms: number;
}

/** The `application_name` of the suite's own connections. Their statements are not measured. */
export const OWN_NAME = 'suite';

/** When the part of the run that is called `name` began, in milliseconds since 1970. */
export interface Mark {
  readonly name: string;
  readonly at: number;
}

interface LogRecord {
  readonly timestamp: string;
  readonly application_name?: string;
  readonly message?: string;
}

const buffersOf = (node: PlanNode) => (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0);

/** A line for each scan with the rows that it read, those that touched most buffers first. */
function scansOf(node: PlanNode): { readonly line: string; readonly buffers: number }[] {
  const below = (node.Plans ?? []).flatMap(scansOf);
  if (node['Relation Name'] === undefined && node['Index Name'] === undefined) return below;
  const loops = node['Actual Loops'] ?? 0;
  const rows = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * loops;
  const name = [node['Node Type'], node['Relation Name'], node['Index Name']].filter(Boolean).join(' ');
  const buffers = buffersOf(node);
  return [
    { line: `${name}: ${Math.round(rows)} rows, ${loops} loops, ${buffers} buffers`, buffers },
    ...below,
  ];
}

/** Lists of different lengths make one statement of several. */
const normalised = (text: string) =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\((\$\d+, ?)+\$\d+\)/g, '($…)')
    .trim();

/** Which part of the run a time belongs to. `marks` are in the order of time. */
function partAt(marks: readonly Mark[], at: number): string | null {
  let name: string | null = null;
  for (const mark of marks) {
    if (mark.at > at) break;
    name = mark.name;
  }
  return name;
}

const PLAN = /^duration: ([\d.]+) ms {2}plan:\n/;

/**
 * Reads the log of PostgreSQL, in which auto_explain has written the plan of each execution, and adds up the executions since
 * the first mark. Statements of processes that name themselves with `application_name` belong to these, all others to the
 * part of the run at their time.
 */
export async function readStatements(logFile: string, marks: readonly Mark[]): Promise<Statement[]> {
  const found = new Map<string, Statement>();
  for await (const line of createInterface({ input: createReadStream(logFile) })) {
    if (!line.includes('ms  plan:')) continue;
    const record = JSON.parse(line) as LogRecord;
    const [head, ms = '0'] = PLAN.exec(record.message ?? '') ?? [];
    const part = partAt(marks, Date.parse(record.timestamp));
    if (head === undefined || part === null || record.application_name === OWN_NAME) continue;
    const { 'Query Text': query, Plan: plan } = JSON.parse(record.message?.slice(head.length) ?? '') as {
      'Query Text': string;
      Plan: PlanNode;
    };
    const text = normalised(query);
    const seen = found.get(text);
    const buffers = buffersOf(plan);
    const isCostliest = !seen || buffers > seen.buffers;
    found.set(text, {
      text,
      by: isCostliest ? record.application_name || part : seen.by,
      calls: (seen?.calls ?? 0) + 1,
      ms: Math.max(seen?.ms ?? 0, Number(ms)),
      buffers: isCostliest ? buffers : seen.buffers,
      plan: isCostliest
        ? scansOf(plan)
            .sort((one, other) => other.buffers - one.buffers)
            .map(({ line: scan }) => scan)
        : seen.plan,
    });
  }
  return [...found.values()];
}
