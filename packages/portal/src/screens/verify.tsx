import { SelectField } from '@postrider/console/ui/form.tsx';
import { Card } from '@postrider/console/ui/plain.tsx';
import { VERIFY_CODE } from '@postrider/console/ui/verify-code.ts';
import { useState } from 'react';
import { useLanguage } from '../ui/i18n.ts';
import { CodeBlock, PageHead } from '../ui/parts.tsx';

/** How to verify that a request comes from the service. */
export function Verify() {
  const { t } = useLanguage();
  const [language, setLanguage] = useState('Node.js');
  return (
    <>
      <PageHead title={t.verify.title} about={t.verify.about} />
      <Card>
        <div className="stack">
          <ol className="steps stack-tight">
            {t.verify.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <SelectField
            label={t.verify.language}
            value={language}
            onChange={({ target }) => setLanguage(target.value)}
            options={Object.keys(VERIFY_CODE).map((name) => [name, name] as const)}
          />
          <p className="muted">{t.verify.environment}</p>
          <CodeBlock text={VERIFY_CODE[language] ?? ''} label={t.verify.code(language)} />
        </div>
      </Card>
    </>
  );
}
