import { indented } from '@postrider/console/ui/json.ts';
import { CodeBlock } from '@postrider/console/ui/plain.tsx';
import type { SentRequest } from '../api/contract.ts';
import { useLanguage } from '../ui/i18n.ts';

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
      <CodeBlock text={indented(request.body)} label={t.delivery.body} />
    </>
  );
}
