/** What a terminal obeys or shows elsewhere: controls, line separators, and what turns the direction of text. */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;
/** The same without line feed and tab: a line of the log has nothing to replace, and costs no copy. */
const OBEYED_INSIDE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

const asInJson = (character: string): string =>
  `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, '0')}`;

/** A text whose lines and tabs are its own, for a terminal: all else that is obeyed there is written as in JSON. */
export const printable = (text: string): string => text.replace(OBEYED_INSIDE, asInJson);

/** What somebody has typed, within such a text: it adds no line either. */
export const inOneLine = (text: string): string => text.replace(OBEYED, asInJson);

/** What somebody can see; the contract's pattern for such texts means the same. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text says anything: blanks, controls and joiners alone do not. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);
