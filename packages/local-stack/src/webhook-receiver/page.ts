export type Signature = { readonly holds: true } | { readonly holds: false; readonly reason: string };

export interface ReceivedRequest {
  /** RFC 3339. */
  readonly received_at: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The result of the `standardwebhooks` package when the request arrived. */
  readonly signature: Signature;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Everything on the page came from outside, so none of it may become markup. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Formats JSON with line breaks; returns other text unchanged. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function renderRequest(request: ReceivedRequest): string {
  const { signature } = request;
  const result = signature.holds
    ? '<b class="good">signature is valid</b>'
    : `<b class="bad">signature is invalid: ${escapeHtml(signature.reason)}</b>`;
  const headers = Object.entries(request.headers)
    .map(([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`)
    .join('');
  return `<article>
<h2>${escapeHtml(request.received_at)} · ${escapeHtml(request.method)} ${escapeHtml(request.path)} · ${result}</h2>
<pre>${escapeHtml(readable(request.body))}</pre>
<details><summary>Headers</summary><table>${headers}</table></details>
</article>`;
}

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.4rem } h2 { font-size: 1rem; margin: 0 }
article { border: 1px solid #ccc; border-radius: 6px; padding: .8rem 1rem; margin: 1rem 0 }
pre, td { white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 13px }
pre { background: #f5f5f5; padding: .6rem; margin: .6rem 0; max-height: 30rem; overflow: auto }
th { text-align: left; vertical-align: top; padding-right: 1rem; font-weight: 500; white-space: nowrap }
.good { color: #0a6b2c } .bad { color: #b3141b }`;

/** The page that lists the received requests, newest first, with headers, body and result of the signature. */
export function renderPage(received: readonly ReceivedRequest[]): string {
  const list = received.length > 0 ? received.map(renderRequest).join('\n') : '<p>Nothing yet.</p>';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Webhooks (${received.length})</title>
<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head>
<body>
<h1>Received webhooks</h1>
<p>Newest first, the last 200. Reload to see new ones; as JSON: <a href="/requests">/requests</a>.</p>
${list}
</body>
</html>
`;
}
