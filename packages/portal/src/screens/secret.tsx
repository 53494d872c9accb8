import { path } from '@postrider/console/api/path.ts';
import { bind, SelectField } from '@postrider/console/ui/form.tsx';
import { Button, Card, CodeBlock, Notice } from '@postrider/console/ui/plain.tsx';
import { useState } from 'react';
import { usePortal } from '../api/session.ts';
import { useLanguage } from '../ui/i18n.ts';
import { Ask, useFocus } from '../ui/parts.tsx';

/** A secret that the service shows once and never again. Its title gets the focus, so screen readers begin there. */
export function SecretOnce({ title, secret, onDone }: { title: string; secret: string; onDone: () => void }) {
  const { t } = useLanguage();
  const head = useFocus<HTMLSpanElement>();
  return (
    <Card
      title={
        <span ref={head} tabIndex={-1}>
          {title}
        </span>
      }
      foot={
        <Button variant="primary" onClick={onDone}>
          {t.secret.done}
        </Button>
      }
    >
      <div className="stack">
        <Notice tone="warn" title={t.secret.warning}>
          <p>{t.secret.use}</p>
        </Notice>
        <CodeBlock text={secret} label={t.secret.title} />
      </div>
    </Card>
  );
}

/** How long both secrets may sign, in hours; the last is the most that the service allows. */
const OVERLAPS_HOURS = [24, 0, 1, 168, 720];

/** Asks for the overlap, and makes a new secret. */
export function RotateSecret({ id, onRotated }: { id: string; onRotated: (secret: string) => void }) {
  const { t, amount } = useLanguage();
  const { call } = usePortal();
  const [hours, setHours] = useState('24');
  const words = (count: number) => {
    if (count === 0) return t.secret.now;
    return count < 48 ? amount(count, 'hour') : amount(count / 24, 'day');
  };
  const rotate = async () => {
    const body = { overlap_seconds: Number(hours) * 3_600 };
    const { secret } = await call<{ secret: string }>('POST', path`/api/v1/channels/${id}/rotate-secret`, {
      body,
    });
    onRotated(secret);
  };
  return (
    <Ask title={t.secret.rotateAsk} action={t.secret.rotate} onConfirm={rotate}>
      <p>{t.secret.rotateAbout}</p>
      <SelectField
        label={t.secret.overlap}
        {...bind(hours, setHours)}
        options={OVERLAPS_HOURS.map((count) => [String(count), words(count)] as const)}
      />
    </Ask>
  );
}
