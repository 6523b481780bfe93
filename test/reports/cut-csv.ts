/**
 * What a spreadsheet that cuts at a separator makes of a text: a quotation mark at the start of a cell begins a quoted
 * part, two in it are one, and whatever follows its end belongs to the cell.
 */
export function cutCsv(text: string, separator: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    }
    for (; at < text.length && !`${separator}\r\n`.includes(text.charAt(at)); at += 1) cell += text[at];
    cells.push(cell);
  }
  return cells;
}
