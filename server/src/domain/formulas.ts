/**
 * Where a spreadsheet would start a formula: at the start of a cell, or after a semicolon or line end, which
 * some locales read as the end of a cell. Also after what nobody sees, in full-width forms, and after quotation marks:
 * the writer doubles them, and whoever cuts at semicolons reads two as an empty quoted text before the rest. A match
 * takes everything that can precede a formula, so that each character is read once.
 */
const LEADING = /(?:^|[;\t\r\n])[;"\uff02\s\p{Cc}\p{Default_Ignorable_Code_Point}]*/gu;
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/;

/** A text that a spreadsheet would run as a formula is prefixed with a quote (OWASP, CSV injection). */
export const neutralise = (cell: string): string =>
  cell.replace(LEADING, (run, at: number) => {
    const start = at === 0 && /^[\t\r\n]/.test(run) ? "'" : '';
    if (!FORMULA.test(cell.charAt(at + run.length))) return start + run;
    // Everything before the last semicolon only ends empty cells.
    const [before, last] = [run.slice(0, run.lastIndexOf(';') + 1), run.slice(run.lastIndexOf(';') + 1)];
    const begins = before !== '' || at === 0 ? "'" : '';
    return (before === '' ? '' : start) + before + begins + last.replace(/[\t\r\n]/g, "$&'");
  });

/** Characters of a cell that are made safe at a time. */
const SLICE = 16_384;
/** Any other character: what stands before it decides nothing behind it. */
const ORDINARY = /[^;"\uff02\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The same for a text of any length, in pieces: it is cut only where neither side depends on the other, and so never
 * within what precedes a formula, however long that is.
 */
export function* neutralised(cell: string, slice = SLICE): Generator<string, void> {
  for (let at = 0, end = 0; at < cell.length; at = end) {
    ORDINARY.lastIndex = at + slice - 1;
    end = ORDINARY.exec(cell) === null ? cell.length : ORDINARY.lastIndex;
    // A piece that is not the first does not begin the cell.
    yield at === 0 ? neutralise(cell.slice(0, end)) : neutralise(`a${cell.slice(at, end)}`).slice(1);
  }
}
