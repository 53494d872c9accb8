import { formatId } from '@postrider/domain';
import fc from 'fast-check';
import type { Attack, AttackContext, Outcome } from '../attack.ts';
import { type AuthorIn, byAuthors } from '../target/author.ts';
import { callAll } from '../target/post-event.ts';
import { deliver, eventOf } from './deliveries.ts';

const SEED = 20_261_122;
/** The values that the templates multiply. */
export const PAYLOAD = { l: ['x'.repeat(4_000), 'y'.repeat(4_000)], t: 'z'.repeat(1_000), n: 1_000_000 };

const doublings = (times: number, statement: string) => statement.repeat(times);

/** A list with long items, and then its text, while a loop keeps all of it in memory. */
const KILLER = [
  '{% assign a = payload.l %}',
  doublings(16, '{% assign a = a | concat: a %}'),
  '{{ a }}{% for i in (1..200000) %}{{ i }}{% endfor %}',
].join('');

const KNOWN: readonly string[] = [
  KILLER,
  '{% assign a = payload.t %}{% for i in (1..40) %}{% assign a = a | append: a %}{% endfor %}{{ a }}',
  '{% for i in (1..999999) %}{% for j in (1..999999) %}{% assign x = j %}{% endfor %}{% endfor %}',
  `{% assign a = payload.l %}${doublings(18, '{% assign a = a | concat: a %}')}{{ a | join: payload.t | size }}`,
  '{% assign a = payload.t | split: "" %}{% for i in (1..99999) %}{% assign b = a | sort | reverse | uniq %}{% endfor %}',
  `{% assign a = payload.t %}${doublings(12, '{% assign a = a | replace: "", a %}')}{{ a }}`,
  '{% capture a %}{{ payload.t }}{% endcapture %}{% for i in (1..30) %}{% capture a %}{{ a }}{{ a }}{% endcapture %}{% endfor %}{{ a }}',
  '{{ timestamp | date: "%999999999Y" }}',
];

/** Statements that enlarge a variable or use it, in any order. */
const statements = fc.constantFrom(
  '{% assign a = a | concat: a %}',
  '{% assign a = a | concat: payload.l %}',
  '{% assign t = t | append: t %}',
  '{% assign t = a | join: t %}',
  '{% assign a = t | split: "" %}',
  '{% assign a = a | sort | reverse %}',
  '{% assign a = a | uniq %}',
  '{% assign t = t | replace: "z", payload.t %}',
  '{% capture t %}{{ t }}{{ a }}{% endcapture %}',
  '{% capture t %}{{ t }}{{ t }}{% endcapture %}',
  '{{ a }}',
  '{{ t }}',
  '{{ t | size }}',
);
const wrapped = (inner: string) => `{% for i in (1..50) %}${inner}{% endfor %}`;

/** Generated templates, the same ones each time. */
const generated = fc
  .array(fc.tuple(statements, fc.nat(12), fc.boolean()), { minLength: 3, maxLength: 12 })
  .map((parts) => {
    const text = parts.map(([statement, times, inLoop]) => {
      const repeated = statement.repeat(times + 1);
      return inLoop ? wrapped(repeated) : repeated;
    });
    return `{% assign a = payload.l %}{% assign t = payload.t %}${text.join('')}`;
  });

/** Expensive templates: the known ones, and as many generated ones as are missing. */
export const sources = (count: number) => [
  ...KNOWN,
  ...fc.sample(generated, { seed: SEED, numRuns: Math.max(1, count - KNOWN.length) }),
];

const webhookTemplates = (count: number) =>
  sources(count).map((source, index) => ({
    eventKey: `hostile.${index}`,
    channelKind: 'webhook' as const,
    body: { text: source },
    activate: true,
  }));

async function preview({ target, amount }: AttackContext, authorIn: AuthorIn): Promise<Outcome> {
  const count = amount(20, 1_000);
  const environment = await target.addEnvironment({ templates: webhookTemplates(count) });
  const { path, token } = await authorIn(environment);
  const body = JSON.stringify({ payload: PAYLOAD });
  const calls = environment.templates.map(({ id }) => ({
    path: path(`templates/${formatId('tpl', id)}/preview`),
    body,
    what: 'a preview',
  }));
  const { statuses, violations } = await callAll(target, token, calls);
  return { figures: { templates: count, ...statuses }, violations };
}

async function render(context: AttackContext): Promise<Outcome> {
  const templates = webhookTemplates(context.amount(20, 1_000));
  const channel = {
    kind: 'webhook' as const,
    name: 'hook',
    // Nothing listens there: only the steps before the request matter.
    config: { url: 'http://127.0.0.1:9/', timeout_ms: 1_000 },
    retry: { max_attempts: 1, delays_seconds: [1] },
  };
  const events = templates.map(({ eventKey }) => eventOf(eventKey, PAYLOAD));
  return deliver(context, { channels: [channel], templates, events });
}

export const TEMPLATE_ATTACKS: readonly Attack[] = [
  ...byAuthors({ name: 'hostile templates, previewed', needed: 'templates:read', run: preview }),
  { name: 'hostile templates, delivered', run: render },
];
