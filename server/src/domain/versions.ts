/** Whether a version is another one or comes after it, by its three numbers. */
export function isAtLeast(version: string, other: string): boolean {
  const [mine, theirs] = [numbersOf(version), numbersOf(other)];
  const place = mine.findIndex((number, index) => number !== theirs[index]);
  return place === -1 || (mine[place] as number) > (theirs[place] as number);
}

const numbersOf = (version: string): number[] => {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  return numbers ?? [0, 0, 0];
};
