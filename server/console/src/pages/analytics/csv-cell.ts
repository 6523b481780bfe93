export type Cell = string | number | null;

/** Characters that separate cells in the spreadsheets of some languages. */
const ENDS = /([;\t\r\n])/;
/** Quotation marks, too: written twice, they are an empty text where cells end at semicolons. */
const FORMULA =
  /^["\uff02\s\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/u;

/** A cell of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula gets a `'` before it. */
export function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const pieces = cell.split(ENDS).map((piece) => (FORMULA.test(piece) ? `'${piece}` : piece));
  const safe = pieces.join('');
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
