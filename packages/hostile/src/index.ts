import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { migrate } from '@postrider/db';
import { createCleanup, startPostgres, startRedis } from '@postrider/local-stack';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks/index.ts';
import { type AttackReport, runAttack } from './measure/run-attack.ts';
import { openSession, type Session } from './measure/session.ts';
import { table } from './measure/table.ts';

export { runFuzz } from './fuzz/run.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

/** The attacks whose names contain one of the texts; all if no text is given. */
function chosen(texts: readonly string[]): readonly Attack[] {
  const attacks = ATTACKS.filter(
    ({ name }) => texts.length === 0 || texts.some((text) => name.includes(text)),
  );
  if (attacks.length === 0) throw new Error(`there is no attack named ${texts.join(', ')}`);
  return attacks;
}

function show({ name, seconds, figures, failures, violations }: AttackReport): string {
  return [
    `${violations.length === 0 ? 'held  ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s) ${JSON.stringify(figures)}`,
    ...(Object.keys(failures).length > 0 ? [`       second tenant: ${JSON.stringify(failures)}`] : []),
    ...violations.map((what) => `       ${what}`),
  ].join('\n');
}

/**
 * An attacker has a machine of their own. Here their client and receivers share the processors with the service, so they run at a
 * low priority; processes that were started before keep theirs.
 */
function setAttackerPriority(priority: number): void {
  try {
    setPriority(priority);
  } catch {
    // Only root may raise it again. The processes of the next target then have the attacker's priority.
  }
}

async function runAll(attacks: readonly Attack[], databaseUrl: string, redisUrl: string) {
  const reports: AttackReport[] = [];
  const options = { databaseUrl, redisUrl, encryptionKey: randomBytes(32) };
  let session: Session | null = null;
  try {
    for (const attack of attacks) {
      if (session === null) {
        setAttackerPriority(constants.priority.PRIORITY_NORMAL);
        session = await openSession(options);
        setAttackerPriority(constants.priority.PRIORITY_LOW);
      }
      const report = await runAttack(attack, { ...session, isLong: true });
      reports.push(report);
      say(show(report));
      // The next attack gets new processes.
      if (report.violations.length > 0) {
        await session.close();
        session = null;
      }
    }
  } finally {
    await session?.close();
  }
  return reports;
}

/**
 * `npm run test:hostile -- [part of a name …]`: runs the attacks in their long form against processes that are started
 * like in the images, and prints the figures as a Markdown table. HOSTILE_REPORT names a file for them as JSON.
 * Resolves with the exit code: 1 if a bound was exceeded.
 */
export async function runHostile(texts: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const attacks = chosen(texts);
  const cleanup = createCleanup();
  try {
    const postgres = await startPostgres({ durable: false });
    cleanup.add(postgres.stop);
    const redis = await startRedis();
    cleanup.add(redis.stop);
    await migrate(postgres.url);
    if (process.platform !== 'linux') say('Memory and descriptors are not measured: there is no /proc.');
    const reports = await runAll(attacks, postgres.url, redis.url);
    if (env.HOSTILE_REPORT) await writeFile(env.HOSTILE_REPORT, JSON.stringify(reports, null, 2));
    say(`\n${table(reports)}\n`);
    return reports.some(({ violations }) => violations.length > 0) ? 1 : 0;
  } finally {
    await cleanup.run();
  }
}
