import { SelectField } from '@postrider/console/ui/form.tsx';
import { Card } from '@postrider/console/ui/plain.tsx';
import { useState } from 'react';
import java from '../../verify/Verify.java?raw';
import go from '../../verify/verify.go?raw';
import node from '../../verify/verify.mjs?raw';
import php from '../../verify/verify.php?raw';
import python from '../../verify/verify.py?raw';
import ruby from '../../verify/verify.rb?raw';
import { useLanguage } from '../ui/i18n.ts';
import { CodeBlock, PageHead } from '../ui/parts.tsx';

const CODE: Readonly<Record<string, string>> = {
  'Node.js': node,
  Python: python,
  Go: go,
  Ruby: ruby,
  PHP: php,
  Java: java,
};

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
            options={Object.keys(CODE).map((name) => [name, name] as const)}
          />
          <p className="muted">{t.verify.environment}</p>
          <CodeBlock text={CODE[language] ?? ''} label={t.verify.code(language)} />
        </div>
      </Card>
    </>
  );
}
