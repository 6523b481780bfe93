type Attributes = Record<string, string | boolean | number | undefined>;

/** Makes an element with attributes and children. Text is never parsed as markup. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

/** Fetches a file of this site once. */
const fetched = new Map<string, Promise<string>>();
export function load(address: string): Promise<string> {
  const known = fetched.get(address);
  if (known !== undefined) return known;
  const asked = fetch(address).then((response) => {
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response.text();
  });
  fetched.set(address, asked);
  // The next call retries after a failure.
  asked.catch(() => fetched.delete(address));
  return asked;
}
