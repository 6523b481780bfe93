/** Numbers that somebody has typed, each once; what is none is sent as it is, so that the server says so. */
export const idsIn = (text: string): number[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .filter((part) => part !== '')
      .map(Number),
  ),
];

export const textOf = (ids: readonly number[] | undefined): string => (ids ?? []).join(', ');
