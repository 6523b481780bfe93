/** The first characters of a text that somebody else wrote. Never half of one, which no database takes. */
export const beginning = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).toWellFormed();
