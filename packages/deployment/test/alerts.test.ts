import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';
import { expect, it } from '@postrider/testing';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

it('the runbook says what to do for each alert', () => {
  const { groups }: { groups: { rules: { alert: string }[] }[] } = parse(
    read('docker/prometheus/alerts.yml'),
  );
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  const told = [...read('docs/runbook.md').matchAll(/^\| (Postrider\w+) \|/gm)].map(([, alert]) => alert);
  expect(alerts.length).toBeGreaterThan(0);
  expect([...told].sort()).toEqual([...alerts].sort());
});
