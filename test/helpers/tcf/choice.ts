import { TCString } from '@iabtechlabtcf/core';

const idsOf = (vector: { forEach(each: (on: boolean, id: number) => void): void }): number[] => {
  const ids: number[] = [];
  vector.forEach((on, id) => {
    if (on) ids.push(id);
  });
  return ids;
};

/** What a string allows, as IAB's own library reads it. */
export const choiceIn = (text: string) => {
  const model = TCString.decode(text);
  return {
    purposes: idsOf(model.purposeConsents),
    legInt: idsOf(model.purposeLegitimateInterests),
    special: idsOf(model.specialFeatureOptins),
    vendors: idsOf(model.vendorConsents),
    legIntVendors: idsOf(model.vendorLegitimateInterests),
    disclosed: idsOf(model.vendorsDisclosed),
  };
};
