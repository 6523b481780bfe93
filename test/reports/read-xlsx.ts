import { inflateRawSync } from 'node:zlib';

/** The files of a ZIP archive, found by its central directory (APPNOTE.TXT 4.3.12). */
export function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = archive.readUInt16LE(at + 10);
    const size = archive.readUInt32LE(at + 20);
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + size);
    const text = (method === 8 ? inflateRawSync(packed) : packed).toString('utf8');
    files.set(archive.toString('utf8', at + 46, at + 46 + (name as number)), text);
    at += 46 + (name as number) + (extra as number) + (comment as number);
  }
  return files;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const decode = (text: string): string =>
  text.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith('#x')) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
    if (name.startsWith('#')) return String.fromCodePoint(Number(name.slice(1)));
    return ENTITIES[name] ?? whole;
  });
const texts = (xml: string): string =>
  [...xml.matchAll(/<t(?: [^>]*)?>([^<]*)<\/t>/g)].map(([, text]) => decode(text as string)).join('');

/** The cells of the first sheet (ECMA-376 Part 1 § 18.3.1), row by row, and how many of them are formulas. */
export function readSheet(archive: Buffer): { rows: string[][]; formulas: number } {
  const files = unzip(archive);
  const shared = [...(files.get('xl/sharedStrings.xml') ?? '').matchAll(/<si>(.*?)<\/si>/gs)];
  const sheet = files.get('xl/worksheets/sheet1.xml') ?? '';
  const rows = [...sheet.matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(([, row = '']) => {
    const cells: string[] = [];
    for (const [, attributes = '', inside = ''] of row.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
      const letters = /r="([A-Z]+)/.exec(attributes)?.[1] ?? '';
      const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      const value = /<v>([^<]*)<\/v>/.exec(inside)?.[1] ?? '';
      const isShared = attributes.includes('t="s"');
      cells[column] = isShared ? texts(shared[Number(value)]?.[1] ?? '') : texts(inside) || decode(value);
    }
    return [...cells].map((cell) => cell ?? '');
  });
  return { rows, formulas: sheet.split('<f').length - 1 };
}

/** The rows of a CSV file (RFC 4180). */
export function readCsv(text: string, delimiter = ','): string[][] {
  const rows: string[][] = [[]];
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\\r\\n"]*)(${delimiter}|\\r?\\n|$)`, 'y');
  for (let match = cell.exec(text); match !== null && match[0] !== ''; match = cell.exec(text)) {
    const [, raw = '', end] = match;
    rows.at(-1)?.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end !== delimiter && end !== '') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
