import {
  Ban,
  Check,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  Clock,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  MailCheck,
  MailX,
  Pause,
  RotateCw,
  ThumbsDown,
  TriangleAlert,
  X,
} from 'lucide-react';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

type Look = readonly [icon: LucideIcon, tone: Tone];

/** Every status of the service with an icon and a colour. */
const LOOKS: Readonly<Record<string, Look>> = {
  delivered: [Check, 'ok'],
  succeeded: [Check, 'ok'],
  completed: [Check, 'ok'],
  active: [Check, 'ok'],
  enabled: [Check, 'ok'],
  partially_delivered: [TriangleAlert, 'warn'],
  retrying: [RotateCw, 'warn'],
  past_due: [TriangleAlert, 'warn'],
  expired: [Clock, 'neutral'],
  failing: [TriangleAlert, 'bad'],
  failed: [X, 'bad'],
  paused: [Pause, 'warn'],
  ok: [Check, 'ok'],
  working: [Check, 'ok'],
  no_traffic: [CircleDashed, 'neutral'],
  probing: [RotateCw, 'warn'],
  blocked: [Ban, 'bad'],
  held: [Hourglass, 'warn'],
  arrived: [MailCheck, 'ok'],
  deferred: [Clock, 'warn'],
  bounced: [MailX, 'bad'],
  complained: [ThumbsDown, 'bad'],
  suspended: [Ban, 'bad'],
  disabled: [CircleSlash, 'neutral'],
  inactive: [CircleDashed, 'neutral'],
  revoked: [Ban, 'neutral'],
  cancelled: [Ban, 'neutral'],
  unrouted: [CircleSlash, 'neutral'],
  unknown: [CircleHelp, 'warn'],
  pending: [CircleDashed, 'info'],
  queued: [CircleDashed, 'info'],
  scheduled: [Clock, 'info'],
  running: [LoaderCircle, 'info'],
};

const OTHER: Look = [CircleDashed, 'neutral'];

/** The words of statuses that are not their names. */
const WORDS: Readonly<Record<string, string>> = {
  partially_delivered: 'Partly delivered',
  ok: 'Working',
  no_traffic: 'No traffic yet',
  probing: 'Trying again',
  blocked: 'Blocked keys',
  held: 'Waiting',
  arrived: 'Delivered to the mailbox',
  unrouted: 'No matching channel',
  unknown: 'Outcome unknown',
};

const wordOf = (status: string) =>
  WORDS[status] ?? (status.charAt(0).toUpperCase() + status.slice(1)).replaceAll('_', ' ');

export function lookOf(status: string) {
  const [icon, tone] = LOOKS[status] ?? OTHER;
  return { icon, tone, word: wordOf(status) };
}

/** A status as an icon and a word, so that none is shown by colour alone. The portal gives the word in its languages. */
export function StatusBadge({
  value,
  word,
  title,
}: {
  value: string;
  word: string;
  title?: string | undefined;
}) {
  const [Icon, tone] = LOOKS[value] ?? OTHER;
  return (
    <span className={`badge tone-${tone}`} title={title}>
      <Icon aria-hidden="true" />
      {word}
    </span>
  );
}

/** A status with its English word. */
export const Status = ({ value, title }: { value: string; title?: string | undefined }) => (
  <StatusBadge value={value} word={wordOf(value)} title={title} />
);

/** A short word beside a name. */
export function Tag({ children, tone = 'neutral' }: { children: React.ReactNode; tone?: Tone }) {
  return <span className={`badge tone-${tone}`}>{children}</span>;
}
