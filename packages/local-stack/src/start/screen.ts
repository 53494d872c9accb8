export interface ScreenContent {
  readonly apiPort: number;
  readonly token: string;
  /** A link that opens the console signed in; null if it was not built or is off. */
  readonly consoleUrl: string | null;
  readonly mailUrl: string;
  readonly webhooksUrl: string;
  /** The slot's directory, relative to the checkout. */
  readonly slot: string;
}

/** An event with everything that the demo's email template needs. */
const EXAMPLE = {
  event_key: 'order.shipped',
  recipient: { email: 'ada@example.com', name: 'Ada' },
  payload: { order_id: 'A-1001', carrier: 'Swift Post', tracking_number: 'SP123456' },
};

/** One line for a POSIX shell. Node.js makes the key, because not every system has uuidgen. */
function curlLine(address: string, token: string): string {
  return [
    `curl -i ${address}/api/v1/events`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H "Idempotency-Key: $(node -p 'crypto.randomUUID()')"`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(EXAMPLE)}'`,
  ].join(' ');
}

/** What the terminal shows once everything runs: less than 24 rows of 80 columns. */
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
