/** A planted secret, with its name in failure messages. */
export interface Mark {
  readonly name: string;
  readonly secret: string;
}

/** The forms in which a secret could leak. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    // Without the characters that depend on neighbouring bytes.
    bytes.toString('base64').slice(0, -4),
    bytes.toString('hex'),
  ];
}

/** Where marks are found: `name in place`, with the beginning of the text there. */
export function findMarks(
  marks: readonly Mark[],
  places: Readonly<Record<string, readonly string[]>>,
): string[] {
  return Object.entries(places).flatMap(([place, texts]) =>
    texts.flatMap((text) =>
      marks
        .filter(({ secret }) => formsOf(secret).some((form) => text.includes(form)))
        .map(({ name }) => `${name} in ${place}: ${text.slice(0, 300)}`),
    ),
  );
}
