/** A TC string that is none, in words that name what is wrong with it. */
export class TcStringError extends Error {
  override name = 'TcStringError';
}

/** Ids of vendors, both ends included, in ascending order. */
export type Ranges = [from: number, to: number][];

/** Reads a segment of a TC string bit by bit. Throws `TcStringError` beyond its end. */
export class Bits {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(segment: string) {
    this.bytes = Buffer.from(segment, 'base64url');
  }

  number(length: number): number {
    if (this.at + length > this.bytes.length * 8) throw new TcStringError('ends before all of it was read');
    let value = 0;
    for (let end = this.at + length; this.at < end; this.at += 1)
      value = value * 2 + ((this.byte >> (7 - (this.at & 7))) & 1);
    return value;
  }

  private get byte(): number {
    return this.bytes[this.at >> 3] as number;
  }

  skip(length: number): this {
    this.number(length);
    return this;
  }

  flag(): boolean {
    return this.number(1) === 1;
  }

  /** Two letters of six bits. */
  letters(): string {
    const codes = [this.number(6), this.number(6)];
    if (codes.some((code) => code > 25)) throw new TcStringError('names a language or country that is none');
    return String.fromCharCode(...codes.map((code) => code + 65));
  }

  /** Numbers from 1 on whose bit is set. */
  field(length: number): number[] {
    const ids: number[] = [];
    for (let id = 1; id <= length; id += 1) if (this.flag()) ids.push(id);
    return ids;
  }

  vendors(): Ranges {
    const most = this.number(16);
    if (this.flag()) return this.ranges(most);
    const ranges: Ranges = [];
    for (let id = 1; id <= most; id += 1) {
      if (!this.flag()) continue;
      const last = ranges.at(-1);
      if (last?.[1] === id - 1) last[1] = id;
      else ranges.push([id, id]);
    }
    return ranges;
  }

  /** Ascending, so that no string can name the same vendors again and again. */
  ranges(most = 65_535): Ranges {
    const ranges: Ranges = [];
    for (let left = this.number(12); left > 0; left -= 1) {
      const isRange = this.flag();
      const from = this.number(16);
      const to = isRange ? this.number(16) : from;
      if (from === 0 || to < from || to > most || from <= (ranges.at(-1)?.[1] ?? 0))
        throw new TcStringError('names vendors in no order');
      ranges.push([from, to]);
    }
    return ranges;
  }
}
