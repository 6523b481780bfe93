import type { RecordState } from './record-state';

/** Records that the page shows one by one; characters of a text, of a value with several of them, and of all. */
const MOST = { records: 200, text: 500, value: 5_000, all: 150_000 };

/** A record as the page shows it. */
export interface ShownRecord {
  kind: string;
  values: [name: string, value: string][];
  status: RecordState['status'];
}

/** What the page shows of the first records: their texts are strangers', so they are cut before they are kept. */
export class Shown {
  readonly records: ShownRecord[] = [];
  private characters = 0;

  add({ kind, record, status }: Omit<ShownRecord, 'values'> & { record(): object }): void {
    if (this.records.length === MOST.records || this.characters >= MOST.all) return;
    const values = Object.entries(record()).map(([name, value]): [string, string] => [
      name,
      cut(textOf(value), MOST.value),
    ]);
    for (const [name, value] of values) this.characters += name.length + value.length;
    this.records.push({ kind, values, status });
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return cut(String(value), MOST.text);
  return JSON.stringify(value, (_name, inner) => (typeof inner === 'string' ? cut(inner, MOST.text) : inner));
}

/** A copy: a part of a text keeps the whole of it in memory. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(`${text.slice(0, most)}…`.toWellFormed()).toString();
