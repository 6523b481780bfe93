import { RadioGroup, Select } from '../../ui';
import type { Banner, Editor } from './draft';

type Layout = Banner['layout'];
type Position = Banner['position'];

const LAYOUTS: readonly (readonly [Layout, string, string])[] = [
  ['box', 'Box', 'Beside the content, which can be read and used.'],
  ['bar', 'Bar', 'Across the whole width.'],
  ['dialog', 'Dialog', 'Over the content, which is blocked until the visitor decides.'],
];

const POSITIONS: readonly (readonly [Position, string])[] = [
  ['bottom_right', 'Bottom right'],
  ['bottom_left', 'Bottom left'],
  ['bottom', 'Bottom'],
  ['top_right', 'Top right'],
  ['top_left', 'Top left'],
  ['top', 'Top'],
  ['center', 'Centre'],
];

/** Form and place of the first layer. */
export function PlaceFields({ editor: { value, setBanner, at = 'settings.banner' } }: { editor: Editor }) {
  const { banner } = value;
  return (
    <>
      <RadioGroup
        label="Layout"
        name={`${at}.layout`}
        options={LAYOUTS}
        value={banner.layout}
        onChange={(layout) => setBanner({ layout })}
      />
      <Select
        label="Position"
        name={`${at}.position`}
        isRequired
        options={POSITIONS}
        value={banner.position}
        onChange={(position) => setBanner({ position })}
      />
    </>
  );
}
