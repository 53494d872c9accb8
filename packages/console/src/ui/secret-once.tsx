import type { ReactNode } from 'react';
import { Notice } from './feedback.tsx';
import { Dialog } from './overlays.tsx';
import { Button, CodeBlock } from './parts.tsx';

/** A secret that the service shows once and never again. */
export function SecretOnce({ value, label }: { value: string; label: string }) {
  return (
    <>
      <Notice tone="warn" title={`Copy the ${label.toLowerCase()} now.`}>
        <p>It is not shown again: the service keeps no readable copy of it.</p>
      </Notice>
      <CodeBlock text={value} label={label} />
    </>
  );
}

/** The dialog that shows a new secret until the user closes it. */
export function SecretDialog({
  title,
  label,
  value,
  onClose,
  children,
}: {
  title: string;
  label: string;
  value: string;
  onClose: () => void;
  children?: ReactNode;
}) {
  return (
    <Dialog open onClose={onClose} title={title} foot={<Button onClick={onClose}>Done</Button>}>
      <SecretOnce value={value} label={label} />
      {children}
    </Dialog>
  );
}
