/** The contract's rule for e-mail addresses, for those that come from the operator and not through the API. */
const PATTERN =
  /^[^\s@<>"(),:;[\]\\\x00-\x1f\x7f]{1,64}@[^\s@<>"(),:;[\]\\\x00-\x1f\x7f]{1,189}\.[^\s@<>"(),:;[\]\\.\x00-\x1f\x7f]{2,63}$/;

export const isEmail = (text: string): boolean => text.length <= 254 && PATTERN.test(text);
