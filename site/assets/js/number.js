// One rule prints every number, here and in result/number.go: three significant digits, commas between thousands, no
// exponent.
const format = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });

export const number = (value) => (Number.isFinite(value) ? format.format(value || 0) : "–");

// Counts and capacities: whole numbers have all of their digits.
export const exact = (value) => (Number.isInteger(value) ? value.toLocaleString("en-US") : number(value));

// Reads a number that a page shows.
export const parsed = (shown) => parseFloat(shown.replaceAll(",", ""));
