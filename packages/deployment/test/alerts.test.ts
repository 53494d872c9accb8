import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@postrider/local-stack/testing';
import { findPrometheus, promtoolOf } from '@postrider/rig/servers';
import { describeWith, expect, it } from '@postrider/testing';
import { parse } from 'yaml';

const RULES = 'docker/helm/postrider/files/alerts.yml';
const RULE_TESTS = 'packages/deployment/test/support/alerts.test.yml';

interface RuleTest {
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts?: readonly object[];
  }[];
}

const run = promisify(execFile);
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { groups }: { groups: { rules: { alert: string }[] }[] } = parse(read(RULES));
const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).sort();

it('the runbook says what to do for each alert', () => {
  const told = [...read('docs/runbook.md').matchAll(/^\| (Postrider\w+) \|/gm)].map(([, alert]) => alert);
  expect(alerts.length).toBeGreaterThan(0);
  expect([...told].sort()).toEqual(alerts);
});

it('each alert has a case in which it fires', () => {
  const { tests }: { tests: RuleTest[] } = parse(read(RULE_TESTS));
  const cases = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const firing = cases.filter(({ exp_alerts = [] }) => exp_alerts.length > 0);
  expect([...new Set(firing.map(({ alertname }) => alertname))].sort()).toEqual(alerts);
});

describeWith(await findPrometheus(), 'the alerts, in promtool', (root) => {
  it('are valid rules', async () => {
    await run(promtoolOf(root), ['check', 'rules', join(ROOT, RULES)]);
  });

  it('fire and do not fire as their cases say', async () => {
    await run(promtoolOf(root), ['test', 'rules', join(ROOT, RULE_TESTS)]);
  });
});
