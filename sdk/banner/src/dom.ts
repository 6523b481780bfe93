import css from '../styles/banner.css';
import tcfCss from '../styles/tcf.css';
import vendorsCss from '../styles/vendors.css';
import { named, rules } from './design.js';
import { doc } from './document.js';

type Child = Node | string | false | null | undefined;
type Attribute = string | number | false | null | undefined | ((event: Event) => void);

/**
 * Makes an element with attributes, listeners (functions, by the event's name) and children. Texts are never
 * parsed as markup.
 */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = doc.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value instanceof Function) element.addEventListener(key, value);
    else if (value || value === '') element.setAttribute(key, value as string);
  }
  if (designed) named(element);
  element.append(...(children.filter((one) => one) as Node[]));
  return element;
}

/** Gives a connected element a shadow root with the banner's styles and the site's colours. */
export function shadow(host: HTMLElement): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  if (tcf) styled(root, colours() + css + tcfCss);
  else if (byVendor) styled(root, colours() + css + vendorsCss);
  else styled(root, colours() + css);
  if (designed) styled(root, rules());
  return root;
}

/**
 * Adds styles through the CSSOM, which a Content-Security-Policy does not restrict. Answers the sheet, if the
 * browser has constructed ones.
 */
export function styled(root: Document | ShadowRoot, rules: string): CSSStyleSheet | undefined {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    return sheet;
  } catch {
    if (!rules) return;
    const style = h('style');
    root.append(style);
    // One rule with all others in it.
    style.sheet?.insertRule(`@media{${rules}}`);
  }
}

/** The element that has the focus, inside open shadow roots too; null when it is the page itself. */
export function focused(): HTMLElement | null {
  let element = doc.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element === doc.body ? null : (element as HTMLElement | null);
}

/** Keeps Tab inside a modal dialog: its last element is followed by its first. */
export function trap(event: KeyboardEvent, dialog: HTMLElement): void {
  if (event.key !== 'Tab') return;
  const all = dialog.querySelectorAll<HTMLElement>('a,button,input,summary');
  const stops = [...all].filter((one) => one.checkVisibility?.() ?? one.offsetParent);
  const [first, last] = [stops[0], stops.at(-1)];
  const now = focused();
  if (event.shiftKey ? now !== first && now !== dialog : now !== last) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

const rule = ({ background, text, button_background, button_text }: typeof config.colours): string =>
  `:host{--a:${background};--t:${text};--b:${button_background};--c:${button_text}}`;

/** The site's colours as rules; `auto` follows the visitor's system. */
function colours(): string {
  const { theme, colours: light, dark_colours: dark } = config;
  return theme === 'auto'
    ? `:host{color-scheme:light dark}${rule(light)}@media(prefers-color-scheme:dark){${rule(dark)}}`
    : `:host{color-scheme:${theme}}${rule(theme === 'dark' ? dark : light)}`;
}
