import { CodeBlock } from '@postrider/console/ui/plain.tsx';
import type { SentRequest } from '../api/contract.ts';
import { useLanguage } from '../ui/i18n.ts';

function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

export const headersText = (headers: SentRequest['headers']) =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n');

/** A request as text. */
export function RequestBlocks({ request }: { request: SentRequest }) {
  const { t } = useLanguage();
  return (
    <>
      <p className="mono break">
        {request.method} {request.url}
      </p>
      <CodeBlock text={headersText(request.headers)} label={t.delivery.headers} />
      <CodeBlock text={formatted(request.body)} label={t.delivery.body} />
    </>
  );
}
