/** Ids of a text such as `2,5-9,755`. */
export const idsOf = (text: string): number[] =>
  text === ''
    ? []
    : text.split(',').flatMap((part) => {
        const [from = 0, to = from] = part.split('-').map(Number);
        return Array.from({ length: to - from + 1 }, (_, index) => from + index);
      });
