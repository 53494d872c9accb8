import { Notice } from './feedback.tsx';
import { CodeBlock } from './parts.tsx';

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
