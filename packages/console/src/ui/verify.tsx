/** How a receiver verifies that a request comes from the service, by language. Tests run some of it. */
import { type ReactNode, useState } from 'react';
import java from '../../verify/Verify.java?raw';
import go from '../../verify/verify.go?raw';
import node from '../../verify/verify.mjs?raw';
import php from '../../verify/verify.php?raw';
import python from '../../verify/verify.py?raw';
import ruby from '../../verify/verify.rb?raw';
import { bind, SelectField } from './form.tsx';
import { Card, CodeBlock } from './plain.tsx';

const CODE: Readonly<Record<string, string>> = {
  'Node.js': node,
  Python: python,
  Go: go,
  Ruby: ruby,
  PHP: php,
  Java: java,
};

interface VerifyTexts {
  readonly steps: readonly string[];
  readonly language: string;
  readonly environment?: string;
  code(language: string): string;
}

/** The steps of a verification, with code in the chosen language. The portal shows it, too. */
export function VerifyCard({ title, texts }: { title?: ReactNode; texts: VerifyTexts }) {
  const [language, setLanguage] = useState('Node.js');
  return (
    <Card title={title}>
      <div className="stack">
        <ol className="steps stack-tight">
          {texts.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <SelectField label={texts.language} options={Object.keys(CODE)} {...bind(language, setLanguage)} />
        {texts.environment && <p className="muted">{texts.environment}</p>}
        <CodeBlock text={CODE[language] ?? ''} label={texts.code(language)} />
      </div>
    </Card>
  );
}
