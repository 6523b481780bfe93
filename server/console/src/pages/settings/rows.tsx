import type { ReactNode } from 'react';
import { useSite } from '../../app/site';
import { Button } from '../../ui';

/** Changes one row of a list. */
export const changed = <Row extends object>(rows: readonly Row[], at: number, part: Partial<Row>): Row[] =>
  rows.map((row, index) => (index === at ? { ...row, ...part } : row));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Groups of fields, of which there may be any number. */
export function Rows<Row>({
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
  /** Name of the button for another one. */
  add: string;
  make: () => Row;
  children: (row: Row, index: number) => ReactNode;
}) {
  const mayEdit = useSite().may('owner');
  return (
    <>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name that stays while they are typed
        <fieldset key={index} className="entry-group">
          <legend>{capital(titleOf(row, index))}</legend>
          {children(row, index)}
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
