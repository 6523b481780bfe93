const TABLE = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** The checksum of ZIP files, of this chunk behind earlier ones. */
export function crc32(chunk: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let at = 0; at < chunk.length; at += 1)
    crc = (TABLE[(crc ^ (chunk[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}
