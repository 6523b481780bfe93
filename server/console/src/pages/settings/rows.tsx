import type { ReactNode } from 'react';
import { useSite } from '../../app/site';
import { Button } from '../../ui';

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A list of field groups that can grow and shrink. */
export function Rows<Row extends object>({
  rows,
  onChange,
  titleOf,
  add,
  make,
  children,
}: {
  rows: readonly Row[];
  onChange: (rows: Row[]) => void;
  titleOf: (row: Row, index: number) => string;
  /** The text of the button that adds a group. */
  add: string;
  make: () => Row;
  children: (row: Row, index: number, change: (part: Partial<Row>) => void) => ReactNode;
}) {
  const mayEdit = useSite().may('owner');
  const change = (at: number, part: Partial<Row>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity that is stable while they are edited
        <fieldset key={index} className="entry-group">
          <legend>{capital(titleOf(row, index))}</legend>
          {children(row, index, (part) => change(index, part))}
          {mayEdit && (
            <div>
              <Button small variant="danger" onPress={() => onChange(rows.filter((_, at) => at !== index))}>
                Remove {titleOf(row, index)}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      {mayEdit && (
        <div>
          <Button onPress={() => onChange([...rows, make()])}>{add}</Button>
        </div>
      )}
    </>
  );
}
