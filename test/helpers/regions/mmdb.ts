/** A network such as `203.0.113.0/24`, and what a file says of it. */
export type Entry = [network: string, country: string, state?: string];

/** A file in the MMDB format 2.0 (https://maxmind.github.io/MaxMind-DB/), as City files have it; made here, so that it has no licence. */
export function mmdb(
  entries: Entry[],
  { type = 'Test-City', built = 1_764_000_000, version = 6 as 4 | 6 } = {},
): Buffer {
  const tree: (number | undefined)[][] = [[undefined, undefined]];
  const records: Buffer[] = [];
  for (const [network, country, state] of entries) {
    const [address = '', length = '32'] = network.split('/');
    const isShort = !address.includes(':');
    const isMapped = isShort && version === 6;
    const bits = (isMapped ? '0'.repeat(96) : '') + bitsOf(address);
    const depth = Number(length) + (isMapped ? 96 : 0);
    let node = 0;
    for (let at = 0; at < depth - 1; at += 1) {
      const side = Number(bits[at]);
      let next = (tree[node] as number[])[side];
      if (next === undefined) {
        next = tree.push([undefined, undefined]) - 1;
        (tree[node] as number[])[side] = next;
      }
      node = next;
    }
    // Below zero: a record, by its number.
    (tree[node] as number[])[Number(bits[depth - 1])] = -1 - records.length;
    records.push(
      encode({
        country: { iso_code: country },
        ...(state && { subdivisions: [{ iso_code: state }] }),
      }),
    );
  }
  const starts = records.map((_, index) => Buffer.concat(records.slice(0, index)).length);
  const nodes = tree.flat().map((value) => {
    if (value === undefined) return tree.length;
    return value < 0 ? tree.length + 16 + (starts[-1 - value] as number) : value;
  });
  const search = Buffer.alloc(nodes.length * 3);
  for (const [index, value] of nodes.entries()) search.writeUIntBE(value, index * 3, 3);
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: built,
    database_type: type,
    description: { en: 'Made by a test' },
    ip_version: version,
    languages: ['en'],
    node_count: tree.length,
    record_size: 24,
  });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([search, Buffer.alloc(16), ...records, marker, metadata]);
}

const bitsOf = (address: string): string =>
  address.includes(':')
    ? wide(address)
        .map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0'))
        .join('')
    : address
        .split('.')
        .map((part) => Number(part).toString(2).padStart(8, '0'))
        .join('');

function wide(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((half) => half.split(':').filter((part) => part !== '')) as [
    string[],
    string[],
  ];
  return [...before, ...Array(8 - before.length - after.length).fill('0'), ...after];
}

function encode(value: unknown): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([Buffer.from([(6 << 5) | 4]), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([Buffer.from([value.length, 4]), ...value.map(encode)]);
  const pairs = Object.entries(value as object);
  return Buffer.concat([
    Buffer.from([(7 << 5) | pairs.length]),
    ...pairs.flatMap(([key, one]) => [encode(key), encode(one)]),
  ]);
}
