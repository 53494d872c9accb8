/**
 * Parses one line of CSV (RFC 4180) without line breaks in fields. Null if its quotes do not match. The caller limits
 * the length of a line.
 */
export function csvFields(line: string): string[] | null {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const isQuoted = line[at] === '"';
    let end: number;
    if (isQuoted) {
      end = at + 1;
      while (line[end] === '"' ? line[end + 1] === '"' : end < line.length) end += line[end] === '"' ? 2 : 1;
      if (line[end] !== '"') return null;
      fields.push(line.slice(at + 1, end).replaceAll('""', '"'));
      end += 1;
    } else {
      const comma = line.indexOf(',', at);
      end = comma < 0 ? line.length : comma;
      fields.push(line.slice(at, end));
    }
    if (end === line.length) return fields;
    if (line[end] !== ',') return null;
    at = end + 1;
  }
}

/** A line of CSV, quoted where necessary. */
export function csvLine(fields: readonly (string | null)[]): string {
  const quoted = (field: string) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  return `${fields.map((field) => quoted(field ?? '')).join(',')}\n`;
}
