/**
 * Where a spreadsheet would begin a formula: at the start of a cell, or behind a semicolon or a line's end,
 * which spreadsheets of other languages take for the end of a cell. Also after blanks, and in full-width
 * forms. A run takes all that may lead to one, so that each character is looked at once.
 */
const LEADING = /(?:^|[;\t\r\n])[;\s\u200b-\u200f\u2060]*/g;
const FORMULA = /^[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]/;

/** A text that a spreadsheet would run as a formula gets a quote before it (OWASP, CSV injection). */
export const neutralise = (cell: string): string =>
  cell.replace(LEADING, (run, at: number) => {
    const start = at === 0 && /^[\t\r\n]/.test(run) ? "'" : '';
    if (!FORMULA.test(cell.charAt(at + run.length))) return start + run;
    // What stands before the last semicolon ends cells that are empty.
    const [before, last] = [run.slice(0, run.lastIndexOf(';') + 1), run.slice(run.lastIndexOf(';') + 1)];
    const begins = before !== '' || at === 0 ? "'" : '';
    return (before === '' ? '' : start) + before + begins + last.replace(/[\t\r\n]/g, "$&'");
  });
