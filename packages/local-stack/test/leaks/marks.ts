/** A secret that was planted, under the name by which a failure speaks of it. */
export interface Mark {
  readonly name: string;
  readonly secret: string;
}

/** The forms in which a secret could get out. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    // Without what depends on the neighbouring bytes.
    bytes.toString('base64').slice(0, -4),
    bytes.toString('hex'),
  ];
}

/** Where marks are found: `name in place`, with the beginning of what stands there. */
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
