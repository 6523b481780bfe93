/** A query as names and values; a name that is given twice becomes a list, which no parameter of the contract takes. */
export function parseQuery(text: string | undefined): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text ?? '')) {
    query[name] = name in query ? [query[name], value].flat() : value;
  }
  return query;
}
