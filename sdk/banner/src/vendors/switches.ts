import { ownVendorChoice } from '../consent.js';
import type { AskedVendor, Category, Texts } from '../contract.js';
import { h } from '../dom.js';
import { pause } from '../page.js';
import { track } from '../send.js';
import { asked } from './asked.js';
import { stage } from './choice.js';

interface VendorSwitches {
  /** Puts the vendors of a category below its description. */
  add(section: HTMLElement, category: Category): void;
  /** Which categories are on; leaves the choice by vendor for the decision that follows. */
  choice(): (key: string) => boolean;
}

/** Switches that are made at once: hundreds would keep a phone busy. */
const PAGE = 20;

async function fill(list: HTMLElement, rows: (() => HTMLElement)[]): Promise<void> {
  for (let from = 0; from < rows.length; from += PAGE) {
    if (from) await pause();
    list.append(...rows.slice(from, from + PAGE).map((make) => make()));
  }
}

const ofCategory = (key: string): AskedVendor[] => asked.filter(({ categories }) => categories.includes(key));

/**
 * A switch for each vendor below each of its categories. They move together, because a vendor has one choice; a
 * category's sets all of its vendors, and goes off with the last of them.
 */
export function vendorSwitches(text: Texts, ofCategories: Map<string, HTMLInputElement>): VendorSwitches {
  const chosen = new Map(asked.map((one) => [one.id, ownVendorChoice(one)]));
  const inputs: [id: number, input: HTMLInputElement][] = [];
  const allows = ({ id }: AskedVendor): boolean => chosen.get(id) === true;
  const set = (vendors: AskedVendor[], isOn: boolean): void => {
    for (const { id } of vendors) chosen.set(id, isOn);
    for (const [id, input] of inputs) input.checked = chosen.get(id) === true;
    if (isOn) return;
    for (const key of new Set(vendors.flatMap(({ categories }) => categories))) {
      const input = ofCategories.get(key);
      if (input && !ofCategory(key).some(allows)) input.checked = false;
    }
  };
  const row = (vendor: AskedVendor, key: string): HTMLElement => {
    const name = `vendor-${key}-${vendor.id}`;
    const input = h('input', {
      type: 'checkbox',
      role: 'switch',
      'aria-labelledby': name,
      'aria-describedby': `title-${key}`,
      change: () => {
        set([vendor], input.checked);
        track('category_toggled', key);
      },
    });
    input.checked = allows(vendor);
    inputs.push([vendor.id, input]);
    return h('label', { class: 'head vendor' }, h('span', { id: name, dir: 'auto' }, vendor.name), input);
  };
  return {
    choice: () => {
      stage(allows);
      return (key) => ofCategories.get(key)?.checked === true;
    },
    add: (section, { key, required }) => {
      const vendors = required ? [] : ofCategory(key);
      if (!vendors[0]) return;
      const input = ofCategories.get(key);
      input?.addEventListener('change', () => set(vendors, input.checked));
      const name = `${text.vendors}: ${text.categories[key]?.name ?? key}`;
      const list = h('div', { role: 'group', 'aria-label': name });
      void fill(
        list,
        vendors.map((one) => () => row(one, key)),
      );
      section.children[1]?.after(list);
    },
  };
}
