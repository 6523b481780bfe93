/** The names of a file in `Content-Disposition`, also for clients that read ASCII only (RFC 6266 § 5). */
export function fileNames(name: string): string {
  const plain = name.replace(/[^ -~]|["\\%]/g, '_');
  if (plain === name) return `filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
