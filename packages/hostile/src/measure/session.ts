import { setTimeout as wait } from 'node:timers/promises';
import { formatId } from '@postrider/domain';
import { openFeedback } from '../target/feedback.ts';
import { callApi, postBytes } from '../target/post-event.ts';
import { openTarget, type Target, type TargetOptions } from '../target/target.ts';
import { type Probe, startProbe } from './probe.ts';
import { usageOf } from './processes.ts';

/** A target with the second tenant's traffic on it. */
export interface Session {
  readonly target: Target;
  readonly probe: Probe;
  close(): Promise<void>;
}

/** The time between two samples of a process. If both are alike, it has opened all its pools. */
const SAMPLE_MS = 1_000;
const WARM_UP_DEADLINE_MS = 20_000;
const WARM_UP_PREVIEWS = 20;

/** Renders a harmless template, so that renderers that start on demand are part of the baseline. */
async function startRenderers(target: Target): Promise<void> {
  const template = {
    eventKey: 'warm.up',
    channelKind: 'webhook' as const,
    body: { text: '{{ payload.x }}' },
    activate: true,
  };
  const { templates } = await target.addEnvironment({ templates: [template] });
  const path = `/admin/v1/templates/${formatId('tpl', templates[0]?.id ?? '')}/preview`;
  const preview = () => callApi(target, { path, token: target.adminToken, body: '{}' });
  await Promise.all(Array.from({ length: WARM_UP_PREVIEWS }, preview));
}

/** Sends a harmless report, so that the mail parser, which the API loads with the first report, is part of the baseline. */
async function loadMailParser(target: Target): Promise<void> {
  const path = `${await openFeedback(target)}dsn`;
  await postBytes(target, { path, body: Buffer.from('Subject: Out of office\r\n\r\nBye\r\n') });
}

/** Resolves when neither process opens more descriptors. */
async function untilSteady({ api, worker }: Target): Promise<void> {
  const giveUpAt = performance.now() + WARM_UP_DEADLINE_MS;
  let before = Number.NaN;
  while (performance.now() < giveUpAt) {
    const used = await Promise.all([usageOf(api), usageOf(worker)]);
    const descriptors = used.reduce((sum, usage) => sum + (usage?.descriptors ?? 0), 0);
    if (Math.abs(descriptors - before) <= 4) return;
    before = descriptors;
    await wait(SAMPLE_MS);
  }
}

/** Opens a target, starts the second tenant and resolves when both processes are warm. */
export async function openSession(options: TargetOptions): Promise<Session> {
  const target = await openTarget(options);
  const probe = await startProbe(target);
  async function close(): Promise<void> {
    await probe.close();
    await target.close();
  }
  try {
    await startRenderers(target);
    await loadMailParser(target);
    await untilSteady(target);
    return { target, probe, close };
  } catch (error) {
    await close();
    throw error;
  }
}
