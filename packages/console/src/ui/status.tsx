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

interface Look {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
}

/** Every status of the service with a word, an icon and a colour, so that none is shown by colour alone. */
const LOOKS: Readonly<Record<string, Look>> = {
  delivered: { word: 'Delivered', icon: Check, tone: 'ok' },
  succeeded: { word: 'Succeeded', icon: Check, tone: 'ok' },
  completed: { word: 'Completed', icon: Check, tone: 'ok' },
  active: { word: 'Active', icon: Check, tone: 'ok' },
  enabled: { word: 'Enabled', icon: Check, tone: 'ok' },
  partially_delivered: { word: 'Partly delivered', icon: TriangleAlert, tone: 'warn' },
  retrying: { word: 'Retrying', icon: RotateCw, tone: 'warn' },
  past_due: { word: 'Past due', icon: TriangleAlert, tone: 'warn' },
  expired: { word: 'Expired', icon: Clock, tone: 'neutral' },
  failing: { word: 'Failing', icon: TriangleAlert, tone: 'bad' },
  failed: { word: 'Failed', icon: X, tone: 'bad' },
  paused: { word: 'Paused', icon: Pause, tone: 'warn' },
  ok: { word: 'Working', icon: Check, tone: 'ok' },
  working: { word: 'Working', icon: Check, tone: 'ok' },
  no_traffic: { word: 'No traffic yet', icon: CircleDashed, tone: 'neutral' },
  probing: { word: 'Trying again', icon: RotateCw, tone: 'warn' },
  blocked: { word: 'Blocked keys', icon: Ban, tone: 'bad' },
  held: { word: 'Waiting', icon: Hourglass, tone: 'warn' },
  arrived: { word: 'Delivered to the mailbox', icon: MailCheck, tone: 'ok' },
  deferred: { word: 'Deferred', icon: Clock, tone: 'warn' },
  bounced: { word: 'Bounced', icon: MailX, tone: 'bad' },
  complained: { word: 'Complained', icon: ThumbsDown, tone: 'bad' },
  suspended: { word: 'Suspended', icon: Ban, tone: 'bad' },
  disabled: { word: 'Disabled', icon: CircleSlash, tone: 'neutral' },
  inactive: { word: 'Inactive', icon: CircleDashed, tone: 'neutral' },
  revoked: { word: 'Revoked', icon: Ban, tone: 'neutral' },
  cancelled: { word: 'Cancelled', icon: Ban, tone: 'neutral' },
  unrouted: { word: 'No matching channel', icon: CircleSlash, tone: 'neutral' },
  unknown: { word: 'Outcome unknown', icon: CircleHelp, tone: 'warn' },
  pending: { word: 'Pending', icon: CircleDashed, tone: 'info' },
  queued: { word: 'Queued', icon: CircleDashed, tone: 'info' },
  scheduled: { word: 'Scheduled', icon: Clock, tone: 'info' },
  running: { word: 'Running', icon: LoaderCircle, tone: 'info' },
};

export function lookOf(status: string): Look {
  return LOOKS[status] ?? { word: status.replaceAll('_', ' '), icon: CircleDashed, tone: 'neutral' };
}

/** A status as an icon and a word: that in English, or another one. */
export function Status({ value, word, title }: { value: string; word?: string; title?: string | undefined }) {
  const look = lookOf(value);
  return (
    <span className={`badge tone-${look.tone}`} title={title}>
      <look.icon aria-hidden="true" />
      {word ?? look.word}
    </span>
  );
}

/** A short word beside a name. */
export function Tag({ children, tone = 'neutral' }: { children: React.ReactNode; tone?: Tone }) {
  return <span className={`badge tone-${tone}`}>{children}</span>;
}
