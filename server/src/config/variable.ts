/** A variable of the environment. `Value` is what the configuration holds. */
export interface Variable<Value> {
  name: string;
  /** Throws an error that says what to set when the text is invalid. */
  read: (text: string) => Value & {};
  /** The default; a function gets the values read before it. */
  otherwise: Otherwise<Value>;
  /** Its description in the README. */
  meaning: string;
  /** The default as the README shows it, if it is not the text of `otherwise`. */
  shown?: string;
  /** Any variable with this prefix must be one of Avow's; otherwise it is a typo. */
  family?: string;
}
type Otherwise<Value> =
  | Value
  | ((before: { databaseUrl?: string | undefined; isProduction?: boolean }) => Value);

export function variable<Value>(
  name: string,
  read: (text: string) => Value & {},
  otherwise: Otherwise<Value>,
  meaning: string,
  more: Pick<Variable<Value>, 'shown' | 'family'> = {},
): Variable<Value> {
  return { name, read, otherwise, meaning, ...more };
}
