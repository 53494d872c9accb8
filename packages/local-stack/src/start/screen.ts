export interface ScreenContent {
  readonly apiPort: number;
  readonly token: string;
  /** Of the console, signed in; null when it was not built, or is off. */
  readonly consoleUrl: string | null;
  readonly mailUrl: string;
  readonly webhooksUrl: string;
  /** Relative to the checkout. */
  readonly slot: string;
}

/** An event that the demo's e-mail template has everything for. */
const EXAMPLE = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com', name: 'Ada' },
  payload: { order_id: 'A-1001', carrier: 'Swift Post', tracking_number: 'SP123456' },
};

/** One line to paste into a POSIX shell; Node.js makes the key, as not every system has uuidgen. */
function curlLine(address: string, token: string): string {
  return [
    `curl -i ${address}/api/v1/events`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H "Idempotency-Key: $(node -p 'crypto.randomUUID()')"`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(EXAMPLE)}'`,
  ].join(' ');
}

/** What the terminal shows when all is up; less than 24 rows of 80 columns. */
export function renderScreen({
  apiPort,
  token,
  consoleUrl,
  mailUrl,
  webhooksUrl,
  slot,
}: ScreenContent): string {
  const address = `http://localhost:${apiPort}`;
  return `
Postrider is running.

  API        ${address}/api/v1
  Token      ${token}${consoleUrl === null ? '' : `\n  Console    ${consoleUrl}`}
  Mail       ${mailUrl}
  Webhooks   ${webhooksUrl}
  API docs   ${address}/docs

Send an event by pasting this line, then look at the mail and the webhook:

${curlLine(address, token)}

Stop with Ctrl-C. Data and secrets are kept in ${slot}.
`;
}
