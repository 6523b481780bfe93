import { Card, NumberField, Select, Switch } from '../../ui';
import type { Banner, Editor } from './draft';
import { LogoFields } from './logo-fields';

type Design = NonNullable<Banner['design']>;
type Change = { [Key in keyof Design]?: Design[Key] | undefined };

const FONTS = [
  ['system', 'The visitor’s system'],
  ['serif', 'With serifs'],
  ['rounded', 'Rounded'],
  ['mono', 'Letters of one width'],
  ['inherit', 'The font of your page'],
] as const;
const SPACES = [
  ['compact', 'Compact'],
  ['normal', 'Normal'],
  ['roomy', 'Roomy'],
] as const;
const SHADOWS = [
  ['none', 'None'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
] as const;
const CORNERS = [
  ['bottom_left', 'Bottom left'],
  ['bottom_right', 'Bottom right'],
  ['top_left', 'Top left'],
  ['top_right', 'Top right'],
] as const;

/** Font, corners, room, shadow, place of the control, parts and logo. What is empty is as usual. */
export function DesignFields({ editor: { value, setBanner, at = 'settings.banner' } }: { editor: Editor }) {
  const path = `${at}.design`;
  const { design = {}, control } = value.banner;
  const set = (part: Change) => {
    const all = Object.entries({ ...design, ...part }).filter(([, one]) => one !== undefined);
    setBanner({ design: all.length === 0 ? undefined : Object.fromEntries(all) });
  };
  return (
    <Card title="Design">
      <div className="two">
        <Select
          label="Font"
          name={`${path}.font`}
          isRequired
          options={FONTS}
          value={design.font ?? 'system'}
          onChange={(font) => set({ font })}
        />
        <NumberField
          label="Size of the text"
          description="14 to 20 pixels. Usually 16."
          name={`${path}.font_size`}
          value={design.font_size}
          onChange={(font_size) => set({ font_size })}
        />
        <NumberField
          label="Corners of the panels"
          description="0 to 24 pixels. Usually 12; a bar has none."
          name={`${path}.radius`}
          value={design.radius}
          onChange={(radius) => set({ radius })}
        />
        <NumberField
          label="Corners of the buttons"
          description="0 to 24 pixels. Usually 8."
          name={`${path}.button_radius`}
          value={design.button_radius}
          onChange={(button_radius) => set({ button_radius })}
        />
        <Select
          label="Room"
          name={`${path}.spacing`}
          isRequired
          options={SPACES}
          value={design.spacing ?? 'normal'}
          onChange={(spacing) => set({ spacing })}
        />
        <Select
          label="Shadow"
          name={`${path}.elevation`}
          isRequired
          options={SHADOWS}
          value={design.elevation ?? 'medium'}
          onChange={(elevation) => set({ elevation })}
        />
      </div>
      {control !== 'custom' && (
        <Select
          label="Where the floating button is"
          name={`${path}.control_position`}
          isRequired
          options={CORNERS}
          value={design.control_position ?? 'bottom_left'}
          onChange={(control_position) => set({ control_position })}
        />
      )}
      <LogoFields path={`${path}.logo`} logo={design.logo} onChange={(logo) => set({ logo })} />
      <Switch
        label="Parts for your own style sheet"
        hint="Your pages can style the banner with ::part(). Then you answer for what it looks like: records prove the look without it."
        name={`${path}.parts`}
        value={design.parts ?? false}
        onChange={(parts) => set({ parts: parts || undefined })}
      />
    </Card>
  );
}
