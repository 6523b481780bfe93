import { type Html, html } from './html';
import type { Shape } from './schema';

/** Whether a field is required in a request, or may be missing in an answer. */
export const presence = (required: boolean, written: boolean): Html | false =>
  written === required &&
  html` <span class="${written ? 'required' : 'optional'}">${written ? 'required' : 'may be missing'}</span>`;

/** A value that is not an object. */
export const facts = (shape: Shape): Html =>
  html`<span class="type">${shape.type}${shape.nullable && ' or null'}</span> ${limitsLine(shape)}`;

/** Default, ranges and allowed values in one line. */
export function limitsLine(shape: Shape): Html | false {
  const { limits, preset } = shape;
  // The text "Always `error`." already says this.
  const values =
    shape.values.length === 1 && shape.description.includes(`\`${shape.values[0]}\``) ? [] : shape.values;
  if (limits.length === 0 && values.length === 0 && preset === undefined) return false;
  return html`<p class="limits">${preset !== undefined && html`<span>default <code>${JSON.stringify(preset)}</code></span>`}${limits.map(limit)}${values.length > 0 && html`<span>${values.length > 1 ? 'one of ' : 'always '}${values.map((value, index) => html`${index > 0 && ' '}<code>${String(value)}</code>`)}</span>`}</p>`;
}

const limit = (text: string): Html =>
  text.startsWith('pattern ') || text.startsWith('each: pattern ')
    ? html`<span>${text.split('pattern ')[0]}pattern <code>${text.slice(text.indexOf('pattern ') + 8)}</code></span>`
    : html`<span>${text}</span>`;

/** The example's value of a field; lists and objects are shown in the example itself. */
export function sample(shape: Shape, example: unknown): Html | false {
  if (example === undefined || example === null || typeof example === 'object' || shape.values.length > 0)
    return false;
  return html`<p class="example">Example: <code>${String(example)}</code></p>`;
}
