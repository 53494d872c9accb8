import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** A process's times by the kernel, in clock ticks: proc_pid_stat(5). */
interface ProcessTimes {
  readonly parent: number;
  /** User and system time of the process itself. */
  readonly own: number;
  /** The same for its children that have ended and were waited for. */
  readonly endedChildren: number;
}

/** Resident memory in bytes: now, and the peak since the process began. */
export interface Memory {
  readonly now: number;
  readonly peak: number;
}

/**
 * Parses `/proc/<pid>/stat`. A program's name may contain spaces and parentheses, so fields are counted from the last
 * closing parenthesis.
 */
export function parseStat(line: string): ProcessTimes {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  // The first field here is number 3 (state) in proc_pid_stat(5).
  const field = (number: number) => Number(fields[number - 3]);
  return { parent: field(4), own: field(14) + field(15), endedChildren: field(16) + field(17) };
}

/** Parses `VmRSS` and `VmHWM` of `/proc/<pid>/status`, which are in kibibytes: proc_pid_status(5). */
export function parseStatus(text: string): Memory {
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) * 1_024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
}

/** The processor time, in ticks, of a process and of everything that it has started, also if that has ended. */
export function ticksOfTree(root: number, times: ReadonlyMap<number, ProcessTimes>): number {
  const own = times.get(root);
  if (!own) return 0;
  const children = [...times].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
  return children.reduce((sum, pid) => sum + ticksOfTree(pid, times), own.own + own.endedChildren);
}

async function readAllTimes(): Promise<Map<number, ProcessTimes>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const times = new Map<number, ProcessTimes>();
  for (const pid of pids) {
    // A process may end between the listing and the reading.
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (line) times.set(Number(pid), parseStat(line));
  }
  return times;
}

let ticksPerSecond: number | undefined;

function clockTicks(): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticksPerSecond;
}

/** Processor seconds used so far by each process and everything that it has started. */
export async function processorSeconds(pids: readonly number[]): Promise<number[]> {
  const times = await readAllTimes();
  return pids.map((pid) => ticksOfTree(pid, times) / clockTicks());
}

/**
 * The time that the machine's processors were busy, in ticks, from the first line of `/proc/stat`: user, nice, system,
 * irq, softirq and steal, proc_stat(5).
 */
export function parseBusy(text: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = text
    .slice(text.indexOf(' '), text.indexOf('\n'))
    .trim()
    .split(/\s+/)
    .map(Number);
  return user + nice + system + irq + softirq + steal;
}

/** Processor seconds used so far by the whole machine. */
export async function machineSeconds(): Promise<number> {
  return parseBusy(await readFile('/proc/stat', 'utf8')) / clockTicks();
}

/** The resident memory of a process, in bytes. */
export async function memoryOf(pid: number): Promise<Memory> {
  return parseStatus(await readFile(`/proc/${pid}/status`, 'utf8'));
}

/** Processor seconds of each process per 1,000 events. `work` returns the number of its events. */
export async function spend(
  pids: Readonly<Record<string, number>>,
  work: () => Promise<number>,
): Promise<Record<string, number>> {
  const before = await processorSeconds(Object.values(pids));
  const events = await work();
  const after = await processorSeconds(Object.values(pids));
  const perThousand = (index: number) => (((after[index] ?? 0) - (before[index] ?? 0)) * 1_000) / events;
  return Object.fromEntries(Object.keys(pids).map((name, index) => [name, perThousand(index)]));
}
