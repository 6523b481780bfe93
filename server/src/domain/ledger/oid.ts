/** The first arc of an object identifier, and how far its second one goes (X.660). */
const SECOND = { '0': 39n, '1': 39n, '2': undefined };

/** Whether a text is an object identifier, such as that of a policy: digits and points. */
export function isPolicy(text: string): boolean {
  if (text.length > 200 || !/^[012](?:\.(?:0|[1-9]\d{0,19})){1,30}$/.test(text)) return false;
  const [first, second = '0'] = text.split('.', 2);
  const most = SECOND[first as keyof typeof SECOND];
  return most === undefined || BigInt(second) <= most;
}
