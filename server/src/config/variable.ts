/** A variable of the environment. `Value` is what the configuration holds. */
export interface Variable<Value> {
  name: string;
  /** Throws with what to set when the text is no value. */
  read: (text: string) => Value & {};
  /** What holds when it is not set; a function is told what was read before it. */
  otherwise: Otherwise<Value>;
  /** What it does, as the README says it. */
  meaning: string;
  /** The default as the README shows it, where it is not the text of `otherwise`. */
  shown?: string;
  /** What begins like this is a variable of Avow, or a typing error. */
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
