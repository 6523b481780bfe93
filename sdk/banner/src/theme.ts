const rule = ({ background, text, button_background, button_text }: typeof config.colours): string =>
  `:host{--a:${background};--t:${text};--b:${button_background};--c:${button_text}}`;

/** The site's colours as rules; `auto` follows the visitor's system. */
export function colours(): string {
  const { theme, colours: light, dark_colours: dark } = config;
  if (theme === 'light') return `:host{color-scheme:light}${rule(light)}`;
  if (theme === 'dark') return `:host{color-scheme:dark}${rule(dark)}`;
  return `:host{color-scheme:light dark}${rule(light)}@media(prefers-color-scheme:dark){${rule(dark)}}`;
}
