/** Other characters would be read as another part of a web address. */
const CONVERTIBLE = /^[a-z0-9._\-\u0080-\u{10ffff}]+$/u;

/** As the server compares them: without case, composed, and the domain in A-labels. */
function keyOf(email: string): string {
  const text = email.normalize('NFC').toLowerCase().normalize('NFC');
  const at = text.lastIndexOf('@') + 1;
  const domain = text.slice(at);
  const address = `http://${domain}/`;
  const isName = CONVERTIBLE.test(domain) && URL.canParse(address);
  return text.slice(0, at) + (isName ? new URL(address).hostname.replace(/\.$/, '') : domain);
}

/** Whether two spellings are one e-mail address. */
export const isSameAddress = (one: string, other: string): boolean => keyOf(one) === keyOf(other);
